//! Finds obsolete files: leftovers of earlier runs, and files that would contradict the new set.
//!
//! A file is removed only if waypost is proven to have written it (by its mark, or by the hashes of
//! text parts), if it conflicts with the new set (`sitemap.xml.gz` next to a `sitemap.xml` with
//! other content, or any other compressed copy of a file of the set), or if the site's generator is known to write it and it is directly in the output
//! directory or named by the index that is being replaced. Files outside the output directory are
//! never removed.

use std::collections::BTreeSet;

use super::disk::LockedOutputDir;
use super::disk_error::DiskError;
use sitemaps::files::tree::Tree;
use sitemaps::gzip::name_without_gz;
use sitemaps::names::{SetFileName, SetFileNames};
use sitemaps::plan::{Plan, PlannedFileKind};
use sitemaps::previous::{PreviousSet, has_mark_in, read_sitemap_file};
use sitemaps::site_paths::SitePath;
use sitemaps::split::{HashBits, url_hash};

/// Number of matching bits that is reached by chance once in four billion files.
const PROOF_IN_BITS: u32 = 32;

/// Files in the output directory with names of the set that are not written again.
pub(super) struct StaleFiles {
    /// Files to remove after the new set is published, roots before children.
    pub files: Vec<SitePath>,
    /// Text sitemaps that stay, because another tool may have written them.
    pub unproven: Vec<SitePath>,
}

/// The names of the files of a plan.
pub fn written_names(plan: &Plan) -> BTreeSet<String> {
    let names = plan.files().iter().flat_map(|file| plan.disk_names(file));
    names.chain(plan.external_files().iter().cloned()).collect()
}

/// The files that [`LockedOutputDir::place`] will remove, relative to the directory. Does not
/// change anything.
pub fn leftovers(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<Vec<SitePath>, DiskError> {
    if plan.files().is_empty() {
        return Ok(Vec::new());
    }
    let previous = PreviousSet::find(dir.tree(), plan.base(), plan.root());
    let stale = stale_files(plan, dir, &previous, is_generators_sitemap)?;
    Ok(stale.files)
}

/// Finds the obsolete files.
pub(super) fn stale_files(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    previous: &PreviousSet,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<StaleFiles, DiskError> {
    let set = SetFileNames { root: plan.root() };
    let new = written_names(plan);
    let contents = dir.tree();
    let (mut stale, mut texts) = (BTreeSet::new(), Vec::new());
    let candidates = dir.names(|name| set.classify(name).is_some() && !new.contains(name))?;
    // Servers send a compressed copy in place of the file, so one of an earlier set hides the new file.
    let is_copy_of_new =
        |name: &str| new.contains(name_without_gz(name)) || new.contains(&format!("{name}.gz"));
    for name in candidates {
        let is_ours = |kind| is_ours(kind, contents, &name, set.root);
        let kind = set.classify(&name).filter(|&kind| {
            conflicts_with_plan(kind, plan) || is_copy_of_new(&name) || is_ours(kind)
        });
        let file = SitePath::from(name.as_str());
        if set.is_text(&name) {
            texts.push(file.clone());
        }
        stale.extend(kind.map(|kind| (kind, file)));
    }
    // The generator writes other names next to `sitemap.xml`, and as children of its index.
    let beside = dir
        .names(is_generators_sitemap)?
        .into_iter()
        .map(|name| SitePath::from(name.as_str()));
    for file in beside.chain(previous.children.iter().cloned()) {
        let name = file.to_text();
        if is_generators_sitemap(&name) && !new.contains(&*name) {
            let kind = set.classify(&name).unwrap_or(SetFileName::Child);
            stale.insert((kind, file.clone()));
        }
    }
    let mut files: Vec<SitePath> = stale.into_iter().map(|(_, file)| file).collect();
    files.retain(|file| dir.is_removable(file));
    texts.retain(|text| files.iter().all(|file| file != text));
    Ok(StaleFiles {
        files,
        unproven: texts,
    })
}

/// Whether readers look for a file by its well-known name, and its content conflicts with the new
/// set.
fn conflicts_with_plan(kind: SetFileName, plan: &Plan) -> bool {
    let writes = |wanted: PlannedFileKind| plan.files().iter().any(|file| file.kind == wanted);
    match kind {
        SetFileName::Root => writes(PlannedFileKind::Urlset) || writes(PlannedFileKind::Index),
        SetFileName::Text => writes(PlannedFileKind::Text),
        SetFileName::Child | SetFileName::TextPart(_) | SetFileName::Feed => false,
    }
}

/// Whether waypost is proven to have written a file.
fn is_ours(kind: SetFileName, dir: &Tree, name: &str, root: &str) -> bool {
    match kind {
        SetFileName::Root | SetFileName::Child | SetFileName::Feed => {
            has_mark_in(dir, &SitePath::from(name), root)
        }
        SetFileName::TextPart(bits) => is_proven_part(dir, name, bits),
        SetFileName::Text => false,
    }
}

/// Whether an earlier run wrote a text part. A text file cannot contain a mark; but if the hashes of
/// many URLs all begin with the bits in the file name, that is not by chance.
fn is_proven_part(dir: &Tree, name: &str, bits: HashBits) -> bool {
    let (mut agreeing_bits, mut all_agree) = (0_u32, true);
    let read = read_sitemap_file(dir, &SitePath::from(name), &mut |_, listed| {
        all_agree = all_agree && bits.contains_hash(url_hash(&listed.loc));
        agreeing_bits = agreeing_bits.saturating_add(bits.count());
    });
    read.is_ok() && all_agree && agreeing_bits >= PROOF_IN_BITS
}
