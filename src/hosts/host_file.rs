//! A file that configures a host, read from disk.

use std::path::Path;

use page_sources::generator::HostFileKind;

/// A host file, read from disk.
#[derive(Debug, Clone, Copy)]
pub struct HostFile<'t> {
    /// The kind of file.
    pub kind: HostFileKind,
    /// The path shown in messages.
    pub path: &'t Path,
    /// The content.
    pub text: &'t str,
    /// The output directory, relative to the directory of the file, if it is below it.
    pub output: Option<&'t Path>,
}
