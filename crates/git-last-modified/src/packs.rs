//! Reads objects directly from a repository's packs, bypassing gix's object database.
//!
//! The walk reads tens of thousands of small trees, most of them stored as deltas against each
//! other. The base of a tree is nearly always one of the next versions of the same directory, which
//! the walk has read before, so it passes those. For other objects, this reader caches the bases
//! along a delta chain as well as its result. It returns `None` for anything unusual, and the caller
//! asks the database instead; it never decides that an object is missing or damaged. See
//! gitformat-pack(5) for the format.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ObjectId;
use super::commit::Commit;
use super::limits::MAX_OBJECT_BYTES;
use super::object_bytes::ObjectBytes;
use super::object_kind::ObjectKind;
use super::pack_file::{Inflater, Pack, PackEntry, PackLocation, PackedKind, is_commit};

/// Size limit for cached objects.
const KEPT_BYTES: usize = 6 << 20;

/// Limit for deltas between an object and its base: Git writes up to 4095, and a damaged pack could
/// contain a cycle.
const MAX_DELTA_CHAIN: usize = 4096;

/// The highest ratio by which Deflate compresses (zlib, "Maximum Compression Factor").
const DEFLATE_FACTOR: usize = 1032;

/// Limit for memory reserved for the size that a delta claims; more is allocated as bytes arrive.
const MAX_INITIAL_CAPACITY: usize = 16 << 20;

/// The packs of a repository.
pub(super) struct Packs {
    all: Arc<[Pack]>,
    /// The pack of the last object: neighbors in history are usually in the same pack.
    last: usize,
    buffers: InflateBuffers,
    kept: ObjectCache,
}

/// An object of a pack.
#[derive(Clone)]
pub(super) struct PackedObject {
    pub(super) kind: ObjectKind,
    pub(super) bytes: ObjectBytes,
    place: PackOffset,
    /// Checksum of its packed bytes.
    checksum: u32,
}

/// The number of a pack in [`Packs`], and the offset of an object in it.
type PackOffset = (usize, u64);

impl Packs {
    pub(super) fn new(packs: Arc<[Pack]>) -> Self {
        Self {
            all: packs,
            last: 0,
            buffers: InflateBuffers::default(),
            kept: ObjectCache::default(),
        }
    }

    /// Returns the packs, to create another reader.
    pub(super) fn share(&self) -> Arc<[Pack]> {
        Arc::clone(&self.all)
    }

    /// Returns the object if one of the packs contains it undamaged, and caches it.
    pub(super) fn read(&mut self, id: &ObjectId) -> Option<PackedObject> {
        let (pack, found) = self.find(id)?;
        self.unpack_and_cache(pack, &found)
    }

    /// Returns the object if one of the packs contains it undamaged, for a caller that caches it.
    ///
    /// `versions` returns objects that are probably a base of it; `buffer` is for its bytes.
    pub(super) fn read_version<'v>(
        &mut self,
        id: &ObjectId,
        versions: &(impl Iterator<Item = &'v PackedObject> + Clone),
        buffer: Vec<u8>,
    ) -> Option<PackedObject> {
        let (pack, found) = self.find(id)?;
        self.buffers.spare = buffer;
        self.unpack(pack, &found, versions)
    }

    /// Returns the commit if one of the packs contains it undamaged.
    pub(super) fn commit(&mut self, id: &ObjectId) -> Option<Commit> {
        let (number, found) = self.find(id)?;
        let packs = Arc::clone(&self.all);
        let entry = packs[number].entry(found.offset)?;
        match entry.packed {
            // Commits are read once and are rarely a delta base.
            PackedKind::Whole(ObjectKind::Commit) => {
                let checksum = self.buffers.inflate(&entry)?;
                let bytes = &self.buffers.inflated[..entry.size];
                let is_sound = checksum == found.checksum && is_commit(id, bytes);
                is_sound.then(|| Commit::parse(bytes))?
            }
            PackedKind::Whole(_) => None,
            PackedKind::DeltaOfOffset(_) | PackedKind::DeltaOfObject(_) => {
                let object = self.unpack_and_cache(number, &found)?;
                let is_sound = object.kind == ObjectKind::Commit && is_commit(id, &object.bytes);
                is_sound.then(|| Commit::parse(&object.bytes))?
            }
        }
    }

    /// Finds the number of the pack that contains an object, and its location there.
    fn find(&mut self, id: &ObjectId) -> Option<(usize, PackLocation)> {
        let count = self.all.len();
        let mut order = (0..count).map(|step| (self.last + step) % count);
        let (pack, found) = order.find_map(|pack| Some((pack, self.all[pack].find(id)?)))?;
        self.last = pack;
        Some((pack, found))
    }

    fn unpack_and_cache(&mut self, pack: usize, found: &PackLocation) -> Option<PackedObject> {
        let object = self.unpack(pack, found, &std::iter::empty())?;
        self.kept.insert(&object);
        Some(object)
    }

    /// Follows deltas to an object that is known or stored whole, then applies them in reverse.
    ///
    /// Caches the bases on the way.
    fn unpack<'v>(
        &mut self,
        pack_number: usize,
        found: &PackLocation,
        versions: &(impl Iterator<Item = &'v PackedObject> + Clone),
    ) -> Option<PackedObject> {
        let packs = Arc::clone(&self.all);
        let pack = &packs[pack_number];
        let (mut offset, mut expected) = (found.offset, Some(found.checksum));
        let mut deltas = Vec::new();
        let mut object = loop {
            let place = (pack_number, offset);
            let known = versions.clone().find(|version| version.place == place);
            if let Some(known) = known.cloned().or_else(|| self.kept.get(place)) {
                break known.expect_checksum(expected)?;
            }
            let entry = pack.entry(offset)?;
            let base = match entry.packed {
                PackedKind::Whole(kind) => {
                    let object = self.buffers.whole(kind, &entry, place)?;
                    let object = object.expect_checksum(expected)?;
                    if !deltas.is_empty() {
                        self.kept.insert(&object);
                    }
                    break object;
                }
                PackedKind::DeltaOfOffset(base) => (base, None),
                PackedKind::DeltaOfObject(id) => pack
                    .find(&id)
                    .map(|base| (base.offset, Some(base.checksum)))?,
            };
            if deltas.len() == MAX_DELTA_CHAIN {
                return None;
            }
            deltas.push((place, entry, expected));
            (offset, expected) = base;
        };
        while let Some((place, entry, expected)) = deltas.pop() {
            object = self
                .buffers
                .apply(&entry, &object, place)?
                .expect_checksum(expected)?;
            if !deltas.is_empty() {
                self.kept.insert(&object);
            }
        }
        Some(object)
    }
}

impl PackedObject {
    /// Returns the object if its checksum matches the index.
    ///
    /// A damaged index may point to another object, which is itself undamaged.
    fn expect_checksum(self, expected: Option<u32>) -> Option<Self> {
        expected
            .is_none_or(|expected| expected == self.checksum)
            .then_some(self)
    }
}

/// Reusable buffers for inflating objects and deltas.
#[derive(Default)]
struct InflateBuffers {
    inflater: Inflater,
    inflated: Vec<u8>,
    /// A buffer for the bytes of the next object, taken from one of about its size.
    spare: Vec<u8>,
}

impl InflateBuffers {
    /// Inflates an object that is stored whole.
    fn whole(
        &mut self,
        kind: ObjectKind,
        entry: &PackEntry<'_>,
        place: PackOffset,
    ) -> Option<PackedObject> {
        let checksum = self.inflate(entry)?;
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        bytes.extend_from_slice(&self.inflated[..entry.size]);
        Some(PackedObject {
            kind,
            bytes: bytes.into(),
            place,
            checksum,
        })
    }

    /// Builds an object by applying a delta to its base.
    fn apply(
        &mut self,
        entry: &PackEntry<'_>,
        base: &PackedObject,
        place: PackOffset,
    ) -> Option<PackedObject> {
        let checksum = self.inflate(entry)?;
        let mut bytes = std::mem::take(&mut self.spare);
        apply_delta(&base.bytes, &self.inflated[..entry.size], &mut bytes)?;
        Some(PackedObject {
            kind: base.kind,
            bytes: bytes.into(),
            place,
            checksum,
        })
    }

    /// Inflates an entry and returns its checksum.
    fn inflate(&mut self, entry: &PackEntry<'_>) -> Option<u32> {
        if entry.size > MAX_OBJECT_BYTES || entry.size / DEFLATE_FACTOR > entry.deflated.len() {
            return None;
        }
        let length = self
            .inflater
            .inflate(entry.deflated, entry.size, &mut self.inflated)?;
        Some(entry.checksum(length))
    }
}

/// A cache of recent objects in two generations: when the younger is full, the older is dropped.
#[derive(Default)]
struct ObjectCache {
    young: FxHashMap<PackOffset, PackedObject>,
    old: FxHashMap<PackOffset, PackedObject>,
    young_bytes: usize,
}

impl ObjectCache {
    fn get(&mut self, place: PackOffset) -> Option<PackedObject> {
        if let Some(object) = self.young.get(&place) {
            return Some(object.clone());
        }
        let object = self.old.remove(&place)?;
        self.insert(&object);
        Some(object)
    }

    fn insert(&mut self, object: &PackedObject) {
        if self.young.insert(object.place, object.clone()).is_some() {
            return;
        }
        self.young_bytes += object.bytes.len() + 64; // an estimate of the table entry
        if self.young_bytes > KEPT_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

/// Applies a delta to a base: two sizes, then instructions that copy from the base or insert bytes.
///
/// Replaces what `target` contains.
fn apply_delta(base: &[u8], delta: &[u8], target: &mut Vec<u8>) -> Option<()> {
    let mut left = delta;
    let base_size = size(&mut left)?;
    let target_size = size(&mut left)?;
    if base_size != base.len() || target_size > MAX_OBJECT_BYTES {
        return None;
    }
    target.clear();
    target.reserve(target_size.min(MAX_INITIAL_CAPACITY));
    while let Some(instruction) = next(&mut left) {
        let part = if instruction & 0x80 == 0 {
            let (part, rest) = left.split_at_checked(usize::from(instruction))?;
            left = rest;
            part
        } else {
            let offset = little_endian(&mut left, instruction & 0x0f)?;
            let length = little_endian(&mut left, instruction >> 4 & 0x07)?;
            let length = if length == 0 { 0x1_0000 } else { length };
            base.get(offset..offset.checked_add(length)?)?
        };
        if part.is_empty() || target.len() + part.len() > target_size {
            return None;
        }
        target.extend_from_slice(part);
    }
    (target.len() == target_size).then_some(())
}

fn next(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

/// Reads a variable-length integer: 7 bits per byte, lowest first, the high bit set if more follow.
fn size(bytes: &mut &[u8]) -> Option<usize> {
    let mut size = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let byte = next(bytes)?;
        size |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
    None
}

/// Reads a number of which only the bytes flagged in `stored` are present.
fn little_endian(bytes: &mut &[u8], stored: u8) -> Option<usize> {
    let mut number = 0;
    for at in (0..4).filter(|at| stored & 1 << at != 0) {
        number |= usize::from(next(bytes)?) << (8 * at);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
        let mut target = b"of an earlier object".to_vec();
        apply_delta(base, delta, &mut target).map(|()| target)
    }

    #[test]
    fn a_delta_copies_from_its_base_and_inserts_new_bytes() {
        let check = |base: &str, delta: &[u8], expected: Option<&str>| {
            let made = applied(base.as_bytes(), delta);
            assert_eq!(made.as_deref(), expected.map(str::as_bytes), "{delta:x?}");
        };
        check("hello world", &[11, 5, 0x90, 5], Some("hello"));
        check(
            "hello world",
            &[11, 7, 0x91, 6, 5, 2, b'!', b'!'],
            Some("world!!"),
        );
        check("hello world", &[11, 0], Some(""));
        check("hello world", &[10, 5, 0x90, 5], None); // another base
        check("hello world", &[11, 6, 0x90, 5], None); // too short
        check("hello world", &[11, 4, 0x90, 5], None); // too long
        check("hello world", &[11, 6, 0x91, 6, 6], None); // beyond the base
        check("hello world", &[11, 5, 0x91], None); // truncated
        check("hello world", &[11, 2, 2, b'!'], None); // truncated
        check("hello world", &[11, 5, 0x90, 5, 0], None); // reserved instruction
        check("hello world", &[0xff; 30], None);
        check("hello world", &[], None);
    }

    #[test]
    fn a_delta_cannot_build_an_object_above_the_size_limit() {
        let base = vec![b'x'; 1 << 20];
        let size = |mut rest: usize| {
            let mut bytes = Vec::new();
            while rest > 0x7f {
                bytes.push(0x80 | u8::try_from(rest & 0x7f).expect("seven bits"));
                rest >>= 7;
            }
            bytes.push(u8::try_from(rest).expect("seven bits"));
            bytes
        };
        let check = |copies: usize, expected: Option<usize>| {
            let copies_of_all = [0xc0, 0x10].repeat(copies);
            let delta = [size(base.len()), size(copies * base.len()), copies_of_all].concat();
            let made = applied(&base, &delta).map(|made| made.len());
            assert_eq!(made, expected, "{copies} MiB");
        };
        check(2, Some(2 << 20));
        check((MAX_OBJECT_BYTES >> 20) + 1, None);
    }

    #[test]
    fn a_copy_without_a_length_copies_64_kib() {
        let base = vec![b'x'; 0x1_0001];
        let delta = [0x81, 0x80, 0x04, 0x80, 0x80, 0x04, 0x80];
        let made = applied(&base, &delta).map(|made| made.len());
        assert_eq!(made, Some(0x1_0000));
    }
}
