//! The result of `check` for a site, a file or a URL: as text, as JSON or as annotations.

use std::collections::BTreeSet;

use serde::Serialize;

use super::build_result::entries;
use super::changes_result::ChangesResult;
use super::command_error::CommandError;
use super::findings::RunFindings;
use super::opts::CheckArgs;
use super::printer::{Printer, Verbosity};
use super::site_result::SiteResult;
use super::text_layout::{STRONG, styled, summary};
use crate::check::{CheckedFile, LiveReport, is_about_link};
use crate::findings::{Level, Subject, code, counted, grouped};
use sitemaps::SitemapFileKind;
use sitemaps::site_paths::escaped;

#[derive(Serialize)]
pub(super) struct CheckResult<'a> {
    #[serde(flatten)]
    target: CheckTarget<'a>,
    /// How many listed URLs have an error of their own, so that search engines would reject them.
    rejected: usize,
    sitemaps: Vec<SetFileLine>,
    /// The number of sitemaps with an error that concerns all of their URLs.
    #[serde(skip)]
    rejected_sitemaps: usize,
}

/// What was checked.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum CheckTarget<'a> {
    Site {
        #[serde(flatten)]
        site: SiteResult<'a>,
        changes: ChangesResult<'a>,
    },
    /// A file or a URL that the user names.
    Set {
        file: &'a str,
        /// URLs of sitemaps that were not read.
        absent: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        live: Option<&'a LiveReport>,
    },
}

/// A file of a set.
#[derive(Serialize)]
struct SetFileLine {
    /// Its path or URL.
    path: String,
    kind: SitemapFileKind,
    entries: usize,
}

impl SetFileLine {
    fn of(file: &CheckedFile) -> Self {
        Self {
            path: file.value.name.clone(),
            kind: file.read.head.kind,
            entries: file.read.entries,
        }
    }

    /// Its kind and its number of entries.
    fn text(&self) -> String {
        match self.kind {
            SitemapFileKind::Feed(_) => {
                let noun = entries(self.entries).trim_end();
                format!("feed, {} {noun}", grouped(self.entries))
            }
            SitemapFileKind::Index => counted(self.entries, "sitemap"),
            SitemapFileKind::Pages | SitemapFileKind::Text | SitemapFileKind::OtherXml => {
                counted(self.entries, "URL")
            }
        }
    }
}

impl<'a> CheckResult<'a> {
    /// The result of a check with these findings.
    pub(super) fn new(
        target: CheckTarget<'a>,
        files: &[CheckedFile],
        findings: &RunFindings<'_>,
    ) -> Self {
        let sitemaps = files.iter().map(SetFileLine::of).collect();
        let about_entry = [
            code::LOC_INVALID,
            code::LOC_ELSEWHERE,
            code::LOC_CONTRADICTED,
            code::LOC_WITHOUT_FILE,
            code::LASTMOD_UNTRUE,
            code::SITEMAP_INVALID,
            code::SITEMAP_LIMITS,
            code::LIVE_STATUS,
        ];
        let rejected: BTreeSet<&Subject> = files
            .iter()
            .filter(|file| file.value.is_rejected)
            .map(|file| &file.value.subject)
            .collect();
        let (mut entries, mut wholes, mut unshown) = (BTreeSet::new(), BTreeSet::new(), 0_usize);
        for finding in findings.findings {
            if !about_entry.contains(&finding.code)
                || is_about_link(finding)
                || findings.level_of(finding) != Level::Deny
            {
                continue;
            }
            let (subject, whole) = (&finding.subject, finding.subject.whole());
            match subject {
                Subject::Site => unshown = finding.count.saturating_add(unshown),
                // That of robots.txt, of which crawlers must know all before they fetch a page.
                Subject::Url(_, None) if finding.code == code::LIVE_STATUS => {
                    unshown = usize::MAX;
                }
                _ if *subject == whole || rejected.contains(&whole) => {
                    wholes.insert(whole);
                }
                _ => {
                    entries.insert(subject);
                    unshown = unshown.saturating_add(finding.count - 1);
                }
            }
        }
        let mut result = Self {
            target,
            rejected: 0,
            sitemaps,
            rejected_sitemaps: wholes.len(),
        };
        result.rejected = entries.len().saturating_add(unshown).min(result.listed());
        result
    }

    /// The number of listed URLs.
    fn listed(&self) -> usize {
        self.sitemaps
            .iter()
            .filter(|file| file.kind != SitemapFileKind::Index)
            .map(|file| file.entries)
            .sum()
    }

    /// Prints the result in the form that the arguments select, and returns the exit code.
    pub(super) fn show(
        &self,
        args: &CheckArgs,
        printer: &Printer,
        mut findings: RunFindings<'_>,
    ) -> Result<u8, CommandError> {
        let unread = findings
            .findings
            .iter()
            .find(|finding| finding.code == code::LIVE_UNCHECKED);
        // What refuses the set comes before a verdict on it.
        if !args.json && !findings.refuse() {
            let line = self.line(unread.is_none());
            printer.say(&format!("{line}\n"));
        }
        findings.show(printer);
        if args.json {
            findings.print_json(self)?;
        } else {
            printer.say(&self.summary(&findings, printer.verbosity));
        }
        match unread {
            Some(unread) => Err(CommandError::new(
                format!("could not check: {}", unread.message),
                "what was not read may be right or wrong: check again when it is served",
            )),
            None => Ok(findings.exit_code()),
        }
    }

    fn summary(&self, findings: &RunFindings<'_>, volume: Verbosity) -> String {
        let names: Vec<_> = self
            .sitemaps
            .iter()
            .map(|file| escaped(&file.path))
            .collect();
        let widths = names.iter().map(|name| name.chars().count());
        let width = widths.max().unwrap_or_default();
        let mut files = Vec::new();
        for (file, name) in self.sitemaps.iter().zip(&names) {
            files.push(format!("{name:width$}  {}", file.text()));
        }
        let mut parts = vec![("sitemaps", files)];
        match &self.target {
            CheckTarget::Site { site, changes } => {
                parts.splice(0..0, site.parts(volume));
                parts.push(changes.part(false, volume));
            }
            CheckTarget::Set { absent, live, .. } => {
                if !absent.is_empty() {
                    let count = counted(absent.len(), "sitemap");
                    let text = format!("{count} elsewhere that an index or robots.txt names");
                    parts.push(("unchecked", vec![text]));
                }
                if let Some(report) = live {
                    let [answered, chosen] = [report.answered, report.chosen].map(grouped);
                    let listed = counted(report.listed, "URL");
                    let text = format!("{answered} of {chosen} pages answered, of {listed}");
                    parts.push(("live", vec![text]));
                }
            }
        }
        let [errors, warnings] = [Level::Deny, Level::Warn].map(|level| findings.count(level));
        let found = if errors + warnings == 0 {
            styled(STRONG, "no problems")
        } else {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            format!("{errors}, {warnings}")
        };
        parts.push(("found", vec![found]));
        summary(parts)
    }

    /// The first line of a result. If not everything was read, it says so.
    fn line(&self, is_complete: bool) -> String {
        let listed = counted(self.listed(), "URL");
        let sitemaps = counted(self.rejected_sitemaps, "sitemap");
        let verdict = match (self.rejected, self.rejected_sitemaps) {
            (0, 0) => format!("none of {listed} would be rejected"),
            (0, _) => format!("{sitemaps} would be rejected as a whole"),
            (some, 0) => format!("{} of {listed} would be rejected", grouped(some)),
            (some, _) => {
                let some = grouped(some);
                format!("{some} of {listed} would be rejected, and {sitemaps} as a whole")
            }
        };
        let mut kinds = self.sitemaps.iter().map(|file| file.kind);
        let text = match (is_complete, self.listed()) {
            (true, 0)
                if self.rejected_sitemaps == 0
                    && kinds.any(|kind| kind == SitemapFileKind::Index) =>
            {
                "no sitemap of the index could be read".to_owned()
            }
            (true, 0) => "no sitemap could be read".to_owned(),
            (true, _) => verdict,
            (false, 0) if self.rejected_sitemaps == 0 => {
                "could not check: no URL was read".to_owned()
            }
            (false, _) => format!("could not check everything: {verdict}"),
        };
        styled(STRONG, text)
    }
}
