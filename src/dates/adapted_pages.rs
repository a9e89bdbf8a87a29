//! Explains pages without a source that a content adapter of Hugo makes.

use std::collections::HashMap;

use super::list_dates::{dirs_above, language_dir};
use crate::inventory::InventoryPage;
use crate::sources::{DateOrigin, SiteSources};
use page_sources::generator::Site;
use sitemaps::site_paths::SitePath;

/// The file name of an adapter.
const ADAPTER: &[u8] = b"_content.gotmpl";

/// Gives the pages without a source their reason, if the content directory of theirs, or one above it,
/// has an adapter.
pub(super) fn explain_adapted(site: &Site<'_>, sources: &SiteSources, lines: &mut [InventoryPage]) {
    if site.generator.is_none_or(|known| known.name != "hugo") {
        return;
    }
    let languages = site.language_codes();
    let has_adapter = |dir: &[u8]| {
        sources.content.dir_paths().iter().any(|content| {
            let path = [content.as_bytes(), b"/", dir, ADAPTER].concat();
            let file = SitePath::new(path).below_dir(&site.root);
            site.failures.is_file(&file)
        })
    };
    let mut known: HashMap<Vec<u8>, bool> = HashMap::new();
    for line in lines {
        if line.dated != DateOrigin::NoSource {
            continue;
        }
        let file = line.file.as_bytes();
        let below = &file[language_dir(file, &languages).len()..];
        let is_adapted = dirs_above(below).any(|dir| match known.get(dir) {
            Some(known) => *known,
            None => *known
                .entry(dir.to_vec())
                .or_insert_with(|| has_adapter(dir)),
        });
        if is_adapted {
            line.dated = DateOrigin::Adapted;
        }
    }
}
