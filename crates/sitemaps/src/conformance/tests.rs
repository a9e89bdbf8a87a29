//! Tests of the strict reader: each violation at its place.

use super::*;
use crate::xml::NAMESPACE;
use proptest::prelude::*;

fn flaws(text: &str) -> Vec<(SitemapFlawKind, String)> {
    let found = validate(text.as_bytes()).expect("the input can be read");
    let quoted =
        |flaw: &SitemapFlaw| text[flaw.place.start as usize..flaw.place.end as usize].to_owned();
    found
        .flaws
        .iter()
        .map(|flaw| (flaw.kind, quoted(flaw)))
        .collect()
}

/// Kind, the text at its place, and the document; `URLSET` is the root element.
const VIOLATIONS: &str = r#"
Schema | b | URLSET<url><loc>a</loc><lastmod>b</lastmod></url></urlset>
Schema | <loc | URLSET<url><lastmod>2024-05-06</lastmod><loc>a</loc></url></urlset>
Schema | <url><priority>1</priority></url> | URLSET<url><priority>1</priority></url></urlset>
Namespace | <urlset | <urlset><url><loc>a</loc></url></urlset>
Malformed | <html | <html><p>x</p></html>
Malformed | < | \n<?xml version="1.0"?>URLSET</urlset>
Malformed | < | \ufeff <?xml version="1.0"?>URLSET</urlset>
Malformed | <?p</url> q?> | URLSET<?p</url> q?></urlset>
Malformed | & | URLSET<url><loc>a&nbsp;b</loc></url></urlset>
Malformed | < | URLSET<url><loc>a</loc></url>
"#;

#[test]
fn each_violation_is_reported_at_its_place() {
    let urlset = format!("<urlset xmlns=\"{NAMESPACE}\">");
    for row in VIOLATIONS.trim().lines() {
        let (expected, text) = row.rsplit_once(" | ").expect("a document");
        let text = text.replace("URLSET", &urlset).replace("\\n", "\n");
        let found = flaws(&text.replace("\\ufeff", "\u{feff}"));
        let found = found
            .iter()
            .map(|(kind, text)| format!("{kind:?} | {text}"));
        assert_eq!(found.collect::<Vec<_>>(), [expected], "{row}");
    }
    let url = "<url><loc>&#65;</loc></url>";
    for text in [
        format!("\u{feff}<?xml version=\"1.0\"?>\n{urlset}{url}</urlset>\n"),
        format!("<s:urlset xmlns:s=\"{NAMESPACE}\"><s:url><s:loc>a</s:loc></s:url></s:urlset>"),
        format!("{urlset}<?p q?><?p?></urlset>"),
        "https://example.com/\n".to_owned(),
    ] {
        assert_eq!(flaws(&text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn no_input_makes_it_panic(text in "[<>/&;!?a-z\\[\\]= \"\n]{0,60}") {
        prop_assert!(validate(text.as_bytes()).is_ok());
        let within = format!("<urlset><url>{text}");
        prop_assert!(validate(within.as_bytes()).is_ok());
    }
}
