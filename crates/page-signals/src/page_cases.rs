//! Tests the facts that only this crate has a notion of. `tests/oracle_html.rs` compares all others
//! with what a browser's parser sees.

use super::{MetaTag, PageFacts, PageReader, ReadOptions};

pub(super) fn facts_of(page: impl AsRef<[u8]>) -> PageFacts {
    PageReader::new(ReadOptions::default()).facts_of(page.as_ref())
}

/// A page with `head` in its head.
pub(super) fn with_head(head: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>t</title>{head}</head><body><p>x</p></body></html>\n"
    )
}

/// Robots tags as `region name=content`.
pub(super) fn robots(facts: &PageFacts) -> Vec<String> {
    facts
        .robots
        .iter()
        .map(|tag| format_tag(&tag.value))
        .collect()
}

pub(super) fn format_tag(tag: &MetaTag) -> String {
    format!("{:?} {}={}", tag.region, tag.name, tag.content)
}

pub(super) const NOINDEX: &str = "<meta name=\"robots\" content=\"noindex\">";

#[test]
fn a_script_that_redirects_is_reported_from_the_head_or_after_a_refresh() {
    let check = |page: &str, expected: Option<&str>| {
        let facts = facts_of(page);
        assert_eq!(facts.redirect_script.as_deref(), expected, "{page}");
    };
    let script = "\n  const target = \"https://example.com/new/\";\n  const hash = \
                  window.location.hash || \"\";\n  window.location.replace(target + hash);\n";
    let zola = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Redirect</title>\n\
         <script>{script}</script>\n<noscript>\n  <meta http-equiv=\"refresh\" content=\"0; \
         url=https://example.com/new/\">\n</noscript>\n\
         <p><a href=\"https://example.com/new/\">Click here</a> to be redirected.</p>\n"
    );
    check(&zola, Some(script));
    assert_eq!(
        format_tag(&facts_of(&zola).refreshes[0].value),
        "Noscript refresh=0; url=https://example.com/new/"
    );
    let first = "location='/other.html'";
    let redirect = format!("<script>{first}</script>");
    check(&format!("<script>load()</script>{redirect}"), Some(first));
    check(
        &format!("{redirect}<script>location='/b'</script>"),
        Some(first),
    );
    check(
        &format!("<script type=application/json>{first}</script>"),
        None,
    );
    check(&format!("<script src=x.js>{first}</script>"), None);
    check(&format!("<script>{first}"), None);
    check(&format!("<template>{redirect}</template>"), None);
    check(&format!("<p>{redirect}"), None);
    let refresh = "<noscript><meta http-equiv=refresh content=\"0; url=/other.html\"></noscript>";
    check(
        &format!("<head>{refresh}</head><body>{redirect}"),
        Some(first),
    );
    check(&format!("<body>{redirect}{refresh}"), None);
    check(
        &format!("<script>{first}//{}</script>", "a".repeat(2048)),
        None,
    );
}

#[test]
fn the_best_modification_date_counts_anywhere_in_the_page() {
    let check = |head: &str, expected: Option<&str>| {
        let modified = facts_of(with_head(head)).modified;
        let modified = modified.map(|stated| stated.value);
        assert_eq!(modified.as_deref(), expected, "{head}");
    };
    let best = "<meta property=\"article:modified_time\" content=\"2024-01-01\">";
    let second = "<meta property=\"og:updated_time\" content=\"2024-02-02\">";
    let third = "<meta name=Last-Modified content=2024-03-03>";
    let last = "<meta itemprop=dateModified content=2024-04-04>";
    check(&format!("{second}{best}{best}"), Some("2024-01-01"));
    check(third, Some("2024-03-03"));
    check(&format!("{second}</head><body>{last}"), Some("2024-02-02"));
    check(&format!("</head><body><p>{last}"), Some("2024-04-04"));
    let blank = "<meta property=article:modified_time content=' '>";
    check(&format!("<noscript>{best}</noscript>{blank}"), None);
}
