//! Wraps a pack file and its index: where an object is stored, and its deflated bytes.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use gix::objs::Kind;

use super::ObjectId;
use super::object_kind::ObjectKind;
use super::repository::Repository;
use super::search::FanOut;

/// A pack and its index, mapped into memory.
pub(super) struct Pack {
    index: gix::odb::pack::index::File,
    fan_out: FanOut,
    data: gix::odb::pack::data::File,
}

/// An object as stored in a pack.
pub(super) struct PackEntry<'a> {
    pack: &'a Pack,
    offset: u64,
    header_length: usize,
    pub(super) packed: PackedKind,
    /// Inflated size in bytes.
    pub(super) size: usize,
    /// Its deflated bytes, followed by the rest of the pack.
    pub(super) deflated: &'a [u8],
}

/// The location of an object, from the index of a pack.
pub(super) struct PackLocation {
    /// Its offset in the pack.
    pub(super) offset: u64,
    /// CRC-32 of its packed bytes.
    pub(super) checksum: u32,
}

/// How a packed object is stored.
pub(super) enum PackedKind {
    /// In full.
    Whole(ObjectKind),
    /// As a delta against the object at this offset.
    DeltaOfOffset(u64),
    /// As a delta against this object.
    DeltaOfObject(ObjectId),
}

/// A zlib decompressor.
#[derive(Default)]
pub(super) struct Inflater(gix::zlib::Inflate);

impl Repository {
    /// Opens all packs, skipping unreadable ones, whose objects are left to the database.
    pub(super) fn packs(&self) -> Vec<Pack> {
        let dirs = self.object_dirs().into_iter().map(|dir| dir.join("pack"));
        let files = dirs.filter_map(|dir| std::fs::read_dir(dir).ok()).flatten();
        let mut indices: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        indices.retain(|path| path.extension().is_some_and(|extension| extension == "idx"));
        indices.sort_unstable();
        indices
            .iter()
            .filter_map(|index| Pack::open(index, self.gix.object_hash()))
            .collect()
    }
}

impl Pack {
    /// Opens a pack by the path of its index.
    pub(super) fn open(index: &Path, hash: gix::hash::Kind) -> Option<Self> {
        let data = gix::odb::pack::data::File::at(index.with_extension("pack"), hash).ok()?;
        let counts = fan_out(index)?;
        let index = gix::odb::pack::index::File::at(index, hash).ok()?;
        Some(Self {
            fan_out: FanOut::new(counts, index.num_objects())?,
            index,
            data,
        })
    }

    pub(super) fn find(&self, id: &ObjectId) -> Option<PackLocation> {
        let at = self
            .fan_out
            .position(id, |at| self.index.oid_at_index(at).as_bytes())?;
        let checksum = self.index.crc32_at_index(at)?;
        Some(PackLocation {
            offset: self.index.pack_offset_at_index(at),
            checksum,
        })
    }

    /// Returns the object at an offset.
    pub(super) fn entry(&self, offset: u64) -> Option<PackEntry<'_>> {
        use gix::odb::pack::data::entry::Header;
        let entry = self.data.entry(offset).ok()?;
        let packed = match entry.header {
            Header::OfsDelta { base_distance: 0 } => return None,
            Header::OfsDelta { base_distance } => {
                PackedKind::DeltaOfOffset(offset.checked_sub(base_distance)?)
            }
            Header::RefDelta { base_id } => {
                PackedKind::DeltaOfObject(ObjectId::from_bytes(base_id.as_bytes())?)
            }
            whole => PackedKind::Whole(whole.as_kind()?.into()),
        };
        let end = u64::try_from(self.data.pack_end()).ok()?;
        let deflated = self.data.entry_slice(entry.data_offset..end)?;
        let size = usize::try_from(entry.decompressed_size).ok()?;
        Some(PackEntry {
            pack: self,
            offset,
            header_length: entry.header_size(),
            packed,
            size,
            deflated,
        })
    }
}

/// Reads the fan-out table of an index, which gix does not expose.
///
/// Version 1 indices, which Git has not written since 2007, have no checksums and are left to the
/// database.
fn fan_out(index: &Path) -> Option<Vec<u32>> {
    let mut start = [0; 8 + 256 * 4];
    std::fs::File::open(index)
        .ok()?
        .read_exact(&mut start)
        .ok()?;
    let counts = start.strip_prefix(b"\xfftOc\0\0\0\x02")?.as_chunks::<4>().0;
    Some(
        counts
            .iter()
            .map(|count| u32::from_be_bytes(*count))
            .collect(),
    )
}

/// Whether a commit has this id. Without a check, the index of a pack could describe a circle.
pub(super) fn is_commit(id: &ObjectId, bytes: &[u8]) -> bool {
    let id = gix::oid::try_from_bytes(id.as_bytes());
    id.is_ok_and(|id| {
        gix::objs::Data::new(bytes, Kind::Commit, id.kind())
            .verify_checksum(id)
            .is_ok()
    })
}

impl PackEntry<'_> {
    /// CRC-32 of the header and the deflated bytes, whose length is known after inflating.
    pub(super) fn checksum(&self, deflated_length: usize) -> u32 {
        self.pack
            .data
            .entry_crc32(self.offset, self.header_length + deflated_length)
    }
}

impl Inflater {
    /// Inflates a complete stream of the given size and returns its deflated length.
    ///
    /// Verifies the stream's own checksum.
    pub(super) fn inflate(
        &mut self,
        deflated: &[u8],
        size: usize,
        into: &mut Vec<u8>,
    ) -> Option<usize> {
        let capacity = size.checked_add(1)?; // one more, to detect a longer stream
        if into.len() < capacity {
            into.resize(capacity, 0);
        }
        self.0.reset();
        let (status, consumed, written) = self.0.once(deflated, &mut into[..capacity]).ok()?;
        (status == gix::zlib::Status::StreamEnd && written == size).then_some(consumed)
    }
}

impl From<Kind> for ObjectKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Commit => Self::Commit,
            Kind::Tree => Self::Tree,
            Kind::Blob => Self::Blob,
            Kind::Tag => Self::Tag,
        }
    }
}
