//! Plan → disk, in an order in which no page is ever lost.
//!
//! Killed after any step, a reader that starts at the root sees whole files, every URL that is in both the old and the
//! new set, and none that is in neither:
//!
//! 1. Children whose names the old root does not know come first: nobody sees them yet.
//! 2. Children that the old root names are replaced under its eyes. Their URLs are decided by group and hash, so a
//!    child loses only pages that are gone. Where a page does move from one of them to another file (its group changed,
//!    or a foreign sitemap had that name), a bridge comes before: each child that would lose a page is kept under a
//!    second name, and the root becomes an index over the old children and these copies.
//! 3. Further indexes, then the root, from which on only the new set is seen.
//! 4. robots.txt.
//! 5. What is no longer needed is removed: roots before children.
//!
//! What the order is made of is decided here; `disk.rs` takes the steps.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::bridge::bridge_steps;
use super::disk::{DiskError, Effect, OutputFolder, State, Step};
use super::gzip::compress;
use super::names::Names;
use super::plan::{Kind, Packing, Plan, PlannedFile};
use super::previous::Previous;
use super::stale::stale_files;
use crate::location::SitePath;

/// Files that are rendered, compressed and compared at the same time: each is in memory as a whole.
const AT_ONCE: usize = 4;

/// What was done to the output folder, or would be.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// The files of the set, in the plan's order.
    pub files: Vec<WrittenFile>,
    /// robots.txt, where its text was given.
    pub robots_txt: Option<WrittenFile>,
    /// What was removed, relative to the output folder, sorted.
    pub removed: Vec<SitePath>,
}

/// A file of the set, as it stands on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name in the output folder.
    pub path: String,
    /// How many URLs it lists; of an index, how many sitemaps; of robots.txt, none.
    pub urls: usize,
    /// How long it is on disk.
    pub bytes: usize,
    /// Whether it had to be written; a file with the same bytes is not touched.
    pub changed: bool,
}

/// What is to be placed beside the sitemaps, and what may go.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The whole new text of robots.txt; `None` leaves it as it is.
    pub robots_txt: Option<&'a [u8]>,
    /// Whether a file, relative to the output folder, is one that the site's generator writes as a child of its own
    /// index; such a file is removed when an index that names it is replaced.
    pub is_generators_sitemap: &'a dyn Fn(&str) -> bool,
}

/// Puts the plan's files in place of what stands in the output folder.
///
/// A plan without files changes nothing: that no page is left usually means that the folder is the wrong one.
pub fn place(plan: &Plan, output_dir: &Path, surroundings: Surroundings<'_>) -> Result<Placed, DiskError> {
    let folder = OutputFolder::open(output_dir, Effect::Write)?;
    let result = prepare(plan, &folder, surroundings).and_then(|(steps, placed)| {
        steps.iter().try_for_each(|step| folder.take(step))?;
        Ok(placed)
    });
    let closed = folder.close();
    result.and_then(|placed| closed.map(|()| placed))
}

/// Tells what `place` would do, and changes nothing.
pub fn preview(plan: &Plan, output_dir: &Path, surroundings: Surroundings<'_>) -> Result<Placed, DiskError> {
    let folder = OutputFolder::open(output_dir, Effect::Look)?;
    prepare(plan, &folder, surroundings).map(|(_, placed)| placed)
}

/// A file of the plan, staged where it differs from what stands on disk.
pub(super) struct Staged<'a> {
    pub planned: &'a PlannedFile,
    pub written: WrittenFile,
    pub step: Option<Step>,
}

/// Stages every file that differs, and puts the steps into their order.
fn prepare(
    plan: &Plan,
    folder: &OutputFolder<'_>,
    surroundings: Surroundings<'_>,
) -> Result<(Vec<Step>, Placed), DiskError> {
    if plan.files.is_empty() {
        return Ok(Default::default());
    }
    let previous = Previous::find(folder.path(), &plan.base, Names { root: &plan.root });
    let mut staged = stage_files(plan, folder)?;
    let files: Vec<_> = staged.iter().map(|file| file.written.clone()).collect();
    let bridge = bridge_steps(plan, folder, &previous, &mut staged)?;
    let (robots_txt, robots_step) = match surroundings.robots_txt {
        None => (None, None),
        Some(text) => {
            let (written, step) = stage_bytes(folder, "robots.txt".to_owned(), 0, text)?;
            (Some(written), step)
        }
    };
    let stale = stale_files(plan, folder, &previous, &files, surroundings.is_generators_sitemap)?;

    let mut steps = Vec::new();
    let known: BTreeSet<_> = previous.child_names().collect();
    let mut take = |wanted: &dyn Fn(&Staged<'_>) -> bool| -> Vec<Step> {
        staged.iter_mut().filter(|file| wanted(file)).filter_map(|file| file.step.take()).collect()
    };
    let is_root = |file: &Staged<'_>| file.planned.name.trim_end_matches(".gz") == plan.root;
    steps.extend(take(&|file| {
        file.planned.kind != Kind::Index && !is_root(file) && !known.contains(file.written.path.as_str())
    }));
    steps.extend(bridge);
    steps.extend(take(&|file| file.planned.kind != Kind::Index && !is_root(file)));
    steps.extend(take(&|file| !is_root(file)));
    steps.extend(take(&|_| true));
    steps.extend(robots_step);
    steps.extend(stale.iter().map(|(_, path)| Step::Remove { file: path.clone() }));
    let mut removed: Vec<_> = stale.into_iter().map(|(file, _)| file).collect();
    removed.sort_unstable();
    Ok((steps, Placed { files, robots_txt, removed }))
}

/// Renders, compresses and stages the files, a few at a time.
fn stage_files<'a>(plan: &'a Plan, folder: &OutputFolder<'_>) -> Result<Vec<Staged<'a>>, DiskError> {
    let mut staged = Vec::new();
    for few in plan.files.chunks(AT_ONCE) {
        let results: Vec<_> = few.par_iter().map(|planned| stage_file(plan, planned, folder)).collect();
        for result in results {
            staged.append(&mut result?);
        }
    }
    Ok(staged)
}

fn stage_file<'a>(
    plan: &'a Plan,
    planned: &'a PlannedFile,
    folder: &OutputFolder<'_>,
) -> Result<Vec<Staged<'a>>, DiskError> {
    let text = plan.render(planned);
    let stage = |(path, packing)| {
        let (written, step) = match packing {
            Packing::Plain => stage_bytes(folder, path, planned.urls, text.as_bytes())?,
            Packing::Gzip => stage_bytes(folder, path, planned.urls, &compress(text.as_bytes()))?,
        };
        Ok(Staged { planned, written, step })
    };
    plan.outputs(planned).into_iter().map(stage).collect()
}

/// Stages one file, unless these very bytes stand in its place.
fn stage_bytes(
    folder: &OutputFolder<'_>,
    path: String,
    urls: usize,
    bytes: &[u8],
) -> Result<(WrittenFile, Option<Step>), DiskError> {
    let step = match folder.compare(&path, bytes)? {
        State::Same => None,
        State::Differs => Some(folder.stage(&path, bytes)?),
    };
    Ok((WrittenFile { path, urls, bytes: bytes.len(), changed: step.is_some() }, step))
}
