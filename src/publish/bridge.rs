//! Bridges a move of pages between children that the old root names.
//!
//! Such children are replaced one by one, so a page that moves from one to another could for a
//! moment be in neither. To prevent this, each child that would lose a page is first kept under a
//! second name, and the root becomes an index over the old children and these copies, until the new
//! root replaces it.

use std::collections::BTreeSet;

use super::disk::{DiskStep, LockedOutputDir};
use super::disk_error::DiskError;
use super::written_file::StagedFile;
use site_paths::SitePath;
use sitemaps::gzip::FileCompression;
use sitemaps::index::index_over;
use sitemaps::names::SetFileNames;
use sitemaps::plan::{Plan, PlannedFileKind, UrlFiles};
use sitemaps::previous::{PreviousSet, read_sitemap_file};

/// The steps that build the bridge; empty if no page could be lost.
///
/// An unchanged root is staged too, because the bridge replaces it in the meantime.
pub(super) fn bridge_steps(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    previous: &PreviousSet,
    staged: &mut [StagedFile<'_>],
) -> Result<Vec<DiskStep>, DiskError> {
    let losing = losing_children(plan, dir, previous, staged);
    let Some(root) = previous.roots.first() else {
        return Ok(Vec::new());
    };
    if losing.is_empty() && !several_indexes_change(previous, staged) {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    let mut locs: Vec<String> = previous
        .children
        .iter()
        .map(|child| child.loc.clone())
        .collect();
    let seen: BTreeSet<_> = previous.child_names().collect();
    let set = SetFileNames { root: plan.root() };
    let mut numbers = 1_usize..;
    for child in &losing {
        // A killed run may have left a bridge whose copies are still needed.
        let free = numbers
            .by_ref()
            .map(|number| set.kept_copy_name(number, child))
            .find(|copy| !seen.contains(copy.as_str()));
        let copy = free.expect("the numbers are unlimited");
        locs.push(plan.base().of_path(copy.as_bytes()).to_string());
        steps.push(DiskStep::Keep {
            file: LockedOutputDir::plain_name(child)?,
            copy: LockedOutputDir::plain_name(&copy)?,
        });
    }
    let packing = FileCompression::of_name(root);
    let bridge = index_over(plan.root(), locs.iter().map(String::as_str));
    steps.push(dir.stage_as("bridge", root, &packing.encode(&bridge))?);
    for file in staged
        .iter_mut()
        .filter(|file| file.written.path == *root && file.step.is_none())
    {
        file.step = Some(dir.stage(root, &packing.encode(&plan.render(file.planned)))?);
    }
    Ok(steps)
}

/// Whether there are several indexes and one changes. Children move from one index to another as
/// their number changes, and a reader of only some indexes could miss one.
fn several_indexes_change(previous: &PreviousSet, staged: &[StagedFile<'_>]) -> bool {
    let indexes = staged
        .iter()
        .filter(|file| file.planned.kind == PlannedFileKind::Index);
    let changes = indexes.clone().any(|file| file.step.is_some());
    changes && !previous.children.is_empty() && (previous.roots.len() > 1 || indexes.count() > 1)
}

/// The names of the children on disk that are about to lose a page to another file.
fn losing_children(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    previous: &PreviousSet,
    staged: &[StagedFile<'_>],
) -> Vec<String> {
    let set = SetFileNames { root: plan.root() };
    let seen: BTreeSet<_> = previous.child_names().collect();
    let children: Vec<_> = staged
        .iter()
        .filter(|file| file.planned.kind == PlannedFileKind::Urlset)
        .collect();
    let mut all_names = seen
        .iter()
        .copied()
        .chain(children.iter().map(|file| file.written.path.as_str()));
    if previous.has_mark && all_names.all(|name| set.is_ungrouped_part(name)) {
        return Vec::new();
    }
    let is_replaced =
        |file: &&StagedFile<'_>| file.step.is_some() && seen.contains(file.written.path.as_str());
    let replaced: Vec<_> = children.into_iter().filter(is_replaced).collect();
    if replaced.is_empty() {
        return Vec::new();
    }
    let whereabouts = plan.url_files();
    let losing = replaced
        .into_iter()
        .filter(|file| loses_a_page(dir, file, &whereabouts));
    losing.map(|file| file.written.path.clone()).collect()
}

fn loses_a_page(
    dir: &LockedOutputDir<'_>,
    file: &StagedFile<'_>,
    whereabouts: &UrlFiles<'_>,
) -> bool {
    let path = SitePath::from(file.written.path.as_str());
    if !dir.contents().has_file(&path) {
        return false;
    }
    let mut loses = false;
    let read = read_sitemap_file(dir.contents(), &path, &mut |_, old| {
        loses |= whereabouts
            .file_of(&old.loc)
            .is_some_and(|new| new.name != file.planned.name);
    });
    // A file that cannot be read completely may list any page.
    loses || read.is_err()
}
