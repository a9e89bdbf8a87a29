//! How a browser shows a sitemap: as a table, by a style sheet that the file carries itself. Pure.
//!
//! CSS, and not XSLT, which browsers are about to drop (developer.chrome.com, "Removing XSLT for a more secure browser").
//! A data URL, and not a file beside the sitemap: nothing more is published, and nothing is left over when it is switched
//! off. Readers of sitemaps skip processing instructions.

/// What the table looks like.
const STYLE: &str = "urlset,sitemapindex{display:table;margin:1em auto;max-width:75em;border-collapse:collapse;\
font:16px/1.5 system-ui,sans-serif}\
url,sitemap{display:table-row}\
loc,lastmod,changefreq,priority{display:table-cell;padding:.3em 1em;border-bottom:1px solid color-mix(in srgb,currentcolor 25%,transparent)}\
lastmod,changefreq,priority{white-space:nowrap}\
loc{overflow-wrap:anywhere}\
url>:not(loc,lastmod,changefreq,priority){display:none}\
:root{color-scheme:light dark;color:canvastext;background:canvas}";

/// The processing instruction that names the style sheet, with its line end ("Associating Style Sheets with XML
/// documents", W3C).
pub(super) fn stylesheet() -> String {
    let mut encoded = String::with_capacity(2 * STYLE.len());
    for character in STYLE.chars() {
        match character {
            ' ' => encoded.push_str("%20"),
            '%' => encoded.push_str("%25"),
            '>' => encoded.push_str("%3E"),
            '#' => encoded.push_str("%23"),
            _ => encoded.push(character),
        }
    }
    format!("<?xml-stylesheet type=\"text/css\" href=\"data:text/css,{encoded}\"?>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_instruction_ends_it_early() {
        let stylesheet = stylesheet();
        let inner = stylesheet.strip_prefix("<?").and_then(|rest| rest.strip_suffix("?>\n")).expect("an instruction");
        assert!(!inner.contains(['<', '>', '&']), "{inner}");
        assert_eq!(inner.matches('"').count(), 4, "{inner}");
    }
}
