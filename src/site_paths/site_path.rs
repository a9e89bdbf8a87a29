//! A file's path below the output folder or the site root.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use super::control_chars::escaped;
use super::shared_bytes::SharedBytes;

/// Endings of HTML files, in lower case.
pub const HTML_EXTENSIONS: [&str; 3] = ["html", "htm", "xhtml"];

/// Files that a host serves at their folder's address.
pub const INDEX_FILES: [&str; 3] = ["index.html", "index.htm", "index.xhtml"];

/// A relative path as bytes, with `/` between its parts on every platform.
///
/// Bytes, not text, since file names need not be UTF-8 and the host serves them by their bytes. The order is the order
/// of the bytes, so that it depends on neither locale nor directory order. A page's path stands in several lists of a
/// million pages, so a clone shares its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SitePath(SharedBytes);

impl SitePath {
    /// Takes bytes that are a relative path already: `/` between parts, none at either end.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        Self(SharedBytes::alone(bytes.as_ref()))
    }

    /// The path of `file` below `folder`, or `None` where it does not lie below it.
    pub fn below(folder: &Path, file: &Path) -> Option<Self> {
        Self::below_as_written(folder, file)
            .or_else(|| file.strip_prefix(folder).ok().map(Self::from_relative))
    }

    /// The same without taking both paths apart, where the one begins with the other as a walk joins them.
    fn below_as_written(folder: &Path, file: &Path) -> Option<Self> {
        let [folder, file] = [folder, file].map(|path| path.as_os_str().as_encoded_bytes());
        let below = file.strip_prefix(folder)?.strip_prefix(b"/")?;
        let is_in_order = below
            .split(|&byte| byte == b'/')
            .all(|part| !matches!(part, b"" | b"."));
        (is_in_order && !cfg!(windows)).then(|| Self::new(below))
    }

    /// Takes a relative path of the platform.
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

    /// The bytes, `/` between the parts.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    pub(super) fn piece(&self) -> &SharedBytes {
        &self.0
    }

    pub(super) fn piece_mut(&mut self) -> &mut SharedBytes {
        &mut self.0
    }

    /// The path as text; bytes that are not UTF-8 become U+FFFD.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }

    /// The file's own name: what follows the last `/`.
    pub fn file_name(&self) -> &[u8] {
        self.as_bytes()
            .rsplit(|&byte| byte == b'/')
            .next()
            .unwrap_or_default()
    }

    /// The folder the file lies in, with its final `/`, or nothing at the top.
    pub fn folder(&self) -> &[u8] {
        &self.as_bytes()[..self.as_bytes().len() - self.file_name().len()]
    }

    /// The folder, with its final `/`, that an index page stands for; `None` where the file is no index page. Hosts that
    /// tell case apart take no `INDEX.HTML` for one, and all of them serve it under its own name.
    pub fn index_of(&self) -> Option<&[u8]> {
        let is_index = INDEX_FILES
            .iter()
            .any(|name| self.file_name() == name.as_bytes());
        is_index.then(|| self.folder())
    }

    /// What follows the last dot of the file's name; `None` without a dot or with nothing before it.
    pub fn extension(&self) -> Option<&[u8]> {
        let name = self.file_name();
        match name.iter().rposition(|&byte| byte == b'.') {
            Some(0) | None => None,
            Some(dot) => Some(&name[dot + 1..]),
        }
    }

    /// Whether its ending is one of HTML's, in any case.
    pub fn is_html(&self) -> bool {
        let extension = self.extension().unwrap_or_default();
        HTML_EXTENSIONS
            .iter()
            .any(|html| extension.eq_ignore_ascii_case(html.as_bytes()))
    }

    /// The file itself, below `folder`.
    pub fn below_folder(&self, folder: &Path) -> PathBuf {
        let mut path = PathBuf::with_capacity(folder.as_os_str().len() + 1 + self.as_bytes().len());
        path.push(folder);
        path.push(self.to_relative());
        path
    }

    /// The path in the platform's own form.
    #[cfg(unix)]
    pub fn to_relative(&self) -> Cow<'_, Path> {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(self.as_bytes())))
    }

    /// The path in the platform's own form.
    #[cfg(not(unix))]
    pub fn to_relative(&self) -> Cow<'_, Path> {
        Cow::Owned(PathBuf::from(self.to_text().into_owned()))
    }
}

impl From<&str> for SitePath {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

/// Shows the path without raw control characters, so that a crafted file name cannot steer a terminal.
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
    fn extension_is_what_follows_the_last_dot_of_the_name() {
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
    fn a_file_lies_below_a_folder_whichever_way_both_are_written() {
        let check = |folder: &str, file: &str, expected: Option<&str>| {
            let found = SitePath::below(Path::new(folder), Path::new(file));
            assert_eq!(found, expected.map(SitePath::from), "{folder} {file}");
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
