//! Finds the pages in the output directory: all files with a page's extension, sorted by the bytes
//! of their paths.
//!
//! No file is opened. Hidden files and directories (names that begin with a dot) are not pages:
//! hosts and generators do not publish them. Symbolic links are followed if they stay within the
//! directory, but not from one linked directory to another.

mod discover_error;
mod output_walk;

use crate::files::tree::Tree;
use crate::findings::Findings;
use sitemaps::site_paths::{BaseUrl, SitePath};

pub use discover_error::DiscoverError;

/// The result of a walk over the output directory.
#[derive(Debug, Default)]
pub struct DiscoveredPages {
    /// The pages, sorted by the bytes of their paths.
    pub pages: Vec<SitePath>,
    /// Directories that are links, that have an entry named `.git`, or that cannot be listed. Every
    /// other directory of a page is an ordinary one, unless it is below one of these.
    pub special_dirs: Vec<SitePath>,
}

/// Finds all pages below `output`, which is served at `base`. `extensions` are in lower case,
/// without the dot. Reports broken links, special files and the like.
pub fn discover(
    output: &Tree,
    base: &BaseUrl,
    extensions: &[String],
    findings: &Findings,
) -> Result<DiscoveredPages, DiscoverError> {
    let failed = |error| DiscoverError::OutputDir(output.path().to_owned(), error);
    let root = output.path().canonicalize().map_err(failed)?;
    if !root.metadata().map_err(failed)?.is_dir() {
        return Err(DiscoverError::NotADirectory(output.path().to_owned()));
    }
    output_walk::walk(&root, base, extensions, output, findings).map_err(|error| match error {
        DiscoverError::Unlistable(dir, error) if dir.as_bytes().is_empty() => failed(error),
        error => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitemaps::site_paths::HTML_EXTENSIONS;
    use std::fs;
    use std::path::Path;

    fn base() -> BaseUrl {
        BaseUrl::parse("https://example.com/").expect("a valid base URL")
    }

    fn discover_html(dir: &Path) -> (Vec<String>, Vec<&'static str>) {
        let extensions = HTML_EXTENSIONS.map(str::to_owned);
        let findings = Findings::default();
        let found = discover(&Tree::new(dir), &base(), &extensions, &findings)
            .expect("the directory exists");
        let names = found.pages.iter().map(SitePath::to_string).collect();
        let findings = findings.take_sorted().into_iter();
        (names, findings.map(|finding| finding.code.name).collect())
    }

    fn site(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().expect("the path has a parent")).expect("a directory");
            fs::write(path, "x").expect("a file");
        }
        dir
    }

    #[test]
    fn files_with_a_page_extension_are_found_in_byte_order() {
        let dir = site(&[
            "a/x.html",
            "a-b/x.html",
            "A.HTML",
            "b.htm",
            "c.xhtml",
            "d.pdf",
            "some.html/else",
            "html",
        ]);
        let expected = ["A.HTML", "a-b/x.html", "a/x.html", "b.htm", "c.xhtml"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(discover_html(dir.path()), (expected, vec![]));
    }

    #[test]
    fn hidden_files_and_directories_are_not_pages() {
        let dir = site(&[
            ".hidden.html",
            ".git/x.html",
            ".well-known/y.html",
            "ok.html",
        ]);
        assert_eq!(discover_html(dir.path()).0, ["ok.html"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_within_the_output_directory() {
        use std::os::unix::fs::symlink;
        let outside = site(&["secret.html", "folder/secret.html"]);
        let dir = site(&["real/p.html"]);
        let link =
            |target: &Path, name: &str| symlink(target, dir.path().join(name)).expect("a link");
        link(Path::new("real"), "copy");
        link(&outside.path().join("secret.html"), "out.html");
        link(&outside.path().join("folder"), "out");
        link(Path::new("nowhere.html"), "gone.html");
        link(Path::new(".."), "real/loop");
        let (pages, findings) = discover_html(dir.path());
        assert_eq!(pages, ["copy/p.html", "real/p.html"]);
        // The loop is found twice: below `real` and below its copy.
        assert_eq!(findings, ["file-skipped"; 5]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_from_one_linked_directory_to_another() {
        use std::os::unix::fs::symlink;
        let dir = site(&["a/p.html", "b/c/q.html", "d/r.html"]);
        let link =
            |target: &str, name: &str| symlink(target, dir.path().join(name)).expect("a link");
        link("../b", "a/to-b");
        link("../../d", "b/c/to-d");
        link("p.html", "a/same.html");
        fs::create_dir(dir.path().join("images")).expect("a directory");
        fs::write(dir.path().join("images/x.png"), "x").expect("a file");
        link("../../images", "b/c/images");
        let (pages, findings) = discover_html(dir.path());
        let expected = [
            "a/p.html",
            "a/same.html",
            "a/to-b/c/q.html",
            "b/c/q.html",
            "b/c/to-d/r.html",
            "d/r.html",
        ];
        assert_eq!(pages, expected);
        assert_eq!(findings, ["file-skipped"; 2]);
    }

    #[cfg(unix)]
    #[test]
    fn linked_directories_and_those_with_a_repository_are_special() {
        let dir = site(&["a/p.html", "b/.git/HEAD", "b/c/p.html", "d.html"]);
        for (target, name) in [("a", "copy"), ("d.html", "e.html"), ("..", "a/up")] {
            std::os::unix::fs::symlink(target, dir.path().join(name)).expect("a link");
        }
        let extensions = HTML_EXTENSIONS.map(str::to_owned);
        let findings = Findings::default();
        let found = discover(&Tree::new(dir.path()), &base(), &extensions, &findings)
            .expect("the directory exists");
        let special = found.special_dirs.iter().map(ToString::to_string);
        let special: std::collections::BTreeSet<_> = special.collect();
        let expected = ["a/up", "b", "copy", "copy/up"].map(str::to_owned);
        assert_eq!(special, expected.into());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_directory_that_may_not_be_listed_is_reported_if_it_is_outside() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let outside = site(&["closed/secret.html"]);
        let dir = site(&["p.html"]);
        let closed = outside.path().join("closed");
        symlink(&closed, dir.path().join("out")).expect("a link");
        symlink(closed.join("secret.html"), dir.path().join("out.html")).expect("a link");
        let set = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode));
        set(0).expect("it is ours");
        let found = discover_html(dir.path());
        set(0o755).expect("it is ours");
        assert_eq!(found, (vec!["p.html".to_owned()], vec!["file-skipped"; 2]));
    }

    #[test]
    fn a_missing_output_directory_is_an_error() {
        assert!(matches!(
            discover(
                &Tree::new(Path::new("/no/such/directory")),
                &base(),
                &[],
                &Findings::default()
            ),
            Err(DiscoverError::OutputDir(..))
        ));
    }
}
