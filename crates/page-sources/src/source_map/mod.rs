//! Parses source maps: files that state which source each page was made from. Usually the generator
//! writes them.
//!
//! Takes a file and returns pairs of page and source. The content determines the format. The
//! caller checks whether pages and sources exist.

mod docusaurus;
mod entry;
mod json;
mod mdbook;
mod table;
mod text;

use std::path::Path;

use crate::PageSourcesError;
use text::read_text;

pub use entry::{PageName, SourceMapEntry};
pub use mdbook::MdbookBook;

/// Reads a source map, or all Docusaurus page lists below a directory, sorted by name.
///
/// Supported formats are the output of `hugo list all` and `eleventy --to=json`, the files that
/// Docusaurus writes to `.docusaurus`, and two columns, `page,source`, separated by commas or
/// tabs.
pub fn read_list(path: &Path) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let entries = if path.is_dir() {
        docusaurus::read_dir(path)?
    } else {
        parse_list(path, &read_text(path)?)?
    };
    if entries.is_empty() {
        return Err(PageSourcesError::InvalidSourceMap {
            file: path.to_owned(),
            line: None,
            what: "does not list any page".to_owned(),
        });
    }
    Ok(entries)
}

/// Parses the text of a source map. The path is used in errors only.
pub fn parse_list(path: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
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
