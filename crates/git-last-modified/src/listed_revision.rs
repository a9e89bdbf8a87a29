//! A commit to ignore, with the place that lists it.

use std::fmt;
use std::path::PathBuf;

/// A commit to ignore, as written by the user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedRevision {
    /// The hash or hash prefix.
    pub text: String,
    /// File and line number; `None` for an entry of the setting.
    pub place: Option<(PathBuf, usize)>,
}

impl fmt::Display for ListedRevision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.text)?;
        match &self.place {
            Some((file, line)) => write!(formatter, " on line {line} of `{}`", file.display()),
            None => write!(formatter, " in the setting `lastmod.ignore.revs`"),
        }
    }
}
