//! `sitemap.xml`: plans entries as one `<urlset>`, or as several children of a `<sitemapindex>`, which has
//! their URLs and newest dates.

use crate::lastmod::LastMod;
use crate::names::{ENDING, FURTHER_INDEX};
use crate::plan::{FileRole, Plan, PlannedFile, PlannedFileKind, SitemapPart};
use crate::settings::SitemapSettings;
use crate::site_paths::{MAX_SITEMAP_ENTRIES, PageUrl};
use crate::values::UNGROUPED;
use crate::xml::{NAMESPACE, push_element, push_escaped};

/// Lays out one file if everything fits and no page has a group; otherwise children, and an index
/// over them, or several if one cannot name all.
pub(super) fn lay_out(plan: &Plan, settings: &SitemapSettings) -> Vec<PlannedFile> {
    let kind = PlannedFileKind::Urlset;
    let mut parts = plan.split_entries(kind, settings, |entry| entry.by_rule.group.as_ref());
    if parts.len() == 1 && parts[0].group.is_none() {
        let name = plan.file_name("", ENDING);
        return vec![PlannedFile::from_part(
            name,
            kind,
            FileRole::Root,
            parts.remove(0),
        )];
    }
    let mut children = Vec::with_capacity(parts.len());
    for part in parts {
        let name = plan.file_name(&suffix_of(&part), ENDING);
        children.push(PlannedFile::from_part(name, kind, FileRole::Child, part));
    }
    children.sort_by(|one, other| one.name.cmp(&other.name));
    let dated_urls: Vec<_> = children
        .iter()
        .map(|child| {
            let url = plan.base.path_url(child.name.as_bytes());
            (url, newest(plan, child))
        })
        .collect();
    let mut files = indexes_of(plan, &dated_urls);
    files.append(&mut children);
    files
}

/// The newest date in a file.
fn newest(plan: &Plan, file: &PlannedFile) -> Option<LastMod> {
    file.numbers()
        .iter()
        .filter_map(|&number| plan.entries[number as usize].lastmod)
        .max()
}

/// File name suffix of a part: `blog`, or `blog-01` if the group is split. Without a group it is
/// `pages`, or `01` if split.
fn suffix_of(part: &SitemapPart<'_>) -> String {
    let bits = part.bits;
    match part.group {
        None if bits.is_empty() => UNGROUPED.to_owned(),
        None => bits.to_string(),
        Some(group) if bits.is_empty() => group.to_string(),
        Some(group) => format!("{group}-{bits}"),
    }
}

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
    use crate::SitemapEntry;
    use crate::fixture::{at_most, date, entry, grouped, plan, rendered};
    use crate::plan::FileRole;

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
