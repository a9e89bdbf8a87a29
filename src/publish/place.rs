//! Publishes a plan, in an order in which no page is ever lost.
//!
//! If the run is killed after any step, a reader that starts at the root sees complete files, every
//! URL that is in both the old and the new set, and no URL that is in neither:
//!
//! 1. Children that the old root does not name come first: no reader sees them yet.
//! 2. Children that the old root names are replaced while readers may be fetching them. Group and
//!    hash decide the file of a URL, so a child loses only pages that are gone. If a page does move
//!    from one of them to another file (its group changed, or a sitemap of another tool had that
//!    name), a bridge comes first: each child that would lose a page is kept under a second name,
//!    and the root becomes an index over the old children and these copies.
//! 3. Further indexes, then the root. From then on, readers see only the new set.
//! 4. robots.txt.
//! 5. Obsolete files are removed: roots before children, and the copies of the bridge.
//!
//! This file decides the order; `disk` performs the steps.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::bridge::bridge_steps;
use super::disk::{DiskStep, LockedOutputDir, PlaceState, WriteMode, wait_for_others};
use super::disk_error::DiskError;
use super::stale::stale_files;
use super::written_file::{StagedFile, WrittenFile};
use crate::settings::SubmitKey;
use site_paths::SitePath;
use sitemaps::gzip::{FileCompression, name_without_gz};
use sitemaps::names::{SetFileName, SetFileNames};
use sitemaps::plan::{Plan, PlannedFile, PlannedFileKind};
use sitemaps::previous::PreviousSet;

/// Number of files to render, compress and compare in parallel; each is completely in memory.
const AT_ONCE: usize = 4;

/// Name to show in messages instead of the key file's name.
const MASKED_KEY_FILE: &str = "********.txt";

/// Changes made to the output directory, or planned in a dry run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PublishReport {
    /// Files of the set, in the plan's order.
    pub files: Vec<WrittenFile>,
    /// robots.txt, if its text was given.
    pub robots_txt: Option<WrittenFile>,
    /// The key file, if any, under a masked name.
    pub key_file: Option<WrittenFile>,
    /// Removed files, relative to the output directory, sorted.
    pub removed: Vec<SitePath>,
    /// Text sitemaps with names of the set that are neither written nor removed, because nothing
    /// proves that waypost wrote them.
    pub unproven: Vec<SitePath>,
    /// A message about staged files that could not be removed after the set was published.
    pub left_staged: Option<String>,
}

/// Files to write besides the sitemaps, and files that may be removed.
#[derive(Clone, Copy)]
pub struct SurroundingFiles<'a> {
    /// The complete new text of robots.txt; `None` leaves it unchanged.
    pub robots_txt: Option<&'a [u8]>,
    /// The key to write to a separate file, which is named after it.
    pub key: Option<&'a SubmitKey>,
    /// Whether the site's generator writes this file, relative to the output directory, besides
    /// `sitemap.xml`. Such a file is removed if it is not in the new set and is directly in the
    /// output directory or named by the index that is being replaced.
    pub is_generators_sitemap: &'a dyn Fn(&str) -> bool,
}

/// Publishes the plan's files in the output directory.
///
/// A plan without files changes nothing: if there are no pages, the directory is usually the wrong
/// one.
pub fn publish(
    plan: &Plan,
    output_dir: &Path,
    surroundings: SurroundingFiles<'_>,
) -> Result<PublishReport, DiskError> {
    LockedOutputDir::open(output_dir, WriteMode::Write)?.place(plan, surroundings)
}

impl LockedOutputDir<'_> {
    /// Publishes the plan's files and releases the directory. A dry run only reports the changes.
    pub fn place(
        self,
        plan: &Plan,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, DiskError> {
        let result = if self.is_alone() {
            self.publish_once(plan, surroundings)
        } else {
            self.publish_beside_others(plan, surroundings)
        };
        let closed = self.close();
        result
            .map(|placed| PublishReport {
                // The set is complete, so this is not an error.
                left_staged: closed.err().map(|error| error.to_string()),
                ..placed
            })
            .map_err(|error| masked(error, surroundings.key))
    }
}

/// How often a run without a lock publishes its set before it gives up.
const ATTEMPTS: u32 = 12;

impl LockedOutputDir<'_> {
    /// Publishes the set, or only compares it in a dry run.
    fn publish_once(
        &self,
        plan: &Plan,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, DiskError> {
        let (steps, placed) = prepare(plan, self, surroundings)?;
        // The old set decides the order of the steps and what is removed.
        self.contents().check_failures()?;
        if self.mode() == WriteMode::Write {
            self.perform(&steps)?;
        }
        Ok(placed)
    }

    /// Publishes the set in a directory that cannot be locked, until nothing is left to change.
    ///
    /// Another run may replace some of the files, or remove them as leftovers of its own old set. Of
    /// several runs, the last one to compare the directory with its plan sees the final state: it
    /// leaves its own set, or it fails.
    fn publish_beside_others(
        &self,
        plan: &Plan,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, DiskError> {
        let mut first = None;
        let mut latest = Ok(());
        for attempt in 0..ATTEMPTS {
            wait_for_others(attempt);
            let (steps, placed) = prepare(plan, self, surroundings)?;
            self.contents().check_failures()?;
            let report = first.get_or_insert(placed);
            if steps.is_empty() {
                return Ok(std::mem::take(report));
            }
            latest = self.perform(&steps);
        }
        latest.and_then(|()| {
            let path = self.destination(plan.root())?;
            Err(DiskError::MixedSet { path })
        })
    }
}

/// Masks the key file's name in an error, because the name is the key.
fn masked(error: DiskError, key: Option<&SubmitKey>) -> DiskError {
    match key {
        Some(key) => error.with_another_name(&key.file_name(), MASKED_KEY_FILE),
        None => error,
    }
}

/// Order of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepOrder {
    Leftover,
    UnseenFile,
    Bridge,
    SeenFile,
    FurtherIndex,
    Root,
    RobotsTxt,
    Removal,
}

/// Stages every file that differs, and sorts the steps.
pub(super) fn prepare(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    surroundings: SurroundingFiles<'_>,
) -> Result<(Vec<DiskStep>, PublishReport), DiskError> {
    if plan.files().is_empty() {
        return Ok(Default::default());
    }
    let previous = PreviousSet::find(
        dir.contents(),
        plan.base(),
        SetFileNames { root: plan.root() },
    );
    let mut staged = stage_files(plan, dir)?;
    let robots_txt = surroundings
        .robots_txt
        .map(|text| stage_bytes(dir, "robots.txt".to_owned(), 0, text));
    let (robots_txt, robots_step) = robots_txt.transpose()?.unzip();
    let (key_file, key_step) = surroundings
        .key
        .map(|key| stage_key(dir, key))
        .transpose()?
        .unzip();
    let files: Vec<_> = staged.iter().map(|file| file.written.clone()).collect();
    let bridge = bridge_steps(plan, dir, &previous, &mut staged)?;
    let stale = stale_files(plan, dir, &previous, surroundings.is_generators_sitemap)?;

    let seen: BTreeSet<_> = previous.child_names().collect();
    let of_files = staged
        .into_iter()
        .filter_map(|file| Some((publish_order(&file, plan, &seen), file.step?)));
    let mut steps: Vec<_> = of_files.collect();
    let copies = bridge
        .iter()
        .filter_map(DiskStep::copy)
        .map(|copy| DiskStep::Remove {
            file: SitePath::from(copy),
        });
    steps.extend(copies.map(|step| (StepOrder::Removal, step)));
    steps.extend(bridge.into_iter().map(|step| (StepOrder::Bridge, step)));
    steps.extend(key_step.flatten().map(|step| (StepOrder::UnseenFile, step)));
    steps.extend(
        robots_step
            .flatten()
            .map(|step| (StepOrder::RobotsTxt, step)),
    );
    let removals = stale
        .files
        .iter()
        .map(|file| (removal_order(file, plan, &previous), file.clone()));
    steps.extend(removals.map(|(turn, file)| (turn, DiskStep::Remove { file })));
    steps.sort_by_key(|&(turn, _)| turn);

    let mut removed = stale.files;
    removed.sort_unstable();
    Ok((
        steps.into_iter().map(|(_, step)| step).collect(),
        PublishReport {
            files,
            robots_txt,
            key_file,
            removed,
            unproven: stale.unproven,
            left_staged: None,
        },
    ))
}

/// Position of the step that publishes a file. It depends on whether the old set names the file.
fn publish_order(file: &StagedFile<'_>, plan: &Plan, seen: &BTreeSet<&str>) -> StepOrder {
    match file.planned.kind {
        _ if name_without_gz(&file.planned.name) == plan.root() => StepOrder::Root,
        PlannedFileKind::Index => StepOrder::FurtherIndex,
        _ if seen.contains(file.written.path.as_str()) => StepOrder::SeenFile,
        _ => StepOrder::UnseenFile,
    }
}

/// Position of the step that removes a file. A further index that a killed run left is removed
/// first, because readers would find it again from the new root.
fn removal_order(file: &SitePath, plan: &Plan, previous: &PreviousSet) -> StepOrder {
    let name = file.to_text();
    let is_index = SetFileNames { root: plan.root() }.classify(&name) == Some(SetFileName::Index);
    if is_index && !previous.roots.iter().any(|root| *root == name) {
        StepOrder::Leftover
    } else {
        StepOrder::Removal
    }
}

/// Renders, compresses and stages the files, a few at a time.
fn stage_files<'a>(
    plan: &'a Plan,
    dir: &LockedOutputDir<'_>,
) -> Result<Vec<StagedFile<'a>>, DiskError> {
    let mut staged = Vec::new();
    for few in plan.files().chunks(AT_ONCE) {
        let results: Vec<_> = few
            .par_iter()
            .map(|planned| stage_file(plan, planned, dir))
            .collect();
        for result in results {
            staged.append(&mut result?);
        }
    }
    Ok(staged)
}

fn stage_file<'a>(
    plan: &'a Plan,
    planned: &'a PlannedFile,
    dir: &LockedOutputDir<'_>,
) -> Result<Vec<StagedFile<'a>>, DiskError> {
    let text = plan.render(planned);
    let stage = |path: String| {
        let bytes = FileCompression::of_name(&path).encode(&text);
        let (written, step) = stage_bytes(dir, path, planned.urls, &bytes)?;
        Ok(StagedFile {
            planned,
            written,
            step,
        })
    };
    plan.disk_names(planned).into_iter().map(stage).collect()
}

fn stage_key(
    dir: &LockedOutputDir<'_>,
    key: &SubmitKey,
) -> Result<(WrittenFile, Option<DiskStep>), DiskError> {
    let (written, step) = stage_bytes(dir, key.file_name(), 0, key.reveal().as_bytes())?;
    Ok((
        WrittenFile {
            path: MASKED_KEY_FILE.to_owned(),
            ..written
        },
        step,
    ))
}

/// Stages a file, unless the existing one has the same bytes.
fn stage_bytes(
    dir: &LockedOutputDir<'_>,
    path: String,
    urls: usize,
    bytes: &[u8],
) -> Result<(WrittenFile, Option<DiskStep>), DiskError> {
    let step = match dir.compare(&path, bytes)? {
        PlaceState::Same => None,
        PlaceState::Differs => Some(dir.stage(&path, bytes)?),
    };
    Ok((
        WrittenFile {
            path,
            urls,
            bytes: bytes.len(),
            changed: step.is_some(),
        },
        step,
    ))
}

#[cfg(test)]
mod concurrent_tests;
#[cfg(test)]
mod tests;
