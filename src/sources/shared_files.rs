//! Files that several pages link to as their source: whose source such a file is.

use std::collections::BTreeMap;

use crate::decide::{DecidedPage, is_language_code};
use sitemaps::site_paths::SitePath;

/// Stems of files that are the page of their directory.
const INDEX_STEMS: [&[u8]; 4] = [b"index", b"_index", b"README", b"readme"];

/// The pages that each claimed file is the source of.
///
/// A file that several pages link to is the source of the one with the same path, such as
/// `docs/a.md` of `a/index.html`, and of the same page in other languages. If none has that path, or
/// several have, the file may be a template or data of all of them, and dates none.
pub(super) struct FileClaims<'c>(BTreeMap<&'c SitePath, Vec<usize>>);

impl<'c> FileClaims<'c> {
    /// Decides about the claimed files, each with the index of a page that links to it.
    pub(super) fn new(lines: &[DecidedPage], claims: &'c [(usize, SitePath)]) -> Self {
        let mut pages: BTreeMap<&SitePath, BTreeMap<&[u8], Vec<usize>>> = BTreeMap::new();
        for (index, file) in claims {
            let in_all_languages = without_language(&lines[*index].file);
            let pages = pages.entry(file).or_default();
            pages.entry(in_all_languages).or_default().push(*index);
        }
        let owners = pages.into_iter().map(|(file, pages)| {
            let pages: Vec<Vec<usize>> = pages.into_values().collect();
            let rank = |versions: &Vec<usize>| {
                let versions = versions.iter();
                versions
                    .map(|&page| shared_end(&lines[page].file, file))
                    .max()
            };
            let owners = match pages.as_slice() {
                [only] => Some(only),
                several => only_best(several, |versions| rank(versions).unwrap_or_default()),
            };
            (file, owners.cloned().unwrap_or_default())
        });
        Self(owners.collect())
    }

    /// Whether a file is the source of the page at an index.
    pub(super) fn is_of(&self, file: &SitePath, page: usize) -> bool {
        self.0.get(file).is_some_and(|pages| pages.contains(&page))
    }
}

/// Returns the path of a page without the directory of a language at its start: `a/index.html` of
/// `pt-br/a/index.html`.
fn without_language(page: &SitePath) -> &[u8] {
    let whole = page.as_bytes();
    let Some(end) = memchr::memchr(b'/', whole) else {
        return whole;
    };
    let is_language = str::from_utf8(&whole[..end]).is_ok_and(|dir| {
        let code = dir.replace('_', "-");
        !code.starts_with("x-") && is_language_code(&code)
    });
    if is_language {
        &whole[end + 1..]
    } else {
        whole
    }
}

/// Returns the only item with the highest rank above 0.
fn only_best<T>(items: &[T], rank: impl Fn(&T) -> usize) -> Option<&T> {
    let best = items.iter().map(&rank).max().filter(|&best| best > 0)?;
    let mut of_best = items.iter().filter(|item| rank(item) == best);
    of_best.next().filter(|_| of_best.next().is_none())
}

/// Returns how many components at their ends a page and a file share, without extensions. An index
/// file is its directory; that of the site agrees with an index file anywhere.
fn shared_end(page: &SitePath, file: &SitePath) -> usize {
    let (page, file) = (Components::of(page), Components::of(file));
    let same = page.parts.iter().rev().zip(file.parts.iter().rev());
    let same = same.take_while(|(one, other)| one == other).count();
    let are_both_index = page.is_index && file.is_index;
    same + usize::from(are_both_index && (same > 0 || page.parts.is_empty()))
}

struct Components<'p> {
    parts: Vec<&'p [u8]>,
    is_index: bool,
}

impl<'p> Components<'p> {
    fn of(path: &'p SitePath) -> Self {
        let mut parts: Vec<&[u8]> = path.as_bytes().split(|&byte| byte == b'/').collect();
        let stem = parts.pop().map(|name| match memchr::memrchr(b'.', name) {
            Some(at @ 1..) => &name[..at],
            _ => name,
        });
        let is_index = stem.is_some_and(|stem| INDEX_STEMS.contains(&stem));
        parts.extend(stem.filter(|_| !is_index));
        Self { parts, is_index }
    }
}

/// Whether a file is a gettext catalogue: all pages of a language are translated with it.
pub(super) fn is_catalogue(file: &SitePath) -> bool {
    file.extension() == Some(b"po")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_its_source_share_the_end_of_their_paths() {
        let check = |page: &str, file: &str, expected: usize| {
            let shared = shared_end(&SitePath::from(page), &SitePath::from(file));
            assert_eq!(shared, expected, "{page} {file}");
        };
        check("a/index.html", "docs/a.md", 1);
        check("a/index.html", "docs/a/index.md", 2);
        check("pkg/a.html", "src/pkg/a.md", 2);
        check("q.html", "docs/a.md", 0);
        check("index.html", "docs/README.md", 1);
        check("pkg/a.html", "docs/pkg/[pkg].md", 0);
        check("b/a.html", "docs/c/index.md", 0);
    }

    #[test]
    fn a_language_is_a_directory_at_the_start_of_a_path() {
        let check = |page: &str, expected: &str| {
            let page = SitePath::from(page);
            assert_eq!(without_language(&page), expected.as_bytes(), "{page}");
        };
        check("fr/docs/a/index.html", "docs/a/index.html");
        check("pt-BR/a.html", "a.html");
        check("zh_cn/a.html", "a.html");
        check("zh-Hant-TW/index.html", "index.html");
        check("docs/fr/a.html", "docs/fr/a.html");
        check("js/a.html", "js/a.html");
        check("api/a.html", "api/a.html");
        check("x-default/a.html", "x-default/a.html");
        check("fr.html", "fr.html");
    }
}
