//! gzip compression with reproducible output, and decompression.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::xml::SitemapReadError;

/// The default level of zlib: level 9 is twice as slow and makes sitemaps no smaller.
const LEVEL: u32 = 6;

/// First bytes of every gzip stream (RFC 1952 section 2.3.1).
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// File name extension of compressed files.
pub const ENDING: &str = ".gz";

/// Compression of a file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileCompression {
    /// As it is.
    Plain,
    /// With gzip.
    Gzip,
}

impl FileCompression {
    /// The compression of a file of the set with this name.
    pub fn for_name(name: &str) -> Self {
        if name_without_gz(name) == name {
            Self::Plain
        } else {
            Self::Gzip
        }
    }

    /// The bytes to store for `text`.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Plain => Cow::Borrowed(text.as_bytes()),
            Self::Gzip => Cow::Owned(compress(text.as_bytes())),
        }
    }
}

/// File name without the extension of compressed files.
pub fn name_without_gz(name: &str) -> &str {
    name.strip_suffix(ENDING).unwrap_or(name)
}

/// Compresses a file. The header has neither time nor name, so equal text gives equal bytes.
fn compress(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder
        .write_all(text)
        .and_then(|()| encoder.finish())
        .expect("writing to a vector cannot fail")
}

/// Reads a file, and decompresses it if it begins like a gzip stream; its name does not matter.
pub fn decompressed<'a>(mut input: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut first = Vec::with_capacity(MAGIC.len());
    input
        .by_ref()
        .take(MAGIC.len() as u64)
        .read_to_end(&mut first)?;
    let is_packed = first == MAGIC;
    let whole = BufReader::new(Cursor::new(first).chain(input));
    Ok(if is_packed {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// Reads a whole file, decompressed, of up to `most` bytes.
pub(crate) fn read_whole(input: impl Read, most: u64) -> Result<Vec<u8>, SitemapReadError> {
    let mut bytes = Vec::new();
    decompressed(input)?
        .take(most + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(SitemapReadError::TooLarge);
    }
    Ok(bytes)
}

/// Whether two inputs are equal after decompression.
pub fn contents_equal(left: impl Read, right: impl Read) -> io::Result<bool> {
    let (mut left, mut right) = (decompressed(left)?, decompressed(right)?);
    loop {
        let (ours, theirs) = (left.fill_buf()?, right.fill_buf()?);
        let length = ours.len().min(theirs.len());
        if length == 0 || ours[..length] != theirs[..length] {
            return Ok(ours.is_empty() && theirs.is_empty());
        }
        left.consume(length);
        right.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_and_plain_text_are_equal() {
        let check = |left: &[u8], right: &[u8], expected: bool| {
            assert_eq!(
                contents_equal(left, right).expect("the input is complete"),
                expected
            );
        };
        check(&compress(b"text"), b"text", true);
        check(b"text", b"texts", false);
        check(b"", &compress(b""), true);
        let long = vec![b'x'; 100_000];
        check(&compress(&long), &long, true);
        assert!(contents_equal(&[0x1f, 0x8b][..], &b"text"[..]).is_err());
    }

    #[test]
    fn compressed_text_has_no_time_or_name_and_is_restored_completely() {
        let packed = compress(b"text");
        assert_eq!(packed[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
        let check = |bytes: &[u8], expected: &[u8]| {
            let mut text = Vec::new();
            decompressed(bytes)
                .and_then(|mut input| input.read_to_end(&mut text))
                .expect("the input is complete");
            assert_eq!(text, expected);
        };
        check(&packed, b"text");
        check(b"text", b"text");
        check(b"", b"");
    }
}
