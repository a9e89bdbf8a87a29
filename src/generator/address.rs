//! The address of a page, and the files it may be in below the output folder.

use super::permalinks::Kind;
use super::profile::UrlStyle;
use crate::location::SitePath;

/// An address before it is the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// Always a folder: `a` → `a/index.html`.
    Folder(String),
    /// As the site's style is.
    Page(String),
    /// This very file.
    File(String),
}

/// The files that a page of this address may be in.
pub(super) fn files_of(address: Address, kind: Kind, style: UrlStyle) -> Vec<SitePath> {
    let in_folder = |path: &str| format!("{path}/index.html");
    let files = match address {
        Address::File(file) => vec![file],
        Address::Folder(path) | Address::Page(path) if path.trim_matches('/').is_empty() => {
            vec!["index.html".to_owned()]
        }
        // With `uglyURLs`, a list is a file beside its folder in some versions of Hugo and stands in it in others; where
        // the style is not known, so is the index of a folder.
        Address::Folder(path)
            if style == UrlStyle::Either || kind != Kind::Page && style == UrlStyle::File =>
        {
            let path = path.trim_matches('/');
            vec![in_folder(path), format!("{path}.html")]
        }
        Address::Folder(path) => vec![in_folder(path.trim_matches('/'))],
        Address::Page(path) => match style {
            UrlStyle::File if kind == Kind::Page => vec![format!("{path}.html")],
            UrlStyle::Dir | UrlStyle::File => vec![in_folder(&path)],
            UrlStyle::Either => vec![in_folder(&path), format!("{path}.html")],
        },
    };
    files
        .iter()
        .map(|file| SitePath::from(file.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_or_a_file_by_the_style_of_the_site() {
        let check = |address: Address, kind: Kind, style: UrlStyle, expected: &[&str]| {
            let files: Vec<String> = files_of(address.clone(), kind, style)
                .iter()
                .map(ToString::to_string)
                .collect();
            assert_eq!(files, expected, "{address:?} {kind:?} {style:?}");
        };
        let page = || Address::Page("a/b".to_owned());
        check(page(), Kind::Page, UrlStyle::Dir, &["a/b/index.html"]);
        check(page(), Kind::Page, UrlStyle::File, &["a/b.html"]);
        check(
            page(),
            Kind::Page,
            UrlStyle::Either,
            &["a/b/index.html", "a/b.html"],
        );
        check(page(), Kind::Section, UrlStyle::File, &["a/b/index.html"]);
        check(
            Address::Folder("/a/".to_owned()),
            Kind::Page,
            UrlStyle::File,
            &["a/index.html"],
        );
        check(
            Address::Folder("/a/".to_owned()),
            Kind::Page,
            UrlStyle::Either,
            &["a/index.html", "a.html"],
        );
        check(
            Address::Folder("a".to_owned()),
            Kind::Section,
            UrlStyle::File,
            &["a/index.html", "a.html"],
        );
        check(
            Address::Folder(String::new()),
            Kind::Home,
            UrlStyle::File,
            &["index.html"],
        );
        check(
            Address::File("a.htm".to_owned()),
            Kind::Page,
            UrlStyle::Dir,
            &["a.htm"],
        );
    }
}
