//! Finds sources through "edit this page" links: the last step, for pages without any other source.
//!
//! A link counts only if it points to a file in the same repository. Other links look alike
//! ("improve this theme" in every footer), so pages with a known source serve as a check: if such a
//! page links to a file other than its own source, that file is not accepted as a source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::mapped_sources::path_from_root;
use super::source_finder::{PageSource, SourceDirs, SourceStep};
use crate::decide::DecidedPage;
use git_last_modified::enclosing_repository;
use page_signals::{EditLink, EditLinkForm, edit_links_of};
use site_paths::io_failure::{FailureLog, retried};
use site_paths::open_tree::OpenTree;
use site_paths::{SitePath, decode};

/// Number of pages with a known source to check, and minimum sample of those without one.
const SAMPLE: usize = 64;

/// Maximum step between sampled pages without a source. The others are read only if a sampled page
/// links to a file of the repository.
///
/// A section has such links on all pages or on none. Most sites have none, and then no page should
/// be read twice.
const STRIDE: usize = 16;

/// Path segments that Gitea and Forgejo put before the name of a branch, tag or commit.
const KINDS_OF_REF: [&[u8]; 3] = [b"branch", b"tag", b"commit"];

/// The repository that must contain the files.
struct Forge<'s> {
    output: OpenTree,
    failures: &'s FailureLog,
    /// Root of the repository, without symbolic links.
    root: PathBuf,
    /// Root of the site, without symbolic links.
    site_root: PathBuf,
}

/// The files of the repository that a page links to, each with the most reliable form of link.
type LinkedFiles = BTreeMap<SitePath, EditLinkForm>;

/// What pages with known sources show about edit links.
#[derive(Default)]
struct EditLinkExperience<'p> {
    /// Files linked from pages with a different source: these are not accepted as sources.
    of_others: BTreeSet<SitePath>,
    /// The subset that contradicts a page's source, each with one such page. A page that links to
    /// its own source as well does not contradict it: its other links are not edit links.
    contradicting: BTreeMap<SitePath, (&'p DecidedPage, &'p PageSource)>,
    /// The most reliable form in which any page links to its own source.
    confirmed: Option<EditLinkForm>,
}

/// A known source that an edit link contradicts.
pub(super) struct ContradictedSource<'p> {
    pub(super) line: &'p DecidedPage,
    pub(super) known: &'p PageSource,
    pub(super) linked: PageSource,
}

/// Finds the files that the `wanted` pages link to, each with the page's index, and the known
/// sources that such links contradict.
pub(super) fn by_edit_links<'p>(
    dirs: &SourceDirs,
    lines: &'p [DecidedPage],
    wanted: &[usize],
    known: &[(usize, &'p PageSource)],
) -> (Vec<(usize, PageSource)>, Vec<ContradictedSource<'p>>) {
    let Some(forge) = Forge::of(dirs) else {
        return Default::default();
    };
    let step = (wanted.len() / SAMPLE).clamp(1, STRIDE);
    let asked_first: Vec<usize> = wanted.iter().step_by(step).copied().collect();
    let linked: Vec<(usize, LinkedFiles)> = match forge.linked_files(lines, &asked_first) {
        none if none.is_empty() => return Default::default(),
        all if step == 1 => all,
        _ => forge.linked_files(lines, wanted),
    };
    let experience = forge.experience(lines, known);
    let mut linking = BTreeMap::new();
    for file in linked.iter().flat_map(|(_, files)| files.keys()) {
        *linking.entry(file.clone()).or_insert(0) += 1;
    }
    let is_believed = |file: &SitePath| {
        !experience.of_others.contains(file)
            && (experience.confirmed.is_some() || linking[file] == 1)
    };
    let answer = |(index, files): &(usize, LinkedFiles)| {
        let believed = files.iter().filter(|(file, _)| is_believed(file));
        let path = only_file(
            believed,
            experience.confirmed.unwrap_or(EditLinkForm::Editor),
        )?;
        Some((*index, PageSource::File(path.clone(), SourceStep::EditLink)))
    };
    let found = linked.iter().filter_map(answer).collect();
    let contradicted = experience
        .contradicting
        .into_iter()
        .filter(|(file, _)| linking.contains_key(file));
    let contradicted = contradicted.map(|(path, (line, known))| {
        let linked = PageSource::File(path, SourceStep::EditLink);
        ContradictedSource {
            line,
            known,
            linked,
        }
    });
    (found, contradicted.collect())
}

impl<'s> Forge<'s> {
    fn of(dirs: &'s SourceDirs) -> Option<Self> {
        let site_root = retried(|| dirs.site_root.canonicalize());
        let site_root = dirs.failures.note(&dirs.site_root, site_root).ok()?;
        let repository = enclosing_repository(&site_root);
        Some(Self {
            output: dirs.output.tree(),
            failures: &dirs.failures,
            root: dirs.failures.note(&site_root, repository).ok()??,
            site_root,
        })
    }

    /// Returns the linked files of each of these pages that has any.
    fn linked_files(&self, lines: &[DecidedPage], pages: &[usize]) -> Vec<(usize, LinkedFiles)> {
        let files_of = |&index: &usize| {
            let mut files = LinkedFiles::new();
            let opened = self.output.clone().regular_file(&lines[index].file);
            for link in opened.map_or_else(|_| Vec::new(), |page| edit_links_of(&page)) {
                if let Some(file) = self.file_of(&link) {
                    let form = files.entry(file).or_insert(link.form);
                    *form = link.form.max(*form);
                }
            }
            (!files.is_empty()).then_some((index, files))
        };
        pages.par_iter().filter_map(files_of).collect()
    }

    /// Returns the file in this repository that a link points to, relative to the site root.
    fn file_of(&self, link: &EditLink) -> Option<SitePath> {
        let decoded = decode(&link.branch_and_path);
        let mut parts: Vec<&[u8]> = decoded.split(|&byte| byte == b'/').collect();
        let parts_of_ref = if KINDS_OF_REF.contains(&parts[0]) {
            2
        } else {
            1
        };
        if parts.len() <= parts_of_ref {
            return None;
        }
        let path = resolved(&parts.split_off(parts_of_ref))?;
        let file = SitePath::new(path.join(&b'/')).below_dir(&self.root);
        self.failures
            .is_file(&file)
            .then(|| path_from_root(&self.site_root, Path::new(&file)))
    }

    /// Evaluates a sample of the pages with known sources, spread over the site.
    fn experience<'p>(
        &self,
        lines: &'p [DecidedPage],
        known: &[(usize, &'p PageSource)],
    ) -> EditLinkExperience<'p> {
        let step = known.len().div_ceil(SAMPLE).max(1);
        let sources: BTreeMap<usize, &PageSource> = known.iter().step_by(step).copied().collect();
        let requested: Vec<usize> = sources.keys().copied().collect();
        let mut experience = EditLinkExperience::default();
        for (index, files) in self.linked_files(lines, &requested) {
            let source = sources[&index];
            let own = source.file().and_then(|own| files.get(own).copied());
            experience.confirmed = experience.confirmed.max(own);
            for file in files.into_keys().filter(|file| Some(file) != source.file()) {
                if own.is_none() {
                    experience
                        .contradicting
                        .entry(file.clone())
                        .or_insert((&lines[index], source));
                }
                experience.of_others.insert(file);
            }
        }
        experience
    }
}

/// Returns the only file linked in this form, or the only file linked at all if none is. A
/// documentation page may link to files and still have one edit link.
fn only_file<'f>(
    linked: impl Iterator<Item = (&'f SitePath, &'f EditLinkForm)>,
    form: EditLinkForm,
) -> Option<&'f SitePath> {
    let (of_form, others): (Vec<_>, Vec<_>) = linked.partition(|(_, of)| **of == form);
    let candidates = if of_form.is_empty() { others } else { of_form };
    match candidates[..] {
        [(file, _)] => Some(file),
        _ => None,
    }
}

/// Resolves `.` and `..` as browsers do (WHATWG URL, "path state"): `website/../docs/a.md` becomes
/// `docs/a.md`. Returns `None` for a path that leaves its start directory or does not name a file.
fn resolved<'p>(parts: &[&'p [u8]]) -> Option<Vec<&'p [u8]>> {
    let mut path = Vec::with_capacity(parts.len());
    for &part in parts {
        match part {
            b"." => {}
            b".." => {
                path.pop()?;
            }
            part if part.is_empty() || part.contains(&0) => return None,
            part => path.push(part),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_resolved_and_escaping_paths_are_rejected() {
        let check = |path: &str, expected: Option<&str>| {
            let parts: Vec<&[u8]> = path.split('/').map(str::as_bytes).collect();
            let resolved = resolved(&parts).map(|parts| parts.join(&b'/'));
            assert_eq!(resolved.as_deref(), expected.map(str::as_bytes), "{path}");
        };
        check("docs/a.md", Some("docs/a.md"));
        check("website/../docs/./a.md", Some("docs/a.md"));
        check("website/docs/../../a.md", Some("a.md"));
        check("../a.md", None);
        check("docs/../../docs/a.md", None);
        check("docs//a.md", None);
        check("docs/", None);
    }
}
