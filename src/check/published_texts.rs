//! The texts of fetched files, to show the lines of findings.

use std::collections::BTreeMap;
use std::io::Read;

use page_signals::readable_text;
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
        self.texts.insert(url.to_owned(), readable_text(unpacked));
    }

    /// The text of a file.
    pub fn of(&self, url: &str) -> Option<&str> {
        self.texts.get(url).map(String::as_str)
    }
}
