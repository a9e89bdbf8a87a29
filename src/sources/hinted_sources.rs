//! Finds the sources that pages name in a hint or an "edit this page" link. They are known only
//! after reading the pages, so this queries the history a second time.

use std::path::Path;

use super::edit_links::{LinkingPages, by_edit_links};
use super::file_history::{FilesToDate, HistoryOptions, SourceHistory};
use super::forge_links::Forge;
use super::mapped_sources::path_from_root;
use super::source_finder::{SiteSources, existing};
use crate::findings::Findings;
use crate::generators::IncludeReader;
use crate::pages::{PageSource, Pages, SourceDirs, SourceStep};
use git_last_modified::{History, HistoryError};

/// A source named by a page, with the page's index.
type NamedSource = (usize, PageSource);

/// Gives listed pages the sources that they name themselves, and what the history says of those.
/// `known` is the history of the sources that were known before reading. Returns the history of the
/// sources that no other step found.
pub(crate) fn add_named_sources(
    sources: &SiteSources,
    pages: &mut Pages,
    known: &SourceHistory,
    options: &HistoryOptions<'_>,
    includes: Option<&mut IncludeReader<'_>>,
) -> Result<History, HistoryError> {
    let loaded = options.loaded;
    let (dirs, findings) = (&sources.dirs, &loaded.findings);
    let mut named = by_hints(dirs, pages, findings);
    if let Some(forge) = Forge::of(&loaded.site, dirs) {
        let linking = LinkingPages::of(sources, pages, &named);
        named.extend(by_edit_links(&forge, pages, &linking, options)?);
    }
    let (mut requested, mut to_date) = (FilesToDate::default(), Vec::new());
    for (index, source) in named {
        let page = &mut pages[index];
        if page
            .source
            .as_ref()
            .is_none_or(|before| before.file() != source.file())
        {
            requested.add_source(to_date.len());
            to_date.push((index, source));
        } else if source.step() == SourceStep::Hint {
            page.source = Some(source);
            page.dated = known.page(index);
        }
    }
    if to_date.is_empty() {
        return Ok(History::default());
    }
    if let Some(reader) = includes {
        let sources = to_date.iter().map(|(_, source)| Some(source));
        requested.add_included(reader, sources, findings);
    }
    let answered = requested.query(options, |position| {
        let (index, source) = &to_date[position];
        source.on_disk(dirs, &pages[*index].file)
    })?;
    let mut files = Vec::new();
    for (position, (index, source)) in to_date.into_iter().enumerate() {
        // A link counts only if it points to a committed file.
        if source.step() == SourceStep::EditLink && !answered.is_tracked(position) {
            continue;
        }
        let page = &mut pages[index];
        if page.rule_outcome.wants_history(options.settings()) {
            files.extend(answered.answer(position).cloned());
        }
        page.source = Some(source);
        page.dated = answered.page(position);
        let rare = page.rare.get_or_insert_default();
        rare.included = Some(answered.includes(position));
        rare.is_at_head = Some(answered.is_at_head(position));
    }
    Ok(History {
        files,
        ..answered.history
    })
}

/// Returns the sources in `<meta name="waypost:source">` of listed pages without a source by rule.
fn by_hints(dirs: &SourceDirs, pages: &Pages, findings: &Findings) -> Vec<NamedSource> {
    let mut named = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        let known = page.source.as_ref();
        let by_rule = known.is_some_and(|known| known.step() == SourceStep::Rule);
        if by_rule || !page.is_listed() {
            continue;
        }
        let source = page.source_hint().and_then(|hint| {
            let path = path_from_root(&dirs.site_root, Path::new(hint.trim()));
            existing(dirs, &page.file, &path, SourceStep::Hint, findings)
        });
        named.extend(source.map(|source| (index, source)));
    }
    named
}
