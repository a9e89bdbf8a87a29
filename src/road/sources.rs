//! Which source each page was made from, and the step that told.

use std::path::{Component, Path, PathBuf};

use crate::finding::{Finding, Subject, code};
use crate::generator::ContentIndex;
use crate::location::SitePath;
use crate::rule::Outcome;

use super::survey::Survey;

/// How a page's source was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStep {
    /// A rule names it.
    Rule,
    /// The page names it itself.
    Hint,
    /// The generator's conventions, front matter included.
    Convention,
    /// The page is a file that is copied as it is.
    Copied,
    /// There is no generator: the page is its own source.
    Itself,
}

impl SourceStep {
    /// The step in a word or two, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint in the page",
            Self::Convention => "convention",
            Self::Copied => "copied file",
            Self::Itself => "the page itself",
        }
    }
}

/// A page's source, below the site root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageSource {
    pub(super) path: SitePath,
    pub(super) step: SourceStep,
}

/// Finds sources: the rules' answer, then the generator's.
pub(super) struct SourceFinder<'s> {
    survey: &'s Survey<'s>,
    content: &'s ContentIndex,
    /// The output folder below the site root, where it lies there and there is no generator.
    itself: Option<SitePath>,
    first_chapter: Option<SitePath>,
}

impl<'s> SourceFinder<'s> {
    pub(super) fn new(survey: &'s Survey<'s>, content: &'s ContentIndex, first_chapter: Option<SitePath>) -> Self {
        let plain = survey.site.generator.is_none();
        let itself = plain.then(|| SitePath::below(&survey.site.root, &survey.output_dir)).flatten();
        Self { survey, content, itself, first_chapter }
    }

    /// The source of a page before it is read.
    pub(super) fn find(
        &self,
        page: &SitePath,
        outcome: &Outcome<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<PageSource> {
        match &outcome.source {
            Some(Ok(path)) => {
                if let Some(problem) = self.problem_with(path) {
                    findings.push(missing(page, path, "a rule", problem));
                    return None;
                }
                Some(PageSource { path: path.clone(), step: SourceStep::Rule })
            }
            Some(Err(error)) => {
                let subject = Subject::Page(page.clone(), None);
                findings.push(Finding::new(code::SOURCE_MISSING, subject, error.to_string()));
                None
            }
            None => self.by_generator(page),
        }
    }

    /// The source that a page names itself, where it is one.
    pub(super) fn by_hint(&self, page: &SitePath, hint: &str, findings: &mut Vec<Finding>) -> Option<PageSource> {
        let path = SitePath::from(hint.trim().trim_start_matches("./"));
        if let Some(problem) = self.problem_with(&path) {
            findings.push(missing(page, &path, "the page's `waypost:source`", problem));
            return None;
        }
        Some(PageSource { path, step: SourceStep::Hint })
    }

    fn by_generator(&self, page: &SitePath) -> Option<PageSource> {
        let Some((_, generator)) = self.survey.site.generator else {
            return self.itself.as_ref().map(|folder| {
                let folder = folder.as_bytes();
                let separator: &[u8] = if folder.is_empty() { b"" } else { b"/" };
                let path = SitePath::new([folder, separator, page.as_bytes()].concat());
                PageSource { path, step: SourceStep::Itself }
            });
        };
        if let Some(file) = self.content.source_of(page) {
            return Some(PageSource { path: file.path.clone(), step: SourceStep::Convention });
        }
        if page.as_bytes() == b"index.html"
            && let Some(path) = &self.first_chapter
        {
            return Some(PageSource { path: path.clone(), step: SourceStep::Convention });
        }
        let copied = generator.static_roots.iter().map(|folder| {
            let moved = generator.roots.iter().find(|root| root.dir == *folder);
            let folder = moved.map_or(folder.as_str(), |root| root.folder(&self.survey.site.config));
            let folder: &[&[u8]] = if folder == "." { &[] } else { &[folder.as_bytes(), b"/"] };
            SitePath::new([folder.concat().as_slice(), page.as_bytes()].concat())
        });
        let mut there = copied.filter(|path| path.below_folder(&self.survey.site.root).is_file());
        there.next().or_else(|| self.beside_index(page)).map(|path| PageSource { path, step: SourceStep::Copied })
    }

    /// A file that lies beside the index of a page, as Zola's assets do, and is copied to where that page goes.
    fn beside_index(&self, page: &SitePath) -> Option<SitePath> {
        let whole = page.as_bytes();
        let ends = (0..whole.len()).rev().filter(|&at| whole[at] == b'/');
        ends.map(|at| whole.split_at(at + 1)).find_map(|(folder, below)| {
            let index = self.content.source_of(&SitePath::new([folder, b"index.html"].concat()))?;
            let stem = index.path.file_name().split(|&byte| byte == b'.').next().unwrap_or_default();
            let (_, generator) = self.survey.site.generator?;
            let is_index = generator.leaf_index.iter().any(|known| known.as_bytes() == stem);
            let path = SitePath::new([index.path.folder(), below].concat());
            (is_index && path.below_folder(&self.survey.site.root).is_file()).then_some(path)
        })
    }

    /// Why a path that somebody wrote is no source; settings and pages of a stranger must not lead out of the site.
    fn problem_with(&self, path: &SitePath) -> Option<&'static str> {
        let relative = path.to_relative();
        if !stays_inside(&relative) {
            return Some("leads out of the site root");
        }
        let file = self.survey.site.root.join(&relative);
        (!file.is_file()).then_some("does not exist")
    }
}

/// Whether a relative path has no `..`, root or drive in it.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn missing(page: &SitePath, path: &SitePath, by: &str, problem: &str) -> Finding {
    let message = format!("the source `{path}` that {by} names {problem}");
    Finding::new(code::SOURCE_MISSING, Subject::Page(page.clone(), None), message)
        .with_hint("sources are relative to the site root")
}

/// The files on disk behind a page's sources: its own and those that a rule adds.
pub(super) fn files_of(root: &Path, own: Option<&PageSource>, also: Option<&[String]>) -> Vec<PathBuf> {
    let own = own.map(|source| source.path.below_folder(root));
    let also = also.into_iter().flatten().map(|path| root.join(path));
    own.into_iter().chain(also).collect()
}
