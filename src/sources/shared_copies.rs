//! Finds pages that are copied unchanged from one file, such as a file beside a Zola page in several
//! languages.

use std::collections::BTreeMap;

use super::ruled_pages::RuledPage;
use super::source_finder::{PageSource, SourceStep};
use site_paths::SitePath;

/// Returns the pages that are copied from one file, by index, for each file that has several.
pub(crate) fn shared_copies(ruled: &[RuledPage]) -> Vec<Vec<usize>> {
    let mut pages: BTreeMap<&SitePath, Vec<usize>> = BTreeMap::new();
    for (index, page) in ruled.iter().enumerate() {
        if let Some(PageSource::File(file, SourceStep::Copied)) = &page.source {
            pages.entry(file).or_default().push(index);
        }
    }
    pages
        .into_values()
        .filter(|pages| pages.len() > 1)
        .collect()
}
