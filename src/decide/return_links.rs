//! Whether language links are returned: search engines ignore a version that does not link back
//! (developers.google.com, "localized versions"). The one rule for the pages of a build and for the
//! entries of any set that is checked.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

/// The links between the language versions of a set. `P` identifies a page.
#[derive(Debug)]
pub struct ReturnLinks<P> {
    /// The pages of the set, with the links of each.
    listed: HashMap<P, Range<usize>>,
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
        // A build names them page by page, so there is nothing to move but the links of each page.
        links.sort_by_key(|link| link.0);
        for some in links.chunk_by_mut(|left, right| left.0 == right.0) {
            some.sort_unstable();
        }
        links.dedup();
        let mut listed: HashMap<P, Range<usize>> =
            listed.into_iter().map(|page| (page, 0..0)).collect();
        let mut start = 0;
        for some in links.chunk_by(|left, right| left.0 == right.0) {
            let end = start + some.len();
            if let Some(range) = listed.get_mut(&some[0].0) {
                *range = start..end;
            }
            start = end;
        }
        Self { listed, links }
    }

    /// Whether `to` links back to `from`.
    pub fn answer(&self, from: P, to: P) -> LinkBack {
        if from == to {
            return LinkBack::Returned;
        }
        let Some(range) = self.listed.get(&to) else {
            return LinkBack::Unlisted;
        };
        match self.links[range.clone()].binary_search(&(to, from)) {
            Ok(_) => LinkBack::Returned,
            Err(_) => LinkBack::Missing,
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
