//! The text of a `<urlset>`.
//!
//! Each `<url>` is one line, so a change to one page changes one line. Only the namespaces in use
//! of the set are declared. It opens no files.

use super::SitemapEntry;
use super::entry::KEPT_LINKS;
use super::xml::{NAMESPACE, push_element, push_escaped};
use crate::entry::LanguageLinks;
use crate::lastmod::DateFormat;

/// The text after the entries.
pub(super) const END: &str = "</urlset>\n";

const XHTML: &str = " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
/// `image:image` (developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
const IMAGE: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";

/// The text before the entries of every file, for entries of this plan.
pub(super) fn beginning(opening: &str, entries: &[SitemapEntry]) -> String {
    let has_links = entries.iter().any(|entry| entry.alternates().is_some());
    let has_images = entries.iter().any(|entry| !entry.images().is_empty());
    let xhtml = if has_links { XHTML } else { "" };
    let image = if has_images { IMAGE } else { "" };
    format!("{opening}<urlset xmlns=\"{NAMESPACE}\"{xhtml}{image}>\n")
}

/// Appends an entry in the schema's order: loc, lastmod, changefreq, priority, then elements of
/// other namespaces.
pub(super) fn push_entry(entry: &SitemapEntry, dates: DateFormat, out: &mut String) {
    out.push_str("<url><loc>");
    push_escaped(entry.loc.as_str(), out);
    out.push_str("</loc>");
    if let Some(lastmod) = entry.lastmod {
        push_element("lastmod", &lastmod.to_text(dates), out);
    }
    if let Some(changefreq) = entry.by_rule.changefreq {
        push_element("changefreq", changefreq.as_str(), out);
    }
    if let Some(priority) = entry.by_rule.priority {
        push_element("priority", &priority.to_string(), out);
    }
    if entry.has_kept_links() {
        out.extend(["<!--", KEPT_LINKS, "-->"]);
    }
    for (language, url) in entry.alternates().into_iter().flat_map(LanguageLinks::iter) {
        out.push_str("<xhtml:link rel=\"alternate\" hreflang=\"");
        push_escaped(language, out);
        out.push_str("\" href=\"");
        push_escaped(url.as_str(), out);
        out.push_str("\"/>");
    }
    for url in entry.images() {
        out.push_str("<image:image>");
        push_element("image:loc", url.as_str(), out);
        out.push_str("</image:image>");
    }
    out.push_str("</url>\n");
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{base, date, entry, language_links, plan, rendered};
    use super::*;
    use crate::settings::SitemapSettings;
    use crate::values::{ChangeFreq, Priority};
    use crate::{EntryLinks, RuleValues};
    use std::sync::Arc;

    #[test]
    fn an_entry_is_one_line_in_the_order_of_the_schema() {
        let page = SitemapEntry {
            lastmod: date(1_700_000_000),
            by_rule: Arc::new(RuleValues {
                changefreq: Some(ChangeFreq::Weekly),
                priority: Priority::new(0.8),
                group: None,
            }),
            links: EntryLinks {
                alternates: language_links(&[("de", "de/"), ("x-default", "a&b'c.html")]),
                images: [base().path_url(b"i.png")].into(),
                ..EntryLinks::default()
            }
            .shared(),
            ..entry("a&b'c.html")
        };
        let settings = SitemapSettings::default();
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!-- waypost: sitemap.xml -->
<!-- images, and links marked as kept, are those of the sitemap that this one replaced -->
<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">
<url><loc>https://example.com/a&amp;b&apos;c.html</loc>\
<lastmod>2023-11-14T23:13:20+01:00</lastmod>\
<changefreq>weekly</changefreq><priority>0.8</priority>\
<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/\"/>\
<xhtml:link rel=\"alternate\" hreflang=\"x-default\" \
href=\"https://example.com/a&amp;b&apos;c.html\"/>\
<image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>
<url><loc>https://example.com/b</loc></url>
</urlset>
";
        let rendered = rendered(&plan(vec![entry("b"), page], &settings));
        assert_eq!(rendered, [("sitemap.xml".to_owned(), expected.to_owned())]);
    }

    #[test]
    fn disabled_extensions_declare_no_namespace() {
        let links = EntryLinks {
            alternates: language_links(&[("de", "de/")]),
            ..EntryLinks::default()
        };
        let page = SitemapEntry {
            links: links.shared(),
            ..entry("a")
        };
        let settings = SitemapSettings {
            hreflang: false,
            ..SitemapSettings::default()
        };
        let [(_, text)] = &rendered(&plan(vec![page], &settings))[..] else {
            panic!("one file");
        };
        assert!(
            text.contains(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>"
            ),
            "{text}"
        );
    }
}
