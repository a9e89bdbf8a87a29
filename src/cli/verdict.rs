//! The verdict of `check`: how many of the listed URLs search engines would reject.

use std::collections::BTreeSet;

use super::numbers::{counted, grouped};
use super::printer::{STRONG, styled};
use crate::settings::LevelOverrides;
use sitemaps::site_paths::finding::{Finding, Level, Subject, code};

/// How many URLs and whole sitemaps would be rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The number of listed URLs.
    listed: usize,
    /// Those with an error of their own.
    pub(super) rejected: usize,
    /// The number of sitemaps with an error that concerns all of their URLs.
    sitemaps: usize,
}

impl Verdict {
    /// Counts the entries of `listed` with a finding at `deny`.
    pub(super) fn of(listed: usize, findings: &[Finding], levels: &LevelOverrides) -> Self {
        let of_entries = [
            code::LOC_INVALID,
            code::LOC_ELSEWHERE,
            code::LOC_CONTRADICTED,
            code::LOC_WITHOUT_FILE,
            code::LASTMOD_UNTRUE,
            code::SITEMAP_INVALID,
            code::LIVE_STATUS,
        ];
        let errors = findings.iter().filter(|finding| {
            of_entries.contains(&finding.code) && levels.level_of(finding.code) == Level::Deny
        });
        let (mut entries, mut sitemaps, mut unshown) = (BTreeSet::new(), BTreeSet::new(), 0);
        for finding in errors {
            match &finding.subject {
                Subject::Site => unshown += finding.count,
                // That of robots.txt, of which crawlers must know all before they fetch a page.
                Subject::Url(_, None) if finding.code == code::LIVE_STATUS => {
                    unshown = listed;
                }
                Subject::Page(_, None) | Subject::File(_, None) | Subject::Url(_, None) => {
                    sitemaps.insert(&finding.subject);
                }
                _ => {
                    entries.insert(&finding.subject);
                }
            }
        }
        Self {
            listed,
            rejected: (entries.len() + unshown).min(listed),
            sitemaps: sitemaps.len(),
        }
    }

    /// The first line of a result. If not everything was read, it says so.
    pub(super) fn line(self, is_complete: bool) -> String {
        let urls = if self.listed == 1 { "URL" } else { "URLs" };
        let rejected = match self.rejected {
            0 => "none".to_owned(),
            some => grouped(some),
        };
        let of = grouped(self.listed);
        let whole = match self.sitemaps {
            0 => String::new(),
            count => format!(", and {} as a whole", counted(count, "sitemap")),
        };
        let text = match (is_complete, self.listed) {
            (true, _) => format!("{rejected} of {of} {urls} would be rejected{whole}"),
            (false, 0) => format!("could not check: no URL was read{whole}"),
            (false, _) => {
                format!(
                    "could not check everything: {rejected} of {of} {urls} would be rejected{whole}"
                )
            }
        };
        styled(STRONG, text)
    }
}
