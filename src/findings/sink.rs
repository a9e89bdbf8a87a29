//! The sink of findings: the steps of a stage report into it, and it gives them sorted when the stage
//! is done.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Code, Finding, Subject};

/// Maximum number of findings of one code in a stage. More are only counted, so that neither memory nor
/// output grows with the number of wrong lines.
pub const MAX_PER_CODE: usize = 1_000;

/// The findings of a stage. Threads share it, and their order does not matter: of each code, the first in
/// the order of findings are kept.
#[derive(Debug, Default)]
pub struct Findings(Mutex<BTreeMap<&'static str, FindingsOfCode>>);

#[derive(Debug)]
struct FindingsOfCode {
    code: &'static Code,
    kept: Vec<Finding>,
    /// How many there were.
    count: usize,
}

impl Findings {
    /// Reports a finding.
    pub fn add(&self, finding: Finding) {
        let mut codes = self.locked();
        let same = codes
            .entry(finding.code.name)
            .or_insert_with(|| FindingsOfCode {
                code: finding.code,
                kept: Vec::new(),
                count: 0,
            });
        same.count += finding.count;
        same.kept.push(finding);
        if same.kept.len() == 2 * MAX_PER_CODE {
            same.drop_last();
        }
    }

    /// Reports several findings, or maybe one.
    pub fn extend(&self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.add(finding);
        }
    }

    /// Whether there is a finding with one of these codes.
    pub fn have_one_of(&self, codes: &[&Code]) -> bool {
        let found = self.locked();
        codes.iter().any(|code| found.contains_key(code.name))
    }

    /// Ends a stage: takes its findings, ordered by subject and place. For each code over the limit, one
    /// more at the end says how many were dropped.
    pub fn take_sorted(&self) -> Vec<Finding> {
        let (mut findings, mut dropped) = (Vec::new(), Vec::new());
        let codes = std::mem::take(&mut *self.locked());
        for mut same in codes.into_values() {
            same.drop_last();
            let kept: usize = same.kept.iter().map(|finding| finding.count).sum();
            let more = same.count - kept;
            findings.append(&mut same.kept);
            if more > 0 {
                let message = format!("{more} more findings of this kind are not shown");
                let mut rest = Finding::new(same.code, Subject::Site, message);
                rest.count = more;
                dropped.push(rest);
            }
        }
        findings.sort_by(|left, right| left.order().cmp(&right.order()));
        findings.append(&mut dropped);
        findings
    }

    /// A thread that panics ends the run.
    fn locked(&self) -> MutexGuard<'_, BTreeMap<&'static str, FindingsOfCode>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FindingsOfCode {
    fn drop_last(&mut self) {
        if self.kept.len() > MAX_PER_CODE {
            self.kept
                .sort_by(|left, right| left.order().cmp(&right.order()));
            self.kept.truncate(MAX_PER_CODE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::code;

    #[test]
    fn the_first_findings_of_a_code_are_kept_in_whatever_order_they_come() {
        let ascending: Vec<Finding> = (0..3 * MAX_PER_CODE + 7)
            .map(|number| Finding::new(code::LOC_TWICE, Subject::Site, format!("{number:06}")))
            .collect();
        let descending = ascending.iter().rev().cloned().collect();
        for added in [ascending.clone(), descending] {
            let findings = Findings::default();
            findings.extend(added);
            let sorted = findings.take_sorted();
            assert_eq!(sorted.len(), MAX_PER_CODE + 1);
            assert_eq!(sorted[..MAX_PER_CODE], ascending[..MAX_PER_CODE]);
            let more = "2007 more findings of this kind are not shown";
            assert_eq!(sorted[MAX_PER_CODE].message, more);
        }
    }
}
