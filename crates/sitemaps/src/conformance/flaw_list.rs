//! The flaws of a sitemap, up to a limit.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::site_paths::finding::Place;
use crate::xml::to_offset;

/// Number of flaws to report per file; the rest is counted.
const MAX_REPORTED: usize = 20;

/// Kind of a flaw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SitemapFlawKind {
    /// Not UTF-8, not well-formed XML, or not a sitemap; the rest of the file is not read.
    Malformed,
    /// The root element is not in the protocol's namespace.
    Namespace,
    /// An element, attribute, text, value or order that the schemas do not allow, or that they require.
    Schema,
    /// A line of a text file is not a URL.
    Line,
}

/// A violation of XML or of the sitemap protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapFlaw {
    /// Kind of the flaw.
    pub kind: SitemapFlawKind,
    /// Place in the decompressed file.
    pub place: Place,
    /// Message for the user, shown after the file name.
    pub message: String,
}

/// The flaws of one file, up to a limit.
#[derive(Debug, Default)]
pub(super) struct FlawList {
    pub(super) first: Vec<SitemapFlaw>,
    /// The number of further flaws.
    pub(super) unreported: usize,
    reported_kinds: BTreeSet<SitemapFlawKind>,
}

impl FlawList {
    /// Adds a flaw, or counts it.
    pub(super) fn report(&mut self, kind: SitemapFlawKind, here: Range<u64>, message: String) {
        // The first flaw of each kind is always reported.
        if self.reported_kinds.insert(kind) || self.first.len() < MAX_REPORTED {
            let place = Place {
                start: to_offset(here.start),
                end: to_offset(here.end),
            };
            self.first.push(SitemapFlaw {
                kind,
                place,
                message,
            });
        } else {
            self.unreported += 1;
        }
    }
}
