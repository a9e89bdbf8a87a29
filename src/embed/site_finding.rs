//! A problem of the site.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use crate::site::LoadedSite;
use site_paths::finding::{Finding, Level, Subject};

/// A problem of the site. It does not keep the sitemap from being written, unless it is the
/// [refusal](super::Sitemap::refusal).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SiteFinding<'s> {
    finding: &'s Finding,
    loaded: &'s LoadedSite<'static>,
}

/// The severity of a finding, as `[levels]` of the settings sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingLevel {
    /// The settings allow it.
    Allow,
    /// Information.
    Note,
    /// A warning.
    Warn,
    /// An error: `waypost build` ends with exit code 1.
    Deny,
}

impl<'s> SiteFinding<'s> {
    pub(super) fn new(finding: &'s Finding, loaded: &'s LoadedSite<'static>) -> Self {
        Self { finding, loaded }
    }

    /// Returns its code, such as `canonical-not-listed`. The documentation has a page on each code.
    pub fn code(&self) -> &'static str {
        self.finding.code.name
    }

    /// Returns its severity.
    pub fn level(&self) -> FindingLevel {
        match self.loaded.settings().levels.level_of(self.finding.code) {
            Level::Allow => FindingLevel::Allow,
            Level::Note => FindingLevel::Note,
            Level::Warn => FindingLevel::Warn,
            Level::Deny => FindingLevel::Deny,
        }
    }

    /// Returns its text. It starts in lower case and has no full stop.
    pub fn message(&self) -> &'s str {
        &self.finding.message
    }

    /// Returns the remedy, if the text does not name it.
    pub fn hint(&self) -> Option<&'s str> {
        self.finding.hint.as_deref()
    }

    /// Returns the file it is about: a page, a source, settings or robots.txt.
    pub fn file(&self) -> Option<PathBuf> {
        match &self.finding.subject {
            Subject::Site | Subject::Url(..) => None,
            Subject::Page(file, _) => Some(file.below_dir(self.loaded.output_dir())),
            Subject::File(file, _) => Some(file.clone()),
        }
    }

    /// Returns the bytes of the file at fault, if they are known.
    pub fn byte_range(&self) -> Option<Range<usize>> {
        match &self.finding.subject {
            Subject::Site => None,
            Subject::Page(_, place) | Subject::File(_, place) | Subject::Url(_, place) => {
                place.map(|place| place.start as usize..place.end as usize)
            }
        }
    }
}

impl fmt::Display for SiteFinding<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.message())
    }
}
