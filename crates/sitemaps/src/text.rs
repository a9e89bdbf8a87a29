//! `sitemap.txt`: one URL per line and nothing else (sitemaps.org protocol, "Text file").
//!
//! robots.txt names text files; the index does not. Of five index readers that we tested, four
//! ignore a text file that an index names.

use super::SitemapEntry;
use super::file_shape::{FileLayout, SitemapPart};
use super::layout_input::LayoutInput;
use super::plan::{FileRole, PlannedFile, PlannedFileKind};
use crate::lastmod::DateFormat;

const SHAPE: FileLayout = FileLayout {
    beginning: |_| String::new(),
    push_entry,
    end: "",
};

pub(super) fn lay_out(contents: &LayoutInput<'_>) -> Vec<PlannedFile> {
    let file = |part: SitemapPart<'_>| {
        let name = contents.file_name(&part.bits.to_string(), ".txt");
        PlannedFile::of_part(name, PlannedFileKind::Text, FileRole::Root, part, &SHAPE)
    };
    contents
        .split_entries(&SHAPE, |_| None)
        .into_iter()
        .map(file)
        .collect()
}

fn push_entry(entry: &SitemapEntry, _: DateFormat, out: &mut String) {
    out.push_str(entry.loc.as_str());
    out.push('\n');
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
