//! `<sitemapindex>`: URLs and newest dates of the children.

use super::names::{ENDING, FURTHER_INDEX};
use super::plan::{Plan, PlannedFile, PlannedFileKind};
use super::xml::{NAMESPACE, push_element, push_escaped};
use crate::lastmod::LastMod;
use crate::site_paths::{MAX_SITEMAP_ENTRIES, PageUrl};

const END: &str = "</sitemapindex>\n";

/// Plans the index over these sitemaps, each with its newest date, and further ones over those that one
/// index may not name.
pub(crate) fn indexes_of(plan: &Plan, sitemaps: &[(PageUrl, Option<LastMod>)]) -> Vec<PlannedFile> {
    (1..)
        .zip(sitemaps.chunks(MAX_SITEMAP_ENTRIES))
        .map(|(number, sitemaps)| index_of(plan, number, sitemaps))
        .collect()
}

fn index_of(plan: &Plan, number: usize, sitemaps: &[(PageUrl, Option<LastMod>)]) -> PlannedFile {
    let mut text = format!("{}<sitemapindex xmlns=\"{NAMESPACE}\">\n", plan.opening);
    for (url, newest) in sitemaps {
        text.push_str("<sitemap><loc>");
        push_escaped(url.as_str(), &mut text);
        text.push_str("</loc>");
        if let Some(date) = newest {
            push_element("lastmod", &date.to_text(plan.dates), &mut text);
        }
        text.push_str("</sitemap>\n");
    }
    let suffix = match number {
        1 => String::new(),
        number => format!("{}{number}", &FURTHER_INDEX[1..]),
    };
    let name = plan.file_name(&suffix, ENDING);
    PlannedFile::ready(name, PlannedFileKind::Index, sitemaps.len(), text + END)
}

#[cfg(test)]
mod tests {
    use super::super::SitemapEntry;
    use super::super::fixture::{at_most, date, entry, grouped, plan, rendered};
    use super::super::plan::FileRole;

    #[test]
    fn more_sitemaps_than_an_index_may_name_are_in_further_ones_which_are_roots() {
        let entries = (0..50_003).map(|number| entry(&number.to_string()));
        let plan = plan(entries.collect(), &at_most(1));
        let roots = plan
            .files()
            .iter()
            .filter(|file| file.role == FileRole::Root);
        let roots: Vec<_> = roots.map(|file| (file.name.as_str(), file.urls)).collect();
        let expected = [("sitemap.xml", 50_000), ("sitemap-index-2.xml", 3)];
        assert_eq!(roots, expected);
    }

    #[test]
    fn an_index_names_each_child_with_its_newest_date() {
        let dated = |path: &str, seconds| SitemapEntry {
            lastmod: date(seconds),
            ..grouped(path, "blog")
        };
        let plan = plan(
            vec![
                entry("a"),
                dated("b", 1_600_000_000),
                dated("c", 1_700_000_000),
            ],
            &at_most(2),
        );
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
<sitemap><loc>https://example.com/sitemap-blog.xml</loc>\
<lastmod>2023-11-14T23:13:20+01:00</lastmod></sitemap>
<sitemap><loc>https://example.com/sitemap-pages.xml</loc></sitemap>
</sitemapindex>
";
        assert_eq!(
            rendered(&plan)[0],
            ("sitemap.xml".to_owned(), expected.to_owned())
        );
        assert_eq!(
            plan.roots().map(|url| url.to_string()).collect::<Vec<_>>(),
            ["https://example.com/sitemap.xml"]
        );
    }
}
