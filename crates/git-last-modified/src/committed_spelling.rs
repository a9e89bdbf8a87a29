//! Maps paths on a case-insensitive or normalizing file system to their committed spelling.
//!
//! On macOS and Windows, `Content/A.md` opens `content/a.md`, and the file system may use another
//! Unicode normalization than Git. Git records both in the repository's configuration
//! (`core.ignoreCase`, `core.precomposeUnicode`).

use std::collections::HashMap;

use super::name_folding::NameFolding;
use super::objects::ObjectReader;
use super::tree::{MalformedTree, Tree};
use super::{ObjectId, RepositoryError};

/// Finds the committed spelling of paths below a root tree.
pub(super) struct CommittedSpelling<'a> {
    objects: &'a mut ObjectReader,
    folding: NameFolding,
    dirs: HashMap<ObjectId, FoldedNames>,
}

/// Committed names by folded name.
type FoldedNames = HashMap<Vec<u8>, CommittedName>;

/// The committed entry for a folded name.
#[derive(Debug, Clone)]
enum CommittedName {
    File(Vec<u8>),
    Directory(Vec<u8>, ObjectId),
    /// Several names fold to this one.
    Ambiguous,
}

impl<'a> CommittedSpelling<'a> {
    pub(super) fn new(objects: &'a mut ObjectReader, folding: NameFolding) -> Self {
        Self {
            objects,
            folding,
            dirs: HashMap::new(),
        }
    }

    /// Returns the committed path that matches `path` after folding, if it is unique.
    pub(super) fn committed(
        &mut self,
        root: &ObjectId,
        path: &[u8],
    ) -> Result<Option<Vec<u8>>, RepositoryError> {
        let mut dir = *root;
        let mut names = Vec::new();
        let mut left = path.split(|byte| *byte == b'/').peekable();
        while let Some(name) = left.next() {
            let name = self.folding.fold(name);
            match (self.dir(&dir)?.get(&name), left.peek()) {
                (Some(CommittedName::File(name)), None) => names.push(name.clone()),
                (Some(CommittedName::Directory(name, id)), Some(_)) => {
                    names.push(name.clone());
                    dir = *id;
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(names.join(&b'/')))
    }

    fn dir(&mut self, id: &ObjectId) -> Result<&FoldedNames, RepositoryError> {
        if !self.dirs.contains_key(id) {
            let tree = self.objects.tree(id)?;
            let names = self
                .fold_all(&tree)
                .map_err(|MalformedTree| RepositoryError::invalid_tree(id))?;
            self.dirs.insert(*id, names);
        }
        Ok(&self.dirs[id])
    }

    fn fold_all(&self, tree: &Tree) -> Result<FoldedNames, MalformedTree> {
        let mut entries = tree.entries();
        let mut names = FoldedNames::new();
        while let Some(entry) = entries.next()? {
            let name = entry.filename.to_vec();
            let spelt = if entry.mode.is_tree() {
                CommittedName::Directory(name, entry.oid.into())
            } else {
                CommittedName::File(name)
            };
            names
                .entry(self.folding.fold(entry.filename))
                .and_modify(|known| *known = CommittedName::Ambiguous)
                .or_insert(spelt);
        }
        Ok(names)
    }
}
