//! The stylesheet that makes browsers show a sitemap as a table, embedded in the file.
//!
//! It is CSS and not XSLT, which browsers are about to drop (developer.chrome.com, "Removing XSLT
//! for a more secure browser"). It is a data URL and not a separate file: nothing extra is
//! published, and nothing is left behind when the setting is turned off. Sitemap readers skip
//! processing instructions.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Layout of the table: a row has the URL, the date and the rest, and below them the languages of its links. On a
/// narrow screen the URL is above the date.
const STYLE: &str = "\
:root{display:block;max-width:75em;margin:1.5em auto;padding:0 1em;\
font:16px/1.5 system-ui,sans-serif;\
color-scheme:light dark;color:canvastext;background:canvas}\
:root::before{font-size:1.5em;font-weight:bold}\
urlset::before{content:'Sitemap'}\
sitemapindex::before{content:'Sitemap index'}\
url,sitemap{display:flex;flex-wrap:wrap;gap:0 1em;padding:.3em 0;\
border-bottom:1px solid rgb(128 128 128/.4)}\
url::after{content:'';order:1;flex:0 1 75em}\
loc{flex:1 1 20em;overflow-wrap:anywhere}\
lastmod{flex:0 0 15.5em;font-variant-numeric:tabular-nums}\
changefreq{flex:0 0 5em}\
priority{flex:0 0 3em;text-align:right}\
url>:not(loc,lastmod,changefreq,priority){display:none}\
url>link{display:block;order:2;font-size:.85em;opacity:.8}\
link::before{content:attr(hreflang)}\
@media(max-width:50em){url>loc,sitemap>loc{flex-basis:75em}}";

/// Characters that end a data URL or the instruction, and the space.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'>').add(b'#');

/// Processing instruction that contains the stylesheet, including the line end (W3C, "Associating
/// Style Sheets with XML documents").
pub(super) fn stylesheet() -> String {
    let encoded = utf8_percent_encode(STYLE, ENCODED);
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
        assert!(stylesheet.len() < 1000, "{}", stylesheet.len());
    }
}
