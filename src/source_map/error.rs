//! Why a list of pages and sources cannot be read.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a list cannot be read.
#[derive(Debug, Error)]
pub enum SourceMapError {
    /// The file cannot be opened.
    #[error("cannot read the source map `{0}`: {1}")]
    Read(PathBuf, std::io::Error),
    /// It is a pipe or a device.
    #[error("the source map `{0}` is not a file")]
    NotAFile(PathBuf),
    /// It is neither UTF-8 nor UTF-16 with its mark.
    #[error("the source map `{0}` is not text")]
    NotText(PathBuf),
    /// A folder in which Docusaurus has written no list.
    #[error("there is no list of pages in the folder `{0}`")]
    EmptyFolder(PathBuf),
    /// A file without a single page.
    #[error("the source map `{0}` names no page")]
    Empty(PathBuf),
    /// Lines that are none of a list.
    #[error("{}", at_line(.file, *.line, .what, *.more))]
    Line {
        /// The file.
        file: PathBuf,
        /// The first of the lines, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
        /// How many more lines are wrong.
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

impl SourceMapError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Read(..) | Self::NotAFile(_) => {
                "have the build write it first: `hugo list all > sources.csv`, say, then `--source-map sources.csv`"
            }
            Self::NotText(_) => "write it as UTF-8",
            Self::EmptyFolder(_) => {
                "name the folder `.docusaurus` after a build of Docusaurus, or a file"
            }
            Self::Empty(_) | Self::Line { .. } => {
                "known are `page,source` in two columns, what `hugo list all` and `eleventy --to=json` print, and \
                 Docusaurus' `site-*.json`"
            }
        }
    }
}
