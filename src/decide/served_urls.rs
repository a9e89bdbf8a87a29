//! Maps files to the URLs at which static hosts serve them, and back.

use std::borrow::Cow;

use crate::hosts::RuleHost;
use crate::settings::UrlStyle;
use sitemaps::site_paths::{BaseUrl, INDEX_FILES, PageUrl, SitePath, decode};

/// Returns the URL of a file without regard to canonical links: `x/` for `x/index.html`, and the
/// file's own name otherwise. Some URL styles remove `.html` or add or remove a trailing slash.
pub fn own_url(base: &BaseUrl, file: &SitePath, form: UrlStyle) -> PageUrl {
    match own_path(file, form) {
        Cow::Borrowed(beginning) => base.of_prefix(file, beginning.len()),
        Cow::Owned(path) => base.of_path(&path),
    }
}

/// Returns that URL as a path below the base, not encoded. A borrowed path is the beginning of the
/// file's path.
pub fn own_path(file: &SitePath, form: UrlStyle) -> Cow<'_, [u8]> {
    let own = file.as_bytes();
    if form == UrlStyle::Exact {
        return Cow::Borrowed(own);
    }
    let clean = || without_html(own).unwrap_or(own);
    let path = match (file.index_of(), form) {
        (Some(dir), UrlStyle::CleanSlashless | UrlStyle::KeepSlashless) => {
            dir.strip_suffix(b"/").unwrap_or(dir)
        }
        (Some(dir), _) => dir,
        (None, UrlStyle::Clean | UrlStyle::CleanSlashless) => clean(),
        (None, UrlStyle::CleanSlashed) if clean() != own => {
            return Cow::Owned([clean(), b"/"].concat());
        }
        (None, _) => own,
    };
    Cow::Borrowed(path)
}

/// Whether static hosts serve this file at `url`: by its own name, without `.html`, or as its
/// directory with or without a trailing slash.
///
/// Without this rule, a site with clean URLs (canonical link `/about` for `about.html`) would lose
/// every page.
pub fn serves(base: &BaseUrl, file: &SitePath, url: &PageUrl) -> bool {
    base.path_below(url)
        .is_some_and(|path| serves_path(file, path))
}

/// Whether the host that a rule was written for serves this file at `url`, one of the forms that
/// [`serves`] knows, without another redirect.
pub(super) fn serves_on(
    host: RuleHost,
    base: &BaseUrl,
    file: &SitePath,
    url: &PageUrl,
    form: UrlStyle,
) -> bool {
    let is = |form| own_url(base, file, form) == *url;
    let is_index = file.index_of().is_some();
    let ends_like = |suffix: &str| url.as_str().ends_with(suffix);
    match (host, form) {
        (RuleHost::Netlify, _) => true,
        (RuleHost::Cloudflare, UrlStyle::Keep | UrlStyle::KeepSlashless) => {
            is(UrlStyle::Clean) || is(form)
        }
        (RuleHost::Vercel, UrlStyle::Keep) | (RuleHost::Firebase, UrlStyle::Clean) => {
            is(form) || (is_index && !ends_like(".html"))
        }
        (RuleHost::Vercel, UrlStyle::Clean) => !ends_like(".html"),
        // The exact name of a file precedes everything but `cleanUrls`.
        (RuleHost::Firebase, UrlStyle::Keep | UrlStyle::KeepSlashless) => {
            is(form) || is(UrlStyle::Exact)
        }
        (
            RuleHost::Cloudflare | RuleHost::Vercel | RuleHost::SlashedVercel | RuleHost::Firebase,
            _,
        ) => is(form),
    }
}

/// Whether static hosts serve this file at a path below the base, still encoded.
pub(super) fn serves_path(file: &SitePath, path: &str) -> bool {
    if path.contains('?') {
        return false;
    }
    let path: Cow<'_, [u8]> = decode(path);
    let own = file.as_bytes();
    if own == path.as_ref() {
        return true;
    }
    file.index_of()
        .or_else(|| without_html(own))
        .is_some_and(|served_as| same_but_slash(&path, served_as))
}

/// Returns the files that a host could serve for `path` (below the base, still encoded), most
/// likely first.
pub fn files_for_path(path: &str) -> Vec<SitePath> {
    if path.contains('?') {
        return Vec::new();
    }
    let path = decode(path).into_owned();
    let joined = |suffix: &[u8]| SitePath::new([path.as_slice(), suffix].concat());
    if path.is_empty() || path.ends_with(b"/") {
        return INDEX_FILES
            .iter()
            .map(|name| joined(name.as_bytes()))
            .collect();
    }
    let suffixes = [
        "",
        ".html",
        "/index.html",
        ".htm",
        ".xhtml",
        "/index.htm",
        "/index.xhtml",
    ];
    suffixes.map(|suffix| joined(suffix.as_bytes())).into()
}

/// Returns the files that a host could serve for a URL, most likely first: `/about/` is
/// `about/index.html` if that exists, else `about.html`. Empty for a URL outside the base.
pub fn candidate_files(base: &BaseUrl, url: &PageUrl) -> Vec<SitePath> {
    let Some(path) = base.path_below(url) else {
        return Vec::new();
    };
    let mut files = files_for_path(path);
    files.extend(
        path.strip_suffix('/')
            .map(files_for_path)
            .into_iter()
            .flatten(),
    );
    files
}

fn without_html(path: &[u8]) -> Option<&[u8]> {
    path.strip_suffix(b".html")
}

fn same_but_slash(left: &[u8], right: &[u8]) -> bool {
    left.strip_suffix(b"/").unwrap_or(left) == right.strip_suffix(b"/").unwrap_or(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMS: [UrlStyle; 6] = [
        UrlStyle::Exact,
        UrlStyle::Keep,
        UrlStyle::KeepSlashless,
        UrlStyle::Clean,
        UrlStyle::CleanSlashless,
        UrlStyle::CleanSlashed,
    ];

    proptest! {
        #[test]
        fn the_url_of_a_file_maps_back_to_that_file_only(
            parts in prop::collection::vec("[^/\u{0}]{1,12}", 1..4)
                .prop_filter("no dot segments", |parts| {
                    parts.iter().all(|part| !matches!(part.as_str(), "." | ".."))
                }),
            other in "[^/\u{0}]{1,12}\\.html",
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let file = SitePath::from((parts.join("/") + ".html").as_str());
            let url = own_url(&base, &file, UrlStyle::Keep);
            prop_assert!(serves(&base, &file, &url));
            prop_assert_eq!(url.resolve(url.as_str()), Ok(url.clone()));
            let path = base.path_below(&url).expect("the URL is below the base");
            prop_assert!(files_for_path(path).contains(&file));
            let other = SitePath::from(other.as_str());
            prop_assert_eq!(own_url(&base, &other, UrlStyle::Keep) == url, other == file);
        }

        #[test]
        fn every_served_url_lists_the_file_among_its_candidates(
            file in "([ab]/)?(a|b|index)\\.(html|htm|xhtml|HTML)",
            path in "([ab]/)?(a|b|index)?(\\.html|\\.htm|/)?",
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let (file, url) = (SitePath::from(file.as_str()), base.of_path(path.as_bytes()));
            let is_candidate = candidate_files(&base, &url).contains(&file);
            prop_assert!(!serves(&base, &file, &url) || is_candidate);
        }

        #[test]
        fn files_with_shared_memory_have_the_same_urls(
            names in prop::collection::vec("([a-c%é]{1,3}/){0,2}([a-c é]{1,3}|index).html?", 1..9)
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let alone: Vec<SitePath> = names
                .iter()
                .map(|name| SitePath::from(name.as_str()))
                .collect();
            let mut together = alone.clone();
            base.move_together(together.iter_mut());
            prop_assert_eq!(&together, &alone);
            for (together, alone) in together.iter().zip(&alone) {
                for form in FORMS {
                    prop_assert_eq!(
                        own_url(&base, together, form),
                        own_url(&base, alone, form)
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_is_served_at_every_url_form_of_static_hosts() {
        let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
        let check = |file: &str, path: &str, expected: bool| {
            let url = base.of_path(b"").resolve(path).expect("a valid URL");
            assert_eq!(
                serves(&base, &SitePath::from(file), &url),
                expected,
                "{file} at {path}"
            );
        };
        check("about.html", "about", true);
        check("about.html", "about/", true);
        check("about.html", "about.html", true);
        check("about.html", "About.html", false);
        check("ABOUT.HTML", "ABOUT", false);
        check("about.html", "about.html?v=2", false);
        check("about.html", "/about.html", false);
        check("a/index.html", "a/", true);
        check("a/index.html", "a", true);
        check("a/index.html", "a/index.html", true);
        check("a/index.html", "a/index", false);
        check("index.html", "./", true);
        check("index.html", "/docs", true);
        check("caf\u{e9}.html", "caf%C3%A9.html", true);
    }
}
