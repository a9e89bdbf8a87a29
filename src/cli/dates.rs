//! `waypost dates`: prints the dates of sources before the site is built, for templates that show
//! them.

use serde::Serialize;

use super::build::use_threads;
use super::command_error::CommandError;
use super::environment::environment;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::explain_text::date_text;
use super::findings::{self, PlaceResolver};
use super::json_result::{FindingResult, result_text};
use super::opts::DatesArgs;
use super::printer::Printer;
use crate::clock;
use crate::config::Flags;
use crate::pipeline::{SourceDate, source_dates};
use crate::site::{LoadedSite, RunRequest};
use sitemaps::DateFormat;
use sitemaps::site_paths::finding::Level;

/// The result of the command.
#[derive(Debug, Serialize)]
struct DatesResult<'a> {
    dates: Vec<DateResult>,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct DateResult {
    /// The source, relative to the site root.
    path: String,
    lastmod: Option<String>,
    commit: Option<String>,
    /// Why there is no date.
    undated: Option<&'static str>,
}

pub(super) fn dates(args: &DatesArgs, printer: &Printer) -> Result<u8, CommandError> {
    use_threads(args.run.threads)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let loaded = LoadedSite::load(RunRequest {
        site: ".".into(),
        config: None,
        flags: Flags::default(),
        environment,
        book: None,
        now,
    })?;
    let mut findings = loaded.settings_findings();
    let found = source_dates(&loaded, &args.paths)?.take_into(&mut findings);
    let levels = &loaded.settings().levels;
    let mut pointers = PlaceResolver::new(&loaded);
    findings::show(printer, &findings, levels, Level::Deny, &mut pointers);
    let format = loaded.settings().lastmod.format;
    let dates: Vec<DateResult> = found.iter().map(|date| date_result(date, format)).collect();
    if args.json {
        let findings = FindingResult::all(&findings, levels, &mut pointers);
        Printer::json(&result_text(&DatesResult { dates, findings }))?;
    } else {
        let lines = dates.iter().map(|date| {
            let lastmod = date.lastmod.as_deref().unwrap_or("-");
            format!("{}\t{lastmod}\n", date.path)
        });
        Printer::data(lines.collect::<String>().as_bytes())?;
    }
    let failed = findings::fail_run(&findings, levels, Level::Deny);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

fn date_result(date: &SourceDate, format: DateFormat) -> DateResult {
    let commit = date.dated.commit();
    DateResult {
        path: date.source.to_text().into_owned(),
        lastmod: date_text(date.lastmod, format),
        commit: commit.map(|change| change.commit.to_string()),
        undated: date.dated.absence(),
    }
}
