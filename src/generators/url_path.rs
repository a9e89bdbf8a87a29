//! URL paths of pages, the slugs and patterns that they are made from, and the output files that may
//! contain these pages.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use sitemaps::site_paths::SitePath;

/// The URL path of a page, before it is mapped to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UrlPath {
    /// Always a directory: `a` → `a/index.html`.
    Folder(String),
    /// A directory or a file, depending on the site's URL style.
    Page(String),
    /// Exactly this file.
    File(String),
}

/// The URL style of content files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentUrlStyle {
    /// `foo.md` → `foo/index.html`.
    Dir,
    /// `foo.md` → `foo.html`.
    File,
    /// One of the two, depending on a setting that cannot be read as data.
    #[default]
    Either,
}

/// The output files that may contain the page with this URL path.
///
/// With `uglyURLs`, some versions of Hugo write a list page as a file next to its directory, others as
/// the index file in it. If the style is not known, the same applies to any directory.
pub(super) fn files_of(url_path: UrlPath, is_list: bool, style: ContentUrlStyle) -> Vec<SitePath> {
    let (path, is_dir) = match url_path {
        UrlPath::File(file) => return vec![SitePath::new(file)],
        UrlPath::Folder(path) => (path, true),
        UrlPath::Page(path) => (path, false),
    };
    let path = path.trim_matches('/');
    if path.is_empty() {
        return vec![SitePath::from("index.html")];
    }
    match style {
        ContentUrlStyle::Either => vec![index_in(path), html_file(path)],
        ContentUrlStyle::File if is_dir && is_list => vec![index_in(path), html_file(path)],
        ContentUrlStyle::File if !is_dir && !is_list => vec![html_file(path)],
        ContentUrlStyle::Dir | ContentUrlStyle::File => vec![index_in(path)],
    }
}

fn index_in(path: &str) -> SitePath {
    SitePath::new(format!("{path}/index.html"))
}

fn html_file(path: &str) -> SitePath {
    SitePath::new(format!("{path}.html"))
}

/// A colon that is not one of a token, or a token with the brackets after it.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\:|:([A-Za-z0-9_]+(?:\[[^\]]*\])?)").expect("a regular expression")
});

/// Replaces every token of a pattern with its text, and `\:` with a colon. Returns `None` if a
/// token has no text.
pub(super) fn filled(pattern: &str, text_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    replaced(pattern, &TOKEN, text_of)
}

/// Replaces every token of a pattern, as an expression finds them.
pub(super) fn replaced(
    pattern: &str,
    tokens: &Regex,
    text_of: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut filled = String::new();
    let mut end = 0;
    for found in tokens.captures_iter(pattern) {
        let whole = found.get_match();
        filled += &pattern[end..whole.start()];
        end = whole.end();
        match found.get(1) {
            Some(token) => filled += &text_of(token.as_str())?,
            None => filled.push(':'),
        }
    }
    Some(filled + &pattern[end..])
}

/// Removes empty parts, which a token without a value leaves.
pub(super) fn without_empty_parts(path: &str) -> String {
    path.split('/')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("/")
}

/// The origin of a name that a slug is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlugSubject {
    /// A directory, unless it is the last part of a page's path.
    Dir,
    /// The last part of the path of a page, as its file or directory is named.
    Page,
    /// The front matter key `slug`.
    FrontMatter,
    /// A taxonomy or a term.
    Term,
}

/// The npm package github-slugger: lower case, each space becomes a hyphen, and everything except
/// letters, marks, digits, `-` and `_` is removed.
pub(super) fn github_slug(name: &str) -> String {
    name.to_lowercase()
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            _ if is_word(character) || "-_".contains(character) => Some(character),
            _ => None,
        })
        .collect()
}

/// Whether a character is a letter, a digit or a mark.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_style_decides_between_directory_and_file() {
        let check = |path: UrlPath, is_list: bool, style: ContentUrlStyle, expected: &[&str]| {
            let files = files_of(path.clone(), is_list, style);
            let files: Vec<String> = files.iter().map(ToString::to_string).collect();
            assert_eq!(files, expected, "{path:?} {is_list} {style:?}");
        };
        let page = || UrlPath::Page("a/b".to_owned());
        let folder = |path: &str| UrlPath::Folder(path.to_owned());
        let (dir, file, either) = (
            ContentUrlStyle::Dir,
            ContentUrlStyle::File,
            ContentUrlStyle::Either,
        );
        check(page(), false, dir, &["a/b/index.html"]);
        check(page(), false, file, &["a/b.html"]);
        check(page(), false, either, &["a/b/index.html", "a/b.html"]);
        check(page(), true, file, &["a/b/index.html"]);
        check(folder("/a/"), false, file, &["a/index.html"]);
        check(folder("/a/"), false, either, &["a/index.html", "a.html"]);
        check(folder("a"), true, file, &["a/index.html", "a.html"]);
        check(folder(""), true, file, &["index.html"]);
        check(UrlPath::File("a.htm".to_owned()), false, dir, &["a.htm"]);
    }

    #[test]
    fn tokens_are_replaced() {
        let check = |pattern: &str, expected: Option<&str>| {
            let filled = filled(pattern, |name| (name == "slug").then(|| "x".to_owned()));
            assert_eq!(filled.as_deref(), expected, "{pattern}");
        };
        check("/a/:slug.html", Some("/a/x.html"));
        check(":slug:slug", Some("xx"));
        check("/:slug[1:last]/", None);
        check("/a: b/", Some("/a: b/"));
        check("/a\\:slug/", Some("/a:slug/"));
        check("/:other/", None);
        check("", Some(""));
    }

    #[test]
    fn slugs_match_github_slugger() {
        let check = |name: &str, expected: &str| assert_eq!(github_slug(name), expected);
        check("Two Words & more", "two-words--more");
        check("a.b_c", "ab_c");
        check("Über", "über");
    }
}
