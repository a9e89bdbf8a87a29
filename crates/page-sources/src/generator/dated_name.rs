//! The date in a page's URL, and the slug that remains of a file name without its date.

use serde_json::Value;

use super::calendar::CalendarDate;
use super::content_keys::SlugFunction;
use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::slug;

/// Front matter keys that Hugo reads a page's date from by default, in this order (its manual,
/// "Configure dates").
const HUGO_DEFAULT: [&str; 6] = [
    "date",
    "publishdate",
    "pubdate",
    "published",
    "lastmod",
    "modified",
];

/// Hugo's setting with the sources of a page's date, in order.
const HUGO_DATE_SOURCES: &str = "frontmatter.date";

/// Zola's setting that keeps dates in names.
const ZOLA_KEEPS_DATES: &str = "slugify.paths_keep_dates";

/// Date and slug derived from a page's file name and front matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DatedName<'n> {
    /// The file name without its date; `None` if no date is removed from it.
    pub(super) slug: Option<&'n str>,
    /// The date; `None` if it is not known.
    pub(super) date: Option<CalendarDate>,
}

impl<'n> DatedName<'n> {
    pub(super) fn of(
        generator: &Generator,
        config: &OwnConfig,
        name: &ContentName<'n>,
        front_matter: &FrontMatter,
    ) -> Self {
        let is_list = generator.is_branch_index(name.stem);
        let is_index = generator.is_leaf_index(name.stem);
        let named = if is_index {
            name.dirs.last().copied().unwrap_or_default()
        } else {
            name.stem
        };
        match generator.slug {
            Some(SlugFunction::Hugo) => {
                let places = config.get(HUGO_DATE_SOURCES).and_then(Value::as_array);
                let default = [Value::from(":default")];
                let places = places.filter(|places| !places.is_empty());
                let places = places.map_or(&default[..], Vec::as_slice);
                from_hugo_sources(places, named, front_matter)
            }
            Some(SlugFunction::Zola) if !is_list && !config.is_on(ZOLA_KEEPS_DATES) => {
                let slug = Some(slug::without_date(named)).filter(|slug| *slug != named);
                Self { slug, date: None }
            }
            _ => Self::default(),
        }
    }
}

/// Hugo's rule: the first source that has a date wins. The date is removed from the file name only
/// if the file name is that source.
fn from_hugo_sources<'n>(
    places: &[Value],
    named: &'n str,
    front_matter: &FrontMatter,
) -> DatedName<'n> {
    let places = places
        .iter()
        .map(|place| place.as_str().unwrap_or(":unknown"));
    let places: Vec<String> = places.map(str::to_ascii_lowercase).collect();
    let keys = places.iter().flat_map(|place| match place.as_str() {
        ":default" => HUGO_DEFAULT.to_vec(),
        place => vec![place],
    });
    for key in keys {
        if key == ":filename" {
            if let Some((date, rest)) = CalendarDate::split_date_prefix(named) {
                let slug = rest.trim_matches([' ', '-', '_']);
                return DatedName {
                    slug: Some(slug).filter(|slug| !slug.is_empty()),
                    date: Some(date),
                };
            }
        } else if key.starts_with(':') {
            // `:git` or `:fileModTime`: the date is not known here.
            return DatedName::default();
        } else if is_set(front_matter, key) {
            return DatedName {
                slug: None,
                date: date_at(front_matter, key),
            };
        }
    }
    DatedName {
        slug: None,
        date: Some(CalendarDate::zero()),
    }
}

fn is_set(front_matter: &FrontMatter, key: &str) -> bool {
    front_matter
        .value(key)
        .is_some_and(|value| !value.is_null())
}

fn date_at(front_matter: &FrontMatter, key: &str) -> Option<CalendarDate> {
    CalendarDate::parse(&front_matter.date([key])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_source_that_has_a_date_wins() {
        let front_matter: FrontMatter =
            FrontMatter::parse("---\ndate: 2024-01-02\nodd: 4 March\n---\n").expect("YAML");
        let check = |places: &[&str], name: &str, slug: Option<&str>, day: Option<&str>| {
            let places: Vec<Value> = places.iter().map(|place| Value::from(*place)).collect();
            let dated = from_hugo_sources(&places, name, &front_matter);
            let found = (dated.slug, dated.date.map(|date| date.format("%Y-%m-%d")));
            assert_eq!(
                (found.0, found.1.as_deref()),
                (slug, day),
                "{places:?} {name}"
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
