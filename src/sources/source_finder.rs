//! Finds the source file of each page and the step that found it.
//!
//! The steps run in the order of [`SourceStep`]; the first result wins. Facts stated by the pages
//! are known only after reading them, so `hinted_sources.rs` runs those two steps.

use std::path::Path;

use super::mapped_sources::MappedSources;
use super::pager::Pagers;
use crate::decide::rules::{MatchedRules, RuleSource};
use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, code};
use crate::generators::{ContentIndex, Site};
use crate::pages::{PageSource, SourceDirs, SourceStep};
use crate::site::repository_around;
use sitemaps::site_paths::SitePath;

/// What determines sources before any page is read.
pub(crate) struct SiteSources {
    /// The content files of the generator.
    pub(crate) content: ContentIndex,
    pub(crate) dirs: SourceDirs,
    /// The source that the generator also writes as the home page.
    pub(crate) front_page: Option<SitePath>,
    pub(crate) pagers: Pagers,
    /// Whether pages without another source are their own.
    pages_are_sources: bool,
}

impl SiteSources {
    /// Reads the content files of a site.
    pub(crate) fn read(site: &Site, output: &Tree, findings: &Findings) -> Self {
        let content = ContentIndex::build(site, output, findings);
        Self {
            pagers: Pagers::of(site, &content),
            content,
            dirs: SourceDirs::new(&site.root, output),
            front_page: site.front_page(output),
            pages_are_sources: site.generator.is_none() && output.path().starts_with(&site.root),
        }
    }
}

/// Finds sources by rules, then source maps, then the generator's conventions.
pub(super) struct SourceFinder<'s> {
    pub(super) site: &'s Site,
    pub(super) sources: &'s SiteSources,
    pub(super) mapped: &'s MappedSources,
}

impl SourceFinder<'_> {
    /// Finds the source of a page by its index, before the page is read.
    pub(super) fn find(
        &self,
        index: usize,
        page: &SitePath,
        outcome: &MatchedRules,
        findings: &Findings,
    ) -> Option<PageSource> {
        let dirs = &self.sources.dirs;
        match &outcome.source {
            RuleSource::File(path) => {
                return existing(dirs, page, path, SourceStep::Rule, findings);
            }
            RuleSource::Invalid(error) => {
                findings.add(Finding::new(code::SOURCE_MISSING, page, error.to_string()));
                return None;
            }
            RuleSource::Unset => {}
        }
        let mapped = self.mapped.of(index).and_then(|map| {
            let source = &map.source;
            let Some(rival) = &map.rival else {
                return existing(dirs, page, source, SourceStep::SourceMap, findings);
            };
            let message = format!(
                "source maps name two sources, `{source}` and `{rival}`, so neither is used"
            );
            findings.add(Finding::new(code::SOURCE_DISAGREEMENT, page, message));
            None
        });
        mapped.or_else(|| self.by_generator(page))
    }

    fn by_generator(&self, page: &SitePath) -> Option<PageSource> {
        let Some(generator) = self.site.generator else {
            return self.sources.pages_are_sources.then_some(PageSource::Itself);
        };
        if let Some(file) = self.sources.content.source_of(page) {
            return Some(PageSource::File(file.path.clone(), SourceStep::Convention));
        }
        // A chapter list that mdBook reports names the source of the front page itself.
        if page.as_bytes() == b"index.html"
            && !self.mapped.are_reported
            && let Some(path) = &self.sources.front_page
        {
            return Some(PageSource::File(path.clone(), SourceStep::Convention));
        }
        generator
            .static_dirs(&self.site.config)
            .map(|dir| SitePath::joined(dir.as_bytes(), page.as_bytes()))
            .find(|path| {
                self.site.tree.is_file(&path.below_dir(&self.site.root))
                    && !self.sources.content.makes_page_of(path)
            })
            .or_else(|| self.next_to_index(page))
            .map(|path| PageSource::File(path, SourceStep::Copied))
    }

    /// Finds a file next to the index file of a page, such as a Zola asset, which is copied next to
    /// that page.
    fn next_to_index(&self, page: &SitePath) -> Option<SitePath> {
        let whole = page.as_bytes();
        memchr::memrchr_iter(b'/', whole).find_map(|end| {
            let (dir, below) = whole.split_at(end + 1);
            let index = SitePath::new([dir, b"index.html"].concat());
            let source = &self.sources.content.source_of(&index)?.path;
            let stem = source.file_name().split(|&byte| byte == b'.').next();
            let stem = String::from_utf8_lossy(stem.unwrap_or_default());
            let is_index = self.site.generator?.is_leaf_index(&stem);
            let path = SitePath::new([source.dir(), below].concat());
            (is_index && self.site.tree.is_file(&path.below_dir(&self.site.root))).then_some(path)
        })
    }
}

/// Returns an explicitly named source if the file exists; reports it otherwise.
pub(crate) fn existing(
    dirs: &SourceDirs,
    page: &SitePath,
    path: &SitePath,
    step: SourceStep,
    findings: &Findings,
) -> Option<PageSource> {
    let Some(problem) = problem_with(dirs, path) else {
        return Some(PageSource::File(path.clone(), step));
    };
    let by = match step {
        SourceStep::Hint => "the page's `waypost:source`",
        SourceStep::SourceMap => "the source map",
        _ => "a rule",
    };
    let message = format!("the source `{path}` named by {by} {problem}");
    let finding = Finding::new(code::SOURCE_MISSING, page, message);
    findings.add(finding.with_hint("source paths are relative to the site root"));
    None
}

/// Returns what is wrong with an explicitly named source. Settings and pages may come from a
/// stranger, so a path must not escape the repository.
fn problem_with(dirs: &SourceDirs, path: &SitePath) -> Option<&'static str> {
    let (root, tree) = (&dirs.site_root, &dirs.output);
    let file = path.below_dir(root);
    let is_out = if path.is_outside() {
        !is_in_repository_of(dirs, &file)
    } else {
        dirs.is_linked_out(&file)
    };
    if is_out {
        return Some("is outside the site root and its repository");
    }
    match tree.note(&file, file.metadata()) {
        Ok(metadata) if metadata.is_file() => None,
        Ok(_) => Some("is not a file"),
        Err(_) => Some("does not exist"),
    }
}

/// Whether a file is in the repository that contains the site: a chapter of a book may be the
/// README above it. Of a file that does not exist, the nearest directory counts.
fn is_in_repository_of(dirs: &SourceDirs, file: &Path) -> bool {
    let (root, tree) = (&dirs.site_root, &dirs.output);
    let repository = repository_around(root, tree);
    let file = file.ancestors().find_map(|path| tree.resolved(path));
    (repository.zip(file)).is_some_and(|(repository, file)| file.starts_with(repository))
}
