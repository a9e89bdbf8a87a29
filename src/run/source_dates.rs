//! Dates sources before the site is built, as a build then dates their pages.

use std::collections::BTreeSet;
use std::path::Path;

use crate::dates::{DateQuestion, PageDater};
use crate::files::tree::absolute;
use crate::findings::HintedError;
use crate::generators::{ContentIndex, IncludeReader, Site};
use crate::pages::{DateOrigin, PageSource, SourceStep};
use crate::site::{LoadedSite, RunError};
use crate::sources::{
    FilesToDate, HistoryOptions, PageOverridesReader, SiteSources, report_history,
};
use git_last_modified::History;
use sitemaps::LastMod;
use sitemaps::site_paths::{SitePath, display_path};

/// The date of a source.
#[derive(Debug)]
pub struct SourceDate {
    /// The source, relative to the site root.
    pub source: SitePath,
    /// The date that its page gets, as far as the page does not decide.
    pub lastmod: Option<LastMod>,
    /// The commit, or why there is none.
    pub dated: DateOrigin,
}

/// Dates the sources of a site at these paths, sorted by path: files, or content files in directories.
/// Without paths, all content files are dated.
pub fn source_dates(
    loaded: &LoadedSite,
    paths: &[impl AsRef<Path>],
) -> Result<Vec<SourceDate>, RunError> {
    let (site, findings) = (&loaded.site, &loaded.findings);
    let sources = SiteSources::read(site, &loaded.output, findings);
    let wanted = Vec::from_iter(wanted_sources(site, &sources.content, paths)?);
    let mut to_date = FilesToDate::default();
    (0..wanted.len()).for_each(|index| to_date.add_source(index));
    if let Some(mut reader) = IncludeReader::new(site, &sources.content, &loaded.output) {
        let named: Vec<PageSource> = wanted
            .iter()
            .map(|path| PageSource::File(path.clone(), SourceStep::Convention))
            .collect();
        to_date.add_included(&mut reader, named.iter().map(Some), findings);
    }
    let options = HistoryOptions::of(loaded, None);
    let history = to_date.query(&options, |index| {
        wanted[index].below_dir(&sources.dirs.site_root)
    })?;
    let histories = [&history.history, &History::default()];
    report_history(loaded, histories);
    loaded.output.check()?;
    let settings = &loaded.settings().lastmod;
    let chooser = PageDater {
        site,
        sources: &sources,
        settings,
        now: loaded.now,
        boundary: Vec::new(),
    };
    let mut overrides = PageOverridesReader::new(site, &sources.content);
    let mut found = Vec::new();
    for (index, source) in wanted.iter().enumerate() {
        let history = history.page(index);
        let stated = overrides.of(source, findings);
        let fixed = stated.lastmod.as_deref();
        let question = DateQuestion {
            file: source,
            source: Some(&PageSource::File(source.clone(), SourceStep::Convention)),
            history: &history,
            fixed: fixed.map(|text| (DateOrigin::FrontMatter, text)),
            order: &settings.from,
            page: None,
        };
        let (lastmod, dated) = match chooser.choose(&question, findings) {
            Some((lastmod, DateOrigin::Commit(_))) => (Some(lastmod), history),
            Some((lastmod, origin)) => (Some(lastmod), origin),
            None => (None, history),
        };
        found.push(SourceDate {
            source: source.clone(),
            lastmod,
            dated,
        });
    }
    Ok(found)
}

/// The sources at these paths, each once, sorted by path; without paths, all content files.
fn wanted_sources(
    site: &Site,
    content: &ContentIndex,
    paths: &[impl AsRef<Path>],
) -> Result<BTreeSet<SitePath>, RunError> {
    let root = absolute(&site.root);
    let files_below = |dir: &SitePath| content.files_below(dir).into_iter().cloned();
    let mut wanted = BTreeSet::new();
    if paths.is_empty() {
        wanted.extend(files_below(&SitePath::default()));
    }
    for path in paths {
        let path = absolute(path.as_ref());
        let below = SitePath::below(&root, &path).ok_or_else(|| not_in_site(&path))?;
        if site.tree.is_dir(&path) {
            wanted.extend(files_below(&below));
        } else if site.tree.is_file(&path) {
            wanted.insert(below);
        } else {
            return Err(not_in_site(&path));
        }
    }
    Ok(wanted)
}

fn not_in_site(path: &Path) -> RunError {
    let path = display_path(path);
    let message = format!("`{path}` is not a file or directory of the site");
    HintedError::new(message, "run this command in the directory of the site").into()
}
