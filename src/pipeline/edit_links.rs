//! The sources to which "edit this page" links lead: asked last, of the pages whose source nothing else tells.
//!
//! A link is believed only where it leads to a file of this very repository. Other links look alike ("improve this
//! theme" in every footer), so pages whose source is known are asked too: a file that they link to though it is not
//! theirs is nobody's source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::mapped_sources::path_from_root;
use super::sources::{PageSource, SourceStep};
use super::survey::Survey;
use crate::decide::DecidedPage;
use crate::history::repository_around;
use crate::read::{EditLink, EditLinkForm, edit_links_of};
use crate::site_paths::{SitePath, decode};

/// So many pages with a known source are asked, and of those without one at least so many first.
const SAMPLE: usize = 64;

/// At most one page in so many is asked first, and the others only where one of these links to a file of the repository:
/// a section has such links throughout or not at all, and most sites have none, for which no page is to be read twice.
const STRIDE: usize = 16;

/// Gitea and Forgejo put one of these before the name of a branch, tag or commit.
const KINDS_OF_REF: [&[u8]; 3] = [b"branch", b"tag", b"commit"];

/// The repository in which the files have to lie.
struct Forge<'s> {
    survey: &'s Survey<'s>,
    /// Its root, and that of the site, without symbolic links.
    root: PathBuf,
    site_root: PathBuf,
}

/// The files of the repository to which a page links, each with the surest form of a link.
type LinkedFiles = BTreeMap<SitePath, EditLinkForm>;

/// What the pages with known sources tell of edit links.
#[derive(Default)]
struct EditLinkExperience<'p> {
    /// Files that are linked to from pages that were made from others: they are nobody's source.
    of_others: BTreeSet<SitePath>,
    /// Those of them that speak against a page's source, and one such page each. A page that links to its own source too
    /// says of the other links that they are none to edit it.
    contradicting: BTreeMap<SitePath, (&'p DecidedPage, &'p PageSource)>,
    /// The surest form in which any page links to its own source.
    confirmed: Option<EditLinkForm>,
}

/// An answer to which another step says something else.
pub(super) struct ContradictedSource<'p> {
    pub(super) line: &'p DecidedPage,
    pub(super) known: &'p PageSource,
    pub(super) linked: PageSource,
}

/// Finds the files to which the wanted pages link, each with the page's position, and what contradicts them.
pub(super) fn by_edit_links<'p>(
    survey: &Survey<'_>,
    lines: &'p [DecidedPage],
    wanted: &[usize],
    known: &[(usize, &'p PageSource)],
) -> (Vec<(usize, PageSource)>, Vec<ContradictedSource<'p>>) {
    let Some(forge) = Forge::of(survey) else {
        return Default::default();
    };
    let step = (wanted.len() / SAMPLE).clamp(1, STRIDE);
    let asked_first: Vec<usize> = wanted.iter().step_by(step).copied().collect();
    let linked: Vec<(usize, LinkedFiles)> = match forge.ask(lines, &asked_first) {
        none if none.is_empty() => return Default::default(),
        all if step == 1 => all,
        _ => forge.ask(lines, wanted),
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
        let path = the_one(
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
    fn of(survey: &'s Survey<'s>) -> Option<Self> {
        let site_root = survey.site.root.canonicalize().ok()?;
        Some(Self {
            survey,
            root: repository_around(&site_root)?,
            site_root,
        })
    }

    /// The files to which each of these pages links, of those that link to any.
    fn ask(&self, lines: &[DecidedPage], pages: &[usize]) -> Vec<(usize, LinkedFiles)> {
        let files_of = |&index: &usize| {
            let mut files = LinkedFiles::new();
            for link in edit_links_of(&lines[index].file.below_folder(&self.survey.output_dir)) {
                if let Some(file) = self.file_of(&link) {
                    let form = files.entry(file).or_insert(link.form);
                    *form = link.form.max(*form);
                }
            }
            (!files.is_empty()).then_some((index, files))
        };
        pages.par_iter().filter_map(files_of).collect()
    }

    /// The file of this repository to which a link leads, from the site root.
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
        let file = SitePath::new(path.join(&b'/')).below_folder(&self.root);
        file.is_file()
            .then(|| path_from_root(&self.site_root, Path::new(&file)))
    }

    /// What pages all over the site tell whose sources are known.
    fn experience<'p>(
        &self,
        lines: &'p [DecidedPage],
        known: &[(usize, &'p PageSource)],
    ) -> EditLinkExperience<'p> {
        let step = known.len().div_ceil(SAMPLE).max(1);
        let sources: BTreeMap<usize, &PageSource> = known.iter().step_by(step).copied().collect();
        let asked: Vec<usize> = sources.keys().copied().collect();
        let mut experience = EditLinkExperience::default();
        for (index, files) in self.ask(lines, &asked) {
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

/// The one file that is linked to in a form, or the one in any form where none is in that: a page on which documentation
/// links to files has its edit link all the same.
fn the_one<'f>(
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

/// A path without its `.` and `..`, as browsers resolve them (WHATWG URL, "path state"): `website/../docs/a.md` is
/// `docs/a.md`. `None` where it climbs above the folder in which it begins, or is the path of no file.
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
    fn a_path_with_dots_is_resolved_and_one_that_climbs_out_is_refused() {
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
