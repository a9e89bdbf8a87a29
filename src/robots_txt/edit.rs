//! What becomes of a robots.txt when sitemaps are named in it, and what its owner is told.

use std::path::Path;

use super::MAX_READ;
use crate::finding::{Finding, Place, Subject, code, quoted};

/// What became of a robots.txt, and what was seen in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsEdit {
    /// What is to be written.
    pub change: RobotsChange,
    /// What its owner should know.
    pub notes: Vec<RobotsNote>,
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsChange {
    /// Nothing: it names every sitemap already.
    Unchanged,
    /// These bytes.
    Changed(Vec<u8>),
    /// Nothing: it is no robots.txt that a line could be added to.
    Refused(EditRefusal),
}

/// Why a file is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    /// It is UTF-16 or binary: a line in ASCII would make it a mixture that nobody can read.
    NotUtf8,
    /// It is an HTML page, such as a host's error page.
    Html,
}

/// Something in robots.txt that its owner should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsNote {
    /// It is longer than what is read of it.
    TooLarge {
        /// Its length with the new lines.
        bytes: usize,
    },
    /// A `Sitemap` line names no full URL, so that it is not read.
    RelativeSitemap {
        /// What it names.
        value: String,
        /// Where it stands in the old file.
        place: Place,
    },
}

impl RobotsEdit {
    /// What is to be told of the file at this path.
    pub fn findings(&self, file: &Path) -> Vec<Finding> {
        let of = |code, place, message: String| {
            Finding::new(code, Subject::File(file.to_owned(), place), message)
        };
        let refused = match self.change {
            RobotsChange::Refused(refusal) => Some(refusal),
            RobotsChange::Unchanged | RobotsChange::Changed(_) => None,
        };
        let refused = refused.map(|refusal| {
            of(
                code::ROBOTS_TXT_REFUSED,
                None,
                format!(
                    "robots.txt {}, so no sitemap is named in it",
                    refusal.what_it_is()
                ),
            )
            .with_hint("save it as plain text in UTF-8")
        });
        let notes = self.notes.iter().map(|note| match note {
            RobotsNote::TooLarge { bytes } => of(
                code::ROBOTS_TXT_TOO_LARGE,
                None,
                format!(
                    "robots.txt has {bytes} bytes, of which crawlers read {MAX_READ}: rules beyond them do not count"
                ),
            ),
            RobotsNote::RelativeSitemap { value, place } => of(
                code::ROBOTS_TXT_RELATIVE_SITEMAP,
                Some(*place),
                format!("`{}` is no full URL, so crawlers do not read it", quoted(value)),
            ),
        });
        refused.into_iter().chain(notes).collect()
    }
}

impl EditRefusal {
    fn what_it_is(self) -> &'static str {
        match self {
            Self::NotUtf8 => "is UTF-16 or no text",
            Self::Html => "is an HTML page",
        }
    }
}
