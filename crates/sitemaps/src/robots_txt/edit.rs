//! The result of adding sitemaps to a robots.txt, and the findings about it.

use std::path::Path;

use super::MAX_READ;
use site_paths::finding::{Finding, Place, Subject, code, quoted};

/// The result of editing a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsEdit {
    /// The change to the file.
    pub change: RobotsChange,
    /// Problems that the site owner should know about.
    pub notes: Vec<RobotsNote>,
}

/// The change to a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsChange {
    /// None: the file already names every sitemap.
    Unchanged,
    /// The new content.
    Changed(Vec<u8>),
    /// None: the file is not a robots.txt that can be edited.
    Refused(EditRefusal),
}

/// Reason for leaving a file unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    /// It is UTF-16 or binary; an ASCII line would corrupt it.
    NotUtf8,
    /// It is an HTML page, such as a host's error page.
    Html,
}

/// A problem in a robots.txt that its owner should know about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsNote {
    /// The file is larger than what crawlers read.
    TooLarge {
        /// Its size in bytes, including the new lines.
        bytes: usize,
    },
    /// A `Sitemap` line does not contain a full URL.
    RelativeSitemap(RelativeSitemap),
}

/// A `Sitemap` line without a full URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelativeSitemap {
    /// The value of the line.
    pub value: String,
    /// Its place in the file.
    pub place: Place,
}

impl RelativeSitemap {
    /// The message of a finding about it.
    pub fn message(&self) -> String {
        let value = quoted(&self.value);
        format!("`{value}` is not a full URL, so crawlers ignore it")
    }
}

impl RobotsEdit {
    /// Findings about the file at this path.
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
                    "robots.txt {}, so sitemaps are not added to it",
                    refusal.description()
                ),
            )
            .with_hint("save it as plain text in UTF-8")
        });
        let notes = self.notes.iter().map(|note| match note {
            RobotsNote::TooLarge { bytes } => of(
                code::ROBOTS_TXT_REFUSED,
                None,
                format!(
                    "robots.txt has {bytes} bytes; crawlers read only the first {MAX_READ} \
                     and ignore the rest"
                ),
            ),
            RobotsNote::RelativeSitemap(line) => of(
                code::ROBOTS_TXT_LINE_IGNORED,
                Some(line.place),
                line.message(),
            ),
        });
        refused.into_iter().chain(notes).collect()
    }
}

impl EditRefusal {
    fn description(self) -> &'static str {
        match self {
            Self::NotUtf8 => "is UTF-16 or binary",
            Self::Html => "is an HTML page",
        }
    }
}
