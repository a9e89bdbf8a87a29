//! What Hugo takes from the names of content files: the kinds of their pages, dates and slugs.

use crate::generator::calendar::CalendarDate;
use crate::generator::front_matter::FrontMatter;
use crate::generator::listed_content::ContentName;
use crate::generator::own_config::OwnConfig;
use crate::generator::slug;

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

/// A slug in lower case, unless the settings keep its case.
pub(super) fn cased(slug: String, config: &OwnConfig) -> String {
    if config.is_on("disablePathToLower") {
        slug
    } else {
        slug.to_lowercase()
    }
}

/// The kind of a page: `home`, `page`, `section`, `taxonomy` or `term`.
pub(super) fn kind_of(taxonomies: &[&str], name: &ContentName<'_>) -> &'static str {
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
