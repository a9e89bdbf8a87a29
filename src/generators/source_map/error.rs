//! The errors while a source map is read, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::findings::Hint;

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
