//! Parses source maps: files that state which source each page was made from. Usually the generator
//! writes them.
//!
//! Takes a file and returns pairs of page and source. The content determines the format. The
//! caller checks whether pages and sources exist.

mod docusaurus;
mod list_file;
mod mdbook;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use crate::files::tree;
use crate::findings::Hint;

pub use list_file::{parse_list, read_list};
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

/// Error while reading a source map.
#[derive(Debug, Error)]
pub enum SourceMapError {
    /// It cannot be opened.
    #[error("cannot read the source map `{0}`: {1}")]
    Unreadable(PathBuf, io::Error),
    /// It has a mistake or lists no page.
    #[error(
        "{}the source map `{}` {what}",
        line.map_or_else(String::new, |line| format!("line {line} of ")),
        file.display()
    )]
    Invalid {
        /// The file, or the directory.
        file: PathBuf,
        /// The line, counted from 1, if it is known.
        line: Option<usize>,
        /// Description of the mistake.
        what: String,
    },
    /// The input is not a render context of mdBook.
    #[error("stdin does not contain an mdBook render context: {0}")]
    NotABook(serde_json::Error),
    /// If there is any `[output.*]` table, mdBook does not add `[output.html]` by default.
    #[error("book.toml has `[output.{0}]` but no `[output.html]`, so mdBook writes no HTML")]
    NoHtml(String),
    /// mdBook runs its renderers in the order of their names.
    #[error(
        "`[output.{0}]` runs before the HTML is written, because mdBook runs renderers \
         in the order of their names"
    )]
    TooEarly(String),
}

impl Hint for SourceMapError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Unreadable(..) => {
                "write it before running waypost, for example with `hugo list all > sources.csv`, \
                 then pass `--source-map sources.csv`"
            }
            Self::Invalid { .. } => {
                "supported formats: two columns `page,source`, the output of `hugo list all` or \
                 `eleventy --to=json`, and the directory `.docusaurus`"
            }
            Self::NotABook(_) => {
                "mdBook runs `waypost mdbook` as a renderer: add `[output.waypost]` with \
                 `command = \"waypost mdbook\"` and `[output.html]` to book.toml"
            }
            Self::NoHtml(_) => "add the line `[output.html]` to book.toml",
            Self::TooEarly(_) => "rename the table to `[output.waypost]`",
        };
        Some(hint.into())
    }
}

/// Size limit for a source map, which is read whole. With a million pages it has about 200 MiB.
const MOST_LIST_BYTES: u64 = 1 << 30;

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
        .ok_or_else(|| invalid(path, None, "is not UTF-8"))
}

fn invalid(file: &Path, line: Option<usize>, what: impl Into<String>) -> SourceMapError {
    let (file, what) = (file.to_owned(), what.into());
    SourceMapError::Invalid { file, line, what }
}
