//! Reads a page's bytes in order from an open file or from memory.
//!
//! No other file of this crate reads the disk. At most the caller's block is held in memory.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use twox_hash::XxHash3_64;

/// Magic number of gzip. Some deployments compress pages in place, under their own name. Unlike other
/// binary data, such a file may be a page.
const GZIP: &[u8] = b"\x1f\x8b";

/// Where a page's bytes come from; they can be read again.
#[derive(Clone, Copy)]
pub(super) enum PageOrigin<'p> {
    File(&'p File),
    Memory(&'p [u8]),
}

/// Whether to hash the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fingerprint {
    /// No hash; no bytes are read just for it.
    #[default]
    Unwanted,
    /// A hash of all bytes, so every page is read completely.
    Wanted,
}

/// A file from its start, whatever the position of its handle.
#[derive(Clone, Copy)]
struct PositionedFile<'p> {
    file: &'p File,
    offset: u64,
}

enum PageInput<'p> {
    File(PositionedFile<'p>),
    Memory(&'p [u8]),
}

/// Bytes of one page, read once from start to end.
pub(super) struct PageBytes<'p> {
    input: PageInput<'p>,
    is_at_start: bool,
    /// XXH3 with a fixed seed, over whole pages. It does not resist deliberate collisions, but
    /// those would only exclude pages of the author's own site.
    hasher: Option<Box<XxHash3_64>>,
}

impl<'p> PageBytes<'p> {
    pub(super) fn open(origin: PageOrigin<'p>, fingerprint: Fingerprint) -> Self {
        let input = match origin {
            PageOrigin::File(file) => PageInput::File(PositionedFile { file, offset: 0 }),
            PageOrigin::Memory(bytes) => PageInput::Memory(bytes),
        };
        let hasher = (fingerprint == Fingerprint::Wanted).then(Box::default);
        Self {
            input,
            is_at_start: true,
            hasher,
        }
    }

    pub(super) fn empty() -> Self {
        Self {
            input: PageInput::Memory(&[]),
            is_at_start: true,
            hasher: None,
        }
    }

    /// Fills `block` and returns how many bytes were read; fewer than its length only at the end.
    pub(super) fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let filled = self.input.fill(block)?;
        if self.is_at_start && block[..filled].starts_with(GZIP) {
            return Err(io::Error::other("it is compressed with gzip"));
        }
        self.is_at_start = false;
        if let Some(hasher) = &mut self.hasher {
            hasher.write(&block[..filled]);
        }
        Ok(filled)
    }

    /// Hash of the bytes so far, if requested.
    pub(super) fn fingerprint(&self) -> Option<u64> {
        self.hasher.as_ref().map(Hasher::finish)
    }
}

impl Read for PositionedFile<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let count = read_at(self.file, block, self.offset).map_err(|error| {
            // Pipes and sockets have no offsets, so they neither block nor pass for pages.
            if error.kind() == io::ErrorKind::NotSeekable {
                io::Error::other("it is not a regular file")
            } else {
                error
            }
        })?;
        self.offset += count as u64;
        Ok(count)
    }
}

#[cfg(unix)]
fn read_at(file: &File, block: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, block, offset)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, block: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read(block)
}

impl PageInput<'_> {
    fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let reader: &mut dyn Read = match self {
            Self::File(file) => file,
            Self::Memory(bytes) => bytes,
        };
        let mut filled = 0;
        while filled < block.len() {
            match reader.read(&mut block[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

#[cfg(unix)] // pipes and sockets as files
#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Write, pipe};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    fn check(file: impl Into<OwnedFd>) {
        let file = File::from(file.into());
        let mut bytes = PageBytes::open(PageOrigin::File(&file), Fingerprint::Unwanted);
        let error = bytes.fill(&mut [0; 16]).expect_err("it is not a file");
        assert_eq!(error.to_string(), "it is not a regular file");
    }

    #[test]
    fn pipes_and_sockets_are_not_read_whether_or_not_they_have_bytes() {
        let (reader, mut writer) = pipe().expect("a pipe");
        writer.write_all(b"<p>a page").expect("room in the pipe");
        drop(writer);
        check(reader);
        let (reader, writer) = pipe().expect("a pipe");
        check(reader);
        drop(writer);
        let (socket, other) = UnixStream::pair().expect("two sockets");
        check(socket);
        drop(other);
    }
}
