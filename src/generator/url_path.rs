//! The address of a page, and the files it may be in below the output folder.

use super::permalinks::HugoPageKind;
use super::profile::ContentUrlStyle;
use crate::site_paths::SitePath;

/// An address before it is the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UrlPath {
    /// Always a folder: `a` → `a/index.html`.
    Folder(String),
    /// As the site's style is.
    Page(String),
    /// This very file.
    File(String),
}

/// The files that a page of this address may be in.
pub(super) fn files_of(
    address: UrlPath,
    kind: HugoPageKind,
    style: ContentUrlStyle,
) -> Vec<SitePath> {
    let in_folder = |path: &str| format!("{path}/index.html");
    let files = match address {
        UrlPath::File(file) => vec![file],
        UrlPath::Folder(path) | UrlPath::Page(path) if path.trim_matches('/').is_empty() => {
            vec!["index.html".to_owned()]
        }
        // With `uglyURLs`, a list is a file beside its folder in some versions of Hugo and stands in it in others; where
        // the style is not known, so is the index of a folder.
        UrlPath::Folder(path)
            if style == ContentUrlStyle::Either
                || kind != HugoPageKind::Page && style == ContentUrlStyle::File =>
        {
            let path = path.trim_matches('/');
            vec![in_folder(path), format!("{path}.html")]
        }
        UrlPath::Folder(path) => vec![in_folder(path.trim_matches('/'))],
        UrlPath::Page(path) => match style {
            ContentUrlStyle::File if kind == HugoPageKind::Page => vec![format!("{path}.html")],
            ContentUrlStyle::Dir | ContentUrlStyle::File => vec![in_folder(&path)],
            ContentUrlStyle::Either => vec![in_folder(&path), format!("{path}.html")],
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
        let check =
            |address: UrlPath, kind: HugoPageKind, style: ContentUrlStyle, expected: &[&str]| {
                let files: Vec<String> = files_of(address.clone(), kind, style)
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                assert_eq!(files, expected, "{address:?} {kind:?} {style:?}");
            };
        let page = || UrlPath::Page("a/b".to_owned());
        check(
            page(),
            HugoPageKind::Page,
            ContentUrlStyle::Dir,
            &["a/b/index.html"],
        );
        check(
            page(),
            HugoPageKind::Page,
            ContentUrlStyle::File,
            &["a/b.html"],
        );
        check(
            page(),
            HugoPageKind::Page,
            ContentUrlStyle::Either,
            &["a/b/index.html", "a/b.html"],
        );
        check(
            page(),
            HugoPageKind::Section,
            ContentUrlStyle::File,
            &["a/b/index.html"],
        );
        check(
            UrlPath::Folder("/a/".to_owned()),
            HugoPageKind::Page,
            ContentUrlStyle::File,
            &["a/index.html"],
        );
        check(
            UrlPath::Folder("/a/".to_owned()),
            HugoPageKind::Page,
            ContentUrlStyle::Either,
            &["a/index.html", "a.html"],
        );
        check(
            UrlPath::Folder("a".to_owned()),
            HugoPageKind::Section,
            ContentUrlStyle::File,
            &["a/index.html", "a.html"],
        );
        check(
            UrlPath::Folder(String::new()),
            HugoPageKind::Home,
            ContentUrlStyle::File,
            &["index.html"],
        );
        check(
            UrlPath::File("a.htm".to_owned()),
            HugoPageKind::Page,
            ContentUrlStyle::Dir,
            &["a.htm"],
        );
    }
}
