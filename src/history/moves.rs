//! A commit and its parent + paths that the parent lacks → where each was before, if it was only moved.
//!
//! Only exact moves count, as a pure move is no change: the parent has the same content under a name that the commit
//! lacks. A file of the same last name is preferred, then the first in git's order, as git's own rename detection does
//! (`find_identical_files` in diffcore-rename.c).

use std::collections::{HashMap, HashSet};

use super::objects::Objects;
use super::tree::{Entries, Entry, EntryKind, Malformed};
use super::{ObjectId, Trouble};

/// Names that the parent has and the commit has not, by what stands there.
pub(super) type Vanished = HashMap<Content, Vec<Vec<u8>>>;

/// What makes an entry the same after a move: its bytes, and whether they are a file's, a link's or a submodule's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Content(EntryKind, ObjectId);

impl Content {
    /// Of an entry; a file that becomes executable on the way still only moves.
    pub(super) fn new(kind: EntryKind, id: ObjectId) -> Self {
        Self(if kind == EntryKind::Executable { EntryKind::File } else { kind }, id)
    }
}

/// Compares two root trees; only the wanted contents are looked for.
pub(super) fn vanished(
    objects: &mut Objects,
    wanted: &HashSet<Content>,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> Result<Vanished, Trouble> {
    let mut found = Vanished::new();
    let mut folders = vec![Folder { path: Vec::new(), ours: Some(*ours), theirs: *theirs }];
    while let Some(folder) = folders.pop() {
        search(objects, wanted, &folder, &mut folders, &mut found)?;
    }
    for names in found.values_mut() {
        names.sort_unstable();
    }
    Ok(found)
}

/// A folder of the parent, beside the same folder of the commit where there is one.
struct Folder {
    /// Empty, or ending in `/`.
    path: Vec<u8>,
    ours: Option<ObjectId>,
    theirs: ObjectId,
}

fn search(
    objects: &mut Objects,
    wanted: &HashSet<Content>,
    folder: &Folder,
    below: &mut Vec<Folder>,
    found: &mut Vanished,
) -> Result<(), Trouble> {
    let their_tree = objects.tree(&folder.theirs)?;
    let our_tree = folder.ours.map(|id| objects.tree(&id)).transpose()?.unwrap_or_default();
    let kept =
        by_name(Entries::new(&our_tree, &folder.theirs)).map_err(|Malformed| Trouble::no_tree(&folder.theirs))?;
    let mut entries = Entries::new(&their_tree, &folder.theirs);
    while let Some(entry) = entries.next().map_err(|Malformed| Trouble::no_tree(&folder.theirs))? {
        let kept = kept.get(entry.name).filter(|kept| kept.is_folder() == entry.is_folder());
        let path = [&folder.path, entry.name].concat();
        let content = Content::new(entry.kind, entry.id());
        if entry.is_folder() && kept != Some(&entry) {
            let path = [&path[..], b"/"].concat();
            below.push(Folder { path, ours: kept.map(Entry::id), theirs: entry.id() });
        } else if kept.is_none() && wanted.contains(&content) {
            found.entry(content).or_default().push(path);
        }
    }
    Ok(())
}

fn by_name(mut entries: Entries<'_>) -> Result<HashMap<&[u8], Entry<'_>>, Malformed> {
    let mut names = HashMap::new();
    while let Some(entry) = entries.next()? {
        names.insert(entry.name, entry);
    }
    Ok(names)
}

/// Of the names that a content had, the one that a path most likely comes from.
pub(super) fn origin<'a>(path: &[u8], candidates: &'a [Vec<u8>]) -> Option<&'a [u8]> {
    let last_name = |path: &[u8]| path.rsplit(|byte| *byte == b'/').next().map(<[u8]>::to_vec);
    let same_name = candidates.iter().find(|candidate| last_name(candidate) == last_name(path));
    same_name.or(candidates.first()).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_same_last_name_is_preferred() {
        let check = |path: &str, candidates: &[&str], expected: Option<&str>| {
            let candidates: Vec<Vec<u8>> = candidates.iter().map(|name| name.as_bytes().to_vec()).collect();
            assert_eq!(origin(path.as_bytes(), &candidates), expected.map(str::as_bytes), "{path}");
        };
        check("new/a.md", &["b.md", "old/a.md", "older/a.md"], Some("old/a.md"));
        check("new/c.md", &["b.md", "old/a.md"], Some("b.md"));
        check("a.md", &["old/xa.md", "old/a.md"], Some("old/a.md"));
        check("a.md", &[], None);
    }
}
