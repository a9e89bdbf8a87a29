//! Dates sources before the site is built, as a build then dates their pages.

use std::path::Path;

use crate::site::{LoadedSite, RunError};
use crate::sources::{
    DateOrigin, FilesToDate, HistoryOptions, PageSource, SiteSources, SourceStep, history_findings,
};
use git_last_modified::History;
use page_sources::generator::IncludeReader;
use sitemaps::LastMod;
use sitemaps::site_paths::containment::absolute;
use sitemaps::site_paths::finding::WithFindings;
use sitemaps::site_paths::{HintedError, SitePath, display_path};

/// The date of a source.
#[derive(Debug)]
pub struct SourceDate {
    /// The source, relative to the site root.
    pub source: SitePath,
    /// The date of its last change, or of a file that it includes.
    pub lastmod: Option<LastMod>,
    /// The commit, or why there is none.
    pub dated: DateOrigin,
}

/// Dates the sources of a site at these paths, sorted by path: files, or content files in directories.
/// Without paths, all content files are dated.
pub fn source_dates(
    loaded: &LoadedSite<'_>,
    paths: &[impl AsRef<Path>],
) -> Result<WithFindings<Vec<SourceDate>>, RunError> {
    let site = &loaded.site;
    let mut findings = Vec::new();
    let sources = SiteSources::read(site, &loaded.output).take_into(&mut findings);
    let root = absolute(&site.root);
    let mut wanted: Vec<SitePath> = Vec::new();
    if paths.is_empty() {
        let content = sources.content.files_below(&SitePath::default());
        wanted.extend(content.into_iter().cloned());
    }
    for path in paths {
        let path = absolute(path.as_ref());
        let Some(below) = SitePath::below(&root, &path) else {
            return Err(not_in_site(&path));
        };
        if site.failures.is_dir(&path) {
            let files = sources.content.files_below(&below);
            wanted.extend(files.into_iter().cloned());
        } else if site.failures.is_file(&path) {
            wanted.push(below);
        } else {
            return Err(not_in_site(&path));
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    let page_sources = wanted.into_iter();
    let page_sources: Vec<PageSource> = page_sources
        .map(|path| PageSource::File(path, SourceStep::Convention))
        .collect();
    let mut to_date = FilesToDate::default();
    (0..page_sources.len()).for_each(|index| to_date.add_source(index));
    if let Some(mut reader) = IncludeReader::new(site, &sources.content, &loaded.output) {
        let named = page_sources.iter().map(Some);
        findings.append(&mut to_date.add_included(&mut reader, named));
    }
    let options = HistoryOptions::of(loaded, None);
    let no_page = SitePath::default();
    let history = to_date.query(&options, |index| {
        page_sources[index].on_disk(&sources.dirs, &no_page)
    })?;
    let histories = [&history.history, &History::default()];
    findings.extend(history_findings(loaded.pipelines(), &options, histories));
    loaded.output.check_failures()?;
    let dates = page_sources.iter().enumerate().map(|(index, source)| {
        let dated = history.page(index);
        SourceDate {
            source: source.file().cloned().unwrap_or_default(),
            lastmod: dated.commit().and_then(|change| {
                LastMod::at(change.seconds, change.offset_minutes, loaded.now).ok()
            }),
            dated,
        }
    });
    Ok(WithFindings::new(dates.collect(), findings))
}

fn not_in_site(path: &Path) -> RunError {
    let path = display_path(path);
    let message = format!("`{path}` is not a file or directory of the site");
    HintedError::new(message, "run this command in the directory of the site").into()
}
