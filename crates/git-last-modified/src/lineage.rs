//! Parents of commits as Git sees them, after grafts and the shallow boundary.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::ObjectId;
use super::commit::Commit;

/// The ways in which a repository's history departs from its commit objects.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The boundary commits of a shallow clone, whose parents were not fetched.
    ///
    /// Anyone can write such a list. The hash of an id is its beginning, so ids that begin alike
    /// would make a hash table as slow as a list.
    pub(super) boundary: BTreeSet<ObjectId>,
    /// Parents from `.git/info/grafts`, by commit.
    pub(super) grafts: BTreeMap<ObjectId, Vec<ObjectId>>,
    /// Commits to ignore.
    pub(super) ignored: HashSet<ObjectId>,
    /// How likely the history contains a cycle.
    pub(super) cycles: Cycles,
}

/// How likely a history contains a cycle: commits cannot name descendants, but grafts and
/// replacements can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Cycles {
    /// Only a manipulated pack can contain one.
    #[default]
    Unlikely,
    /// The repository has grafts or replacements.
    Expected,
}

impl Lineage {
    /// Returns the parents of a commit; none at the shallow boundary.
    pub(super) fn parents<'a>(&'a self, id: &ObjectId, commit: &'a Commit) -> &'a [ObjectId] {
        match self.grafts.get(id) {
            Some(parents) => parents,
            None if self.boundary.contains(id) => &[],
            None => &commit.parents,
        }
    }

    /// Whether a commit has parents that were not fetched.
    ///
    /// A clone that is exactly deep enough also lists its root commit as boundary; a commit without
    /// parents is not cut off.
    pub(super) fn is_cut_off(&self, id: &ObjectId, commit: &Commit) -> bool {
        self.boundary.contains(id) && !self.grafts.contains_key(id) && !commit.parents.is_empty()
    }
}

/// Parses `.git/info/grafts`: one line per commit, with the commit and its parents.
///
/// Like Git, it skips lines that it cannot parse.
pub(super) fn read_grafts(text: &[u8]) -> BTreeMap<ObjectId, Vec<ObjectId>> {
    let lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.starts_with(b"#"));
    let grafts = lines.filter_map(|line| {
        let ids: Option<Vec<_>> = line
            .trim_ascii_end()
            .split(|byte| *byte == b' ')
            .map(ObjectId::from_hex)
            .collect();
        let (commit, parents) = ids?
            .split_first()
            .map(|(commit, parents)| (*commit, parents.to_vec()))?;
        Some((commit, parents))
    });
    grafts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grafts_are_read_line_by_line() {
        let id = |digit: &str| ObjectId::from_hex(digit.repeat(40).as_bytes()).expect("40 digits");
        let hex = |digit: &str| digit.repeat(40);
        let text = format!(
            "# comment\n{}\n\n{} {} {}\r\nnonsense {}",
            hex("1"),
            hex("2"),
            hex("3"),
            hex("4"),
            hex("5")
        );
        let expected = BTreeMap::from([(id("1"), vec![]), (id("2"), vec![id("3"), id("4")])]);
        assert_eq!(read_grafts(text.as_bytes()), expected);
    }
}
