//! URL paths of pages, and the output files that may contain these pages.

use super::content_keys::ContentUrlStyle;
use super::permalinks::HugoPageKind;
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

/// The output files that may contain the page with this URL path.
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
        // With `uglyURLs`, some versions of Hugo write a list page as a file next to its directory,
        // others as the index file in it. If the style is not known, the same applies to any
        // directory.
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
    fn the_url_style_decides_between_directory_and_file() {
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
