//! What is no longer needed: leftovers of earlier runs, and what would contradict the new set.
//!
//! A file goes only where it is proven to be ours (its mark, or the hashes of text parts), where it stands in the way
//! (`sitemap.xml.gz` beside a `sitemap.xml` of another content), or where the index that is being replaced names it
//! and the site's generator is known to write it. Nothing outside the output folder is looked at.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::disk::{DiskError, LockedOutputDir};
use crate::bounds::SitemapDir;
use crate::site_paths::SitePath;
use crate::sitemaps::names::{SetFileName, SetFileNames};
use crate::sitemaps::plan::{Plan, PlannedFileKind};
use crate::sitemaps::previous::{PreviousSet, carries_mark, read_sitemap_file};
use crate::sitemaps::split::{HashBits, url_hash};

/// So many bits agree by chance once in four billion files.
const PROOF_IN_BITS: u32 = 32;

/// What stands in the output folder under names of the set and is not written anew.
pub(super) struct StaleFiles {
    /// The files that are to be removed once the new set stands, roots before children, with where they lie.
    pub files: Vec<(SitePath, PathBuf)>,
    /// The text sitemaps that stay: nobody but the site's owner can say whose they are, since another tool may have made
    /// them.
    pub unproven: Vec<SitePath>,
}

/// The files that [`OutputFolder::place`] will remove, relative to the folder; nothing is changed.
pub fn leftovers(
    plan: &Plan,
    folder: &LockedOutputDir<'_>,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<Vec<SitePath>, DiskError> {
    if plan.files.is_empty() {
        return Ok(Vec::new());
    }
    let previous = PreviousSet::find(
        folder.contents(),
        &plan.base,
        SetFileNames { root: &plan.root },
    );
    let stale = stale_files(plan, folder, &previous, is_generators_sitemap)?;
    Ok(stale.files.into_iter().map(|(file, _)| file).collect())
}

/// Tells what is no longer needed.
pub(super) fn stale_files(
    plan: &Plan,
    folder: &LockedOutputDir<'_>,
    previous: &PreviousSet,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<StaleFiles, DiskError> {
    let set = SetFileNames { root: &plan.root };
    let written = plan.files.iter().flat_map(|file| plan.outputs(file));
    let new: BTreeSet<String> = written.chain(plan.made_elsewhere.iter().cloned()).collect();
    let contents = folder.contents();
    let (mut stale, mut texts) = (BTreeSet::new(), Vec::new());
    let (kept, candidates): (Vec<_>, Vec<_>) = folder
        .names(|name| set.classify(name).is_some())?
        .into_iter()
        .partition(|name| new.contains(name));
    let parts = our_text_parts(contents, set, &candidates, &kept);
    for name in candidates {
        let is_ours =
            |kind| parts.contains(&name) || is_marked(kind, &contents.path().join(&name), set.root);
        let kind = set
            .classify(&name)
            .filter(|&kind| in_the_way(kind, plan) || is_ours(kind));
        let file = SitePath::from(name.as_str());
        if matches!(
            set.classify(&name),
            Some(SetFileName::Text | SetFileName::TextPart(_))
        ) {
            texts.push(file.clone());
        }
        stale.extend(kind.map(|kind| (kind, file)));
    }
    // Beside `sitemap.xml` the generator has names of its own, and so have the children of its index.
    let beside = folder
        .names(is_generators_sitemap)?
        .into_iter()
        .map(|name| SitePath::from(name.as_str()));
    let children = previous
        .children
        .iter()
        .filter_map(|child| child.file.clone());
    for file in beside.chain(children) {
        let name = file.to_text();
        if is_generators_sitemap(&name) && !new.contains(&*name) {
            let kind = set.classify(&name).unwrap_or(SetFileName::Child);
            stale.insert((kind, file.clone()));
        }
    }
    let mut stale: Vec<_> = stale.into_iter().collect();
    // Further indexes are counted up from 2 as far as there are any, so the last goes first: whatever a killed run
    // leaves is still seen, and none of it comes to light only when a later run closes a gap.
    let number = |file: &SitePath| (file.as_bytes().len(), file.clone());
    stale.sort_by_key(|(kind, file)| {
        (
            *kind,
            (*kind == SetFileName::Index).then(|| Reverse(number(file))),
        )
    });
    let placed =
        |(_, file): (SetFileName, SitePath)| folder.removable(&file).map(|path| (file, path));
    let files: Vec<(SitePath, PathBuf)> = stale.into_iter().filter_map(placed).collect();
    texts.retain(|text| files.iter().all(|(file, _)| file != text));
    Ok(StaleFiles {
        files,
        unproven: texts,
    })
}

/// Whether a file that readers would look for themselves stands beside a new set that says otherwise.
fn in_the_way(kind: SetFileName, plan: &Plan) -> bool {
    let writes = |wanted: PlannedFileKind| plan.files.iter().any(|file| file.kind == wanted);
    match kind {
        SetFileName::Root => writes(PlannedFileKind::Urlset) || writes(PlannedFileKind::Index),
        SetFileName::Text => writes(PlannedFileKind::Text),
        // Nothing but waypost has such names.
        SetFileName::Kept => true,
        SetFileName::Index | SetFileName::Child | SetFileName::TextPart(_) | SetFileName::Feed => {
            false
        }
    }
}

fn is_marked(kind: SetFileName, file: &Path, root: &str) -> bool {
    match kind {
        SetFileName::Root
        | SetFileName::Index
        | SetFileName::Child
        | SetFileName::Kept
        | SetFileName::Feed => carries_mark(file, root),
        SetFileName::Text | SetFileName::TextPart(_) => false,
    }
}

/// The text parts that earlier runs have left. A text file can hold no mark, but when the hash of each of many URLs
/// begins with the bits in the name of its file, that is no chance.
///
/// The parts of one set are judged together, since each alone may be too small. Those of one set share no URL, so a file
/// whose bits another's begin with may be a stranger between them, and has to prove itself; that other may be one that
/// stays, since the new set has a part of its name (`kept`).
fn our_text_parts(
    folder: &SitemapDir,
    set: SetFileNames<'_>,
    names: &[String],
    kept: &[String],
) -> BTreeSet<String> {
    let bits_of = |name: &String| match set.classify(name) {
        Some(SetFileName::TextPart(bits)) => Some(bits),
        _ => None,
    };
    let part = |name: &String| {
        let bits = bits_of(name)?;
        Some((bits, agreeing_bits(folder, name, bits)?, name.clone()))
    };
    let parts: Vec<_> = names.iter().filter_map(part).collect();
    let overlapping = overlapping(
        parts
            .iter()
            .map(|(bits, ..)| *bits)
            .chain(kept.iter().filter_map(bits_of))
            .collect(),
    );
    let (doubtful, of_one_set): (Vec<_>, Vec<_>) = parts
        .iter()
        .partition(|(bits, ..)| overlapping.contains(bits));
    let is_proven = |bits: u32| bits >= PROOF_IN_BITS;
    // A compressed form beside its plain one proves nothing more.
    let by_bits: BTreeMap<HashBits, u32> = of_one_set
        .iter()
        .map(|&&(bits, agreeing, _)| (bits, agreeing))
        .collect();
    let together = by_bits.into_values().fold(0, u32::saturating_add);
    let proven_together = of_one_set.into_iter().filter(|_| is_proven(together));
    let proven_alone = doubtful
        .into_iter()
        .filter(|(_, agreeing, _)| is_proven(*agreeing));
    proven_together
        .chain(proven_alone)
        .map(|(.., name)| name.clone())
        .collect()
}

/// Of the bits of several parts, those that begin with another's or that another's begin with.
fn overlapping(all: BTreeSet<HashBits>) -> BTreeSet<HashBits> {
    let mut overlapping = BTreeSet::new();
    let mut outer = None;
    // What begins with some bits stands right behind them.
    for bits in all {
        match outer.filter(|outer: &HashBits| outer.begin(bits)) {
            Some(outer) => overlapping.extend([outer, bits]),
            None => outer = Some(bits),
        }
    }
    overlapping
}

/// How many bits of the hashes of a part's URLs agree with its name; `None` where one does not, where there is no URL, or
/// where it cannot be read.
fn agreeing_bits(folder: &SitemapDir, name: &str, bits: HashBits) -> Option<u32> {
    let (mut agreeing_bits, mut strangers) = (0_u32, 0);
    let read = read_sitemap_file(folder, &SitePath::from(name), &mut |_, listed| {
        if bits.hold(url_hash(&listed.loc)) {
            agreeing_bits = agreeing_bits.saturating_add(bits.count());
        } else {
            strangers += 1;
        }
    });
    (read.is_ok() && strangers == 0 && agreeing_bits > 0).then_some(agreeing_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_where_the_bits_of_one_begin_with_those_of_another() {
        let check = |all: &[&str], expected: &[&str]| {
            let parse = |bits: &[&str]| {
                bits.iter()
                    .map(|bits| HashBits::parse(bits).expect("bits"))
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(overlapping(parse(all)), parse(expected), "{all:?}");
        };
        check(&["00", "01", "1"], &[]);
        check(&["00", "01", "1", "11"], &["1", "11"]);
        check(&["0", "000", "001", "01", "10"], &["0", "000", "001", "01"]);
        check(&["0", "00"], &["0", "00"]);
        check(&[], &[]);
    }
}
