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

#[test]
fn each_violation_is_reported_at_its_place() {
    let urlset = format!("<urlset xmlns=\"{NAMESPACE}\">");
    let check = |text: &str, expected: &[(SitemapFlawKind, &str)]| {
        let expected: Vec<_> = expected
            .iter()
            .map(|&(kind, quoted)| (kind, quoted.to_owned()))
            .collect();
        assert_eq!(flaws(text), expected, "{text}");
    };
    check(
        &format!("{urlset}<url><loc>a</loc><lastmod>b</lastmod></url></urlset>"),
        &[(SitemapFlawKind::Schema, "b")],
    );
    check(
        &format!(
            "\u{feff}<?xml version=\"1.0\"?>\n\
             {urlset}<url><loc>&amp;&#65;</loc></url></urlset>\n"
        ),
        &[],
    );
    check(
        &format!("<s:urlset xmlns:s=\"{NAMESPACE}\"><s:url><s:loc>a</s:loc></s:url></s:urlset>"),
        &[],
    );
    check("https://example.com/\n", &[]);
    check(
        &format!("\n<?xml version=\"1.0\"?>{urlset}</urlset>"),
        &[(SitemapFlawKind::Malformed, "<")],
    );
    check(
        &format!("   <?xml version=\"1.0\"?>{urlset}</urlset>"),
        &[(SitemapFlawKind::Malformed, "<")],
    );
    check(
        &format!("\u{feff} <?xml version=\"1.0\"?>{urlset}</urlset>"),
        &[(SitemapFlawKind::Malformed, "<")],
    );
    check(&format!("{urlset}<?p q?><?p?></urlset>"), &[]);
    check(
        &format!("{urlset}<?p</url> q?></urlset>"),
        &[(SitemapFlawKind::Malformed, "<?p</url> q?>")],
    );
    check(
        "<urlset><url><loc>a</loc></url></urlset>",
        &[(SitemapFlawKind::Namespace, "<urlset")],
    );
    check(
        "<html><p>x</p></html>",
        &[(SitemapFlawKind::Malformed, "<html")],
    );
    check(
        &format!("{urlset}<url><lastmod>2024-05-06</lastmod><loc>a</loc></url></urlset>"),
        &[(SitemapFlawKind::Schema, "<loc")],
    );
    check(
        &format!("{urlset}<url><priority>1</priority></url></urlset>"),
        &[(SitemapFlawKind::Schema, "<url><priority>1</priority></url>")],
    );
    check(
        &format!("{urlset}<url><loc>a&nbsp;b</loc></url></urlset>"),
        &[(SitemapFlawKind::Malformed, "&")],
    );
    check(
        &format!("{urlset}<url><loc>a</loc></url>"),
        &[(SitemapFlawKind::Malformed, "<")],
    );
}

proptest! {
    #[test]
    fn no_input_makes_it_panic(text in "[<>/&;!?a-z\\[\\]= \"\n]{0,60}") {
        prop_assert!(validate(text.as_bytes()).is_ok());
        let within = format!("<urlset><url>{text}");
        prop_assert!(validate(within.as_bytes()).is_ok());
    }
}
