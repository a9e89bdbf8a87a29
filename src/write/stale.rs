//! What is no longer needed: leftovers of earlier runs, and what would contradict the new set.
//!
//! A file goes only where it is proven to be ours (its mark, or the hashes of a text part), where it stands in the way
//! (`sitemap.xml.gz` beside a `sitemap.xml` of another content), or where the index that is being replaced names it
//! and the site's generator is known to write it. Nothing outside the output folder is looked at.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::disk::{DiskError, Effect, OutputFolder};
use super::names::{Named, Names};
use super::plan::{Kind, Plan};
use super::previous::{Previous, carries_mark, read_sitemap_file};
use super::split::{Bits, url_hash};
use crate::bounds::SiteFolder;
use crate::location::SitePath;

/// So many bits agree by chance once in four billion files.
const PROOF_IN_BITS: u32 = 32;

/// The files that [`place`](super::place) will remove, relative to the output folder; nothing is changed.
pub fn leftovers(
    plan: &Plan,
    output_dir: &Path,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<Vec<SitePath>, DiskError> {
    if plan.files.is_empty() {
        return Ok(Vec::new());
    }
    let folder = OutputFolder::open(output_dir, Effect::Look)?;
    let previous = Previous::find(&folder.contents(), &plan.base, Names { root: &plan.root });
    let stale = stale_files(plan, &folder, &previous, is_generators_sitemap)?;
    Ok(stale.into_iter().map(|(file, _)| file).collect())
}

/// The files that are to be removed once the new set stands, roots before children.
pub(super) fn stale_files(
    plan: &Plan,
    folder: &OutputFolder<'_>,
    previous: &Previous,
    is_generators_sitemap: &dyn Fn(&str) -> bool,
) -> Result<Vec<(SitePath, PathBuf)>, DiskError> {
    let set = Names { root: &plan.root };
    let written = plan.files.iter().flat_map(|file| plan.outputs(file));
    let new: BTreeSet<String> = written.chain(plan.made_elsewhere.iter().cloned()).collect();
    let contents = folder.contents();
    let mut stale = BTreeSet::new();
    for name in folder.names(|name| set.classify(name).is_some() && !new.contains(name))? {
        let is_ours = |kind| is_ours(kind, &contents, &name, set.root);
        let kind = set.classify(&name).filter(|&kind| in_the_way(kind, plan) || is_ours(kind));
        stale.extend(kind.map(|kind| (kind, SitePath::from(name.as_str()))));
    }
    // Beside `sitemap.xml` the generator has names of its own, and so have the children of its index.
    let beside = folder.names(is_generators_sitemap)?.into_iter().map(|name| SitePath::from(name.as_str()));
    let children = previous.children.iter().filter_map(|child| child.file.clone());
    for file in beside.chain(children) {
        let name = file.to_text();
        if is_generators_sitemap(&name) && !new.contains(&*name) {
            let kind = set.classify(&name).unwrap_or(Named::Child);
            stale.insert((kind, file.clone()));
        }
    }
    let mut stale: Vec<_> = stale.into_iter().collect();
    // Further indexes are counted up from 2 as far as there are any, so the last goes first: whatever a killed run
    // leaves is still seen, and none of it comes to light only when a later run closes a gap.
    let number = |file: &SitePath| (file.as_bytes().len(), file.clone());
    stale.sort_by_key(|(kind, file)| (*kind, (*kind == Named::Index).then(|| Reverse(number(file)))));
    let placed = |(_, file): (Named, SitePath)| folder.removable(&file).map(|path| (file, path));
    Ok(stale.into_iter().filter_map(placed).collect())
}

/// Whether a file that readers would look for themselves stands beside a new set that says otherwise.
fn in_the_way(kind: Named, plan: &Plan) -> bool {
    let writes = |wanted: Kind| plan.files.iter().any(|file| file.kind == wanted);
    match kind {
        Named::Root => writes(Kind::Urlset) || writes(Kind::Index),
        Named::Text => writes(Kind::Text),
        // Nothing but waypost has such names.
        Named::Kept => true,
        Named::Index | Named::Child | Named::TextPart(_) | Named::Feed => false,
    }
}

fn is_ours(kind: Named, folder: &SiteFolder, name: &str, root: &str) -> bool {
    match kind {
        Named::Root | Named::Index | Named::Child | Named::Kept | Named::Feed => {
            carries_mark(&folder.path().join(name), root)
        }
        Named::TextPart(bits) => is_text_part(folder, name, bits),
        Named::Text => false,
    }
}

/// A text file can hold no mark, but when the hash of each of its many URLs begins with the bits in its name, that is
/// no chance.
fn is_text_part(folder: &SiteFolder, name: &str, bits: Bits) -> bool {
    let (mut agreeing_bits, mut strangers) = (0, 0);
    let read = read_sitemap_file(folder, &SitePath::from(name), &mut |_, listed| {
        if bits.hold(url_hash(&listed.loc)) {
            agreeing_bits += bits.count();
        } else {
            strangers += 1;
        }
    });
    read.is_ok() && strangers == 0 && agreeing_bits >= PROOF_IN_BITS
}
