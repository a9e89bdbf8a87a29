//! Parses a raw commit object into its tree, parents and dates, and finds the parents of commits up to the
//! shallow boundary.
//!
//! Dates are parsed as leniently as Git does (`split_ident_line` in ident.c); a malformed date is
//! never an error. Grafts do not count: only a clone of its own has them, and each commit names its real
//! parents.

use std::collections::BTreeSet;

use super::ObjectId;

/// The parts of a commit that the walk needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    pub(super) times: CommitTimes,
}

/// The dates of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CommitTimes {
    pub(super) author: CommitDate,
    pub(super) committer: CommitDate,
}

/// Seconds since 1970 UTC and the UTC offset in minutes; both zero if the date is unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CommitDate {
    pub(super) seconds: i64,
    pub(super) offset_minutes: i16,
}

impl Commit {
    /// Parses the header; `None` without a tree or with a malformed parent.
    pub(super) fn parse(raw: &[u8]) -> Option<Self> {
        let mut lines = raw.split(|byte| *byte == b'\n');
        let tree = ObjectId::from_hex(lines.next()?.strip_prefix(b"tree ")?).ok()?;
        let mut parents = Vec::new();
        let mut times = CommitTimes::default();
        for line in lines.take_while(|line| !line.is_empty()) {
            if let Some(hex) = line.strip_prefix(b"parent ") {
                parents.push(ObjectId::from_hex(hex).ok()?);
            } else if let Some(person) = line.strip_prefix(b"author ") {
                times.author = CommitDate::parse(person);
            } else if let Some(person) = line.strip_prefix(b"committer ") {
                times.committer = CommitDate::parse(person);
                // Encoding, signature and merge tags follow; their lines may look like headers.
                break;
            }
        }
        Some(Self {
            tree,
            parents,
            times,
        })
    }
}

impl CommitDate {
    /// Parses the part after the last `>` of `Name <mail> 1700000000 +0100`.
    fn parse(person: &[u8]) -> Self {
        let after_mail = person
            .iter()
            .rposition(|byte| *byte == b'>')
            .map_or(&[][..], |at| &person[at + 1..]);
        let mut words = after_mail
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let Some(seconds) = words.next().and_then(leading_number) else {
            return Self::default();
        };
        Self {
            seconds,
            offset_minutes: words.next().and_then(offset_minutes).unwrap_or(0),
        }
    }
}

fn leading_number(word: &[u8]) -> Option<i64> {
    let mut digits = word.iter().map_while(|byte| char::from(*byte).to_digit(10));
    let first = digits.next()?;
    digits.try_fold(i64::from(first), |number, digit| {
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// Converts `+hhmm` to minutes. Git reads the digits as one number: `+530` is 5 h 30 min.
fn offset_minutes(zone: &[u8]) -> Option<i16> {
    let (sign, digits) = zone.split_first()?;
    let number = i16::try_from(leading_number(digits)?).ok()?;
    let minutes = number / 100 * 60 + number % 100;
    match sign {
        b'+' => Some(minutes),
        b'-' => Some(-minutes),
        _ => None,
    }
}

/// Where a history ends.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The boundary commits of a shallow clone, whose parents were not fetched.
    ///
    /// Anyone can write such a list. The hash of an id is its beginning, so ids that begin alike
    /// would make a hash table as slow as a list.
    pub(super) boundary: BTreeSet<ObjectId>,
}

impl Lineage {
    /// Returns the parents of a commit; none at the shallow boundary.
    pub(super) fn parents<'a>(&'a self, id: &ObjectId, commit: &'a Commit) -> &'a [ObjectId] {
        if self.boundary.contains(id) {
            &[]
        } else {
            &commit.parents
        }
    }

    /// Whether a commit has parents that were not fetched.
    ///
    /// A clone that is exactly deep enough also lists its root commit as boundary; a commit without
    /// parents is not cut off.
    pub(super) fn is_cut_off(&self, id: &ObjectId, commit: &Commit) -> bool {
        self.boundary.contains(id) && !commit.parents.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_parsed_as_git_parses_it() {
        let check = |person: &str, seconds, offset_minutes| {
            assert_eq!(
                CommitDate::parse(person.as_bytes()),
                CommitDate {
                    seconds,
                    offset_minutes
                },
                "{person}"
            );
        };
        check("A <a@example.com> 1700000000 +0100", 1_700_000_000, 60);
        check("A <a@example.com> 1700000000 -0930", 1_700_000_000, -570);
        check("A <a@example.com> 1700000000 +530", 1_700_000_000, 330);
        check("A <<b>@example.com> 1700000000 +0000", 1_700_000_000, 0);
        check("<> 5", 5, 0);
        check("A <a@example.com> 1700000000 +99999999", 1_700_000_000, 0);
        check("A <a@example.com> -5 +0100", 0, 0);
        check("A <a@example.com> 99999999999999999999999 +0100", 0, 0);
        check("A <a@example.com>", 0, 0);
        check("no date", 0, 0);
    }

    #[test]
    fn lines_of_a_signed_tag_in_the_header_are_not_parsed_as_commit_headers() {
        let hex = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let raw = format!(
            "tree {hex}\nparent {hex}\nauthor A <a@example.com> 1 +0000\n\
             committer C <c@example.com> 2 +0100\nmergetag object {hex}\n \
             committer X <x@example.com> 9 +0000\nparent {hex}\n\nparent {hex}\n"
        );
        let commit = Commit::parse(raw.as_bytes()).expect("the commit has a tree");
        assert_eq!(commit.parents.len(), 1);
        let CommitTimes { author, committer } = commit.times;
        assert_eq!(
            (author.seconds, committer.seconds, committer.offset_minutes),
            (1, 2, 60)
        );
    }

    #[test]
    fn bytes_that_are_not_a_commit_are_rejected() {
        let check = |raw: &[u8]| assert_eq!(Commit::parse(raw), None, "{raw:?}");
        check(b"");
        check(b"tree 123\n");
        check(b"parent 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n");
        check(b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent oops\n");
    }
}
