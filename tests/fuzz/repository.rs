//! Builds hostile repositories, whose objects and Git files contain arbitrary input.
//!
//! The input is one byte of options, then records: one byte for the kind, two for the length, then
//! the content. A single byte can refer to an object: in commits, trees, tags and most of Git's
//! files, each byte from 0x80 on is replaced by an id. The pack's frame and its index are valid,
//! because a wrong checksum would keep every reader from the data behind it.
//!
//! The kinds, modulo nine: 0 a file, 1 a commit, 2 a tree, 3 a blob, 4 a tag, 5 a raw pack entry, 6
//! and 7 deltas, 8 a commit or tag whose id is not its hash. The id of trees, blobs and delta
//! results is their number repeated twenty times, because their hashes are not verified.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use gix_object::Kind;

/// An id's number has seven bits; inputs never need more.
const MAX_OBJECTS: usize = 0x7f;

/// The files that a record may write, relative to the site directory, and their format.
const FILES: [(&str, Form); 14] = [
    (".git/HEAD", Form::Hex),
    (".git/config", Form::Hex),
    (".git/packed-refs", Form::Hex),
    (".git/refs/heads/main", Form::Hex),
    (".git/shallow", Form::Hex),
    (".git/info/grafts", Form::Hex),
    (".git/info/attributes", Form::Hex),
    (".git/index", Form::Unchanged),
    (".git/objects/info/alternates", Form::Hex),
    (".git/objects/info/commit-graph", Form::Unchanged),
    (".git/objects/pack/multi-pack-index", Form::Unchanged),
    (LOOSE_OBJECT, Form::Deflated),
    (".gitattributes", Form::Hex),
    ("a", Form::Hex),
];

/// The object with the highest number, which is never in the pack.
const LOOSE_OBJECT: &str = ".git/objects/7f/7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f";

/// How a record's content is converted to bytes.
#[derive(Clone, Copy)]
enum Form {
    /// Ids as hexadecimal digits.
    Hex,
    /// Ids as raw bytes.
    Bytes,
    /// Unchanged, without ids.
    Unchanged,
    /// Unchanged, then deflated.
    Deflated,
}

/// A parsed input.
#[derive(Default)]
pub(super) struct Repository<'a> {
    /// Options for the fuzz target.
    pub(super) options: u8,
    objects: Vec<(Id, Object<'a>)>,
    /// The last commit.
    head: Id,
    files: BTreeMap<&'static str, Cow<'a, [u8]>>,
}

type Id = [u8; 20];

enum Object<'a> {
    /// An object's type number in packs, and its bytes.
    Whole(u8, Cow<'a, [u8]>),
    /// A delta against the object packed this many places before it.
    OffsetDelta(usize, &'a [u8]),
    /// A delta against the object with this id.
    ReferenceDelta(Id, &'a [u8]),
    /// A pack entry with its header, unchanged.
    Raw(&'a [u8]),
}

impl<'a> Repository<'a> {
    /// Parses an input; every input describes a repository.
    pub(super) fn parse(bytes: &'a [u8]) -> Self {
        let (options, mut rest) = bytes.split_first().unwrap_or((&0, &[]));
        let mut repository = Self {
            options: *options,
            ..Self::default()
        };
        while let Some(([kind, low, high], after)) = rest.split_first_chunk() {
            let length = usize::from(u16::from_le_bytes([*low, *high])).min(after.len());
            let content;
            (content, rest) = after.split_at(length);
            repository.add(*kind, content);
        }
        repository
    }

    fn add(&mut self, kind: u8, content: &'a [u8]) {
        let first = content.first().copied().unwrap_or_default();
        let after = content.get(1..).unwrap_or_default();
        let number = u8::try_from(self.objects.len()).expect("fewer than 128 objects");
        let mut id = [number; 20];
        let object = match kind % 9 {
            1 => {
                let bytes = self.content(content, Form::Hex);
                id = hash(Kind::Commit, &bytes);
                self.head = id;
                Object::Whole(1, bytes)
            }
            2 => Object::Whole(2, self.content(content, Form::Bytes)),
            3 => Object::Whole(3, content.into()),
            4 => {
                let bytes = self.content(content, Form::Hex);
                id = hash(Kind::Tag, &bytes);
                Object::Whole(4, bytes)
            }
            5 => Object::Raw(content),
            6 => Object::OffsetDelta(usize::from(first), after),
            7 => Object::ReferenceDelta(self.id(first), after),
            8 => {
                let kind = if content.starts_with(b"object ") {
                    4
                } else {
                    1
                };
                Object::Whole(kind, self.content(content, Form::Hex))
            }
            _ => {
                let (file, form) = FILES[usize::from(first) % FILES.len()];
                self.files.insert(file, self.content(after, form));
                return;
            }
        };
        if self.objects.len() < MAX_OBJECTS {
            self.objects.push((id, object));
        }
    }

    /// Returns the id for an object number; the object need not exist.
    fn id(&self, number: u8) -> Id {
        self.objects
            .get(usize::from(number))
            .map_or([number; 20], |(id, _)| *id)
    }

    fn content(&self, content: &'a [u8], form: Form) -> Cow<'a, [u8]> {
        match form {
            Form::Hex => self.with_ids(content, |id| hex(&id).into_bytes()),
            Form::Bytes => self.with_ids(content, |id| id.to_vec()),
            Form::Unchanged => content.into(),
            Form::Deflated => deflated(content).into(),
        }
    }

    fn with_ids(&self, content: &'a [u8], written: impl Fn(Id) -> Vec<u8>) -> Cow<'a, [u8]> {
        if content.is_ascii() {
            return content.into();
        }
        let byte = |&byte: &u8| {
            byte.checked_sub(0x80)
                .map_or(vec![byte], |number| written(self.id(number)))
        };
        content.iter().flat_map(byte).collect()
    }

    /// Returns the id of the first commit; zeros if there is none.
    pub(super) fn first_commit(&self) -> String {
        let is_commit = |(_, object): &&(Id, Object<'_>)| matches!(object, Object::Whole(1, _));
        hex(self
            .objects
            .iter()
            .find(is_commit)
            .map_or(&self.head, |(id, _)| id))
    }

    /// Writes the repository to an empty directory, with the last commit checked out by default.
    pub(super) fn write(&self, root: &Path) -> std::io::Result<()> {
        for folder in [
            "refs/heads",
            "objects/pack",
            "objects/info",
            "objects/7f",
            "info",
        ] {
            std::fs::create_dir_all(root.join(".git").join(folder))?;
        }
        std::fs::write(root.join(".git/HEAD"), hex(&self.head))?;
        let (pack, index) = self.packed();
        std::fs::write(root.join(".git/objects/pack/pack-0.pack"), pack)?;
        std::fs::write(root.join(".git/objects/pack/pack-0.idx"), index)?;
        for (file, content) in &self.files {
            std::fs::write(root.join(file), content)?;
        }
        Ok(())
    }

    /// Returns the pack and its index, version 2 of gitformat-pack(5).
    fn packed(&self) -> (Vec<u8>, Vec<u8>) {
        let count = u32::try_from(self.objects.len()).expect("fewer than 128 objects");
        let mut pack = [b"PACK\0\0\0\x02", &count.to_be_bytes()[..]].concat();
        let (mut offsets, mut listed) = (Vec::new(), Vec::new());
        for (id, object) in &self.objects {
            let start = pack.len();
            object.pack(&offsets, &mut pack);
            offsets.push(start);
            let mut checksum = Crc::new();
            checksum.update(&pack[start..]);
            listed.push((
                id,
                checksum.sum(),
                u32::try_from(start).expect("inputs are short"),
            ));
        }
        pack.extend([0; 20]);
        listed.sort_unstable();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=u8::MAX {
            let so_far = listed.partition_point(|(id, ..)| id[0] <= first);
            let count = u32::try_from(so_far).expect("fewer than 128 objects");
            index.extend(count.to_be_bytes());
        }
        index.extend(listed.iter().flat_map(|(id, ..)| **id));
        index.extend(
            listed
                .iter()
                .flat_map(|(_, checksum, _)| checksum.to_be_bytes()),
        );
        index.extend(listed.iter().flat_map(|(.., offset)| offset.to_be_bytes()));
        index.extend([0; 40]);
        (pack, index)
    }
}

impl Object<'_> {
    /// Appends the object to a pack whose objects start at these offsets.
    fn pack(&self, offsets: &[usize], pack: &mut Vec<u8>) {
        let start = pack.len();
        let bytes = match self {
            Self::Raw(entry) => return pack.extend(*entry),
            Self::Whole(kind, bytes) => {
                header(*kind, bytes.len(), pack);
                bytes
            }
            Self::OffsetDelta(back, delta) => {
                header(6, delta.len(), pack);
                let base = offsets
                    .len()
                    .checked_sub(back + 1)
                    .map_or(start, |number| offsets[number]);
                distance(start - base, pack);
                *delta
            }
            Self::ReferenceDelta(base, delta) => {
                header(7, delta.len(), pack);
                pack.extend(base);
                *delta
            }
        };
        pack.extend(deflated(bytes));
    }
}

/// Writes type and size: four size bits in the first byte, then seven per byte, lowest first.
fn header(kind: u8, size: usize, pack: &mut Vec<u8>) {
    let byte = |bits: usize, rest: usize| {
        u8::try_from(bits).expect("seven bits at most") | if rest > 0 { 0x80 } else { 0 }
    };
    pack.push(byte(size & 0x0f, size >> 4) | kind << 4);
    let mut rest = size >> 4;
    while rest > 0 {
        pack.push(byte(rest & 0x7f, rest >> 7));
        rest >>= 7;
    }
}

/// Writes a base distance: seven bits per byte, highest first, each byte but the last minus one.
fn distance(distance: usize, pack: &mut Vec<u8>) {
    let low = |bits: usize| u8::try_from(bits & 0x7f).expect("seven bits");
    let mut bytes = vec![low(distance)];
    let mut rest = distance >> 7;
    while rest > 0 {
        rest -= 1;
        bytes.push(0x80 | low(rest));
        rest >>= 7;
    }
    pack.extend(bytes.into_iter().rev());
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("writing to memory succeeds")
}

fn hash(kind: Kind, bytes: &[u8]) -> Id {
    let hash = gix_object::compute_hash(gix_hash::Kind::Sha1, kind, bytes)
        .expect("fuzzers find no SHA-1 collision");
    hash.as_bytes().try_into().expect("the length of SHA-1")
}

fn hex(id: &Id) -> String {
    gix_hash::ObjectId::from(*id).to_string()
}
