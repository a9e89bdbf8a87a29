//! Hugo's pages: their kinds, the targets that select them in settings and cascades, and their dates.

use serde_json::Value;

use super::calendar::CalendarDate;
use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::own_config::{OwnConfig, strings_in};
use super::slug;
use sitemaps::site_paths::glob::PatternSet;

/// Front matter keys that Hugo reads a page's date from by default, in this order (its manual,
/// "Configure dates").
const DEFAULT_DATE_KEYS: [&str; 6] = [
    "date",
    "publishdate",
    "pubdate",
    "published",
    "lastmod",
    "modified",
];

/// The environment in which sites are built for publication.
const ENVIRONMENT: &str = "production";

/// What selects a page, in lower case.
pub(super) struct HugoPage {
    /// Its path within the content, without extension: `blog/first`.
    pub(super) path: String,
    /// Its kind: `home`, `page`, `section`, `taxonomy` or `term`.
    pub(super) kind: &'static str,
    language: String,
}

impl HugoPage {
    pub(super) fn new(taxonomies: &[&str], name: &ContentName<'_>) -> Self {
        let is_index = matches!(name.stem, "index" | "_index");
        let stem = (!is_index).then_some(name.stem);
        let parts = name.dirs.iter().copied().chain(stem);
        let parts: Vec<_> = parts.map(path_part).collect();
        Self {
            path: parts.join("/"),
            kind: kind_of(taxonomies, name),
            language: name.language.to_lowercase(),
        }
    }
}

fn kind_of(taxonomies: &[&str], name: &ContentName<'_>) -> &'static str {
    let is_taxonomy = |first: &&str| {
        let mut known = taxonomies.iter();
        known.any(|known| known.eq_ignore_ascii_case(first))
    };
    match (name.dirs.first().is_some_and(is_taxonomy), name.dirs.len()) {
        _ if name.stem != "_index" => "page",
        (_, 0) => "home",
        (true, 1) => "taxonomy",
        (true, _) => "term",
        (false, _) => "section",
    }
}

/// A directory as it appears in Hugo's logical path: in lower case, regardless of
/// `disablePathToLower`.
pub(super) fn path_part(part: &str) -> String {
    slug::hugo_path(part).to_lowercase()
}

/// A target, which selects pages.
#[derive(Debug)]
pub(super) struct HugoTarget {
    /// Values of a page and the globs that they must match.
    conditions: Vec<(String, PatternSet)>,
    /// Whether all conditions could be read.
    pub(super) is_clear: bool,
}

impl HugoTarget {
    /// Reads a table of conditions.
    pub(super) fn read(table: Option<&Value>) -> Self {
        let mut target = Self {
            conditions: Vec::new(),
            is_clear: true,
        };
        for (key, value) in table.and_then(Value::as_object).into_iter().flatten() {
            let key = key.to_ascii_lowercase();
            let is_known = matches!(key.as_str(), "path" | "kind" | "lang" | "environment");
            match globs(value).filter(|_| is_known) {
                Some(globs) => target.conditions.push((key, globs)),
                None => target.is_clear = false,
            }
        }
        target
    }

    /// Whether a page meets the conditions that could be read.
    pub(super) fn selects(&self, page: &HugoPage) -> bool {
        self.conditions.iter().all(|(key, globs)| {
            let value = match key.as_str() {
                "path" => &page.path,
                "kind" => page.kind,
                "lang" => &page.language,
                _ => ENVIRONMENT,
            };
            globs.matches(value.as_bytes())
        })
    }
}

/// Reads one glob or an array of globs.
fn globs(value: &Value) -> Option<PatternSet> {
    let texts = strings_in(value);
    // In Hugo paths begin with a slash, here they do not, so remove it from each alternative.
    let plain = |text: &str| text.to_lowercase().replace("{/", "{").replace(",/", ",");
    let globs: Vec<String> = texts.into_iter().map(plain).collect();
    PatternSet::parse(globs.iter())
        .ok()
        .filter(|_| !globs.is_empty())
}

/// Date and slug derived from a page's file name and front matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HugoDate<'n> {
    /// The file name without its date; `None` if no date is removed from it.
    pub(super) slug: Option<&'n str>,
    /// The date; `None` if it is not known.
    pub(super) date: Option<CalendarDate>,
}

impl<'n> HugoDate<'n> {
    /// By the setting `frontmatter.date`: the first source that has a date wins. The date is removed
    /// from the file name only if the file name is that source.
    pub(super) fn of(
        config: &OwnConfig,
        name: &ContentName<'n>,
        front_matter: &FrontMatter,
    ) -> Self {
        let named = match name.stem {
            "index" => name.dirs.last().copied().unwrap_or_default(),
            stem => stem,
        };
        for source in date_sources(config) {
            if source == ":filename" {
                if let Some((date, rest)) = CalendarDate::split_date_prefix(named) {
                    let slug = rest.trim_matches([' ', '-', '_']);
                    return Self {
                        slug: Some(slug).filter(|slug| !slug.is_empty()),
                        date: Some(date),
                    };
                }
            } else if source.starts_with(':') {
                // `:git` or `:fileModTime`: the date is not known here.
                return Self::default();
            } else if front_matter
                .value(&source)
                .is_some_and(|value| !value.is_null())
            {
                let date = front_matter.date([source]);
                let date = date.and_then(|date| CalendarDate::parse(&date));
                return Self { slug: None, date };
            }
        }
        Self {
            slug: None,
            date: Some(CalendarDate::zero()),
        }
    }
}

/// Keys of front matter and names of other sources, in lower case.
fn date_sources(config: &OwnConfig) -> Vec<String> {
    let mut sources = config.texts("frontmatter.date");
    if sources.is_empty() {
        sources.push(":default");
    }
    let lower = sources.into_iter().map(str::to_lowercase);
    let keys = lower.flat_map(|source| match source.as_str() {
        ":default" => DEFAULT_DATE_KEYS.map(str::to_owned).to_vec(),
        _ => vec![source],
    });
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::languages::Languages;
    use serde_json::json;

    #[test]
    fn targets_select_pages_by_path_kind_language_and_environment() {
        let page = HugoPage {
            path: "blog/first".to_owned(),
            kind: "page",
            language: "pt-br".to_owned(),
        };
        let check = |target: Value, expected: (bool, bool)| {
            let read = HugoTarget::read(Some(&target));
            assert_eq!((read.selects(&page), read.is_clear), expected, "{target}");
        };
        check(json!({}), (true, true));
        check(json!({ "path": "/blog/**" }), (true, true));
        check(json!({ "Path": ["/x", "{/y,/Blog/*}"] }), (true, true));
        check(json!({ "path": "/blog" }), (false, true));
        check(
            json!({ "kind": "{page,term}", "lang": "pt-br" }),
            (true, true),
        );
        check(
            json!({ "path": "/blog/**", "kind": "section" }),
            (false, true),
        );
        check(json!({ "environment": "production" }), (true, true));
        check(json!({ "environment": "staging" }), (false, true));
        check(json!({ "path": "/blog/[" }), (true, false));
        check(
            json!({ "path": "/other", "sites": { "roles": "a" } }),
            (false, false),
        );
    }

    #[test]
    fn the_first_source_that_has_a_date_wins() {
        let front_matter: FrontMatter =
            FrontMatter::parse("---\ndate: 2024-01-02\nodd: 4 March\n---\n").expect("YAML");
        let check = |sources: &[&str], name: &str, slug: Option<&str>, day: Option<&str>| {
            let config = OwnConfig::of_value(json!({ "frontmatter": { "date": sources } }));
            let name = ContentName::parse(name, None, &Languages::default());
            let dated = HugoDate::of(&config, &name, &front_matter);
            let found = (dated.slug, dated.date.map(|date| date.format("%Y-%m-%d")));
            assert_eq!(
                (found.0, found.1.as_deref()),
                (slug, day),
                "{sources:?} {name:?}"
            );
        };
        check(&[":default"], "2023-05-06-a", None, Some("2024-01-02"));
        check(
            &[":filename", ":default"],
            "2023-05-06-a b",
            Some("a b"),
            Some("2023-05-06"),
        );
        check(&[":filename", ":default"], "a", None, Some("2024-01-02"));
        check(
            &["date", ":filename"],
            "2023-05-06-a",
            None,
            Some("2024-01-02"),
        );
        check(&["odd"], "a", None, None);
        check(&[":git"], "a", None, None);
        check(&["none"], "a", None, Some("0001-01-01"));
    }
}
