//! Counts the language links and images that a new set keeps of the one that it replaces.

use serde::Serialize;

/// How much of one kind of content a plan has of what the entries on disk have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ContentChange {
    /// The number on disk.
    pub before: usize,
    /// The number in the plan.
    pub now: usize,
    /// The number of those on disk that the plan lacks, entry by entry.
    pub lost: usize,
    /// The number of those that are not lost, because the page that they are of or name is not listed.
    pub dropped: usize,
    /// The number of these in entries for which the page itself states others.
    #[serde(skip)]
    pub overruled: usize,
}

impl ContentChange {
    /// Counts this many of those that the plan lacks as dropped.
    pub fn drop_links(&mut self, count: usize) {
        self.dropped = count.min(self.lost);
        self.lost -= self.dropped;
    }

    /// Counts the content of an entry.
    pub(super) fn add(&mut self, before: usize, now: usize, is_overruled: bool) {
        let lost = before.saturating_sub(now);
        self.before += before;
        self.lost += lost;
        self.overruled += if is_overruled { lost } else { 0 };
    }

    /// Adds the counts of another file.
    pub(super) fn absorb(&mut self, other: Self) {
        self.before += other.before;
        self.lost += other.lost;
        self.overruled += other.overruled;
    }
}
