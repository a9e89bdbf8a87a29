//! Shows the result of `check` for a file or a URL.

use std::collections::BTreeMap;

use super::check::report;
use super::command_error::CommandError;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::github_step::StepFindings;
use super::json_result::{FileCheckResult, FindingResult, result_text};
use super::numbers::{counted, grouped, seconds};
use super::opts::CheckArgs;
use super::printer::{FAINT, Printer, row, styled};
use super::set_result::SetResult;
use super::stopwatch::Stopwatch;
use super::summary::{found, listed, live};
use super::verdict::Verdict;
use crate::settings::LevelOverrides;
use site_paths::escaped;
use sitemaps::SitemapListing;
use sitemaps::set::SitemapFileKind;

impl SetResult<'_> {
    /// Prints the result in the form that the arguments select, and returns the exit code.
    pub(super) fn show(
        &self,
        args: &CheckArgs,
        environment: &BTreeMap<String, String>,
        printer: &Printer,
        pointers: &mut PlaceResolver<'_>,
        start: &Stopwatch,
    ) -> Result<u8, CommandError> {
        let levels = LevelOverrides::default();
        let reported = StepFindings {
            environment,
            levels: &levels,
            inventory: None,
            findings: self.findings,
        };
        report(args, &reported, printer, pointers)?;
        if args.json {
            let found = FindingResult::all(self.findings, &levels, pointers);
            Printer::json(&result_text(&FileCheckResult::new(
                self,
                self.verdict(&levels),
                found,
            )))?;
        } else {
            printer.say(&self.summary(&levels, start));
        }
        let failed = findings::fail_run(self.findings, &levels, args.strictness.level());
        Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
    }

    /// How many of the listed URLs would be rejected.
    fn verdict(&self, levels: &LevelOverrides) -> Verdict {
        let pages = self
            .files
            .iter()
            .filter(|file| file.kind != SitemapFileKind::Index);
        let listed = pages.map(|file| file.entries).sum();
        Verdict::of(listed, self.findings, levels)
    }

    /// Formats the files with their number of entries, and the number of findings.
    fn summary(&self, levels: &LevelOverrides, start: &Stopwatch) -> String {
        let mut out = String::from("\n");
        self.verdict(levels).show(&mut out);
        if let Some(origin) = self.origin {
            let name = escaped(self.name);
            row(
                &mut out,
                "site",
                &format!("{origin}, to which {name} redirects"),
            );
        }
        let names = self.files.iter().map(|file| escaped(&file.path));
        let names: Vec<_> = names.collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or_default();
        for (at, (file, name)) in self.files.iter().zip(&names).enumerate() {
            let label = if at == 0 { "sitemaps" } else { "" };
            let what = kind_and_count(file.kind, file.entries);
            row(&mut out, label, &format!("{name:width$}  {what}"));
        }
        if !self.absent.is_empty() {
            row(&mut out, "unchecked", &self.unchecked);
        }
        live(&mut out, self.live);
        found(&mut out, levels, self.findings);
        row(&mut out, "took", &styled(FAINT, seconds(start.elapsed())));
        out.truncate(out.trim_end().len());
        out
    }
}

/// The kind of a sitemap file and its number of entries.
fn kind_and_count(kind: SitemapFileKind, entries: usize) -> String {
    match kind {
        SitemapFileKind::Feed(_) => {
            let noun = listed(SitemapListing::Pages, entries);
            format!("feed, {} {noun}", grouped(entries))
        }
        SitemapFileKind::Index => counted(entries, "sitemap"),
        SitemapFileKind::Pages | SitemapFileKind::Text | SitemapFileKind::OtherXml => {
            counted(entries, "URL")
        }
    }
}
