//! `<sitemapindex>`: URLs and newest dates of the children, in one or more indexes as the limits
//! require.

use super::layout_input::LayoutInput;
use super::mark::opening_of;
use super::names::ENDING;
use super::plan::{PlannedFile, PlannedFileKind};
use super::xml::{NAMESPACE, push_element, push_escaped};
use crate::group_name::INDEX;
use crate::lastmod::LastMod;
use crate::settings::SitemapSettings;
use site_paths::PageUrl;

const END: &str = "</sitemapindex>\n";

/// Plans the indexes over these sitemaps, each with its newest date: `sitemap.xml`, then
/// `sitemap-index-2.xml` and so on if the limits require more.
pub(crate) fn indexes_over(
    contents: &LayoutInput<'_>,
    sitemaps: impl Iterator<Item = (PageUrl, Option<LastMod>)>,
) -> Vec<PlannedFile> {
    let mut indexes: Vec<SitemapIndex> = Vec::new();
    for (url, newest) in sitemaps {
        let line = line_of(
            url.as_str(),
            newest.map(|date| date.to_text(contents.dates)).as_deref(),
        );
        match indexes.last_mut() {
            Some(last) if last.has_room_for(&line, contents.settings) => last.push(&line),
            _ => indexes.push(SitemapIndex {
                sitemaps: 1,
                text: beginning(contents.opening) + &line,
            }),
        }
    }
    let planned = |(number, index): (usize, SitemapIndex)| {
        let suffix = if number == 1 {
            String::new()
        } else {
            format!("{INDEX}-{number}")
        };
        PlannedFile::ready(
            contents.file_name(&suffix, ENDING),
            PlannedFileKind::Index,
            index.sitemaps,
            index.text + END,
        )
    };
    (1..).zip(indexes).map(planned).collect()
}

/// Renders a single index without dates, which bridges a move of pages between children.
pub fn index_over<'a>(root: &str, sitemaps: impl Iterator<Item = &'a str>) -> String {
    let lines: String = sitemaps.map(|url| line_of(url, None)).collect();
    beginning(&opening_of(root)) + &lines + END
}

struct SitemapIndex {
    sitemaps: usize,
    text: String,
}

impl SitemapIndex {
    fn has_room_for(&self, line: &str, limits: &SitemapSettings) -> bool {
        self.sitemaps < limits.max_sitemaps
            && self.text.len() + line.len() + END.len() <= limits.max_bytes
    }

    fn push(&mut self, line: &str) {
        self.sitemaps += 1;
        self.text.push_str(line);
    }
}

fn beginning(opening: &str) -> String {
    format!("{opening}<sitemapindex xmlns=\"{NAMESPACE}\">\n")
}

fn line_of(url: &str, lastmod: Option<&str>) -> String {
    let mut line = String::from("<sitemap><loc>");
    push_escaped(url, &mut line);
    line.push_str("</loc>");
    if let Some(date) = lastmod {
        push_element("lastmod", date, &mut line);
    }
    line.push_str("</sitemap>\n");
    line
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{at_most, date, entry, grouped, plan, rendered};
    use super::super::{PlannedFileKind, SitemapEntry};
    use crate::settings::SitemapSettings;

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

    #[test]
    fn more_children_than_fit_one_index_give_further_indexes() {
        let groups = ["a", "b", "c", "d", "e"].map(|group| grouped(group, group));
        let check = |settings: SitemapSettings, expected: &[(&str, usize)]| {
            let plan = plan(groups.to_vec(), &settings);
            let indexes = plan
                .files()
                .iter()
                .filter(|file| file.kind == PlannedFileKind::Index);
            assert_eq!(
                indexes
                    .map(|file| (file.name.as_str(), file.urls))
                    .collect::<Vec<_>>(),
                expected
            );
        };
        let by_count = SitemapSettings {
            max_sitemaps: 2,
            ..SitemapSettings::default()
        };
        check(
            by_count,
            &[
                ("sitemap.xml", 2),
                ("sitemap-index-2.xml", 2),
                ("sitemap-index-3.xml", 1),
            ],
        );
        let whole = plan(groups.to_vec(), &SitemapSettings::default()).files()[0].bytes;
        check(
            SitemapSettings {
                max_bytes: whole,
                ..SitemapSettings::default()
            },
            &[("sitemap.xml", 5)],
        );
        let by_bytes = SitemapSettings {
            max_bytes: whole - 1,
            ..SitemapSettings::default()
        };
        check(by_bytes, &[("sitemap.xml", 4), ("sitemap-index-2.xml", 1)]);
    }
}
