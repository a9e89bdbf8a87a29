//! Files that several pages link to as their source: whose source such a file is.

use std::collections::{BTreeMap, BTreeSet};

use crate::decide::{JudgedPage, is_language_code};
use sitemaps::site_paths::SitePath;

/// The pages that each claimed file is the source of.
///
/// A file that several pages link to is their source if they are one page in several languages.
/// Otherwise, it may be a template or data of all of them, and dates none.
pub(super) struct FileClaims<'c>(BTreeMap<&'c SitePath, BTreeSet<&'c [u8]>>);

impl<'c> FileClaims<'c> {
    /// Decides about the claimed files, each with the index of a page that links to it.
    pub(super) fn new(
        lines: &'c [JudgedPage],
        claims: impl Iterator<Item = (usize, &'c SitePath)>,
    ) -> Self {
        let mut pages: BTreeMap<&SitePath, BTreeSet<&[u8]>> = BTreeMap::new();
        for (index, file) in claims {
            let in_all_languages = without_language(&lines[index].file);
            pages.entry(file).or_default().insert(in_all_languages);
        }
        Self(pages)
    }

    /// Whether a file is the source of the pages that link to it.
    pub(super) fn is_source(&self, file: &SitePath) -> bool {
        self.0.get(file).is_some_and(|pages| pages.len() == 1)
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

/// Whether a file is a gettext catalogue: all pages of a language are translated with it.
pub(super) fn is_catalogue(file: &SitePath) -> bool {
    file.extension() == Some(b"po")
}

#[cfg(test)]
mod tests {
    use super::*;

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
