//! The base URL that a link implies: a page that names itself also names the URL of its site.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::placeholder::is_placeholder;
use super::site_sample::SiteSample;
use crate::hosts::files_for_path;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, decode};

/// Returns the base URL under which `url` is the page `file`; `None` if it is another page's URL.
pub fn named_base(file: &SitePath, url: &PageUrl) -> Option<BaseUrl> {
    let single = url.with_single_slashes();
    let url = single.as_ref().unwrap_or(url);
    let path = url.path_and_query();
    if path.contains('?') {
        return None;
    }
    let decoded = decode(path);
    let own = file.as_bytes();
    let clean = own.strip_suffix(b".html");
    let dir = file.index_of();
    let forms = [dir, Some(own), clean].into_iter().flatten();
    for form in forms {
        let bare = form.strip_suffix(b"/").unwrap_or(form);
        for (ending, slash) in [(form, &b""[..]), (bare, &b""[..]), (bare, &b"/"[..])] {
            let Some(before) = decoded
                .strip_suffix(slash)
                .and_then(|path| path.strip_suffix(ending))
                .filter(|before| before.ends_with(b"/"))
            else {
                continue;
            };
            return base_of(url, memchr::memchr_iter(b'/', before).count());
        }
    }
    None
}

/// Returns the base URL under which a file of the output directory has this URL, if there is such
/// a file. The longest path that is a file decides.
pub(super) fn base_of_file(sample: &SiteSample<'_>, url: &PageUrl) -> Option<BaseUrl> {
    let path = url.path_and_query();
    let slashes: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    let is_file = |file: &SitePath| sample.has_file(file);
    slashes
        .iter()
        .position(|at| files_for_path(&path[at + 1..]).iter().any(is_file))
        .and_then(|number| base_of(url, number + 1))
}

/// The URL up to and including the n-th slash of its path.
fn base_of(url: &PageUrl, slashes: usize) -> Option<BaseUrl> {
    let path = url.path_and_query();
    let (last, _) = path.match_indices('/').nth(slashes.checked_sub(1)?)?;
    BaseUrl::parse(&format!("{}{}", url.origin(), &path[..=last])).ok()
}

/// The base URL that most links imply, with its count and the count of all links. Of several, one
/// that is not a placeholder wins, then the shortest.
pub(super) fn most_named(
    bases: impl IntoIterator<Item = BaseUrl>,
) -> Option<(BaseUrl, usize, usize)> {
    let mut counts = BTreeMap::new();
    let mut all = 0;
    for base in bases {
        let key = base.as_str().to_owned();
        counts.entry(key).or_insert((base, 0)).1 += 1;
        all += 1;
    }
    let rank = |(base, count): &(BaseUrl, usize)| {
        let length = Reverse(base.as_str().len());
        (*count, !is_placeholder(base), length)
    };
    let (base, count) = counts.into_values().max_by_key(rank)?;
    Some((base, count, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_names_itself_names_the_base_url() {
        let check = |file: &str, url: &str, expected: Option<&str>| {
            let root = BaseUrl::parse("https://example.com/").expect("a base URL");
            let url = root.resolve(url).expect("a URL");
            let base = named_base(&SitePath::from(file), &url);
            assert_eq!(base.as_ref().map(BaseUrl::as_str), expected, "{file} {url}");
        };
        check("index.html", "https://a.net/", Some("https://a.net/"));
        check(
            "index.html",
            "https://a.net/docs/",
            Some("https://a.net/docs/"),
        );
        check(
            "a/index.html",
            "https://a.net/docs/a/",
            Some("https://a.net/docs/"),
        );
        check("a/index.html", "https://a.net/a", Some("https://a.net/"));
        check(
            "a/index.html",
            "https://a.net/a/index.html",
            Some("https://a.net/"),
        );
        check("a/b.html", "https://a.net/x/a/b", Some("https://a.net/x/"));
        check("a/b.html", "https://a.net/x/a/b/", Some("https://a.net/x/"));
        check(
            "a b.html",
            "https://a.net/a%20b.html",
            Some("https://a.net/"),
        );
        check(
            "a/index.html",
            "https://a.net/x//a/",
            Some("https://a.net/x/"),
        );
        check("index.html", "https://a.net//", Some("https://a.net/"));
        check("a/index.html", "https://a.net/ba/", None);
        check("a/index.html", "https://a.net/b/", None);
        check("a.html", "https://a.net/a.html?x=1", None);
    }
}
