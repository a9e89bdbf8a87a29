//! Builds hostile repositories, whose objects and Git files contain arbitrary input.
//!
//! The input is one byte of options, then records: one byte for the kind, two for the length, then
//! the content. The kinds, modulo five: 0 a file, 1 a commit, 2 a tree, 3 a blob, 4 a tag. A single
//! byte can refer to an object: in commits, trees, tags and most of Git's files, each byte from 0x80
//! on is replaced by an id. The ids are the true hashes, because a wrong one would keep every reader
//! from the content behind it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix_hash::ObjectId;
use gix_object::Kind;

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
    ("b", Form::Hex),
    (".gitattributes", Form::Hex),
    ("a", Form::Hex),
];

/// How a record's content is converted to bytes.
#[derive(Clone, Copy)]
enum Form {
    /// Ids as hexadecimal digits.
    Hex,
    /// Ids as raw bytes.
    Bytes,
    /// Unchanged, without ids.
    Unchanged,
}

/// A parsed input.
#[derive(Default)]
pub(super) struct Repository<'a> {
    /// Options for the fuzz target.
    pub(super) options: u8,
    objects: Vec<(ObjectId, Kind, Cow<'a, [u8]>)>,
    files: BTreeMap<&'static str, Cow<'a, [u8]>>,
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
        let (kind, form) = match kind % 5 {
            1 => (Kind::Commit, Form::Hex),
            2 => (Kind::Tree, Form::Bytes),
            3 => (Kind::Blob, Form::Unchanged),
            4 => (Kind::Tag, Form::Hex),
            _ => {
                let (first, after) = content.split_first().unwrap_or((&0, &[]));
                let (file, form) = FILES[usize::from(*first) % FILES.len()];
                self.files.insert(file, self.content(after, form));
                return;
            }
        };
        let bytes = self.content(content, form);
        let id = gix_object::compute_hash(gix_hash::Kind::Sha1, kind, &bytes)
            .expect("fuzzers find no SHA-1 collision");
        self.objects.push((id, kind, bytes));
    }

    /// Returns the id for an object number; the object need not exist.
    fn id(&self, number: u8) -> ObjectId {
        let object = self.objects.get(usize::from(number));
        object.map_or_else(|| [number; 20].into(), |(id, ..)| *id)
    }

    fn content(&self, content: &'a [u8], form: Form) -> Cow<'a, [u8]> {
        match form {
            Form::Hex => self.with_ids(content, |id| id.to_string().into_bytes()),
            Form::Bytes => self.with_ids(content, |id| id.as_bytes().to_vec()),
            Form::Unchanged => content.into(),
        }
    }

    fn with_ids(&self, content: &'a [u8], written: impl Fn(ObjectId) -> Vec<u8>) -> Cow<'a, [u8]> {
        if content.is_ascii() {
            return content.into();
        }
        let byte = |&byte: &u8| {
            byte.checked_sub(0x80)
                .map_or(vec![byte], |number| written(self.id(number)))
        };
        content.iter().flat_map(byte).collect()
    }

    fn commits(&self) -> impl DoubleEndedIterator<Item = String> {
        let objects = self.objects.iter();
        let commits = objects.filter(|(_, kind, _)| *kind == Kind::Commit);
        commits.map(|(id, ..)| id.to_string())
    }

    /// Returns the id of the first commit; zeros if there is none.
    pub(super) fn first_commit(&self) -> String {
        self.commits().next().unwrap_or_else(|| "0".repeat(40))
    }

    /// Writes the repository to an empty directory, with the last commit checked out by default.
    pub(super) fn write(&self, root: &Path) -> std::io::Result<()> {
        let git = root.join(".git");
        for dir in ["refs/heads", "objects/pack", "objects/info", "info"] {
            std::fs::create_dir_all(git.join(dir))?;
        }
        let head = self.commits().next_back();
        std::fs::write(git.join("HEAD"), head.unwrap_or_else(|| "0".repeat(40)))?;
        for (id, kind, bytes) in &self.objects {
            let (dir, name) = (id.to_string(), id.to_string().split_off(2));
            let dir = git.join("objects").join(&dir[..2]);
            std::fs::create_dir_all(&dir)?;
            let mut object = ZlibEncoder::new(Vec::new(), Compression::none());
            write!(object, "{kind} {}\0", bytes.len())?;
            object.write_all(bytes)?;
            std::fs::write(dir.join(name), object.finish()?)?;
        }
        for (file, content) in &self.files {
            std::fs::write(root.join(file), content)?;
        }
        Ok(())
    }
}
