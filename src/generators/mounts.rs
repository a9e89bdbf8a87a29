//! Directories whose files are content at another place than their own.

use super::own_config::OwnConfig;
use crate::files::tree::Tree;

/// The site whose mounts are looked for.
pub(super) struct MountingSite<'s> {
    pub(super) config: &'s OwnConfig,
    pub(super) tree: &'s Tree,
    /// Reads the settings of another site or module of the same generator, in a directory below the root.
    pub(super) settings_at: &'s dyn Fn(&str) -> Option<OwnConfig>,
}

/// A directory, or a single file, with content.
#[derive(Debug, Default)]
pub(super) struct Mount {
    /// Its path relative to the site root.
    pub(super) source: String,
    /// Its place in the content; empty for the top.
    pub(super) target: String,
    /// Globs of the languages that it is for; `None` for all.
    pub(super) languages: Option<Vec<String>>,
}

/// The mounts of a site.
#[derive(Debug, Default)]
pub(super) struct Mounts {
    /// Its own, which replace the usual content directories if there are any.
    pub(super) own: Vec<Mount>,
    /// Those of other programs, in addition. A file that is in one of the earlier directories too comes
    /// from there.
    pub(super) further: Vec<Mount>,
}
