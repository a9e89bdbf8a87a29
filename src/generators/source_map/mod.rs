//! Parses source maps: files that state which source each page was made from. Usually the generator
//! writes them.
//!
//! Takes a file and returns pairs of page and source. The content determines the format. The
//! caller checks whether pages and sources exist.

mod docusaurus;
mod error;
mod json;
mod mdbook;
mod table;

use std::borrow::Cow;
use std::path::Path;
use std::{fs, io};

use crate::files::tree;

pub use error::SourceMapError;
pub use mdbook::MdbookBook;

/// A page and its source, as stated in a source map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMapEntry {
    /// The page.
    pub page: PageName,
    /// Its source, absolute or relative to the site root.
    pub source: String,
}

/// The form in which a source map names a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageName {
    /// A URL: absolute, or beginning with `/` and including the path of the base URL.
    Address(String),
    /// A file or a URL relative to the output directory.
    Below(String),
}

/// Size limit for a source map, which is read whole. With a million pages it has about 200 MiB.
const MOST_LIST_BYTES: u64 = 1 << 30;

/// Reads a source map, or all Docusaurus page lists below a directory, sorted by name.
///
/// Supported formats are the output of `hugo list all` and `eleventy --to=json`, the files that
/// Docusaurus writes to `.docusaurus`, and two columns, `page,source`, separated by commas or
/// tabs.
pub fn read_list(path: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let entries = if path.is_dir() {
        docusaurus::read_dir(path)?
    } else {
        parse_list(path, &read_text(path)?)?
    };
    if entries.is_empty() {
        return Err(invalid(path, None, "does not list any page".to_owned()));
    }
    Ok(entries)
}

/// Parses the text of a source map. The path is used in errors only.
pub fn parse_list(path: &Path, text: &str) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let text = text.trim_start_matches('\u{feff}');
    match json::lines_before_json(text) {
        Some(lines) => json::read(path, text, lines),
        None => table::read(path, text),
    }
}

/// The text below a number of lines.
fn below_lines(text: &str, lines: usize) -> &str {
    let above = text.split_inclusive('\n').take(lines).map(str::len);
    &text[above.sum()..]
}

/// Reads a source map as text. Windows shells write UTF-16 to redirected files.
fn read_text(path: &Path) -> Result<String, SourceMapError> {
    let failed = |error| SourceMapError::Unreadable(path.to_owned(), error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("it is not a file")));
    }
    let bytes = tree::read(path, MOST_LIST_BYTES).map_err(failed)?;
    let (encoding, mark) =
        encoding_rs::Encoding::for_bom(&bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.map(Cow::into_owned)
        .ok_or_else(|| invalid(path, None, "is not UTF-8".to_owned()))
}

fn invalid(file: &Path, line: Option<usize>, what: String) -> SourceMapError {
    let file = file.to_owned();
    SourceMapError::Invalid { file, line, what }
}
