//! The result of reading a sitemap strictly: its flaws, up to a limit.

use std::ops::Range;

use crate::place::Place;

/// Characters of a value or a line in a message.
pub(super) const MAX_SHOWN: usize = 60;

/// White space in XML (XML 1.0, section 2.3).
pub(super) const XML_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Number of flaws to report per file; the rest is counted.
const MAX_REPORTED: usize = 1_000;

/// Kind of a flaw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SitemapFlawKind {
    /// Not UTF-8, not well-formed XML, or not a sitemap; the rest of the file is not read.
    Malformed,
    /// The root element is not in the protocol's namespace.
    Namespace,
    /// The namespace of images or language links, for example, is not the one that readers know.
    Extension,
    /// An element, attribute, text, value or order that the schemas do not allow, or that they require.
    Schema,
    /// A date that the text of the protocol allows, but its schema does not.
    RoundedDate,
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
    /// How many flaws it counts for: 1, except for the last of its kind if there are too many.
    pub count: usize,
}

/// Result of reading a sitemap strictly.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Conformance {
    /// The first flaws, in the order in which the reader detects them.
    pub flaws: Vec<SitemapFlaw>,
    /// Size of the decompressed file.
    pub bytes: u64,
    /// Whether it is a text file: one URL per line.
    pub is_text: bool,
}

impl Conformance {
    /// Adds a flaw, or counts it.
    pub(super) fn report(&mut self, kind: SitemapFlawKind, here: Range<usize>, message: String) {
        let is_full = self.flaws.len() >= MAX_REPORTED;
        // The first flaw of each kind is always reported.
        match self.flaws.iter_mut().rfind(|flaw| flaw.kind == kind) {
            Some(last) if is_full => last.count += 1,
            _ => self.flaws.push(SitemapFlaw {
                kind,
                place: Place::of(here),
                message,
                count: 1,
            }),
        }
    }
}
