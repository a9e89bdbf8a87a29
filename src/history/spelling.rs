//! Paths as a forgiving file system takes them → as they are committed.
//!
//! On macOS and Windows `Content/A.md` opens `content/a.md`, and a name may be composed another way than in git. Git
//! notes in the repository's own configuration which of both holds there (`core.ignoreCase`,
//! `core.precomposeUnicode`).

use std::collections::HashMap;

use super::objects::Objects;
use super::repository::composed;
use super::tree::{Entries, Malformed};
use super::{ObjectId, Trouble};

/// Which differences between names the file system does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Folding {
    /// Capital and small letters.
    pub(super) case: bool,
    /// Composed and decomposed letters.
    pub(super) composition: bool,
}

/// Finds the committed spelling of paths below one root tree.
pub(super) struct Speller<'a> {
    objects: &'a mut Objects,
    folding: Folding,
    folders: HashMap<ObjectId, Folder>,
}

/// By folded name.
type Folder = HashMap<Vec<u8>, Spelt>;

/// The name that a folded name stands for.
#[derive(Debug, Clone)]
enum Spelt {
    File(Vec<u8>),
    Folder(Vec<u8>, ObjectId),
    /// Two names fold to the same.
    Twice,
}

impl Folding {
    /// Whether names are compared byte by byte.
    pub(super) fn is_exact(self) -> bool {
        !self.case && !self.composition
    }

    fn fold(self, name: &[u8]) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(name) else {
            return name.to_vec();
        };
        let text = if self.composition {
            composed(text)
        } else {
            text.into()
        };
        if self.case {
            text.to_lowercase().into_bytes()
        } else {
            text.into_owned().into_bytes()
        }
    }
}

impl<'a> Speller<'a> {
    /// Reads through a reader of objects.
    pub(super) fn new(objects: &'a mut Objects, folding: Folding) -> Self {
        Self {
            objects,
            folding,
            folders: HashMap::new(),
        }
    }

    /// The committed path that the file system would take for this one, if there is exactly one.
    pub(super) fn committed(
        &mut self,
        root: &ObjectId,
        path: &[u8],
    ) -> Result<Option<Vec<u8>>, Trouble> {
        let mut folder = *root;
        let mut names = Vec::new();
        let mut left = path.split(|byte| *byte == b'/').peekable();
        while let Some(name) = left.next() {
            let name = self.folding.fold(name);
            match (self.folder(&folder)?.get(&name), left.peek()) {
                (Some(Spelt::File(name)), None) => names.push(name.clone()),
                (Some(Spelt::Folder(name, id)), Some(_)) => {
                    names.push(name.clone());
                    folder = *id;
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(names.join(&b'/')))
    }

    fn folder(&mut self, id: &ObjectId) -> Result<&Folder, Trouble> {
        if !self.folders.contains_key(id) {
            let tree = self.objects.tree(id)?;
            let names = self
                .fold_all(Entries::new(&tree, id))
                .map_err(|Malformed| Trouble::no_tree(id))?;
            self.folders.insert(*id, names);
        }
        Ok(&self.folders[id])
    }

    fn fold_all(&self, mut entries: Entries<'_>) -> Result<Folder, Malformed> {
        let mut names = Folder::new();
        while let Some(entry) = entries.next()? {
            let name = entry.name.to_vec();
            let spelt = if entry.is_folder() {
                Spelt::Folder(name, entry.id())
            } else {
                Spelt::File(name)
            };
            names
                .entry(self.folding.fold(entry.name))
                .and_modify(|known| *known = Spelt::Twice)
                .or_insert(spelt);
        }
        Ok(names)
    }
}
