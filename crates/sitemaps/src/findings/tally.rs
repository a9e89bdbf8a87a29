//! Collects findings, up to a limit per code, so that neither memory nor output grows with the number
//! of wrong lines. Findings over the limit are only counted.

use std::collections::BTreeMap;

use super::{Code, Finding, Subject};

/// Maximum number of findings kept per code.
pub const MAX_PER_CODE: usize = 1_000;

/// Findings, and how many there were of each code.
#[derive(Debug, Default)]
pub struct FindingTally {
    findings: Vec<Finding>,
    counts: BTreeMap<&'static str, (&'static Code, usize)>,
}

impl FindingTally {
    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        if self.has_room_after_counting(finding.code, finding.count) {
            self.findings.push(finding);
        }
    }

    fn has_room_after_counting(&mut self, code: &'static Code, further: usize) -> bool {
        let (_, count) = self.counts.entry(code.name).or_insert((code, 0));
        *count += further;
        *count <= MAX_PER_CODE
    }

    /// Adds the findings and counts of another tally.
    pub fn absorb(&mut self, other: Self) {
        for finding in other.findings {
            self.add(finding);
        }
        for (name, (code, count)) in other.counts {
            self.counts.entry(name).or_insert((code, 0)).1 += count.saturating_sub(MAX_PER_CODE);
        }
    }

    /// The findings, ordered by file and place.
    pub fn into_findings(mut self) -> Vec<Finding> {
        self.findings
            .sort_by(|left, right| left.order().cmp(&right.order()));
        self.into_unsorted()
    }

    /// The findings in the order in which they were added. For each code over the limit, one more
    /// finding says how many were dropped.
    pub fn into_unsorted(mut self) -> Vec<Finding> {
        for (code, count) in self.counts.into_values() {
            if let Some(more) = count.checked_sub(MAX_PER_CODE).filter(|more| *more > 0) {
                let message = format!("{more} more findings of this kind are not shown");
                let mut rest = Finding::new(code, Subject::Site, message);
                rest.count = more;
                self.findings.push(rest);
            }
        }
        self.findings
    }
}

/// Joins tallies, in their order.
impl FromIterator<FindingTally> for FindingTally {
    fn from_iter<I: IntoIterator<Item = FindingTally>>(tallies: I) -> Self {
        let mut tallies = tallies.into_iter();
        let mut whole = tallies.next().unwrap_or_default();
        for tally in tallies {
            whole.absorb(tally);
        }
        whole
    }
}

impl FromIterator<Finding> for FindingTally {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        let mut tally = Self::default();
        for finding in findings {
            tally.add(finding);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::code;

    #[test]
    fn findings_over_the_limit_are_only_counted() {
        let part = |_| {
            let mut part = FindingTally::default();
            (0..MAX_PER_CODE + 7)
                .for_each(|_| part.add(Finding::new(code::LOC_TWICE, Subject::Site, "a")));
            part
        };
        let whole: FindingTally = (0..2).map(part).collect();
        let findings = whole.into_findings();
        assert_eq!(findings.len(), MAX_PER_CODE + 1);
        assert_eq!(
            findings[MAX_PER_CODE].message,
            "1014 more findings of this kind are not shown"
        );
    }
}
