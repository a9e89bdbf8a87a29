//! URL paths of pages, and the output files that may contain these pages.

use super::content_keys::ContentUrlStyle;
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
///
/// With `uglyURLs`, some versions of Hugo write a list page as a file next to its directory, others as
/// the index file in it. If the style is not known, the same applies to any directory.
pub(super) fn files_of(url_path: UrlPath, is_list: bool, style: ContentUrlStyle) -> Vec<SitePath> {
    let (path, is_dir) = match url_path {
        UrlPath::File(file) => return vec![SitePath::from(file.as_str())],
        UrlPath::Folder(path) => (path, true),
        UrlPath::Page(path) => (path, false),
    };
    let path = path.trim_matches('/');
    if path.is_empty() {
        return vec![SitePath::from("index.html")];
    }
    let in_folder = || SitePath::from(format!("{path}/index.html").as_str());
    let as_file = || SitePath::from(format!("{path}.html").as_str());
    match style {
        ContentUrlStyle::Either => vec![in_folder(), as_file()],
        ContentUrlStyle::File if is_dir && is_list => vec![in_folder(), as_file()],
        ContentUrlStyle::File if !is_dir && !is_list => vec![as_file()],
        ContentUrlStyle::Dir | ContentUrlStyle::File => vec![in_folder()],
    }
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
}
