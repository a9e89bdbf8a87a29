//! The entries of a tree, in Git's order.

use std::cmp::Ordering;
use std::rc::Rc;

use gix_object::TreeRefIter;
use gix_object::tree::name_order;
pub(super) use gix_object::tree::{EntryKind, EntryRef};

use super::{ObjectId, RepositoryError};

/// A tree; a clone shares its bytes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    raw: Rc<[u8]>,
    id: ObjectId,
}

/// A parser that reads a tree entry by entry.
#[derive(Debug, Clone)]
pub(super) struct TreeEntries<'a> {
    rest: &'a [u8],
    id: &'a ObjectId,
}

/// The entries of a name in two trees; at least one has it.
#[derive(Debug)]
pub(super) struct EntryPair<'a> {
    pub(super) ours: Option<EntryRef<'a>>,
    pub(super) theirs: Option<EntryRef<'a>>,
}

impl Tree {
    pub(super) fn new(raw: &[u8], id: ObjectId) -> Self {
        Self {
            raw: raw.into(),
            id,
        }
    }

    /// The number of bytes.
    pub(super) fn size(&self) -> usize {
        self.raw.len()
    }

    /// Returns the entry with a name.
    pub(super) fn entry(&self, name: &[u8]) -> Result<Option<EntryRef<'_>>, RepositoryError> {
        let mut entries = self.entries();
        while let Some(entry) = entries.next()? {
            if entry.filename == name {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    pub(super) fn entries(&self) -> TreeEntries<'_> {
        TreeEntries {
            rest: &self.raw,
            id: &self.id,
        }
    }
}

impl<'a> TreeEntries<'a> {
    /// Returns the next entry; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<EntryRef<'a>>, RepositoryError> {
        let mut left = TreeRefIter::from_bytes(self.rest, self.id.kind());
        let entry = left
            .next()
            .transpose()
            .map_err(|_| RepositoryError::invalid_tree(self.id))?;
        self.rest = &self.rest[left.offset_to_next_entry(self.rest)..];
        Ok(entry)
    }

    /// Returns the next entry by name of this tree, of the other, or of both; `None` at the end.
    ///
    /// Entries with the same name are the same only if both are directories or neither is.
    pub(super) fn next_of_both(
        &mut self,
        other: &mut Self,
    ) -> Result<Option<EntryPair<'a>>, RepositoryError> {
        let (mut after, mut after_other) = (self.clone(), other.clone());
        let pair = EntryPair {
            ours: after.next()?,
            theirs: after_other.next()?,
        };
        let order = match (&pair.ours, &pair.theirs) {
            (Some(ours), Some(theirs)) => name_order(
                ours.filename,
                ours.mode.is_tree(),
                theirs.filename,
                theirs.mode.is_tree(),
            ),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Ok(None),
        };
        if order != Ordering::Greater {
            *self = after;
        }
        if order != Ordering::Less {
            *other = after_other;
        }
        Ok(Some(EntryPair {
            ours: pair.ours.filter(|_| order != Ordering::Greater),
            theirs: pair.theirs.filter(|_| order != Ordering::Less),
        }))
    }

    /// Skips the entries at the start that both trees share.
    ///
    /// Trees of successive commits usually differ in an entry or two, and comparing bytes is many
    /// times faster than parsing entries.
    pub(super) fn skip_common(&mut self, other: &mut TreeEntries<'_>) {
        let blocks = equal_blocks::<64>(self.rest, other.rest);
        let common = blocks + equal_blocks::<1>(&self.rest[blocks..], &other.rest[blocks..]);
        let mut whole = 0;
        while let Some(end_of_name) = memchr::memchr(0, &self.rest[whole..common]) {
            let end = whole + end_of_name + 1 + self.id.kind().len_in_bytes();
            if end > common {
                break;
            }
            whole = end;
        }
        self.rest = &self.rest[whole..];
        other.rest = &other.rest[whole..];
    }
}

/// The length of the whole blocks at the start that are equal.
fn equal_blocks<const LENGTH: usize>(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.as_chunks::<LENGTH>().0.iter().zip(b.as_chunks().0);
    LENGTH * blocks.take_while(|(a, b)| a == b).count()
}

/// Whether two entries of the same name are the same: of a file's permissions, only the executable
/// bit counts.
pub(super) fn is_same(one: &EntryRef<'_>, other: &EntryRef<'_>) -> bool {
    one.oid == other.oid && one.mode.kind() == other.mode.kind()
}

/// Whether a directory of this name may have content files: hidden ones and `node_modules` have none.
pub(super) fn is_searched(dir: &[u8]) -> bool {
    !dir.starts_with(b".") && dir != b"node_modules"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &str)]) -> Tree {
        let raw: Vec<u8> = entries
            .iter()
            .flat_map(|(mode, name)| [mode.as_bytes(), b" ", name.as_bytes(), &[0; 21]].concat())
            .collect();
        Tree::new(&raw, ObjectId::empty_tree(gix_hash::Kind::Sha1))
    }

    #[test]
    fn only_complete_entries_are_skipped_as_common() {
        let check = |ours: &[(&str, &str)], theirs: &[(&str, &str)], expected: Option<&str>| {
            let (ours, theirs) = (tree(ours), tree(theirs));
            let (mut ours, mut theirs) = (ours.entries(), theirs.entries());
            ours.skip_common(&mut theirs);
            let next = ours
                .next()
                .expect("well formed")
                .map(|entry| entry.filename.to_string());
            assert_eq!(next.as_deref(), expected);
        };
        let long = [
            ("100644", "a"),
            ("100644", "b"),
            ("40000", "c"),
            ("100644", "d"),
            ("100755", "e"),
        ];
        check(&long, &long, None);
        check(&long, &long[..4], Some("e"));
        check(&long[..4], &long, None);
        check(&long, &[("100644", "b")], Some("a"));
        check(
            &long,
            &[
                ("100644", "a"),
                ("100644", "b"),
                ("40000", "c"),
                ("100644", "d2"),
            ],
            Some("d"),
        );
        check(&long, &[], Some("a"));
        check(&[], &long, None);
    }
}
