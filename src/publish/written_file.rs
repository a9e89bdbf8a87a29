//! Files of the output directory, as they are after a run.

use serde::Serialize;

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
