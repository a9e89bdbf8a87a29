//! The result of adding sitemaps to a robots.txt, and the findings about it.

use std::path::Path;

use super::MAX_READ;
use crate::site_paths::finding::{Finding, Subject, code};

/// The result of editing a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsEdit {
    /// The change to the file.
    pub change: RobotsChange,
    /// The size of the file in bytes, if it is larger than what crawlers read.
    pub too_large: Option<usize>,
}

/// The change to a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsChange {
    /// None: the file already names every sitemap.
    Unchanged,
    /// The file changes.
    Changed {
        /// Its new content.
        text: Vec<u8>,
        /// The number of sitemaps that all crawlers find now and did not before.
        added: usize,
        /// The number of those that are gone.
        removed: usize,
    },
    /// None: the file cannot be edited. The text is what the file is instead.
    Refused(&'static str),
}

impl RobotsEdit {
    /// Findings about the file at this path.
    pub fn findings(&self, file: &Path) -> Vec<Finding> {
        let of = |message: String| {
            let subject = Subject::File(file.to_owned(), None);
            Finding::new(code::ROBOTS_TXT_REFUSED, subject, message)
        };
        let refused = match self.change {
            RobotsChange::Refused(refusal) => Some(refusal),
            RobotsChange::Unchanged | RobotsChange::Changed { .. } => None,
        };
        let refused = refused.map(|refusal| {
            of(format!(
                "robots.txt is {refusal}, so sitemaps are not added to it"
            ))
            .with_hint("save it as plain text in UTF-8")
        });
        let too_large = self.too_large.map(|bytes| {
            of(format!(
                "robots.txt has {bytes} bytes; crawlers read only the first {MAX_READ} and ignore the rest"
            ))
        });
        refused.into_iter().chain(too_large).collect()
    }
}
