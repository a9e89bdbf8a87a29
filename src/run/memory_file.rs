//! Refuses places of the memory of contents that other programs write.

use std::path::Path;

use crate::site::{LoadedSite, RunError};
use sitemaps::is_set_file_name;
use sitemaps::site_paths::{HintedError, SitePath, display_path};

/// Refuses a memory of contents with the name of a file that this run or Git writes.
pub(super) fn refuse_taken_name(file: &Path, loaded: &LoadedSite<'_>) -> Result<(), RunError> {
    let failures = &loaded.site.tree;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let dir = file.parent().and_then(|dir| failures.resolved(dir));
    let is_in_output = dir.is_some() && dir == failures.resolved(loaded.output_dir());
    let is_written = is_in_output
        && (name == "robots.txt"
            || is_set_file_name(&SitePath::from(&*name), &loaded.settings().sitemap.file));
    if is_written || file.components().any(|part| part.as_os_str() == ".git") {
        let message = format!("`{}` cannot be the memory of contents", display_path(file));
        let hint =
            "name a file that neither this run nor Git writes, such as `waypost-memory.jsonl`";
        return Err(HintedError::new(message, hint).into());
    }
    Ok(())
}
