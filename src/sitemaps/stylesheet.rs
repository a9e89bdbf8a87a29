//! How a browser shows a sitemap: as a table, by a style sheet that the file carries itself. Pure.
//!
//! CSS, and not XSLT, which browsers are about to drop (developer.chrome.com, "Removing XSLT for a more secure browser").
//! A data URL, and not a file beside the sitemap: nothing more is published, and nothing is left over when it is switched
//! off. Readers of sitemaps skip processing instructions.

/// What the table looks like: a column for each element, so that an entry that lacks one leaves its place free; on a narrow
/// screen the address above the rest.
const STYLE: &str = "\
:root{display:block;max-width:75em;margin:1.5em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif;\
color-scheme:light dark;color:canvastext;background:canvas}\
:root::before{font-size:1.5em;font-weight:bold}\
urlset::before{content:'Sitemap'}\
sitemapindex::before{content:'Sitemap index'}\
url,sitemap{display:grid;grid-template-columns:minmax(0,1fr) 15.5em 5em 3em;gap:0 1em;padding:.3em 0;\
border-bottom:1px solid color-mix(in srgb,currentcolor 25%,transparent)}\
sitemap{grid-template-columns:minmax(0,1fr) 15.5em}\
loc{grid-column:1;overflow-wrap:anywhere}\
lastmod{grid-column:2;white-space:nowrap;font-variant-numeric:tabular-nums}\
changefreq{grid-column:3}\
priority{grid-column:4;text-align:right}\
url>:not(loc,lastmod,changefreq,priority){display:none}\
@media(max-width:50em){url,sitemap,loc{display:block}\
lastmod,changefreq,priority{margin-right:1em;font-size:.85em;opacity:.8}}";

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
        let inner = stylesheet
            .strip_prefix("<?")
            .and_then(|rest| rest.strip_suffix("?>\n"))
            .expect("an instruction");
        assert!(!inner.contains(['<', '>', '&']), "{inner}");
        assert_eq!(inner.matches('"').count(), 4, "{inner}");
    }
}
