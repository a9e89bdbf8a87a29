//! Errors in source maps.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use site_paths::Hint;

/// Error while reading a source map.
#[derive(Debug, Error)]
pub enum SourceMapError {
    /// The file cannot be opened.
    #[error("cannot read the source map `{0}`: {1}")]
    Read(PathBuf, std::io::Error),
    /// The path is a pipe or a device.
    #[error("the source map `{0}` is not a file")]
    NotAFile(PathBuf),
    /// The file is neither UTF-8 nor UTF-16 with a byte order mark.
    #[error("the source map `{0}` is not text")]
    NotText(PathBuf),
    /// A directory without page lists of Docusaurus.
    #[error("no Docusaurus page list in the directory `{0}`")]
    EmptyFolder(PathBuf),
    /// A file that lists no pages.
    #[error("the source map `{0}` does not list any page")]
    Empty(PathBuf),
    /// The file has invalid lines.
    #[error("{}", at_line(.file, *.line, .what, *.more))]
    Line {
        /// The file.
        file: PathBuf,
        /// The first invalid line, counted from 1.
        line: usize,
        /// Description of the mistake.
        what: String,
        /// Number of further invalid lines.
        more: usize,
    },
}

fn at_line(file: &Path, line: usize, what: &str, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        1 => " (and one more line is wrong)".to_owned(),
        more => format!(" (and {more} more lines are wrong)"),
    };
    format!(
        "line {line} of the source map `{}` {what}{more}",
        file.display()
    )
}

impl Hint for SourceMapError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Read(..) | Self::NotAFile(_) => {
                "write it before running waypost, for example with `hugo list all > sources.csv`, \
                 then pass `--source-map sources.csv`"
            }
            Self::NotText(_) => "save it as UTF-8",
            Self::EmptyFolder(_) => {
                "build the Docusaurus site and pass its `.docusaurus` directory, or pass a file"
            }
            Self::Empty(_) | Self::Line { .. } => {
                "supported formats: two columns `page,source`, the output of `hugo list all` or \
                 `eleventy --to=json`, and Docusaurus' `site-*.json`"
            }
        };
        Some(hint.into())
    }
}
