//! `sitemap.rss` and `sitemap.atom`: the newest pages as RSS 2.0 and Atom 1.0, which the protocol
//! accepts as sitemaps.
//!
//! Like text sitemaps, they are named in robots.txt and not in the index. They do not depend on the
//! clock: the date of a feed is that of its newest page, so equal pages give equal bytes.

use crate::file_kind::ATOM_1_0;
use crate::lastmod::LastMod;
use crate::mark::opening_of;
use crate::plan::{Plan, PlannedFile, PlannedFileKind};
use crate::site_paths::PageUrl;
use crate::xml::{push_element, push_escaped};

/// The newest pages of a site.
#[derive(Debug, Default)]
pub struct Newest {
    /// Title of the site.
    pub title: String,
    /// Newest first; pages without a date come last.
    pub pages: Vec<NewestPage>,
}

/// A page in a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestPage {
    /// URL of the page.
    pub url: PageUrl,
    /// Title, or the URL if the page has none.
    pub title: String,
    /// Date of the last change, if known.
    pub lastmod: Option<LastMod>,
}

/// Lays out RSS 2.0 (www.rssboard.org/rss-specification), with the link to itself that the RSS
/// Advisory Board's profile recommends. A page without a date becomes an item without `pubDate`.
pub(super) fn lay_out_rss(plan: &Plan, newest: &Newest) -> Option<PlannedFile> {
    let Newest { title, pages } = newest;
    let newest = pages.first()?;
    let name = plan.file_name("", ".rss");
    let (opening, base) = (opening_of(&plan.root), &plan.base);
    let title = element("title", title);
    let link = element("link", base.as_str());
    let description = element("description", &format!("The newest pages of {base}"));
    let own_url = attribute_of(&base.path_url(name.as_bytes()));
    let built = newest
        .lastmod
        .map(|date| element("lastBuildDate", &date.to_rfc2822()) + "\n")
        .unwrap_or_default();
    let items: String = pages.iter().map(item).collect();
    let text = format!(
        "{opening}<rss version=\"2.0\" xmlns:atom=\"{ATOM_1_0}\">\n<channel>\n\
         {title}\n{link}\n{description}\n\
         <atom:link rel=\"self\" type=\"application/rss+xml\" href=\"{own_url}\"/>\n\
         {built}{items}</channel>\n</rss>\n"
    );
    Some(PlannedFile::ready(
        name,
        PlannedFileKind::Feed,
        pages.len(),
        text,
    ))
}

fn item(page: &NewestPage) -> String {
    let title = element("title", &page.title);
    let [link, guid] = ["link", "guid"].map(|name| element(name, page.url.as_str()));
    let date = page
        .lastmod
        .map(|date| element("pubDate", &date.to_rfc2822()))
        .unwrap_or_default();
    format!("<item>{title}{link}{guid}{date}</item>\n")
}

/// Lays out Atom 1.0 (RFC 4287). Every entry must have a date, so pages without one are omitted.
pub(super) fn lay_out_atom(plan: &Plan, newest: &Newest) -> Option<PlannedFile> {
    let Newest { title, pages } = newest;
    let entries: Vec<String> = pages.iter().filter_map(entry).collect();
    let newest = pages.first()?.lastmod?;
    let name = plan.file_name("", ".atom");
    let (opening, base) = (opening_of(&plan.root), &plan.base);
    let own_url = base.path_url(name.as_bytes());
    let title = element("title", title);
    let id = element("id", own_url.as_str());
    let updated = element("updated", &newest.to_rfc3339());
    // Section 4.1.1: the feed, or each of its entries, has an author. That of a page is unknown.
    let author = element("name", base.host());
    let (own_url, home) = (attribute_of(&own_url), attribute_of(&base.path_url(b"")));
    let text = format!(
        "{opening}<feed xmlns=\"{ATOM_1_0}\">\n\
         {title}\n{id}\n{updated}\n<author>{author}</author>\n\
         <link rel=\"self\" type=\"application/atom+xml\" href=\"{own_url}\"/>\n\
         <link href=\"{home}\"/>\n{}</feed>\n",
        entries.concat()
    );
    Some(PlannedFile::ready(
        name,
        PlannedFileKind::Feed,
        entries.len(),
        text,
    ))
}

/// Renders an Atom entry; `None` for a page without a date.
fn entry(page: &NewestPage) -> Option<String> {
    let updated = element("updated", &page.lastmod?.to_rfc3339());
    let title = element("title", &page.title);
    let id = element("id", page.url.as_str());
    let href = attribute_of(&page.url);
    Some(format!(
        "<entry>{title}<link href=\"{href}\"/>{id}{updated}</entry>\n"
    ))
}

fn element(name: &str, text: &str) -> String {
    let mut out = String::new();
    push_element(name, text, &mut out);
    out
}

/// Escapes a URL as the value of an attribute.
fn attribute_of(url: &PageUrl) -> String {
    let mut out = String::new();
    push_escaped(url.as_str(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{base, date, entry, plan_with, rendered};
    use crate::settings::{SitemapFormat, SitemapSettings};

    fn feed_of(format: SitemapFormat) -> Vec<(String, String)> {
        let page = |path: &str, title: &str, lastmod| NewestPage {
            url: base().path_url(path.as_bytes()),
            title: title.to_owned(),
            lastmod,
        };
        let pages = vec![
            page("b", "B < \u{1}\u{ffff}C", date(1_700_000_000)),
            page("a&b", "A", None),
        ];
        let newest = Newest {
            title: "Site".to_owned(),
            pages,
        };
        let settings = SitemapSettings {
            formats: vec![format],
            ..SitemapSettings::default()
        };
        rendered(&plan_with(
            vec![entry("b"), entry("a&b")],
            &newest,
            &settings,
        ))
    }

    #[test]
    fn rss_contains_the_title_url_and_date_of_each_page() {
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">
<channel>
<title>Site</title>
<link>https://example.com/</link>
<description>The newest pages of https://example.com/</description>
<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"https://example.com/sitemap.rss\"/>
<lastBuildDate>Tue, 14 Nov 2023 23:13:20 +0100</lastBuildDate>
<item><title>B &lt; C</title><link>https://example.com/b</link><guid>https://example.com/b</guid>\
<pubDate>Tue, 14 Nov 2023 23:13:20 +0100</pubDate></item>
<item><title>A</title><link>https://example.com/a&amp;b</link>\
<guid>https://example.com/a&amp;b</guid></item>
</channel>
</rss>
";
        assert_eq!(
            feed_of(SitemapFormat::Rss),
            [("sitemap.rss".to_owned(), expected.to_owned())]
        );
    }

    #[test]
    fn atom_contains_only_pages_with_a_date() {
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<feed xmlns=\"http://www.w3.org/2005/Atom\">
<title>Site</title>
<id>https://example.com/sitemap.atom</id>
<updated>2023-11-14T23:13:20+01:00</updated>
<author><name>example.com</name></author>
<link rel=\"self\" type=\"application/atom+xml\" href=\"https://example.com/sitemap.atom\"/>
<link href=\"https://example.com/\"/>
<entry><title>B &lt; C</title><link href=\"https://example.com/b\"/>\
<id>https://example.com/b</id>\
<updated>2023-11-14T23:13:20+01:00</updated></entry>
</feed>
";
        assert_eq!(
            feed_of(SitemapFormat::Atom),
            [("sitemap.atom".to_owned(), expected.to_owned())]
        );
    }
}
