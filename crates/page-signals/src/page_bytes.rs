//! Reads a page's bytes in order from an open file or from memory, and unpacks gzip.
//!
//! No other file of this crate reads the disk. At most the caller's block is held in memory, and
//! unpacking has a limit.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use twox_hash::XxHash3_64;

/// Magic number of gzip. Some deployments compress pages in place, under their own name.
const GZIP: &[u8] = b"\x1f\x8b";

/// Size limit of an unpacked page, in bytes, against gzip bombs.
const LARGEST_UNPACKED: u64 = 128 << 20;

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
    Gzip(Box<MultiGzDecoder<Box<dyn Read + 'p>>>),
}

/// Bytes of one page, read once from start to end.
pub(super) struct PageBytes<'p> {
    input: PageInput<'p>,
    bytes_read: u64,
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
            bytes_read: 0,
            hasher,
        }
    }

    pub(super) fn empty() -> Self {
        Self {
            input: PageInput::Memory(&[]),
            bytes_read: 0,
            hasher: None,
        }
    }

    /// Fills `block` and returns how many bytes were read; fewer than its length only at the end.
    pub(super) fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let mut filled = self.input.fill(block)?;
        if self.bytes_read == 0 && block[..filled].starts_with(GZIP) {
            self.input.unpack(&block[..filled]);
            filled = self.input.fill(block)?;
        }
        self.bytes_read += filled as u64;
        if let Some(hasher) = &mut self.hasher {
            hasher.write(&block[..filled]);
        }
        match self.input {
            PageInput::Gzip(_) if self.bytes_read > LARGEST_UNPACKED => {
                Err(io::Error::other("it unpacks to more than 128 MiB"))
            }
            _ => Ok(filled),
        }
    }

    /// Whether the page must be read completely: a gzip stream has its checksum at the end, and a
    /// fingerprint covers all bytes.
    pub(super) fn must_be_read_to_its_end(&self) -> bool {
        self.hasher.is_some() || matches!(self.input, PageInput::Gzip(_))
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

impl<'p> PageInput<'p> {
    fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let reader: &mut dyn Read = match self {
            Self::File(file) => file,
            Self::Memory(bytes) => bytes,
            Self::Gzip(decoder) => decoder,
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

    /// Restarts with unpacking. `seen` is the packed bytes read so far.
    fn unpack(&mut self, seen: &[u8]) {
        let seen = io::Cursor::new(seen.to_vec());
        let packed: Box<dyn Read + 'p> = match *self {
            Self::File(file) => Box::new(seen.chain(io::BufReader::new(file))),
            Self::Memory(rest) => Box::new(seen.chain(rest)),
            Self::Gzip(_) => return,
        };
        *self = Self::Gzip(Box::new(MultiGzDecoder::new(packed)));
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
