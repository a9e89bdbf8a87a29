//! Checks of single values that serde's types do not express. The second line of an error is its
//! hint.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::files::glob::GlobPattern;
use crate::generators::Manifest;
use sitemaps::site_paths::MAX_SITEMAP_ENTRIES;
use sitemaps::{LastMod, Now, ParsedDate};

/// Reads the name of a host.
pub(super) fn host<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(value)?;
    let known = &Manifest::embedded().host;
    if known.contains_key(&text) {
        return Ok(Some(text));
    }
    let known: Vec<_> = known.keys().map(|name| format!("`{name}`")).collect();
    let known = known.join(", ");
    Err(D::Error::custom(format_args!(
        "unknown variant `{text}`, expected one of {known}"
    )))
}

/// Reads the file name of the sitemap in the output directory.
///
/// It must not be a path: a sitemap may list only URLs in its own directory and below
/// (sitemaps.org, "Sitemap file location"), so it belongs in the output directory itself, and a
/// path could point outside it.
pub(super) fn sitemap_file<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let text = String::deserialize(value)?;
    let is_plain = !text.starts_with('.') && !text.contains(['/', '\\']);
    if !is_plain || text.contains(char::is_control) || text.strip_suffix(".xml").is_none() {
        return Err(D::Error::custom(format_args!(
            "must be a file name that ends in `.xml`, without a directory or leading dot, not `{}`",
            text.escape_debug()
        )));
    }
    Ok(text)
}

/// Reads the number of URLs in a file.
pub(super) fn urls_per_file<'de, D: Deserializer<'de>>(value: D) -> Result<usize, D::Error> {
    let number = i64::deserialize(value)?;
    let count = usize::try_from(number).unwrap_or(0);
    if (1..=MAX_SITEMAP_ENTRIES).contains(&count) {
        return Ok(count);
    }
    Err(D::Error::custom(format_args!(
        "must be an integer from 1 to {MAX_SITEMAP_ENTRIES}\n\
         the sitemaps.org protocol allows 50,000 URLs per file"
    )))
}

/// Reads a date, or a date and time with an offset.
pub(crate) fn fixed_date<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(value)?;
    // The run checks for dates in the future, because it knows the current time.
    let problem = match LastMod::parse(&text, Now(i64::MAX)) {
        ParsedDate::Exact(_) => return Ok(Some(text.trim().to_owned())),
        ParsedDate::ZoneAssumed(_) => format!("has no time zone: `{text}`"),
        ParsedDate::Invalid(why) => why.to_string(),
        ParsedDate::Unreadable => format!("must be a date, not `{text}`"),
    };
    Err(D::Error::custom(format_args!(
        "{problem}\nwrite `2024-05-06` or `2024-05-06T07:08:09+02:00`"
    )))
}

/// Reads a list that has at least one element, and keeps the first of equal ones.
pub(super) fn at_least_one<'de, D, T>(value: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + PartialEq,
{
    let mut list = Vec::new();
    for element in Vec::<T>::deserialize(value)? {
        if !list.contains(&element) {
            list.push(element);
        }
    }
    if list.is_empty() {
        return Err(D::Error::custom("must not be empty"));
    }
    Ok(list)
}

/// Reads file extensions, which become lower case and lose their dot.
pub(super) fn extensions<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let mut extensions: Vec<String> = at_least_one(value)?;
    for text in &mut extensions {
        *text = text.strip_prefix('.').unwrap_or(text).to_lowercase();
    }
    Ok(extensions)
}

/// Reads hashes of commits. Git accepts abbreviations of at least four digits (`core.abbrev`).
pub(super) fn commits<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let mut commits = Vec::<String>::deserialize(value)?;
    for text in &mut commits {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || ![40, 64].contains(&text.len()) {
            return Err(D::Error::custom(format_args!(
                "must contain full commit hashes, not `{}`",
                text.escape_debug()
            )));
        }
        text.make_ascii_lowercase();
    }
    Ok(commits)
}

/// Reads globs that match pages; a single one needs no brackets.
pub(super) fn one_or_more_globs<'de, D>(value: D) -> Result<Vec<GlobPattern>, D::Error>
where
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "must be a glob or an array of globs")]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    let texts = match OneOrMore::deserialize(value)? {
        OneOrMore::One(text) => vec![text],
        OneOrMore::More(texts) => texts,
    };
    if texts.is_empty() {
        return Err(D::Error::custom("must not be empty"));
    }
    let globs = texts.into_iter().map(GlobPattern::try_from);
    globs.collect::<Result<_, _>>().map_err(D::Error::custom)
}
