//! Checks of single values that serde's types do not express. The second line of an error is its
//! hint.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::host::{HOSTS, HostName};
use sitemaps::site_paths::MAX_SITEMAP_ENTRIES;
use sitemaps::site_paths::glob::{GlobPattern, PatternError};
use sitemaps::{LastMod, Now, ParsedDate};

/// Reads a path.
pub(super) fn path<'de, D: Deserializer<'de>>(value: D) -> Result<Option<PathBuf>, D::Error> {
    one_path(String::deserialize(value)?).map(Some)
}

/// Reads several paths.
pub(super) fn paths<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<PathBuf>, D::Error> {
    let texts = Vec::<String>::deserialize(value)?.into_iter();
    texts.map(one_path).collect()
}

fn one_path<E: Error>(text: String) -> Result<PathBuf, E> {
    if text.is_empty() || text.contains('\0') {
        return Err(E::custom("must be a path"));
    }
    Ok(text.into())
}

/// Reads the name of a host.
pub(super) fn host<'de, D>(value: D) -> Result<Option<HostName>, D::Error>
where
    D: Deserializer<'de>,
{
    let text = String::deserialize(value)?;
    let known = HOSTS.iter().find(|host| **host == text);
    known
        .map(|host| Some(*host))
        .ok_or_else(|| D::Error::unknown_variant(&text, HOSTS))
}

/// Reads the file name of the sitemap in the output directory.
///
/// It must not be a path: a sitemap may list only URLs in its own directory and below
/// (sitemaps.org, "Sitemap file location"), so it belongs in the output directory itself, and a
/// path could point outside it.
pub(super) fn sitemap_file<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let text = String::deserialize(value)?;
    let is_plain = !text.is_empty()
        && !text.starts_with('.')
        && !text.contains(['/', '\\'])
        && !text.contains(char::is_control);
    if !is_plain {
        return Err(D::Error::custom(format_args!(
            "must be a file name without a directory or leading dot, not `{}`",
            text.escape_debug()
        )));
    }
    if text.strip_suffix(".xml").is_none() {
        return Err(D::Error::custom(format_args!(
            "must end in `.xml`, not `{text}`"
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
        let bare = text.strip_prefix('.').unwrap_or(text);
        if bare.is_empty() || bare.contains(['.', '/', '\\']) || bare.contains(char::is_control) {
            return Err(D::Error::custom(format_args!(
                "must contain file extensions such as `html` or `pdf`, not `{}`",
                text.escape_debug()
            )));
        }
        *text = bare.to_lowercase();
    }
    Ok(extensions)
}

/// Reads product tokens of crawlers. They have only these characters (RFC 9309 section 2.2.1), so
/// that a version or a whole `User-Agent` header would match no group.
pub(super) fn agents<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let agents: Vec<String> = at_least_one(value)?;
    let is_token_char = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '-' | '_');
    let is_agent =
        |text: &str| text == "*" || (!text.is_empty() && text.chars().all(is_token_char));
    match agents.iter().find(|agent| !is_agent(agent)) {
        None => Ok(agents),
        Some(wrong) => Err(D::Error::custom(format_args!(
            "must contain product tokens such as `Googlebot`, or `*`, not `{}`",
            wrong.escape_debug()
        ))),
    }
}

/// Reads hashes of commits. Git accepts abbreviations of at least four digits (`core.abbrev`).
pub(super) fn commits<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let mut commits = Vec::<String>::deserialize(value)?;
    for text in &mut commits {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || !(4..=64).contains(&text.len()) {
            return Err(D::Error::custom(format_args!(
                "must contain commit hashes of at least 4 digits, not `{}`",
                text.escape_debug()
            )));
        }
        text.make_ascii_lowercase();
    }
    Ok(commits)
}

/// Reads patterns over the authors or subjects of commits.
pub(super) fn commit_patterns<'de, D>(value: D) -> Result<Vec<String>, D::Error>
where
    D: Deserializer<'de>,
{
    let patterns = Vec::<String>::deserialize(value)?;
    if patterns.iter().any(|pattern| pattern.trim().is_empty()) {
        return Err(D::Error::custom("contains an empty pattern"));
    }
    Ok(patterns)
}

/// Reads globs that match names of branches.
pub(super) fn branches<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<GlobPattern>, D::Error> {
    let names = Vec::<String>::deserialize(value)?;
    let glob = |name: &String| {
        let name = name.strip_prefix("refs/heads/").unwrap_or(name);
        GlobPattern::new(name).map_err(|error| invalid(&error))
    };
    names.iter().map(glob).collect()
}

/// Reads globs that match pages.
pub(super) fn globs<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<GlobPattern>, D::Error> {
    /// So that a mistake has the place of its element.
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct PageGlob(#[serde(deserialize_with = "page_glob")] GlobPattern);
    let globs = Vec::<PageGlob>::deserialize(value)?.into_iter();
    Ok(globs.map(|PageGlob(glob)| glob).collect())
}

fn page_glob<'de, D: Deserializer<'de>>(value: D) -> Result<GlobPattern, D::Error> {
    glob(&String::deserialize(value)?)
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
    texts.iter().map(|text| glob(text)).collect()
}

fn glob<E: Error>(text: &str) -> Result<GlobPattern, E> {
    if let Some(rest) = text.strip_prefix('!') {
        return Err(E::custom(format_args!(
            "contains `{text}`, but patterns cannot be negated\n\
             add a rule with `match = \"{rest}\"` and `exclude = false`"
        )));
    }
    if let Some((scheme @ ("http" | "https"), rest)) = text.split_once("://") {
        let path = rest.find('/').map_or("/", |at| &rest[at..]);
        return Err(E::custom(format_args!(
            "contains the URL `{scheme}://{rest}`, but patterns match paths\nwrite `{path}`"
        )));
    }
    // Paths in the output never begin with `./`.
    GlobPattern::new(text.strip_prefix("./").unwrap_or(text)).map_err(|error| invalid(&error))
}

fn invalid<E: Error>(error: &PatternError) -> E {
    E::custom(format_args!("is invalid: {error}"))
}
