//! The result of `check` for a site, a file or a URL: as text, as JSON or as annotations.

use std::collections::BTreeMap;

use serde::Serialize;

use super::change_rows::changes;
use super::command_error::CommandError;
use super::completed_run::CheckRun;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::github_step::StepFindings;
use super::json_result::{ChangesResult, FindingResult, PageCounts, result_text};
use super::numbers::{counted, grouped, seconds};
use super::opts::CheckArgs;
use super::printer::{FAINT, Printer, STRONG, row, styled};
use super::stopwatch::Stopwatch;
use super::summary::{SiteLine, site_rows};
use super::verdict::Verdict;
use crate::check::{CheckedFile, LiveReport};
use crate::settings::LevelOverrides;
use crate::site::{LoadedSite, is_refusal};
use sitemaps::set::SitemapFileKind;
use sitemaps::site_paths::finding::{Finding, Level, code};
use sitemaps::site_paths::{display_path, escaped};

/// A file of a set.
#[derive(Debug, Serialize)]
pub(super) struct SetFileLine {
    /// Its path or URL.
    pub(super) path: String,
    pub(super) kind: SitemapFileKind,
    pub(super) entries: usize,
}

impl SetFileLine {
    pub(super) fn of<T>(file: &CheckedFile<T>) -> Self {
        Self {
            path: file.name.clone(),
            kind: file.kind,
            entries: file.entries,
        }
    }
}

/// A set that was checked.
pub(super) struct CheckedSet<'a> {
    pub(super) target: CheckTarget<'a>,
    pub(super) files: Vec<SetFileLine>,
    pub(super) findings: &'a [Finding],
}

/// What `check` was given.
pub(super) enum CheckTarget<'a> {
    Site(&'a LoadedSite<'a>, &'a CheckRun),
    /// A file or a URL, whose findings have their default levels.
    Set(NamedSet<'a>),
}

/// A file or a URL that the user names.
pub(super) struct NamedSet<'a> {
    pub(super) name: &'a str,
    /// The host to which it redirects: scheme, host and port.
    pub(super) origin: Option<&'a String>,
    /// URLs of sitemaps that were not read.
    pub(super) absent: &'a [String],
    /// Their number, and why they were not read.
    pub(super) unchecked: String,
    pub(super) live: Option<&'a LiveReport>,
}

/// The JSON of the result.
#[derive(Debug, Serialize)]
struct CheckResult<'a> {
    #[serde(flatten)]
    target: TargetResult<'a>,
    /// The number of listed URLs with an error.
    rejected: usize,
    sitemaps: &'a [SetFileLine],
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum TargetResult<'a> {
    Site {
        generator: Option<&'a str>,
        base_url: &'a str,
        output_dir: String,
        pages: PageCounts,
        changes: Box<ChangesResult<'a>>,
    },
    Set {
        file: &'a str,
        /// The sitemaps that the index names, but that are not beside it.
        absent: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        live: Option<&'a LiveReport>,
    },
}

impl CheckedSet<'_> {
    /// Prints the result in the form that the arguments select, and returns the exit code.
    pub(super) fn show(
        &self,
        args: &CheckArgs,
        environment: &BTreeMap<String, String>,
        printer: &Printer,
        pointers: &mut PlaceResolver<'_>,
        start: &Stopwatch,
    ) -> Result<u8, CommandError> {
        let defaults = LevelOverrides::default();
        let (levels, inventory) = match &self.target {
            CheckTarget::Site(loaded, run) => (&loaded.settings().levels, Some(&run.inventory)),
            CheckTarget::Set(_) => (&defaults, None),
        };
        let strictness = args.strictness.level();
        let verdict = self.verdict(levels);
        // What refuses the set comes before a verdict on it.
        let is_refused = self.findings.iter().any(|finding| {
            is_refusal(finding.code) && levels.level_of(finding.code) == Level::Deny
        });
        if !args.json && !is_refused {
            let line = verdict.line(self.unread().is_none());
            printer.say(&format!("{line}\n"));
        }
        if args.github {
            let reported = StepFindings {
                environment,
                levels,
                inventory,
                findings: self.findings,
            };
            Printer::data(reported.annotations(pointers).as_bytes())?;
        } else {
            findings::show(printer, self.findings, levels, strictness, pointers);
        }
        if args.json {
            Printer::json(&result_text(&CheckResult {
                target: self.target.result(),
                rejected: verdict.rejected,
                sitemaps: &self.files,
                findings: FindingResult::all(self.findings, levels, pointers),
            }))?;
        } else {
            printer.say(&self.summary(levels, printer, start));
        }
        if let Some(unread) = self.unread() {
            return Err(CommandError::Unread(unread.message.clone()));
        }
        let failed = findings::fail_run(self.findings, levels, strictness);
        Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
    }

    /// How many of the listed URLs would be rejected.
    fn verdict(&self, levels: &LevelOverrides) -> Verdict {
        let pages = self.files.iter();
        let pages = pages.filter(|file| file.kind != SitemapFileKind::Index);
        let listed = pages.map(|file| file.entries).sum();
        Verdict::of(listed, self.findings, levels)
    }

    /// The first finding about something that was not read completely.
    fn unread(&self) -> Option<&Finding> {
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.code == code::LIVE_UNCHECKED)
    }

    fn summary(&self, levels: &LevelOverrides, printer: &Printer, start: &Stopwatch) -> String {
        let mut out = String::new();
        let volume = printer.verbosity();
        match &self.target {
            CheckTarget::Site(loaded, run) => {
                let site = SiteLine::new(loaded);
                site_rows(&mut out, site, volume, &run.base, &run.inventory);
            }
            CheckTarget::Set(named) => {
                if let Some(origin) = named.origin {
                    let text = format!("{origin}, to which {} redirects", escaped(named.name));
                    row(&mut out, "site", &text);
                }
            }
        }
        let names: Vec<_> = self.files.iter().map(|file| escaped(&file.path)).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or_default();
        for (at, (file, name)) in self.files.iter().zip(&names).enumerate() {
            let label = if at == 0 { "sitemaps" } else { "" };
            let what = kind_and_count(file.kind, file.entries);
            row(&mut out, label, &format!("{name:width$}  {what}"));
        }
        match &self.target {
            CheckTarget::Site(_, CheckRun { plan, report, .. }) => {
                let (found, compared) = (&report.changes, &report.compared);
                changes(&mut out, plan, found, compared, false, volume);
            }
            CheckTarget::Set(set) => set.rows(&mut out),
        }
        found_row(&mut out, levels, self.findings);
        row(&mut out, "took", &styled(FAINT, seconds(start.elapsed())));
        out.truncate(out.trim_end().len());
        out
    }
}

impl CheckTarget<'_> {
    fn result(&self) -> TargetResult<'_> {
        match self {
            Self::Site(loaded, run) => TargetResult::Site {
                generator: loaded.site.generator.map(|generator| &*generator.name),
                base_url: run.inventory.base.as_str(),
                output_dir: display_path(loaded.output_dir()),
                pages: PageCounts::of(&run.inventory),
                changes: Box::new(ChangesResult::new(&run.report.changes, &run.plan)),
            },
            Self::Set(named) => TargetResult::Set {
                file: named.name,
                absent: named.absent,
                live: named.live,
            },
        }
    }
}

impl NamedSet<'_> {
    /// Adds what was not read, and the pages that were requested from the server.
    fn rows(&self, out: &mut String) {
        if !self.absent.is_empty() {
            row(out, "unchecked", &self.unchecked);
        }
        if let Some(report) = self.live {
            let [answered, chosen] = [report.answered, report.chosen].map(grouped);
            let listed = counted(report.listed, "URL");
            let text = format!("{answered} of {chosen} pages answered, of {listed}");
            row(out, "live", &text);
        }
    }
}

/// The kind of a sitemap file and its number of entries.
fn kind_and_count(kind: SitemapFileKind, entries: usize) -> String {
    match kind {
        SitemapFileKind::Feed(_) => {
            let noun = if entries == 1 { "entry" } else { "entries" };
            format!("feed, {} {noun}", grouped(entries))
        }
        SitemapFileKind::Index => counted(entries, "sitemap"),
        SitemapFileKind::Pages | SitemapFileKind::Text | SitemapFileKind::OtherXml => {
            counted(entries, "URL")
        }
    }
}

/// Adds the number of errors and warnings.
fn found_row(out: &mut String, levels: &LevelOverrides, findings: &[Finding]) {
    let count = |level| {
        let levels = findings.iter().map(|finding| levels.level_of(finding.code));
        levels.filter(|found| *found == level).count()
    };
    let text = match (count(Level::Deny), count(Level::Warn)) {
        (0, 0) => styled(STRONG, "no problems"),
        (errors, warnings) => format!(
            "{}, {}",
            counted(errors, "error"),
            counted(warnings, "warning")
        ),
    };
    row(out, "found", &text);
}
