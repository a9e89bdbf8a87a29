//! The texts of fetched files, to show the lines of findings.

use std::collections::BTreeMap;
use std::io::Read;

use sitemaps::gzip::decompressed;

/// Maximum number of bytes kept of all files together. The findings about further files have no lines.
const MAX_KEPT: usize = 128 << 20;

/// The texts of fetched files, by URL.
#[derive(Debug, Default)]
pub struct PublishedTexts {
    texts: BTreeMap<String, String>,
    kept: usize,
}

impl PublishedTexts {
    /// Keeps the text of a file, decompressed, if there is room for it.
    pub(in crate::check) fn keep(&mut self, url: &str, bytes: &[u8]) {
        let room = MAX_KEPT - self.kept;
        let mut unpacked = Vec::new();
        let Ok(input) = decompressed(bytes) else {
            return;
        };
        // The reader of sets reports an error of decompression; the text before it is kept.
        let complete = input.take(room as u64 + 1).read_to_end(&mut unpacked);
        if complete.is_ok() && unpacked.len() > room {
            self.kept = MAX_KEPT;
            return;
        }
        self.kept += unpacked.len().min(room);
        self.texts.insert(url.to_owned(), text_of(unpacked));
    }

    /// The text of a file.
    pub fn of(&self, url: &str) -> Option<&str> {
        self.texts.get(url).map(String::as_str)
    }
}

/// The bytes as text, with `?` for each invalid byte, so that offsets stay the same.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_do_not_move_the_text_after_them() {
        assert_eq!(text_of(b"a\xff\xe2\x82b\xc3\xa9".to_vec()), "a???b\u{e9}");
    }
}
