//! `sitemap.txt`: one URL per line and nothing else (sitemaps.org protocol, "Text file").
//!
//! robots.txt names text files; the index does not. Of five index readers that we tested, four
//! ignore a text file that an index names.

use super::plan::{FileRole, Plan, PlannedFile, PlannedFileKind};
use crate::settings::SitemapSettings;

pub(super) fn lay_out(plan: &Plan, settings: &SitemapSettings) -> Vec<PlannedFile> {
    let kind = PlannedFileKind::Text;
    plan.split_entries(kind, settings, |_| None)
        .into_iter()
        .map(|part| {
            let name = plan.file_name(&part.bits.to_string(), ".txt");
            PlannedFile::from_part(name, kind, FileRole::Root, part)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{at_most, entry, grouped, plan, rendered};
    use crate::settings::{SitemapFormat, SitemapSettings};

    #[test]
    fn a_text_sitemap_contains_only_urls_and_line_ends() {
        let settings = SitemapSettings {
            formats: vec![SitemapFormat::Txt],
            ..SitemapSettings::default()
        };
        let rendered = rendered(&plan(
            vec![grouped("b", "blog"), entry("a&b"), entry("é.html")],
            &settings,
        ));
        let expected =
            "https://example.com/%C3%A9.html\nhttps://example.com/a&b\nhttps://example.com/b\n";
        assert_eq!(rendered, [("sitemap.txt".to_owned(), expected.to_owned())]);
    }

    #[test]
    fn a_text_sitemap_over_a_limit_is_split_and_every_part_is_a_root() {
        let settings = SitemapSettings {
            formats: vec![SitemapFormat::Txt],
            ..at_most(2)
        };
        let plan = plan(["a", "b", "c"].map(entry).to_vec(), &settings);
        assert_eq!(plan.roots().count(), plan.files().len());
        assert!(plan.files().len() > 1);
        assert!(
            plan.files()
                .iter()
                .all(|file| file.urls <= 2 && file.bytes == plan.render(file).len())
        );
    }
}
