//! The page that the canonical links of a page name.

use crate::hosts::Header;
use sitemaps::site_paths::finding::{Place, Subject};
use sitemaps::site_paths::{PageUrl, SitePath};

/// Target of a canonical link.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalTarget {
    /// The URL.
    pub url: PageUrl,
    /// The origin of the link.
    pub source: CanonicalSource,
}

/// Origin of a canonical link.
#[derive(Clone, Debug, PartialEq)]
pub enum CanonicalSource {
    /// A tag in the page.
    Tag(Place),
    /// A header configured for the host.
    Header(Box<Header>),
}

impl CanonicalTarget {
    /// Formats the link as evidence.
    pub(super) fn evidence(&self) -> String {
        match &self.source {
            CanonicalSource::Tag(_) => format!("canonical link to {}", self.url),
            CanonicalSource::Header(header) => header.to_string(),
        }
    }

    /// Returns the place of the tag; `None` for a header.
    pub(super) fn place(&self) -> Option<Place> {
        match self.source {
            CanonicalSource::Tag(place) => Some(place),
            CanonicalSource::Header(_) => None,
        }
    }

    /// Returns the subject for a finding about this link.
    pub(super) fn subject(&self, file: &SitePath) -> Subject {
        match &self.source {
            CanonicalSource::Tag(place) => Subject::Page(file.clone(), Some(*place)),
            CanonicalSource::Header(header) => header.origin.subject(),
        }
    }
}

/// Result of the canonical links of a page.
#[derive(Debug, Default)]
pub enum Canonical {
    /// There is no link that counts.
    #[default]
    None,
    /// The page itself, in the spelling of the link.
    Itself(PageUrl),
    /// The page itself, but on a host, port or scheme other than the site's.
    ItselfOutside(CanonicalTarget),
    /// Another page.
    Elsewhere(CanonicalTarget),
    /// Several links that disagree; search engines then ignore all of them (developers.google.com,
    /// "consolidate duplicate URLs").
    Conflict(Box<CanonicalTarget>),
}

impl Canonical {
    /// Returns the page's URL as spelled by the link.
    pub fn itself(&self) -> Option<&PageUrl> {
        match self {
            Self::Itself(url) => Some(url),
            _ => None,
        }
    }

    /// Returns the URL that the link names, if it is not this page's.
    pub(super) fn other(&self) -> Option<&PageUrl> {
        match self {
            Self::ItselfOutside(target) | Self::Elsewhere(target) => Some(&target.url),
            _ => None,
        }
    }

    /// Returns the other page that the link names.
    pub fn elsewhere(&self) -> Option<&CanonicalTarget> {
        match self {
            Self::Elsewhere(target) => Some(target),
            _ => None,
        }
    }
}
