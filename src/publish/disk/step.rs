//! A single change of the output directory.

use site_paths::SitePath;

/// A change to the output directory. Changes that a reader can see are atomic.
#[derive(Debug)]
pub(in crate::publish) enum DiskStep {
    /// Moves a staged file to its destination.
    Rename { staged: String, place: String },
    /// Gives a file a second name, which remains when the first is replaced.
    Keep { file: String, copy: String },
    /// Removes a file.
    Remove { file: SitePath },
}

impl DiskStep {
    /// The second name that the step gives a file.
    pub(in crate::publish) fn copy(&self) -> Option<&str> {
        match self {
            Self::Keep { copy, .. } => Some(copy),
            Self::Rename { .. } | Self::Remove { .. } => None,
        }
    }
}
