//! Finds the source file of each page and the step that found it.
//!
//! The steps run in the order of [`SourceStep`]; the first result wins. Facts stated by the pages
//! are known only after reading them, so `hinted_sources.rs` runs those two steps.

use std::path::{Component, Path, PathBuf};

use super::inventory::InventoryPage;
use super::mapped_sources::MappedSources;
use super::survey::Survey;
use crate::rules::MatchedRules;
use crate::settings::Rule;
use git_last_modified::enclosing_repository;
use page_sources::generator::ContentIndex;
use site_paths::SitePath;
use site_paths::containment::absolute;
use site_paths::finding::{Finding, Subject, code};

/// How a page's source was found, most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStep {
    /// A rule names it.
    Rule,
    /// The page names it.
    Hint,
    /// A source map names it.
    SourceMap,
    /// The generator's conventions, including front matter, give it.
    Convention,
    /// The page is copied unchanged from this file.
    Copied,
    /// An "edit this page" link points to it.
    EditLink,
    /// The site has no generator, so the page is its own source.
    Itself,
}

impl SourceStep {
    /// All steps, in order of precedence.
    pub const ALL: [Self; 7] = [
        Self::Rule,
        Self::Hint,
        Self::SourceMap,
        Self::Convention,
        Self::Copied,
        Self::EditLink,
        Self::Itself,
    ];

    /// The step in words, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint in the page",
            Self::SourceMap => "source map",
            Self::Convention => "convention",
            Self::Copied => "copied file",
            Self::EditLink => "edit link",
            Self::Itself => "the page itself",
        }
    }

    /// The identifier in machine-readable output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint",
            Self::SourceMap => "source_map",
            Self::Convention => "convention",
            Self::Copied => "copied",
            Self::EditLink => "edit_link",
            Self::Itself => "itself",
        }
    }
}

/// Source of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSource {
    /// A file, relative to the site root.
    File(SitePath, SourceStep),
    /// The page's own file: the site has no generator and contains the output directory.
    Itself,
}

impl PageSource {
    /// Returns how the source was found.
    pub fn step(&self) -> SourceStep {
        match self {
            Self::File(_, step) => *step,
            Self::Itself => SourceStep::Itself,
        }
    }

    /// Returns the source file, relative to the site root; `None` for a page that is its own
    /// source.
    pub fn file(&self) -> Option<&SitePath> {
        match self {
            Self::File(path, _) => Some(path),
            Self::Itself => None,
        }
    }

    /// Returns the path of the source on disk.
    pub(super) fn on_disk(&self, dirs: &SourceDirs, page: &SitePath) -> PathBuf {
        match self {
            Self::File(path, _) => path.below_dir(&dirs.site_root),
            Self::Itself => page.below_dir(&dirs.output_dir),
        }
    }
}

/// Absolute paths of the source directories. The history is queried by absolute paths; this
/// computes them once, not once per page.
pub(super) struct SourceDirs {
    site_root: PathBuf,
    output_dir: PathBuf,
}

impl SourceDirs {
    pub(super) fn of(survey: &Survey<'_>) -> Self {
        Self {
            site_root: absolute(&survey.site.root),
            output_dir: absolute(&survey.output_dir),
        }
    }
}

impl Survey<'_> {
    /// Returns the source of a page, relative to the site root.
    pub fn source_of(&self, line: &InventoryPage) -> Option<SitePath> {
        match line.source.as_ref()? {
            PageSource::File(path, _) => Some(path.clone()),
            PageSource::Itself => {
                SitePath::below(&self.site.root, &line.file.below_dir(&self.output_dir))
            }
        }
    }
}

/// The source of a page as known before reading the page.
#[derive(Debug, Default)]
pub(super) struct KnownSource {
    pub(super) source: Option<PageSource>,
    /// A different source found by a later step.
    pub(super) rival: Option<PageSource>,
}

/// Finds sources by rules, then source maps, then the generator's conventions.
pub(super) struct SourceFinder<'s> {
    survey: &'s Survey<'s>,
    content: &'s ContentIndex,
    mapped_sources: &'s MappedSources,
    /// Whether pages without another source are their own.
    is_itself: bool,
    /// The source of the front page, unless mdBook reported it.
    first_chapter: Option<SitePath>,
}

impl<'s> SourceFinder<'s> {
    pub(super) fn new(
        survey: &'s Survey<'s>,
        content: &'s ContentIndex,
        truths: &'s MappedSources,
        first_chapter: Option<SitePath>,
    ) -> Self {
        let is_itself =
            survey.site.generator.is_none() && survey.output_dir.starts_with(&survey.site.root);
        let first_chapter = first_chapter.filter(|_| survey.reported_sources.is_empty());
        Self {
            survey,
            content,
            mapped_sources: truths,
            is_itself,
            first_chapter,
        }
    }

    /// Finds the source of a page by its index, before the page is read.
    ///
    /// A rule is the site owner's explicit decision, so disagreement with it is not reported.
    pub(super) fn find(
        &self,
        (index, page): (usize, &SitePath),
        outcome: &MatchedRules<'_>,
        findings: &mut Vec<Finding>,
    ) -> KnownSource {
        match &outcome.source {
            Some(Ok(path)) => {
                let source = existing(self.survey, page, path, SourceStep::Rule, findings);
                return KnownSource {
                    source,
                    rival: None,
                };
            }
            Some(Err(error)) => {
                let subject = Subject::Page(page.clone(), None);
                findings.push(Finding::new(
                    code::SOURCE_MISSING,
                    subject,
                    error.to_string(),
                ));
                return KnownSource::default();
            }
            None => {}
        }
        let by_generator = self.by_generator(page);
        match self.by_source_map(index, page, findings) {
            Some(source) => {
                let rival = by_generator
                    .filter(|rival| *rival != PageSource::Itself && rival.file() != source.file());
                KnownSource {
                    source: Some(source),
                    rival,
                }
            }
            None => KnownSource {
                source: by_generator,
                rival: None,
            },
        }
    }

    fn by_source_map(
        &self,
        index: usize,
        page: &SitePath,
        findings: &mut Vec<Finding>,
    ) -> Option<PageSource> {
        match self.mapped_sources.of(index)? {
            Ok(path) => existing(self.survey, page, path, SourceStep::SourceMap, findings),
            Err([first, second]) => {
                let message = format!(
                    "source maps name two sources, `{first}` and `{second}`, so neither is used"
                );
                let subject = Subject::Page(page.clone(), None);
                findings.push(Finding::new(code::SOURCE_DISAGREEMENT, subject, message));
                None
            }
        }
    }

    fn by_generator(&self, page: &SitePath) -> Option<PageSource> {
        let Some(generator) = self.survey.site.generator else {
            return self.is_itself.then_some(PageSource::Itself);
        };
        if let Some(file) = self.content.source_of(page) {
            return Some(PageSource::File(file.path.clone(), SourceStep::Convention));
        }
        if page.as_bytes() == b"index.html"
            && let Some(path) = &self.first_chapter
        {
            return Some(PageSource::File(path.clone(), SourceStep::Convention));
        }
        let copied = generator.static_roots.iter().map(|dir| {
            let moved = generator.roots.iter().find(|root| root.dir == *dir);
            let dir = moved.map_or(dir.as_str(), |root| root.dir_in(&self.survey.site.config));
            let dir: &[&[u8]] = if dir == "." {
                &[]
            } else {
                &[dir.as_bytes(), b"/"]
            };
            SitePath::new([dir.concat().as_slice(), page.as_bytes()].concat())
        });
        let mut there = copied.filter(|path| path.below_dir(&self.survey.site.root).is_file());
        there
            .next()
            .or_else(|| self.next_to_index(page))
            .map(|path| PageSource::File(path, SourceStep::Copied))
    }

    /// Finds a file next to the index file of a page, such as a Zola asset, which is copied next to
    /// that page.
    fn next_to_index(&self, page: &SitePath) -> Option<SitePath> {
        let whole = page.as_bytes();
        let ends = (0..whole.len()).rev().filter(|&at| whole[at] == b'/');
        ends.map(|at| whole.split_at(at + 1))
            .find_map(|(dir, below)| {
                let index = self
                    .content
                    .source_of(&SitePath::new([dir, b"index.html"].concat()))?;
                let stem = index
                    .path
                    .file_name()
                    .split(|&byte| byte == b'.')
                    .next()
                    .unwrap_or_default();
                let generator = self.survey.site.generator?;
                let is_index = generator
                    .leaf_index
                    .iter()
                    .any(|known| known.as_bytes() == stem);
                let path = SitePath::new([index.path.dir(), below].concat());
                (is_index && path.below_dir(&self.survey.site.root).is_file()).then_some(path)
            })
    }
}

/// Returns an explicitly named source if the file exists; reports it otherwise.
pub(super) fn existing(
    survey: &Survey<'_>,
    page: &SitePath,
    path: &SitePath,
    step: SourceStep,
    findings: &mut Vec<Finding>,
) -> Option<PageSource> {
    let Some(problem) = problem_with(&survey.site.root, path) else {
        return Some(PageSource::File(path.clone(), step));
    };
    let by = match step {
        SourceStep::Hint => "the page's `waypost:source`",
        SourceStep::SourceMap => "the source map",
        _ => "a rule",
    };
    let message = format!("the source `{path}` named by {by} {problem}");
    let finding = Finding::new(
        code::SOURCE_MISSING,
        Subject::Page(page.clone(), None),
        message,
    );
    findings.push(finding.with_hint("source paths are relative to the site root"));
    None
}

/// Reports the files named by `also` in rules that are missing or invalid.
pub(super) fn missing_also(survey: &Survey<'_>) -> Vec<Finding> {
    let named = survey
        .settings()
        .rules
        .iter()
        .flat_map(|rule| rule.also.iter().flatten().map(move |path| (rule, path)));
    let finding = |(rule, path): (&Rule, &String)| {
        let problem = problem_with(&survey.site.root, &SitePath::from(path.as_str()))?;
        let message = format!("the source `{path}` named by `also` {problem}");
        let finding = Finding::new(code::SOURCE_MISSING, rule.subject(), message);
        Some(finding.with_hint("sources are files, given relative to the site root"))
    };
    named.filter_map(finding).collect()
}

/// Returns what is wrong with an explicitly named source. Settings and pages may come from a
/// stranger, so a path must not escape the repository.
fn problem_with(root: &Path, path: &SitePath) -> Option<&'static str> {
    let file = path.below_dir(root);
    if !stays_inside(&path.to_relative()) && !is_in_repository_of(root, &file) {
        return Some("is outside the site root and its repository");
    }
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => None,
        Ok(_) => Some("is not a file"),
        Err(_) => Some("does not exist"),
    }
}

/// Whether a relative path contains no `..`, root or drive.
fn stays_inside(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Whether a file is in the repository that contains the site: a chapter of a book may be the
/// README above it.
fn is_in_repository_of(root: &Path, file: &Path) -> bool {
    let repository = enclosing_repository(root);
    repository
        .zip(file.canonicalize().ok())
        .is_some_and(|(repository, file)| file.starts_with(repository))
}

/// Returns the files on disk that a page is made from: its own source and those added by a rule.
pub(super) fn files_of<'s>(
    dirs: &'s SourceDirs,
    page: &SitePath,
    own: Option<&PageSource>,
    also: Option<&'s [String]>,
) -> impl Iterator<Item = PathBuf> + use<'s> {
    let own = own.map(|source| source.on_disk(dirs, page));
    let also = also
        .into_iter()
        .flatten()
        .map(|path| dirs.site_root.join(path));
    own.into_iter().chain(also)
}
