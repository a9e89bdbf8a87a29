//! Reads the memory of contents, and refuses places for it that other programs write.

use std::path::PathBuf;

use crate::findings::HintedError;
use crate::memory::Memory;
use crate::site::{LoadedSite, RunError};
use sitemaps::is_set_file_name;
use sitemaps::site_paths::{SitePath, display_path};

/// The file of the memory of contents, and what is remembered there.
pub(super) fn read_memory(
    loaded: &LoadedSite,
) -> Result<(Option<PathBuf>, Option<Memory>), RunError> {
    let file = memory_file(loaded)?;
    let remembered = match &file {
        Some(file) => Memory::read(file, loaded.now)?,
        None => None,
    };
    Ok((file, remembered))
}

/// The file of the memory of contents; an error if this run or Git writes one of its name.
fn memory_file(loaded: &LoadedSite) -> Result<Option<PathBuf>, RunError> {
    let (site, settings) = (&loaded.site, loaded.settings());
    let Some(file) = &settings.lastmod.memory else {
        return Ok(None);
    };
    let file = site.root.join(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let dir = file.parent().and_then(|dir| site.tree.resolved(dir));
    let is_in_output = dir.is_some() && dir == site.tree.resolved(loaded.output_dir());
    let is_written = is_in_output
        && (name == "robots.txt"
            || is_set_file_name(&SitePath::from(&*name), &settings.sitemap.file));
    if is_written || file.components().any(|part| part.as_os_str() == ".git") {
        let message = format!("`{}` cannot be the memory of contents", display_path(&file));
        let hint =
            "name a file that neither this run nor Git writes, such as `waypost-memory.jsonl`";
        return Err(HintedError::new(message, hint).into());
    }
    Ok(Some(file))
}
