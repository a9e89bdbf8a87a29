//! Finds obsolete files: leftovers of earlier runs, and files that would contradict the new set.
//!
//! A file is removed only if waypost is proven to have written it (by its mark, or by the hashes of
//! text parts), if it conflicts with the new set (`sitemap.xml.gz` next to a `sitemap.xml` with
//! other content, or any other compressed copy of a file of the set), or if the site's generator is
//! known to write it and it is directly in the output directory or named by the index that is being
//! replaced. Files outside the output directory are never removed.
//!
//! The lines of robots.txt for sitemaps of an earlier base URL are obsolete too.

use std::collections::BTreeSet;

use super::disk::LockedOutputDir;
use crate::findings::HintedError;
use crate::survey::{Survey, SurveyedFile};
use sitemaps::EntryExtent;
use sitemaps::gzip::name_without_gz;
use sitemaps::names::{SetFileName, SetFileNames, is_set_file_name};
use sitemaps::plan::{Plan, PlannedFileKind};
use sitemaps::site_paths::{PageUrl, SitePath};
use sitemaps::split::{HashBits, url_hash};

/// Number of matching bits that is reached by chance once in four billion files.
const PROOF_IN_BITS: usize = 32;

/// The files of earlier sets in the output directory, as they are while it is locked.
#[derive(Debug, Default)]
pub struct OldFiles {
    /// The names of the children of the set with the name of the new one.
    pub(super) children: BTreeSet<String>,
    /// Files to remove after the new set is published, roots before children.
    pub removed: Vec<SitePath>,
    /// Text sitemaps that stay, because another tool may have written them.
    pub unproven: Vec<SitePath>,
}

/// The names of the files of a plan.
pub fn written_names(plan: &Plan) -> BTreeSet<String> {
    plan.files()
        .iter()
        .flat_map(|file| plan.disk_names(file))
        .chain(plan.external_files().iter().cloned())
        .collect()
}

impl OldFiles {
    /// Finds the files of earlier sets, and those of them that are obsolete.
    ///
    /// `is_generators_sitemap` reports whether the site's generator writes a file, relative to the
    /// output directory, besides `sitemap.xml`. Such a file is removed if it is not in the new set and
    /// is directly in the output directory, named by the index that is being replaced, or among
    /// `further`.
    pub fn find(
        plan: &Plan,
        dir: &LockedOutputDir<'_>,
        further: impl IntoIterator<Item = SitePath>,
        is_generators_sitemap: &dyn Fn(&str) -> bool,
    ) -> Result<Self, HintedError> {
        if plan.files().is_empty() {
            return Ok(Self::default());
        }
        let set = SetFileNames { root: plan.root() };
        let new = written_names(plan);
        let names =
            dir.names(|name| set.classify(name).is_some() || is_generators_sitemap(name))?;
        let (parts, others): (Vec<_>, Vec<_>) = names
            .iter()
            .partition(|name| matches!(set.classify(name), Some(SetFileName::TextPart(_))));
        let read = |names: Vec<&String>, extent| {
            let files = names.into_iter().map(|name| SitePath::from(&**name));
            Survey::read(dir.tree(), files, extent)
        };
        let sitemaps = read(others, EntryExtent::Index);
        let parts = read(parts, EntryExtent::All);
        let old = sitemaps.files_of_sets(&sitemaps.roots_of(set.root));
        let (mut stale, mut texts) = (BTreeSet::new(), Vec::new());
        for name in names.iter().filter(|name| !new.contains(*name)) {
            let file = SitePath::from(&**name);
            let Some(kind) = set.classify(name) else {
                stale.insert((SetFileName::Child, file));
                continue;
            };
            let is_ours = match kind {
                SetFileName::TextPart(bits) => is_proven_part(parts.file(&file), bits),
                _ => sitemaps.has_mark(&file, set.root),
            };
            if set.is_text(name) {
                texts.push(file.clone());
            }
            // Servers send a compressed copy in place of the file, so one of an earlier set hides
            // the new file.
            if conflicts_with_plan(kind, plan)
                || new.contains(name_without_gz(name))
                || new.contains(&format!("{name}.gz"))
                || is_ours
                || is_generators_sitemap(name)
            {
                stale.insert((kind, file));
            }
        }
        for file in old.iter().cloned().chain(further) {
            let name = file.to_text().into_owned();
            if is_generators_sitemap(&name) && !new.contains(&name) {
                let kind = set.classify(&name).unwrap_or(SetFileName::Child);
                stale.insert((kind, file));
            }
        }
        let mut removed: Vec<SitePath> = stale.into_iter().map(|(_, file)| file).collect();
        removed.retain(|file| dir.is_removable(file));
        texts.retain(|text| !removed.contains(text));
        Ok(Self {
            children: old.iter().map(|file| file.to_text().into_owned()).collect(),
            removed,
            unproven: texts,
        })
    }
}

/// Whether readers look for a file by its well-known name, and its content conflicts with the new
/// set.
fn conflicts_with_plan(kind: SetFileName, plan: &Plan) -> bool {
    match kind {
        SetFileName::Root => {
            plan.has_kind(PlannedFileKind::Urlset) || plan.has_kind(PlannedFileKind::Index)
        }
        SetFileName::Text => plan.has_kind(PlannedFileKind::Text),
        SetFileName::Child | SetFileName::TextPart(_) | SetFileName::Feed => false,
    }
}

/// Whether an earlier run wrote a text part. A text file cannot contain a mark; but if the hashes of
/// many URLs all begin with the bits in the file name, that is not by chance.
fn is_proven_part(part: Option<&SurveyedFile>, bits: HashBits) -> bool {
    part.is_some_and(|part| {
        let agreeing_bits = bits.count() as usize * part.entries.len();
        part.notes.is_empty()
            && part
                .entries
                .iter()
                .all(|entry| bits.contains_hash(url_hash(&entry.loc)))
            && agreeing_bits >= PROOF_IN_BITS
    })
}

/// Returns those of the sitemaps named in robots.txt that are existing files of this set, but with
/// another base URL. Only an earlier run with that base URL can have added their lines.
///
/// If the existing set lists only pages below the current base URL, it is the current set, and
/// proves nothing about a line with a shorter base URL: another site of the host may have it.
pub fn sitemaps_of_old_base_url(
    plan: &Plan,
    dir: &LockedOutputDir<'_>,
    sitemaps: &Survey,
    named: &[&PageUrl],
) -> Vec<PageUrl> {
    let moved = named.iter().copied().filter(|url| {
        let Some((base, name)) = url.as_str().rsplit_once('/') else {
            return false;
        };
        let file = SitePath::from(name);
        let is_moved = plan.base().path_below(url) != Some(name)
            && is_set_file_name(&file, plan.root())
            && sitemaps.has_mark(&file, plan.root());
        let is_missing = plan
            .base()
            .path_below(url)
            .is_some_and(|path| !dir.tree().has_file(&SitePath::from(path)));
        let read = sitemaps.file(&file).filter(|_| is_moved);
        read.is_some_and(|read| {
            let (own, locs) = (plan.base().as_str(), read.locs());
            let is_older = is_missing || locs.clone().any(|loc| !loc.starts_with(own));
            read.notes.is_empty()
                && locs.clone().next().is_some()
                && locs.clone().all(|loc| {
                    let rest = loc.strip_prefix(base);
                    rest.is_some_and(|rest| rest.starts_with('/'))
                })
                && is_older
        })
    });
    moved.cloned().collect()
}
