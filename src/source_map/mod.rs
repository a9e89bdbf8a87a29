//! Lists in which somebody who knows says which source each page was made from: the generator itself, as a rule.
//!
//! A file goes in, pairs of page and source come out; which list it is, its content tells. No page and no source is
//! looked for here: whether either exists is `road/`'s affair.

mod error;
mod json;
mod mdbook;
mod table;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::bounds;

pub use error::SourceMapError;
pub use mdbook::{BookError, MdbookBook};

/// One page and its source, as a list names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMapEntry {
    /// The page.
    pub page: PageName,
    /// Its source, from the site root or absolute.
    pub source: String,
    /// Whether the page is built.
    pub standing: BuildCertainty,
}

/// How a list names a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageName {
    /// By its address: a whole URL, or one that begins with `/` and so holds the path of the base URL.
    Address(String),
    /// By its file or its address, below the output folder.
    Below(String),
}

/// Whether a page is built for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildCertainty {
    /// It is.
    Published,
    /// Only when drafts are asked for.
    Draft,
}

/// Reads a list, or all lists of a folder, in the order of their names.
///
/// Known are what `hugo list all` prints, what `eleventy --to=json` prints, the JSON files that Docusaurus keeps below
/// `.docusaurus`, and two columns, `page,source`, split by commas or tabs.
pub fn read_list(path: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    if path.is_dir() {
        return read_folder(path);
    }
    parse_list(path, &read_text(path)?)
}

/// The same of the text of a list; the path is for errors alone.
pub fn parse_list(path: &Path, text: &str) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let text = text.trim_start_matches('\u{feff}');
    if json::is_json(text) {
        json::read(path, text)
    } else {
        table::read(path, text)
    }
}

/// Docusaurus keeps a file for every page, among others that are no business of ours.
fn read_folder(folder: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let mut told = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| SourceMapError::Read(folder.to_owned(), error.into()))?;
        if entry.file_type().is_file() && is_docusaurus_page(entry.file_name()) {
            told.extend(json::read_page(entry.path(), &read_text(entry.path())?)?);
        }
    }
    if told.is_empty() {
        Err(SourceMapError::EmptyFolder(folder.to_owned()))
    } else {
        Ok(told)
    }
}

/// Whether a file is named as Docusaurus names those of pages, and some others of the whole site.
fn is_docusaurus_page(name: &OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix("site-")?.strip_suffix(".json"))
        .is_some()
}

/// Lists are read whole; that of a million pages has some 200 MiB.
const MOST_LIST_BYTES: u64 = 1 << 30;

/// The text of a list; shells of Windows write UTF-16 into files.
fn read_text(path: &Path) -> Result<String, SourceMapError> {
    let failed = |error| SourceMapError::Read(path.to_owned(), error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(SourceMapError::NotAFile(path.to_owned()));
    }
    let bytes = bounds::read(path, MOST_LIST_BYTES).map_err(failed)?;
    let (encoding, mark) =
        encoding_rs::Encoding::for_bom(&bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.map(std::borrow::Cow::into_owned)
        .ok_or_else(|| SourceMapError::NotText(path.to_owned()))
}
