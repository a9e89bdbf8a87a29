//! Finds the modification date that a page states about itself in JSON-LD or microdata.
//!
//! A page also has the dates of others: of comments, related articles and the site. In JSON-LD only
//! the outermost objects, those in `@graph` and the `mainEntity` of such a page count, if their type is
//! that of a page or an article and they do not name another page as theirs. Contexts are not followed:
//! real pages use schema.org's names without a prefix, or with its URL. The rule for microdata is that of
//! `page_signals`. If several of these dates differ, none is known to be the page's.

use serde_json::{Map, Value};

use page_signals::{Metadata, is_page_type};
use sitemaps::site_paths::PageUrl;
use sitemaps::{LastMod, Now};

/// Returns the modification date that a page states about itself, as written. A date that cannot be
/// parsed or cannot be true is ignored. JSON-LD takes precedence over microdata.
pub(super) fn modified_of(metadata: &Metadata, page: &PageUrl, now: Now) -> Option<String> {
    let mut in_json_ld = Vec::new();
    for script in &metadata.json_ld {
        if let Ok(script) = serde_json::from_str::<Value>(script.trim()) {
            add_dates(&script, page, &mut in_json_ld);
        }
    }
    agreed(in_json_ld.into_iter(), now)
        .or_else(|| agreed(metadata.modified_times.iter().cloned(), now))
}

/// The only date among the valid ones.
fn agreed(dates: impl Iterator<Item = String>, now: Now) -> Option<String> {
    let mut valid = dates.filter_map(|text| Some((LastMod::parse(&text, now).date()?, text)));
    let (first, text) = valid.next()?;
    valid.all(|(date, _)| date == first).then_some(text)
}

/// Adds the dates of the objects about a page that are not part of others.
fn add_dates(value: &Value, page: &PageUrl, dates: &mut Vec<String>) {
    match value {
        Value::Array(values) => values
            .iter()
            .for_each(|value| add_dates(value, page, dates)),
        Value::Object(object) => {
            if is_of_page(object, page) {
                let date = object.get("dateModified").and_then(Value::as_str);
                dates.extend(date.map(|date| date.trim().to_owned()));
                if let Some(entity) = object.get("mainEntity") {
                    add_dates(entity, page, dates);
                }
            }
            if let Some(graph) = object.get("@graph") {
                add_dates(graph, page, dates);
            }
        }
        _ => {}
    }
}

/// Whether an object is about this page: of a type of pages, and without the URL of another page.
fn is_of_page(object: &Map<String, Value>, page: &PageUrl) -> bool {
    let types = match object.get("@type") {
        Some(Value::Array(types)) => types,
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let mut types = types.iter().filter_map(Value::as_str);
    let names_page = |key: &str| {
        let Some(value) = object.get(key) else {
            return true;
        };
        value
            .as_str()
            .or_else(|| value.get("@id")?.as_str())
            .and_then(|url| page.resolve(url.trim()))
            .is_some_and(|url| plain_url(url.as_str()) == plain_url(page.as_str()))
    };
    types.any(is_page_type) && names_page("url") && names_page("mainEntityOfPage")
}

/// A URL without the parts in which two URLs of one page usually differ.
fn plain_url(url: &str) -> &str {
    let mut plain = url.split(['#', '?']).next().unwrap_or(url);
    for suffix in ["index.html", ".html", "/"] {
        plain = plain.strip_suffix(suffix).unwrap_or(plain);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[track_caller]
    fn check(scripts: &[&str], expected: Option<&str>) {
        let metadata = Metadata {
            json_ld: scripts.iter().map(|script| (*script).to_owned()).collect(),
            modified_times: vec!["2020-02-02".to_owned()],
            ..Metadata::default()
        };
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
                r#"{"@type": "WebPage", "mainEntity": {"@type": "Article", "dateModified": "2024-05-06"}}"#,
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
                r#"{"@type": "WebSite", "mainEntity": {"@type": "Article", "dateModified": "2024-05-06"}}"#,
                r#"{"@type": "WebPage", "mainEntity": {"@type": "Question", "dateModified": "2024-05-06"}}"#,
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
