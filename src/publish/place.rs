//! Publishes a plan, in an order in which readers lose no page that keeps its group.
//!
//! Every file is complete under a temporary name before the first one is moved into place:
//!
//! 1. Files of new names come first: no reader sees them before the root names them.
//! 2. The root, and further indexes.
//! 3. Files that the old set names too. A part only splits or is only joined as a whole, so a page
//!    stays in files of its own prefix: one that leaves such a file is in a new one by then. Only a
//!    page that moves between groups can be missing, until the last file is in place.
//! 4. robots.txt, then the memory of contents.
//! 5. Obsolete files are removed, roots before children.
//!
//! If the run ends before the first move, nothing has changed. If it ends later, every file is
//! complete, and the next run makes the remaining changes.
//!
//! This file decides the order; `disk` makes the changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::disk::{DiskChange, LockedOutputDir, StagedFile, WriteMode};
use super::stale::OldFiles;
use crate::files::tree::Tree;
use crate::findings::HintedError;
use crate::settings::SubmitKey;
use sitemaps::gzip::{FileCompression, name_without_gz};
use sitemaps::plan::{Plan, PlannedFile};
use sitemaps::site_paths::SitePath;

/// Number of files to render, compress and compare in parallel; each is completely in memory.
const AT_ONCE: usize = 4;

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenFile {
    /// Name in the output directory.
    pub path: String,
    /// Number of URLs; in an index, of sitemaps; for other files, 0.
    pub urls: usize,
    /// Size on disk in bytes.
    pub bytes: usize,
    /// Whether it was written; a file with the same bytes is not touched.
    pub changed: bool,
}

/// Changes made to the output directory, or planned in a dry run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PublishReport {
    /// Files of the set, in the plan's order.
    pub files: Vec<WrittenFile>,
    /// robots.txt, if its text was given.
    pub robots_txt: Option<WrittenFile>,
    /// The key file, if any.
    pub key_file: Option<WrittenFile>,
    /// Removed files, relative to the output directory, sorted.
    pub removed: Vec<SitePath>,
    /// Text sitemaps with names of the set that are neither written nor removed, because nothing
    /// proves that waypost wrote them.
    pub unproven: Vec<SitePath>,
}

impl PublishReport {
    /// The sitemaps and robots.txt.
    pub fn shown(&self) -> impl Iterator<Item = &WrittenFile> {
        self.files.iter().chain(&self.robots_txt)
    }
}

/// Files to write besides the sitemaps, and files that may be removed.
#[derive(Clone, Copy)]
pub struct SurroundingFiles<'a> {
    /// The complete new text of robots.txt; `None` leaves it unchanged.
    pub robots_txt: Option<&'a [u8]>,
    /// The key to write to a separate file, which is named after it.
    pub key: Option<&'a SubmitKey>,
    /// The path and the bytes of the memory of contents.
    pub memory: Option<&'a (PathBuf, Vec<u8>)>,
}

/// Publishes the plan's files in the output directory.
///
/// A plan without files changes nothing: if there are no pages, the directory is usually the wrong
/// one.
pub fn publish(
    plan: &Plan,
    output_dir: &Path,
    surroundings: SurroundingFiles<'_>,
) -> Result<PublishReport, HintedError> {
    let tree = Tree::new(output_dir);
    let dir = LockedOutputDir::open(&tree, WriteMode::Write)?;
    let old = OldFiles::find(plan, &dir, [], &|_| false)?;
    dir.place(plan, old, surroundings)
}

impl LockedOutputDir<'_> {
    /// Publishes the plan's files and releases the directory. A dry run only reports the changes.
    pub fn place(
        self,
        plan: &Plan,
        old: OldFiles,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, HintedError> {
        let (changes, report) = prepare(plan, &self, old, surroundings)?;
        // The old set decides the order of the changes and what is removed.
        self.tree().check()?;
        self.make(changes)?;
        Ok(report)
    }
}

/// Order of the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ChangeOrder {
    NewName,
    Root,
    KnownName,
    RobotsTxt,
    Memory,
    Removal,
}

/// A file, staged if it differs from the one on disk and the run writes, and when it gets its name.
type StagedChange = (ChangeOrder, WrittenFile, Option<StagedFile>);

/// Stages every file that differs, and sorts the changes. A dry run has no changes but removals.
fn prepare(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    old: OldFiles,
    surroundings: SurroundingFiles<'_>,
) -> Result<(Vec<DiskChange>, PublishReport), HintedError> {
    if plan.files().is_empty() {
        return Ok(Default::default());
    }
    let prepared = stage_files(plan, dir, &old.children)?;
    let robots_txt = surroundings
        .robots_txt
        .map(|text| stage_bytes(dir, "robots.txt".to_owned(), 0, text));
    let (robots_txt, staged_robots_txt) = robots_txt.transpose()?.unzip();
    let key_file = surroundings
        .key
        .map(|key| stage_bytes(dir, key.file_name(), 0, key.as_str().as_bytes()));
    let (key_file, staged_key) = key_file.transpose()?.unzip();
    let staged_memory = match surroundings.memory {
        Some((path, bytes)) => dir.stage_elsewhere(path, bytes)?,
        None => None,
    };

    let (mut files, mut changes) = (Vec::new(), Vec::new());
    for (order, written, staged) in prepared {
        changes.extend(staged.map(|staged| (order, DiskChange::Place(staged))));
        files.push(written);
    }
    for (order, staged) in [
        (ChangeOrder::NewName, staged_key.flatten()),
        (ChangeOrder::RobotsTxt, staged_robots_txt.flatten()),
        (ChangeOrder::Memory, staged_memory),
    ] {
        changes.extend(staged.map(|staged| (order, DiskChange::Place(staged))));
    }
    for file in &old.removed {
        changes.push((ChangeOrder::Removal, DiskChange::Remove(file.clone())));
    }
    changes.sort_by_key(|&(order, _)| order);

    let mut removed = old.removed;
    removed.sort_unstable();
    Ok((
        changes.into_iter().map(|(_, change)| change).collect(),
        PublishReport {
            files,
            robots_txt,
            key_file,
            removed,
            unproven: old.unproven,
        },
    ))
}

/// Renders, compresses and stages the files, a few at a time. `known` are those that the old set
/// names.
fn stage_files(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    known: &BTreeSet<String>,
) -> Result<Vec<StagedChange>, HintedError> {
    let mut staged = Vec::new();
    for few in plan.files().chunks(AT_ONCE) {
        let results: Vec<_> = few
            .par_iter()
            .map(|planned| stage_file(plan, planned, dir, known))
            .collect();
        for result in results {
            staged.append(&mut result?);
        }
    }
    Ok(staged)
}

fn stage_file(
    plan: &Plan,
    planned: &PlannedFile,
    dir: &LockedOutputDir<'_>,
    known: &BTreeSet<String>,
) -> Result<Vec<StagedChange>, HintedError> {
    let text = plan.render(planned);
    let mut changes = Vec::new();
    for path in plan.disk_names(planned) {
        let order = if name_without_gz(&planned.name) == plan.root() {
            ChangeOrder::Root
        } else if known.contains(&path) {
            ChangeOrder::KnownName
        } else {
            ChangeOrder::NewName
        };
        let bytes = FileCompression::for_name(&path).encode(&text);
        let (written, staged) = stage_bytes(dir, path, planned.urls, &bytes)?;
        changes.push((order, written, staged));
    }
    Ok(changes)
}

/// Stages a file, unless the existing one has the same bytes.
fn stage_bytes(
    dir: &LockedOutputDir<'_>,
    path: String,
    urls: usize,
    bytes: &[u8],
) -> Result<(WrittenFile, Option<StagedFile>), HintedError> {
    let changed = dir.differs(&path, bytes)?;
    let staged = if changed {
        dir.stage(&path, bytes)?
    } else {
        None
    };
    Ok((
        WrittenFile {
            path,
            urls,
            bytes: bytes.len(),
            changed,
        },
        staged,
    ))
}

#[cfg(test)]
mod concurrent_tests;
#[cfg(test)]
mod ended_runs;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
