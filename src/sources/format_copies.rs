//! Finds pages that are another format of a page, such as one for print, before they are read.

use std::collections::BTreeMap;

use super::ruled_pages::RuledPage;
use super::source_finder::SiteSources;
use crate::decide::FormatCopy;
use crate::discover::Page;
use page_sources::generator::Site;

/// Returns the pages that are other formats, by index. A page with a source of its own is not.
pub(crate) fn format_copies(
    site: &Site<'_>,
    sources: &SiteSources,
    pages: &[Page],
    ruled: &[RuledPage],
) -> BTreeMap<usize, FormatCopy> {
    let formats = site.output_formats();
    let mut copies = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        if ruled[index].source.is_some() {
            continue;
        }
        let copy = formats.main_of(&page.file).into_iter().find_map(|main| {
            let at = pages
                .binary_search_by(|page| page.file.cmp(&main.file))
                .ok()?;
            let file = ruled[at].source.as_ref().and_then(|source| source.file());
            let content = file.and_then(|path| sources.content.file(path));
            let front_matter = content.map(|content| &content.front_matter);
            formats.is_used(&main, front_matter).then(|| FormatCopy {
                main: at,
                format: main.format.to_owned(),
            })
        });
        copies.extend(copy.map(|copy| (index, copy)));
    }
    copies
}
