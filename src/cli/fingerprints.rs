//! Identifies findings across runs, so that code hosts recognize those that they already know.

use std::collections::HashMap;

use site_paths::finding::Finding;
use twox_hash::XxHash3_64;

/// Numbers findings that are alike within a run.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: HashMap<u64, usize>,
}

impl Fingerprints {
    /// Returns the hash of a finding with its number among the findings with the same hash, from 1.
    /// `file` is its path in the repository.
    ///
    /// Lines and columns do not count, nor do numbers outside backticks: a text that moves, or
    /// another page with the same problem, is not another finding.
    pub(super) fn of(&mut self, finding: &Finding, file: &str) -> String {
        let text = without_counts(&finding.message);
        let hashed = [finding.code.name, file, text.as_str()].join("\0");
        let hash = XxHash3_64::oneshot(hashed.as_bytes());
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    }
}

/// Replaces the numbers in a message by `0`, except in the names in backticks.
fn without_counts(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for (at, part) in message.split('`').enumerate() {
        if at % 2 == 1 {
            out.push('`');
            out.push_str(part);
            out.push('`');
        } else {
            push_without_numbers(&mut out, part);
        }
    }
    out
}

fn push_without_numbers(out: &mut String, mut text: &str) {
    let is_digit = |c: char| c.is_ascii_digit();
    while let Some(start) = text.find(is_digit) {
        out.push_str(&text[..start]);
        out.push('0');
        text = text[start..].trim_start_matches(is_digit);
        // `1,300` is one number.
        while let Some(rest) = text
            .strip_prefix(',')
            .filter(|rest| rest.starts_with(is_digit))
        {
            text = rest.trim_start_matches(is_digit);
        }
    }
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use site_paths::finding::{Place, Subject, code};

    fn finding(place: Option<Place>, message: &str) -> Finding {
        Finding::new(
            code::FEED_BROKEN,
            Subject::Page("a.html".into(), place),
            message,
        )
    }

    #[test]
    fn a_finding_keeps_its_fingerprint_where_lines_and_counts_change() {
        let of = |finding: &Finding, file: &str| Fingerprints::default().of(finding, file);
        let first = of(&finding(None, "`a1` differs on 12 pages"), "a.md");
        let moved = finding(
            Some(Place { start: 3, end: 4 }),
            "`a1` differs on 1,300 pages",
        );
        assert_eq!(of(&moved, "a.md"), first);
        assert_ne!(
            of(&finding(None, "`a2` differs on 12 pages"), "a.md"),
            first
        );
        assert_ne!(of(&moved, "b.md"), first);
    }

    #[test]
    fn findings_that_are_alike_are_numbered() {
        let mut fingerprints = Fingerprints::default();
        let mut next = || fingerprints.of(&finding(None, "x"), "a.md");
        let (first, second) = (next(), next());
        let hash = first.strip_suffix(":1").expect("the first");
        assert_eq!(second, format!("{hash}:2"));
    }
}
