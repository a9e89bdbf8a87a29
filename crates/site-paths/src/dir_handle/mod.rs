//! Open directories whose entries strangers may replace at any moment.
//!
//! Takes names of entries, never paths; returns open files and directories. No function follows a
//! link at the name, so what is opened is in this very directory, whatever its path now leads to.
//! This file reads only: `publish/disk` of the program has the functions that write.

#[cfg(not(unix))]
mod by_path;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use by_path::DirHandle;
#[cfg(unix)]
pub use unix::DirHandle;

#[cfg(not(unix))]
pub(crate) use by_path::{is_limit_reached, may_be_link, open_files_limit, path_limit};
#[cfg(unix)]
pub(crate) use unix::{is_limit_reached, may_be_link, open_files_limit, path_limit};

use std::ops::ControlFlow;

/// Receives the name and kind of an entry, and decides whether to go on.
pub type EntryVisitor<'v> = dyn FnMut(&[u8], EntryKind) -> ControlFlow<()> + 'v;

/// Kind of a directory entry, before a link is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device, or whatever else the platform has.
    Device,
}

/// Facts about a directory entry; a link is not followed.
#[derive(Debug, Clone)]
pub struct EntryMetadata {
    /// Its kind.
    pub kind: EntryKind,
    /// Its size in bytes.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    fn names(handle: DirHandle) -> BTreeMap<String, EntryKind> {
        let mut names = BTreeMap::new();
        let mut see = |name: &[u8], kind| {
            names.insert(String::from_utf8_lossy(name).into_owned(), kind);
            ControlFlow::Continue(())
        };
        handle.list(&mut see).expect("it can be listed");
        names
    }

    #[test]
    fn entries_are_listed_with_their_kinds() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::create_dir(dir.path().join("below")).expect("a directory");
        fs::write(dir.path().join("file"), "x").expect("a file");
        let handle = DirHandle::open(dir.path()).expect("it exists");
        let kinds = [("below", EntryKind::Dir), ("file", EntryKind::File)];
        let expected = kinds.map(|(name, kind)| (name.to_owned(), kind));
        assert_eq!(names(handle), BTreeMap::from(expected));
    }

    #[test]
    #[cfg(unix)]
    fn a_handle_stays_in_its_directory_and_follows_no_link() {
        use std::io::Read;
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a temporary directory");
        let at = |path: &str| dir.path().join(path);
        for below in ["site/real", "outside/real"] {
            fs::create_dir_all(at(below)).expect("a directory");
            fs::write(at(below).join("file"), below).expect("a file");
        }
        symlink("real", at("site/link")).expect("a link");
        symlink("file", at("site/real/link")).expect("a link");
        let site = DirHandle::open(&at("site")).expect("it exists");
        let real = site.dir(b"real").expect("a directory");
        let linked = site.dir(b"link").expect_err("it is a link");
        assert!(may_be_link(&linked), "{linked}");
        let linked = real.file(b"link").expect_err("it is a link");
        assert!(may_be_link(&linked), "{linked}");
        assert_eq!(
            real.metadata(b"link").expect("it exists").kind,
            EntryKind::Link
        );
        // The directory moves away, and a link to another takes its place.
        fs::rename(at("site/real"), at("moved")).expect("a move");
        symlink("../outside/real", at("site/real")).expect("a link");
        let mut text = String::new();
        let mut file = real.file(b"file").expect("it is still open");
        file.read_to_string(&mut text).expect("text");
        assert_eq!(text, "site/real");
    }
}
