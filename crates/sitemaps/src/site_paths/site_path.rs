//! Path of a file below the output directory or the site root.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use super::control_chars::escaped;
use super::shared_bytes::SharedBytes;

/// Extensions of HTML files, in lower case.
pub const HTML_EXTENSIONS: [&str; 3] = ["html", "htm", "xhtml"];

/// Files that a host serves at the URL of their directory.
pub const INDEX_FILES: [&str; 3] = ["index.html", "index.htm", "index.xhtml"];

/// A relative path as bytes, with `/` as the separator on every platform.
///
/// Bytes, because file names may not be UTF-8 and hosts serve them by their bytes. Paths are
/// ordered by their bytes, independent of locale and directory order. Several lists of a million
/// pages hold the same path, so a clone shares its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SitePath(pub(super) SharedBytes);

impl SitePath {
    /// Creates a path from bytes that already are a relative path: `/` between parts, none at
    /// either end.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        Self(SharedBytes::alone(bytes.as_ref()))
    }

    /// Returns the path of `file` below `dir`, or `None` if it is not below it.
    pub fn below(dir: &Path, file: &Path) -> Option<Self> {
        Self::below_as_written(dir, file)
            .or_else(|| file.strip_prefix(dir).ok().map(Self::from_relative))
    }

    /// Does the same without splitting the paths, for paths as a directory walk builds them.
    fn below_as_written(dir: &Path, file: &Path) -> Option<Self> {
        let [dir, file] = [dir, file].map(|path| path.as_os_str().as_encoded_bytes());
        let below = file.strip_prefix(dir)?.strip_prefix(b"/")?;
        let is_in_order = below
            .split(|&byte| byte == b'/')
            .all(|part| !matches!(part, b"" | b"."));
        (is_in_order && !cfg!(windows)).then(|| Self::new(below))
    }

    /// The path that `path` means in the directory `dir`: without empty parts and `.`, and with
    /// `..` only at its start, where it escapes the common root of both.
    pub fn joined(dir: impl AsRef<[u8]>, path: impl AsRef<[u8]>) -> Self {
        let mut parts: Vec<&[u8]> = Vec::new();
        let written = [dir.as_ref(), path.as_ref()];
        for part in written
            .iter()
            .flat_map(|path| path.split(|&byte| byte == b'/'))
        {
            match (part, parts.last()) {
                (b"" | b".", _) => {}
                (b"..", Some(last)) if *last != b".." => {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        }
        Self::new(parts.join(&b'/'))
    }

    /// Whether the path escapes the directory that it is relative to.
    pub fn is_outside(&self) -> bool {
        self.as_bytes() == b".." || self.as_bytes().starts_with(b"../")
    }

    /// Converts a relative path of the platform.
    pub fn from_relative(path: &Path) -> Self {
        let mut bytes = Vec::with_capacity(path.as_os_str().len());
        for part in path.components() {
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(part.as_os_str().as_encoded_bytes());
        }
        Self::new(bytes)
    }

    /// The path as bytes, with `/` between the parts.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Moves paths to memory that they share with each other.
    pub fn move_together<'p>(paths: impl Iterator<Item = &'p mut Self>) {
        let mut pieces: Vec<_> = paths.map(|path| &mut path.0).collect();
        SharedBytes::move_together(&mut pieces, b"");
    }

    /// The path as text; invalid UTF-8 becomes U+FFFD.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }

    /// File name: the part after the last `/`.
    pub fn file_name(&self) -> &[u8] {
        file_name_of(self.as_bytes())
    }

    /// Directory of the file with its final `/`; empty at the top level.
    pub fn dir(&self) -> &[u8] {
        &self.as_bytes()[..self.as_bytes().len() - self.file_name().len()]
    }

    /// Directory, with its final `/`, that an index page is served for; `None` if the file is not
    /// an index page. `INDEX.HTML` is not one: hosts that distinguish case do not treat it so, and
    /// every host serves it under its own name.
    pub fn index_of(&self) -> Option<&[u8]> {
        let is_index = INDEX_FILES
            .iter()
            .any(|name| self.file_name() == name.as_bytes());
        is_index.then(|| self.dir())
    }

    /// Extension of the file name: the part after the last dot; `None` without a dot or with
    /// nothing before it.
    pub fn extension(&self) -> Option<&[u8]> {
        extension_of(self.as_bytes())
    }

    /// Whether the extension is one of HTML's, in any case.
    pub fn is_html(&self) -> bool {
        is_html(self.as_bytes())
    }

    /// Joins the path to `dir`.
    pub fn below_dir(&self, dir: &Path) -> PathBuf {
        let mut path = PathBuf::with_capacity(dir.as_os_str().len() + 1 + self.as_bytes().len());
        path.push(dir);
        path.push(self.to_relative());
        path
    }

    /// The path in the form of the platform.
    #[cfg(unix)]
    pub fn to_relative(&self) -> Cow<'_, Path> {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(self.as_bytes())))
    }

    /// The path in the form of the platform.
    #[cfg(not(unix))]
    pub fn to_relative(&self) -> Cow<'_, Path> {
        Cow::Owned(PathBuf::from(self.to_text().into_owned()))
    }
}

fn file_name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

/// Extension of the file name at the end of a path, as in [`SitePath::extension`].
pub fn extension_of(path: &[u8]) -> Option<&[u8]> {
    let name = file_name_of(path);
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(0) | None => None,
        Some(dot) => Some(&name[dot + 1..]),
    }
}

/// Whether a path ends in one of HTML's extensions, in any case.
pub fn is_html(path: &[u8]) -> bool {
    let extension = extension_of(path).unwrap_or_default();
    HTML_EXTENSIONS
        .iter()
        .any(|html| extension.eq_ignore_ascii_case(html.as_bytes()))
}

impl From<&str> for SitePath {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

/// Shows the path with control characters escaped, so that a crafted file name cannot manipulate a
/// terminal.
impl fmt::Display for SitePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&escaped(&self.to_text()))
    }
}

impl fmt::Debug for SitePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_follows_the_last_dot_of_the_name() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(
                SitePath::from(path).extension(),
                expected.map(str::as_bytes),
                "{path}"
            );
        };
        check("a/b.html", Some("html"));
        check("some.html/else", None);
        check("some.html/else.doc", Some("doc"));
        check(".hidden", None);
        check("a.", Some(""));
    }

    #[test]
    fn dots_are_resolved_and_escape_only_at_the_start() {
        let check = |dir: &str, path: &str, expected: &str| {
            let found = SitePath::joined(dir, path);
            assert_eq!(found, SitePath::from(expected), "{dir} + {path}");
            assert_eq!(found.is_outside(), expected.starts_with(".."));
        };
        check("src/", "a.md", "src/a.md");
        check("src/b/", "./../a.md", "src/a.md");
        check("src", "../../a.md", "../a.md");
        check("", "../../a.md", "../../a.md");
        check("../docs/", "../a.md", "../a.md");
        check("src", "..", "");
        check(".", "a//b/", "a/b");
    }

    #[test]
    fn a_path_below_a_directory_is_found_in_any_notation() {
        let check = |dir: &str, file: &str, expected: Option<&str>| {
            let found = SitePath::below(Path::new(dir), Path::new(file));
            assert_eq!(found, expected.map(SitePath::from), "{dir} {file}");
        };
        check("/a", "/a/b/c.html", Some("b/c.html"));
        check("/a/", "/a/b.html", Some("b.html"));
        check("/a/./x", "/a//x/./b//c.html", Some("b/c.html"));
        check("/a", "/a/b/../c.html", Some("b/../c.html"));
        check("/a", "/a", Some(""));
        check("/", "/b.html", Some("b.html"));
        check("/a", "/ab/c.html", None);
        check("a", "/a/c.html", None);
    }

    #[test]
    fn a_path_is_shown_without_raw_control_characters() {
        assert_eq!(
            SitePath::from("a\u{1b}[31m\n.html").to_string(),
            "a\\u{1b}[31m\\n.html"
        );
    }
}
