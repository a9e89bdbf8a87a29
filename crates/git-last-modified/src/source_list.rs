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
