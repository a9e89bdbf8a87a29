//! Files of the output directory: as they are after a run, and on the way there.

use super::disk::DiskStep;
use sitemaps::plan::PlannedFile;

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Name in the output directory.
    pub path: String,
    /// Number of URLs; in an index, of sitemaps; for other files, 0.
    pub urls: usize,
    /// Size on disk in bytes.
    pub bytes: usize,
    /// Whether it was written; a file with the same bytes is not touched.
    pub changed: bool,
}

/// A file of the plan, staged if it differs from the one on disk.
pub(super) struct StagedFile<'a> {
    pub planned: &'a PlannedFile,
    pub written: WrittenFile,
    pub step: Option<DiskStep>,
}
