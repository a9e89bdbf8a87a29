//! Whether language links are returned: search engines ignore a version that does not link back
//! (developers.google.com, "localized versions"). The one rule for the pages of a build and for the
//! entries of any set that is checked.

use std::collections::HashSet;
use std::hash::Hash;

/// The links between the language versions of a set. `P` identifies a page.
#[derive(Debug)]
pub struct ReturnLinks<P> {
    listed: HashSet<P>,
    /// Each page with a version that it names, sorted.
    links: Vec<(P, P)>,
}

/// The answer of a language version to a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkBack {
    /// It links back, or is the page itself.
    Returned,
    /// It is listed and does not link back.
    Missing,
    /// The set does not list it.
    Unlisted,
}

impl<P: Copy + Ord + Hash> ReturnLinks<P> {
    /// Takes the pages of a set, and the links between them.
    pub fn new(listed: HashSet<P>, mut links: Vec<(P, P)>) -> Self {
        links.sort_unstable();
        links.dedup();
        Self { listed, links }
    }

    /// Whether `to` links back to `from`.
    pub fn answer(&self, from: P, to: P) -> LinkBack {
        if from == to {
            LinkBack::Returned
        } else if !self.listed.contains(&to) {
            LinkBack::Unlisted
        } else if self.links.binary_search(&(to, from)).is_ok() {
            LinkBack::Returned
        } else {
            LinkBack::Missing
        }
    }

    /// The links that are not returned.
    pub fn unreturned(&self) -> impl Iterator<Item = (P, P, LinkBack)> {
        self.links.iter().filter_map(|&(from, to)| {
            let answer = self.answer(from, to);
            (answer != LinkBack::Returned).then_some((from, to, answer))
        })
    }
}
