//! Parses source maps: files that state which source each page was made from. Usually the generator
//! writes them.
//!
//! Takes a file and returns pairs of page and source. The content determines the format. The
//! caller checks whether pages and sources exist.

mod entry;
mod json;
mod mdbook;
mod table;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::PageSourcesError;
use site_paths::containment;

pub use entry::{BuildCertainty, PageName, SourceMapEntry};
pub use mdbook::MdbookBook;

/// Reads a source map, or all Docusaurus page lists below a directory, sorted by name.
///
/// Supported formats are the output of `hugo list all` and `eleventy --to=json`, the JSON files
/// that Docusaurus writes to `.docusaurus`, and two columns, `page,source`, separated by commas or
/// tabs.
pub fn read_list(path: &Path) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    if path.is_dir() {
        return read_folder(path);
    }
    parse_list(path, &read_text(path)?)
}

/// Parses the text of a source map. The path is used in errors only.
pub fn parse_list(path: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let text = text.trim_start_matches('\u{feff}');
    if json::is_json(text) {
        json::read(path, text)
    } else {
        table::read(path, text)
    }
}

/// Reads the files that Docusaurus writes for each page and ignores all others.
fn read_folder(dir: &Path) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let mut entries = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry
            .map_err(|error| PageSourcesError::UnreadableSourceMap(dir.to_owned(), error.into()))?;
        if entry.file_type().is_file() && is_docusaurus_page(entry.file_name()) {
            entries.extend(json::read_page(entry.path(), &read_text(entry.path())?)?);
        }
    }
    if entries.is_empty() {
        Err(PageSourcesError::NoPageList(dir.to_owned()))
    } else {
        Ok(entries)
    }
}

/// Whether a file name has the form that Docusaurus uses for pages and for some site-wide data.
fn is_docusaurus_page(name: &OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix("site-")?.strip_suffix(".json"))
        .is_some()
}

/// Size limit for a source map, which is read whole. With a million pages it has about 200 MiB.
const MOST_LIST_BYTES: u64 = 1 << 30;

/// Reads a source map as text. Windows shells write UTF-16 to redirected files.
fn read_text(path: &Path) -> Result<String, PageSourcesError> {
    let failed = |error| PageSourcesError::UnreadableSourceMap(path.to_owned(), error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(PageSourcesError::SourceMapNotAFile(path.to_owned()));
    }
    let bytes = containment::read(path, MOST_LIST_BYTES).map_err(failed)?;
    let (encoding, mark) =
        encoding_rs::Encoding::for_bom(&bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.map(std::borrow::Cow::into_owned)
        .ok_or_else(|| PageSourcesError::SourceMapNotText(path.to_owned()))
}
