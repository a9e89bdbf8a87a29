//! Finds the modification date that a page states about itself in JSON-LD or microdata.
//!
//! A page also has the dates of others: of comments, related articles and the site. In JSON-LD only
//! the outermost objects count, those in `@graph` and their `mainEntity`, if their type is that of a
//! page or an article and they do not name another page as theirs. The rule for microdata is that of
//! `page_signals`. If several of these dates differ, none is known to be the page's.

use serde_json::Value;

use super::json_ld::{JsonLdObject, parsed, text, types, url_text};
use page_signals::{Metadata, is_page_type};
use sitemaps::site_paths::PageUrl;
use sitemaps::{LastMod, Now, ParsedDate};

/// Returns the modification date that a page states about itself, as written. A date that cannot be
/// parsed or cannot be true is ignored. JSON-LD takes precedence over microdata.
pub(crate) fn modified_of(metadata: &Metadata, page: &PageUrl, now: Now) -> Option<String> {
    let scripts = parsed(&metadata.json_ld);
    let mut objects = Vec::new();
    for script in &scripts {
        add_outermost(script, &mut objects);
    }
    let of_page = objects
        .into_iter()
        .filter(|object| is_of_page(object, page));
    let in_json_ld = of_page.filter_map(|object| text(object, "dateModified"));
    agreed(in_json_ld, now).or_else(|| agreed(metadata.modified_times.iter().cloned(), now))
}

/// The only date among the valid ones.
fn agreed(dates: impl Iterator<Item = String>, now: Now) -> Option<String> {
    let date = |text: &str| match LastMod::parse(text, now) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
        ParsedDate::Invalid(_) | ParsedDate::Unreadable => None,
    };
    let mut valid = dates.filter_map(|text| Some((date(&text)?, text)));
    let (first, text) = valid.next()?;
    valid.all(|(date, _)| date == first).then_some(text)
}

/// Adds the objects that are not part of others.
fn add_outermost<'v>(value: &'v Value, found: &mut Vec<&'v JsonLdObject>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_outermost(value, found)),
        Value::Object(object) => {
            found.push(object);
            if let Some(graph) = object.get("@graph") {
                add_outermost(graph, found);
            }
            if types(object).any(is_page_type)
                && let Some(entity) = object.get("mainEntity")
            {
                add_outermost(entity, found);
            }
        }
        _ => {}
    }
}

/// Whether an object is about this page: of a type of pages, and without the URL of another page.
fn is_of_page(object: &JsonLdObject, page: &PageUrl) -> bool {
    let names_page = |key: &str| {
        url_text(object, key)
            .and_then(|url| page.resolve(url).ok())
            .is_none_or(|url| plain_url(url.as_str()) == plain_url(page.as_str()))
    };
    types(object).any(is_page_type) && names_page("url") && names_page("mainEntityOfPage")
}

/// A URL without the parts in which two URLs of one page usually differ.
fn plain_url(url: &str) -> &str {
    let url = url.split(['#', '?']).next().unwrap_or(url);
    let url = url.strip_suffix("index.html").unwrap_or(url);
    let url = url.strip_suffix(".html").unwrap_or(url);
    url.strip_suffix('/').unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[track_caller]
    fn check(scripts: &[&str], expected: Option<&str>) {
        let mut metadata = Metadata::default();
        metadata.json_ld = scripts.iter().map(|script| (*script).to_owned()).collect();
        metadata.modified_times = vec!["2020-02-02".to_owned()];
        let url = url::Url::parse("https://example.com/a/").expect("a URL");
        let page = PageUrl::from_url(&url).expect("a URL of a page");
        let found = modified_of(&metadata, &page, NOW);
        assert_eq!(
            found.as_deref(),
            expected.or(Some("2020-02-02")),
            "{scripts:?}"
        );
    }

    #[test]
    fn the_date_of_the_page_or_its_article_is_its_date() {
        let date = Some("2024-05-06");
        check(
            &[r#"{"@type": "Article", "dateModified": "2024-05-06"}"#],
            date,
        );
        check(
            &[r#"{"@type": ["Thing", "schema:BlogPosting"], "dateModified": " 2024-05-06 "}"#],
            date,
        );
        check(
            &[r#"[{"@type": "WebSite"}, {"@type": "WebPage", "dateModified": "2024-05-06"}]"#],
            date,
        );
        check(
            &[
                r##"{"@graph": [{"@type": "TechArticle", "@id": "#article", "url": "/a/#x", "dateModified": "2024-05-06"},
                {"@type": "WebPage", "url": "https://example.com/a", "dateModified": "2024-05-06"}]}"##,
            ],
            date,
        );
        check(
            &[
                r#"{"@type": "WebPage", "mainEntity": {"@type": "Recipe", "dateModified": "2024-05-06"}}"#,
            ],
            date,
        );
        check(
            &[
                r#"{"@type": "NewsArticle", "mainEntityOfPage": {"@id": "https://example.com/a/index.html"},
                "dateModified": "2024-05-06"}"#,
            ],
            date,
        );
    }

    #[test]
    fn dates_of_comments_other_pages_and_the_site_are_not_those_of_the_page() {
        check(
            &[r#"{"@type": "Comment", "dateModified": "2024-05-06"}"#],
            None,
        );
        check(
            &[
                r#"{"@type": "Article", "comment": {"@type": "Comment", "dateModified": "2024-05-06"}}"#,
            ],
            None,
        );
        check(
            &[r#"{"@type": "WebSite", "dateModified": "2024-05-06"}"#],
            None,
        );
        check(
            &[r#"{"@type": "Article", "url": "/b/", "dateModified": "2024-05-06"}"#],
            None,
        );
        check(
            &[
                r#"{"@type": "WebPage", "relatedLink": {"@type": "Article", "dateModified": "2024-05-06"}}"#,
            ],
            None,
        );
        check(
            &[
                r#"{"@type": "ItemList", "itemListElement": [{"@type": "Article", "dateModified": "2024-05-06"}]}"#,
            ],
            None,
        );
    }

    #[test]
    fn malformed_dates_and_dates_that_differ_are_ignored() {
        check(
            &[r#"{"@type": "Article", "dateModified": "yesterday"}"#],
            None,
        );
        check(
            &[r#"{"@type": "Article", "dateModified": "2999-01-01"}"#],
            None,
        );
        check(
            &[
                r#"{"@type": "Article", "dateModified": 20240506}"#,
                "{broken",
            ],
            None,
        );
        check(
            &[
                r#"{"@type": "Article", "dateModified": "2024-05-06"}"#,
                r#"{"@type": "Article", "dateModified": "2024-05-07"}"#,
            ],
            None,
        );
    }
}
