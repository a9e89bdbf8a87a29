//! Reads references in the format `reftable`, the default of Git 3.0.
//!
//! References are in a stack of tables, in which a newer table overrides older ones. The format is
//! that of reftable.adoc in Git's technical documentation. The index of a table only saves time, and
//! its log is the reflog: neither is read.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::ObjectId;
use super::limits;

/// Size limit for a table: a reference takes some 30 bytes, and clones can have 100,000s.
const MAX_TABLE_BYTES: u64 = 64 << 20;

/// How many symbolic references to follow: the limit of Git (`SYMREF_MAXDEPTH` in refs-internal.h).
const MAX_SYMREF_DEPTH: usize = 5;

/// All references of a repository, or those of one of its worktrees.
#[derive(Debug, Default)]
pub(super) struct ReferenceStack(BTreeMap<Vec<u8>, Reference>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reference {
    Object(ObjectId),
    Symbolic(Vec<u8>),
    Deleted,
}

impl ReferenceStack {
    /// Reads the tables of a Git directory, which `tables.list` names, the oldest first.
    pub(super) fn read(git_dir: &Path) -> io::Result<Self> {
        let dir = git_dir.join("reftable");
        let list = limits::read(&dir.join("tables.list"), limits::MAX_FILE_BYTES)?;
        let mut references = BTreeMap::new();
        for name in String::from_utf8_lossy(&list).lines() {
            let is_file_name = Path::new(name).file_name() == Some(name.as_ref());
            let damaged = || io::Error::other(format!("`reftable/{name}` is not a valid reftable"));
            if !is_file_name {
                return Err(damaged());
            }
            let table = limits::read(&dir.join(name), MAX_TABLE_BYTES)?;
            references.extend(read_table(&table).ok_or_else(damaged)?);
        }
        Ok(Self(references))
    }

    /// Returns the object that a reference such as `HEAD` refers to; `None` for a branch without commits.
    ///
    /// `HEAD` and some other references are private to this worktree; the rest are in `common`.
    pub(super) fn commit_of(&self, name: &str, common: &Self) -> io::Result<Option<ObjectId>> {
        let mut name = name.as_bytes();
        for _ in 0..=MAX_SYMREF_DEPTH {
            let stack = if is_private(name) { self } else { common };
            match stack.0.get(name) {
                Some(Reference::Object(id)) => return Ok(Some(*id)),
                Some(Reference::Symbolic(target)) => name = target,
                Some(Reference::Deleted) | None => return Ok(None),
            }
        }
        Err(io::Error::other("it is a chain of symbolic references"))
    }

    /// Returns the name of the reference that `HEAD` refers to.
    pub(super) fn head_target(&self) -> Option<String> {
        match self.0.get(&b"HEAD"[..])? {
            Reference::Symbolic(target) => Some(String::from_utf8_lossy(target).into_owned()),
            Reference::Object(_) | Reference::Deleted => None,
        }
    }
}

/// Whether each worktree has its own reference of this name (gitrepository-layout(5), "refs").
fn is_private(name: &[u8]) -> bool {
    const PRIVATE: [&[u8]; 3] = [b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/"];
    !name.starts_with(b"refs/") || PRIVATE.iter().any(|prefix| name.starts_with(prefix))
}

/// Reads the references of a table; `None` if it is malformed.
fn read_table(table: &[u8]) -> Option<BTreeMap<Vec<u8>, Reference>> {
    let (id_length, header_length) = match table.get(..5)?.strip_prefix(b"REFT")? {
        [1] => (20, 24),
        [2] => match table.get(24..28)? {
            b"sha1" => (20, 28),
            b"s256" => (32, 28),
            _ => return None,
        },
        _ => return None,
    };
    // The footer repeats the header, before five positions and a checksum.
    let end = table.len().checked_sub(header_length + 5 * 8 + 4)?;
    if end < header_length || !table[end..].starts_with(&table[..header_length]) {
        return None;
    }
    let block_size = big_endian(table.get(5..8)?);
    let mut references = BTreeMap::new();
    let (mut block, mut start) = (0, header_length);
    while start < end && table[start] == b'r' {
        let block_end = block + big_endian(table.get(start + 1..start + 4)?);
        let records = table[..end].get(start + 4..block_end)?;
        read_records(records, id_length, &mut references)?;
        // Zeros pad a block to the block size, unless the table is written without padding.
        let is_padded = block_size > 0 && block_end < end && table[block_end] == 0;
        block = if is_padded {
            block + block_size
        } else {
            block_end
        };
        start = block;
    }
    Some(references)
}

/// Reads the records of a block, which end where the list of restarts begins.
fn read_records(
    block: &[u8],
    id_length: usize,
    references: &mut BTreeMap<Vec<u8>, Reference>,
) -> Option<()> {
    let (rest, count) = block.split_last_chunk::<2>()?;
    let end = rest.len().checked_sub(big_endian(count) * 3)?;
    let mut left = &rest[..end];
    let mut name: Vec<u8> = Vec::new();
    while !left.is_empty() {
        let shared = number(&mut left)?;
        let length_and_kind = number(&mut left)?;
        if shared > name.len() {
            return None;
        }
        name.truncate(shared);
        name.extend_from_slice(take(&mut left, length_and_kind >> 3)?);
        number(&mut left)?; // of the update
        let reference = match length_and_kind & 7 {
            0 => Reference::Deleted,
            1 => Reference::Object(ObjectId::try_from(take(&mut left, id_length)?).ok()?),
            2 => {
                let tag = ObjectId::try_from(take(&mut left, id_length)?).ok()?;
                take(&mut left, id_length)?; // the id of the tagged object
                Reference::Object(tag)
            }
            3 => {
                let length = number(&mut left)?;
                Reference::Symbolic(take(&mut left, length)?.to_vec())
            }
            _ => return None,
        };
        references.insert(name.clone(), reference);
    }
    Some(())
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Reads a number in the notation of pack offsets: 7 bits per byte, highest first, and one is added
/// for each byte that follows.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    loop {
        let byte = take(bytes, 1)?[0];
        number = number.checked_shl(7)? | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(number);
        }
        number = number.checked_add(1).filter(|number| *number < 1 << 40)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_adds_one_for_each_further_byte() {
        let check = |mut bytes: &[u8], expected| assert_eq!(number(&mut bytes), expected);
        check(&[0x7f], Some(127));
        check(&[0x80, 0x00], Some(128));
        check(&[0x81, 0x00], Some(256));
        check(&[0x80], None);
        check(&[0xff; 20], None);
    }

    #[test]
    fn a_truncated_or_damaged_table_is_not_read_as_another() {
        let header = b"REFT\x01\x00\x10\x00\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01";
        let block = b"r\x00\x00\x2c\x00\x23HEAD\x00\x01a\x00\x00\x1c\x00\x01";
        let mut table = [&header[..], block].concat();
        table[27] = u8::try_from(table.len()).expect("a short table");
        let end = table.len();
        table.extend(header);
        table.extend([0; 44]);
        let head = (b"HEAD".to_vec(), Reference::Symbolic(b"a".to_vec()));
        assert_eq!(read_table(&table), Some(BTreeMap::from([head])));
        for length in 0..table.len() {
            assert_eq!(read_table(&table[..length]), None, "{length} bytes");
        }
        // The block ends with the list of restarts, which only saves time.
        for at in 0..end - 5 {
            let mut damaged = table.clone();
            damaged[at] ^= 0xff;
            assert_ne!(read_table(&damaged), read_table(&table), "byte {at}");
        }
    }
}
