//! What Hugo takes from the names of content files: the kinds of their pages, dates and slugs.

use crate::generators::{CalendarDate, ContentName, FrontMatter, OwnConfig, is_word};

/// A slug in lower case, unless the settings keep its case.
pub(super) fn cased(slug: String, config: &OwnConfig) -> String {
    if config.is_on("disablePathToLower") {
        slug
    } else {
        slug.to_lowercase()
    }
}

/// Hugo's paths for names of content files. Each whitespace character becomes a hyphen; hyphens are
/// neither collapsed nor trimmed. Letters, digits, marks and `. _ ~ - / + # @` are kept, including
/// non-ASCII letters; everything else is removed.
pub(super) fn path(name: &str) -> String {
    name.chars()
        .filter_map(|character| match character {
            _ if character.is_whitespace() => Some('-'),
            _ if stays_in_hugo(character) => Some(character),
            _ => None,
        })
        .collect()
}

/// Hugo's slugs for titles, patterns and the `slug` of front matter. Like [`path`], except
/// that a run of whitespace becomes one hyphen, or none next to a hyphen or at either end (its
/// helpers, `UnicodeSanitize`).
pub(super) fn slug(slug: &str) -> String {
    let mut kept = slug.to_owned();
    kept.retain(|character| character.is_whitespace() || stays_in_hugo(character));
    let mut out = String::with_capacity(kept.len());
    for word in kept.split_whitespace() {
        if !out.is_empty() && !out.ends_with('-') && !word.starts_with('-') {
            out.push('-');
        }
        out.push_str(word);
    }
    out
}

/// Whether Hugo keeps a character: letters, digits and marks as in Go's `unicode`, and some punctuation.
/// Go removes numbers such as `½`, which are kept here, so a file with such a name has no page.
fn stays_in_hugo(character: char) -> bool {
    is_word(character) || "._~-/+#@".contains(character)
}

/// The kind of a page: `home`, `page`, `section`, `taxonomy` or `term`.
pub(super) fn kind_of(taxonomies: &[&str], name: &ContentName<'_>) -> &'static str {
    let is_taxonomy = name.dirs.first().is_some_and(|first| {
        taxonomies
            .iter()
            .any(|known| known.eq_ignore_ascii_case(first))
    });
    match (is_taxonomy, name.dirs.len()) {
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
    path(part).to_lowercase()
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
    /// from the file name only if the file name is such a source, for this date or for that of the last
    /// change.
    pub(super) fn of(
        config: &OwnConfig,
        name: &ContentName<'n>,
        front_matter: &FrontMatter,
    ) -> Self {
        let dated = Self::by(date_order(config), name, front_matter);
        let slug = dated
            .slug
            .or_else(|| Self::by(lastmod_order(config), name, front_matter).slug);
        Self { slug, ..dated }
    }

    fn by(order: Vec<String>, name: &ContentName<'n>, front_matter: &FrontMatter) -> Self {
        let named = match name.stem {
            "index" => name.dirs.last().copied().unwrap_or_default(),
            stem => stem,
        };
        for source in order {
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
                let date = front_matter
                    .date([source])
                    .and_then(|date| CalendarDate::parse(&date));
                return Self { slug: None, date };
            }
        }
        Self {
            slug: None,
            date: Some(CalendarDate::zero()),
        }
    }
}

/// The sources of a page's date: `resources/page/pagemeta` of Hugo.
fn date_order(config: &OwnConfig) -> Vec<String> {
    let mut names = config.texts("frontmatter.date");
    if names.is_empty() {
        names.push(":default");
    }
    stated(names, &["date", "publishdate", "lastmod"])
}

/// The sources of the date of its last change, if the settings state them. Hugo has found the page's
/// date by then, and it counts as the key `date`.
pub(super) fn lastmod_order(config: &OwnConfig) -> Vec<String> {
    let default = [":git", "lastmod", "date", "publishdate"];
    let order = stated(config.texts("frontmatter.lastmod"), &default);
    let mut with_date = Vec::new();
    for name in order {
        if name == "date" {
            with_date.extend(date_order(config));
        } else {
            with_date.push(name);
        }
    }
    with_date
}

/// The names of a setting in lower case, each followed by those that Hugo reads in its place.
fn stated(names: Vec<&str>, default: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for name in names {
        let name = name.to_lowercase();
        match &*name {
            ":default" => found.append(&mut stated(default.to_vec(), &[])),
            "lastmod" => found.extend([name, "modified".to_owned()]),
            "publishdate" => found.extend([name, "pubdate".to_owned(), "published".to_owned()]),
            _ => found.push(name),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::languages::Languages;
    use serde_json::json;

    #[test]
    fn hugo_paths_match_hugo() {
        let check = |name: &str, expected: &str| assert_eq!(path(name).to_lowercase(), expected);
        check("Über-Größe", "über-größe");
        check("Größe & Maß", "größe--maß");
        check("What.Is.This", "what.is.this");
        check("a - b", "a---b");
        check("a  b, c", "a--b-c");
        check(" lead", "-lead");
        check("hugo-0.152.0+ #1 @x", "hugo-0.152.0+-#1-@x");
        assert_eq!(path("Mixed Case"), "Mixed-Case");
    }

    #[test]
    fn hugo_slugs_collapse_whitespace_but_keep_runs_of_hyphens() {
        let check = |text: &str, expected: &str| assert_eq!(slug(text).to_lowercase(), expected);
        check("A & B", "a-b");
        check("a - b", "a-b");
        check(" a  b ", "a-b");
        check("1. Mixed -- Case", "1.-mixed--case");
    }

    #[test]
    fn the_first_source_that_has_a_date_wins() {
        let front_matter: FrontMatter =
            FrontMatter::parse("---\ndate: 2024-01-02\nodd: 4 March\n---\n").expect("YAML");
        let check = |sources: &[&str], name: &str, slug: Option<&str>, day: Option<&str>| {
            let config = OwnConfig::from_value(json!({ "frontmatter": { "date": sources } }));
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
