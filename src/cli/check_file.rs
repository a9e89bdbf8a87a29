//! `waypost check FILE`: checks one sitemap, index or feed without a site or settings.

use std::time::Duration;

use super::build::use_threads;
use super::check::report;
use super::command_error::CommandError;
use super::environment::environment;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::github_step::StepFindings;
use super::json_result::{FileCheckResult, FindingResult, json_text};
use super::numbers::{counted, grouped, seconds};
use super::opts::CheckArgs;
use super::printer::{FAINT, Printer, row, styled};
use super::stopwatch::Stopwatch;
use super::summary::found;
use crate::check::{CheckedSet, check_file as check_set};
use crate::clock;
use crate::settings::LevelOverrides;
use site_paths::display_path;
use sitemaps::set::SitemapFileKind;

/// Checks the file that `SITE` names. Findings have their default levels.
pub(super) fn check_file(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let path = &args.common.site;
    if let Some(option) = args.common.option_of_site() {
        let file = display_path(path);
        return Err(CommandError::OptionOfSite { option, file });
    }
    use_threads(args.common.run.threads)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let set = check_set(path, now).map_err(|source| CommandError::SitemapFile {
        file: display_path(path),
        source,
    })?;
    let levels = LevelOverrides::default();
    let pointers = &mut PlaceResolver::of_files();
    let reported = StepFindings {
        environment: &environment,
        levels: &levels,
        inventory: None,
        findings: &set.findings,
    };
    report(args, &reported, printer, pointers)?;
    if args.json {
        let found = FindingResult::all(&set.findings, &levels, pointers);
        Printer::json(&json_text(&FileCheckResult::new(path, &set, found)))?;
    } else {
        printer.say(&summary(&set, &levels, start.elapsed()));
    }
    let failed = findings::fail_run(&set.findings, &levels, args.strictness.level());
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

/// Formats the files with their number of entries, and the number of findings.
fn summary(set: &CheckedSet, levels: &LevelOverrides, took: Duration) -> String {
    let mut out = String::from("\n");
    let names: Vec<String> = set
        .files
        .iter()
        .map(|file| display_path(&file.path))
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    for (at, (file, name)) in set.files.iter().zip(&names).enumerate() {
        let label = if at == 0 { "sitemaps" } else { "" };
        let what = match file.kind {
            SitemapFileKind::Feed(_) => "feed".to_owned(),
            SitemapFileKind::Index => counted(file.entries, "sitemap"),
            SitemapFileKind::Pages | SitemapFileKind::Text | SitemapFileKind::OtherXml => {
                counted(file.entries, "URL")
            }
        };
        row(&mut out, label, &format!("{name:width$}  {what}"));
    }
    if !set.absent.is_empty() {
        let count = grouped(set.absent.len());
        let text = format!("{count} more that the index names are not beside it");
        row(&mut out, "unchecked", &text);
    }
    found(&mut out, levels, &set.findings);
    row(&mut out, "took", &styled(FAINT, seconds(took)));
    out.truncate(out.trim_end().len());
    out
}
