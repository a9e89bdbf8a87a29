//! Which source each page was made from, and the step that told.
//!
//! The steps are asked in the order of [`SourceStep`], and the first that answers is believed. What a page says itself is
//! known only once it is read, so `hinted.rs` asks those two steps.

use std::path::{Component, Path, PathBuf};

use super::inventory::InventoryPage;
use super::mapped_sources::MappedSources;
use super::survey::Survey;
use crate::bounds::absolute;
use crate::finding::{Finding, Subject, code};
use crate::generator::ContentIndex;
use crate::history::repository_around;
use crate::rules::{MatchedRules, Rule};
use crate::site_paths::SitePath;

/// How a page's source was found, the surest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStep {
    /// A rule names it.
    Rule,
    /// The page names it itself.
    Hint,
    /// A list of the generator's names it.
    Truth,
    /// The generator's conventions, front matter included.
    Convention,
    /// The page is a file that is copied as it is.
    Copied,
    /// A link "edit this page" leads to it.
    EditLink,
    /// There is no generator: the page is its own source.
    Itself,
}

impl SourceStep {
    /// All of them, in the order in which they are believed.
    pub const ALL: [Self; 7] = [
        Self::Rule,
        Self::Hint,
        Self::Truth,
        Self::Convention,
        Self::Copied,
        Self::EditLink,
        Self::Itself,
    ];

    /// The step in a word or two, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint in the page",
            Self::Truth => "source map",
            Self::Convention => "convention",
            Self::Copied => "copied file",
            Self::EditLink => "edit link",
            Self::Itself => "the page itself",
        }
    }

    /// The word that stands in output for machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint",
            Self::Truth => "source_map",
            Self::Convention => "convention",
            Self::Copied => "copied",
            Self::EditLink => "edit_link",
            Self::Itself => "itself",
        }
    }
}

/// Where a page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSource {
    /// From a file, which is named from the site root.
    File(SitePath, SourceStep),
    /// From nothing but its own file: there is no generator, and the output folder lies in the site.
    Itself,
}

impl PageSource {
    /// How it was found.
    pub fn step(&self) -> SourceStep {
        match self {
            Self::File(_, step) => *step,
            Self::Itself => SourceStep::Itself,
        }
    }

    /// The file that was found, from the site root; `None` for a page that is its own source.
    pub fn file(&self) -> Option<&SitePath> {
        match self {
            Self::File(path, _) => Some(path),
            Self::Itself => None,
        }
    }

    /// The file on disk from which a page comes.
    pub(super) fn on_disk(&self, folders: &SourceDirs, page: &SitePath) -> PathBuf {
        match self {
            Self::File(path, _) => path.below_folder(&folders.site_root),
            Self::Itself => page.below_folder(&folders.output_dir),
        }
    }
}

/// Where sources lie, absolute: the history is asked by absolute paths, and a million need not be made so one by one.
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
    /// The source of a page from the site root.
    pub fn source_of(&self, line: &InventoryPage) -> Option<SitePath> {
        match line.source.as_ref()? {
            PageSource::File(path, _) => Some(path.clone()),
            PageSource::Itself => {
                SitePath::below(&self.site.root, &line.file.below_folder(&self.output_dir))
            }
        }
    }
}

/// What is known of a page's source before the page is read.
#[derive(Debug, Default)]
pub(super) struct KnownSource {
    pub(super) source: Option<PageSource>,
    /// What a later step says instead.
    pub(super) rival: Option<PageSource>,
}

/// Finds sources: the rules' answer, then that of lists, then the generator's conventions.
pub(super) struct SourceFinder<'s> {
    survey: &'s Survey<'s>,
    content: &'s ContentIndex,
    truths: &'s MappedSources,
    /// Whether pages are their own sources where nothing names another.
    is_itself: bool,
    /// The source of the front page, where mdBook has not told of it itself.
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
        let first_chapter = first_chapter.filter(|_| survey.told.is_empty());
        Self {
            survey,
            content,
            truths,
            is_itself,
            first_chapter,
        }
    }

    /// The source of the page at a position, before it is read.
    ///
    /// A rule is the last word of the site's owner, so that nothing that disagrees with it is worth saying.
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
        match self.by_truth(index, page, findings) {
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

    fn by_truth(
        &self,
        index: usize,
        page: &SitePath,
        findings: &mut Vec<Finding>,
    ) -> Option<PageSource> {
        match self.truths.of(index)? {
            Ok(path) => existing(self.survey, page, path, SourceStep::Truth, findings),
            Err([first, second]) => {
                let message = format!(
                    "source maps name two sources, `{first}` and `{second}`, so neither is believed"
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
        let copied = generator.static_roots.iter().map(|folder| {
            let moved = generator.roots.iter().find(|root| root.dir == *folder);
            let folder = moved.map_or(folder.as_str(), |root| {
                root.folder(&self.survey.site.config)
            });
            let folder: &[&[u8]] = if folder == "." {
                &[]
            } else {
                &[folder.as_bytes(), b"/"]
            };
            SitePath::new([folder.concat().as_slice(), page.as_bytes()].concat())
        });
        let mut there = copied.filter(|path| path.below_folder(&self.survey.site.root).is_file());
        there
            .next()
            .or_else(|| self.beside_index(page))
            .map(|path| PageSource::File(path, SourceStep::Copied))
    }

    /// A file that lies beside the index of a page, as Zola's assets do, and is copied to where that page goes.
    fn beside_index(&self, page: &SitePath) -> Option<SitePath> {
        let whole = page.as_bytes();
        let ends = (0..whole.len()).rev().filter(|&at| whole[at] == b'/');
        ends.map(|at| whole.split_at(at + 1))
            .find_map(|(folder, below)| {
                let index = self
                    .content
                    .source_of(&SitePath::new([folder, b"index.html"].concat()))?;
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
                let path = SitePath::new([index.path.folder(), below].concat());
                (is_index && path.below_folder(&self.survey.site.root).is_file()).then_some(path)
            })
    }
}

/// The source that somebody wrote down for a page, where there is such a file.
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
        SourceStep::Truth => "the source map",
        _ => "a rule",
    };
    let message = format!("the source `{path}` that {by} names {problem}");
    let finding = Finding::new(
        code::SOURCE_MISSING,
        Subject::Page(page.clone(), None),
        message,
    );
    findings.push(finding.with_hint("sources are relative to the site root"));
    None
}

/// The further sources that rules name and that are none.
pub(super) fn missing_also(survey: &Survey<'_>) -> Vec<Finding> {
    let named = survey
        .settings()
        .rules
        .iter()
        .flat_map(|rule| rule.also.iter().flatten().map(move |path| (rule, path)));
    let finding = |(rule, path): (&Rule, &String)| {
        let problem = problem_with(&survey.site.root, &SitePath::from(path.as_str()))?;
        let message = format!("the source `{path}` that `also` names {problem}");
        let finding = Finding::new(code::SOURCE_MISSING, rule.subject(), message);
        Some(finding.with_hint("sources are files, relative to the site root"))
    };
    named.filter_map(finding).collect()
}

/// Why a path that somebody wrote is no source; settings and pages of a stranger must not lead out of the repository.
fn problem_with(root: &Path, path: &SitePath) -> Option<&'static str> {
    let file = path.below_folder(root);
    if !stays_inside(&path.to_relative()) && !lies_in_repository_of(root, &file) {
        return Some("leads out of the site root and its repository");
    }
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => None,
        Ok(_) => Some("is no file"),
        Err(_) => Some("does not exist"),
    }
}

/// Whether a relative path has no `..`, root or drive in it.
fn stays_inside(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Whether a file lies in the repository round the site: a book's chapter may be the README above it.
fn lies_in_repository_of(root: &Path, file: &Path) -> bool {
    let repository = repository_around(root);
    repository
        .zip(file.canonicalize().ok())
        .is_some_and(|(repository, file)| file.starts_with(repository))
}

/// The files on disk behind a page's sources: its own and those that a rule adds.
pub(super) fn files_of<'s>(
    folders: &'s SourceDirs,
    page: &SitePath,
    own: Option<&PageSource>,
    also: Option<&'s [String]>,
) -> impl Iterator<Item = PathBuf> + use<'s> {
    let own = own.map(|source| source.on_disk(folders, page));
    let also = also
        .into_iter()
        .flatten()
        .map(|path| folders.site_root.join(path));
    own.into_iter().chain(also)
}
