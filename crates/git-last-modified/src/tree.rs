//! Parses a raw tree object into its entries, in Git's order.

use std::cmp::Ordering;

use super::ObjectId;

/// The longest notation of a mode: six octal digits after a leading zero.
const MAX_MODE_BYTES: usize = 7;

/// A file, link, directory or submodule in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeEntry<'a> {
    pub(super) kind: EntryKind,
    pub(super) name: &'a [u8],
    id: &'a [u8],
}

/// The kinds of entries that Git distinguishes by mode (`canon_mode` in cache.h).
///
/// Of a file's permissions, only the executable bit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum EntryKind {
    File,
    Executable,
    Link,
    Directory,
    Submodule,
}

/// The error for bytes that are not a valid tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MalformedTree;

/// A parser that reads a tree entry by entry.
#[derive(Debug, Clone)]
pub(super) struct TreeEntries<'a> {
    rest: &'a [u8],
    id_length: usize,
}

impl<'a> TreeEntries<'a> {
    /// Creates a parser for a tree; its ids have the same length as `own`.
    pub(super) fn new(raw: &'a [u8], own: &ObjectId) -> Self {
        Self {
            rest: raw,
            id_length: own.as_bytes().len(),
        }
    }

    /// Returns the next entry; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<TreeEntry<'a>>, MalformedTree> {
        let Some((entry, length)) = self.parse()? else {
            return Ok(None);
        };
        self.rest = &self.rest[length..];
        Ok(Some(entry))
    }

    /// Consumes the entries up to the one with this name, and returns that one if it exists.
    pub(super) fn take_same(
        &mut self,
        wanted: &TreeEntry<'_>,
    ) -> Result<Option<TreeEntry<'a>>, MalformedTree> {
        loop {
            let mut after = self.clone();
            let Some(entry) = after.next()? else {
                return Ok(None);
            };
            let order = entry.order(wanted);
            if order != Ordering::Greater {
                *self = after;
            }
            if order != Ordering::Less {
                return Ok((order == Ordering::Equal).then_some(entry));
            }
        }
    }

    /// Parses the next entry; returns it with its length in bytes.
    fn parse(&self) -> Result<Option<(TreeEntry<'a>, usize)>, MalformedTree> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let space = self
            .rest
            .iter()
            .take(MAX_MODE_BYTES + 1)
            .position(|byte| *byte == b' ');
        let space = space.ok_or(MalformedTree)?;
        let end_of_name = space + nul(&self.rest[space..]).ok_or(MalformedTree)?;
        let length = end_of_name + 1 + self.id_length;
        let id = self
            .rest
            .get(end_of_name + 1..length)
            .ok_or(MalformedTree)?;
        let kind = EntryKind::parse(&self.rest[..space])?;
        Ok(Some((
            TreeEntry {
                kind,
                name: &self.rest[space + 1..end_of_name],
                id,
            },
            length,
        )))
    }

    /// Skips the entries at the start that both trees share.
    ///
    /// Trees of successive commits usually differ in an entry or two, and comparing bytes is many
    /// times faster than parsing entries.
    pub(super) fn skip_common(&mut self, other: &mut TreeEntries<'_>) {
        let common = common_prefix(self.rest, other.rest);
        if common == self.rest.len() && common == other.rest.len() {
            (self.rest, other.rest) = (&[], &[]);
            return;
        }
        let mut whole = 0;
        while let Some(end_of_name) = nul(&self.rest[whole..common]) {
            let end = whole + end_of_name + 1 + self.id_length;
            if end > common {
                break;
            }
            whole = end;
        }
        self.rest = &self.rest[whole..];
        other.rest = &other.rest[whole..];
    }
}

/// Finds the first zero byte, eight bytes at a time.
///
/// Names are short, so calling a vectorised search takes longer than the search itself.
fn nul(bytes: &[u8]) -> Option<usize> {
    const LOW_BITS: u64 = u64::MAX / 0xff;
    let (words, rest) = bytes.as_chunks::<8>();
    for (nth, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest bit set is exact; higher ones may not be.
        let zeros = word.wrapping_sub(LOW_BITS) & !word & LOW_BITS << 7;
        if zeros != 0 {
            return Some(nth * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(words.len() * 8 + end)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let mut common = equal_blocks::<256>(a, b);
    common += equal_blocks::<32>(&a[common..], &b[common..]);
    common += equal_blocks::<8>(&a[common..], &b[common..]);
    common + equal_blocks::<1>(&a[common..], &b[common..])
}

/// The length of the whole blocks at the start that are equal.
fn equal_blocks<const LENGTH: usize>(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.as_chunks::<LENGTH>().0.iter().zip(b.as_chunks().0);
    LENGTH * blocks.take_while(|(a, b)| a == b).count()
}

impl TreeEntry<'_> {
    pub(super) fn id(&self) -> ObjectId {
        ObjectId::from_bytes(self.id).expect("the id has the length of the tree's own id")
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind == EntryKind::Directory
    }

    /// Compares two entries in Git's order, in which a directory sorts as if its name ended in `/`.
    ///
    /// Entries with the same name are equal only if both are directories or neither is.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let shared = self.name.len().min(other.name.len());
        let next = |entry: &Self| match entry.name.get(shared) {
            Some(byte) => *byte,
            None if entry.is_dir() => b'/',
            None => 0,
        };
        self.name[..shared]
            .cmp(&other.name[..shared])
            .then_with(|| next(self).cmp(&next(other)))
    }
}

impl EntryKind {
    fn parse(mode: &[u8]) -> Result<Self, MalformedTree> {
        if mode.is_empty() || mode.len() > MAX_MODE_BYTES {
            return Err(MalformedTree);
        }
        let mode = mode.iter().try_fold(0, |mode, digit| match digit {
            b'0'..=b'7' => Ok(mode << 3 | u32::from(digit - b'0')),
            _ => Err(MalformedTree),
        })?;
        Ok(match mode & 0o170_000 {
            0o100_000 if mode & 0o100 != 0 => Self::Executable,
            0o100_000 => Self::File,
            0o120_000 => Self::Link,
            0o040_000 => Self::Directory,
            _ => Self::Submodule,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &[u8]) -> Result<Vec<(EntryKind, String)>, MalformedTree> {
        let own = ObjectId::from_bytes(&[0; 20]).expect("the length of SHA-1");
        let mut entries = TreeEntries::new(raw, &own);
        let mut read = Vec::new();
        while let Some(entry) = entries.next()? {
            read.push((entry.kind, String::from_utf8_lossy(entry.name).into_owned()));
        }
        Ok(read)
    }

    fn raw(entries: &[(&str, &str)]) -> Vec<u8> {
        entries
            .iter()
            .flat_map(|(mode, name)| [mode.as_bytes(), b" ", name.as_bytes(), &[0; 21]].concat())
            .collect()
    }

    #[test]
    fn modes_are_distinguished_as_git_does() {
        let check = |mode: &str, expected| {
            assert_eq!(
                read(&raw(&[(mode, "a b")])),
                Ok(vec![(expected, "a b".into())]),
                "{mode}"
            );
        };
        check("100644", EntryKind::File);
        check("100664", EntryKind::File);
        check("100755", EntryKind::Executable);
        check("120000", EntryKind::Link);
        check("40000", EntryKind::Directory);
        check("040000", EntryKind::Directory);
        check("160000", EntryKind::Submodule);
    }

    #[test]
    fn bytes_that_are_not_a_tree_are_rejected() {
        let whole = raw(&[("100644", "a"), ("40000", "b")]);
        assert_eq!(read(&[]), Ok(Vec::new()));
        assert!(read(&whole).is_ok());
        for length in (1..whole.len()).filter(|length| *length != whole.len() / 2 + 1) {
            assert_eq!(
                read(&whole[..length]),
                Err(MalformedTree),
                "truncated to {length}"
            );
        }
        assert_eq!(read(&raw(&[("1x0644", "a")])), Err(MalformedTree));
    }

    #[test]
    fn the_first_zero_byte_is_found_at_any_offset() {
        for length in 0..40 {
            for at in 0..length {
                let mut bytes = vec![0x80_u8; length];
                bytes[at] = 0;
                bytes[length - 1] &= 0x01; // a zero or one after it must not hide it
                assert_eq!(nul(&bytes), Some(at), "{at} of {length}");
            }
            assert_eq!(nul(&vec![1_u8; length]), None, "{length}");
        }
    }

    #[test]
    fn only_complete_entries_are_skipped_as_common() {
        let check = |ours: &[(&str, &str)], theirs: &[(&str, &str)], expected: Option<&str>| {
            let own = ObjectId::from_bytes(&[0; 20]).expect("the length of SHA-1");
            let (ours, theirs) = (raw(ours), raw(theirs));
            let (mut ours, mut theirs) = (
                TreeEntries::new(&ours, &own),
                TreeEntries::new(&theirs, &own),
            );
            ours.skip_common(&mut theirs);
            let next = ours
                .next()
                .expect("well formed")
                .map(|entry| entry.name.to_vec());
            assert_eq!(next.as_deref(), expected.map(str::as_bytes));
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

    #[test]
    fn a_directory_sorts_as_if_its_name_ended_in_a_slash() {
        let check = |a: (&str, &str), b: (&str, &str), expected| {
            let own = ObjectId::from_bytes(&[0; 20]).expect("the length of SHA-1");
            let (a, b) = (raw(&[a]), raw(&[b]));
            let first = |raw| {
                TreeEntries::new(raw, &own)
                    .next()
                    .expect("well formed")
                    .expect("one entry")
            };
            assert_eq!(first(&a[..]).order(&first(&b[..])), expected, "{a:?} {b:?}");
        };
        check(("100644", "a"), ("100644", "b"), Ordering::Less);
        check(("100644", "a.b"), ("40000", "a"), Ordering::Less);
        check(("100644", "a0"), ("40000", "a"), Ordering::Greater);
        check(("100644", "a"), ("40000", "a"), Ordering::Less);
        check(("100644", "a"), ("120000", "a"), Ordering::Equal);
        check(("40000", "a"), ("40000", "a"), Ordering::Equal);
    }
}
