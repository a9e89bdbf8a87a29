//! The source files of a query, by number.

use std::borrow::Cow;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The source files of a query, such as a `Vec<PathBuf>`.
///
/// A caller that knows its files in another form need not keep a second list of a million paths.
pub trait SourceList: Debug + Sync {
    /// Returns the number of files.
    fn count(&self) -> usize;

    /// Returns the absolute path of the file at an index below the count: at each call the same.
    fn path(&self, index: usize) -> Cow<'_, Path>;

    /// Whether the path at an index is a directory that is dated by its members: by the commit that
    /// last added, removed or renamed one, in it or below.
    fn is_dated_by_members(&self, _index: usize) -> bool {
        false
    }

    /// Whether a file of this name is a member of the directories that contain it. Hidden
    /// directories and `node_modules` have no members.
    fn is_member(&self, _name: &[u8]) -> bool {
        false
    }
}

impl<T: AsRef<[PathBuf]> + Debug + Sync> SourceList for T {
    fn count(&self) -> usize {
        self.as_ref().len()
    }

    fn path(&self, index: usize) -> Cow<'_, Path> {
        Cow::Borrowed(&self.as_ref()[index])
    }
}

/// No files.
impl Default for &dyn SourceList {
    fn default() -> Self {
        const NONE: &[PathBuf; 0] = &[];
        NONE
    }
}
