//! `waypost dates`: prints the dates of sources before the site is built, for templates that show
//! them.

use serde::Serialize;

use super::command_error::CommandError;
use super::environment::request;
use super::findings::RunFindings;
use super::opts::DatesArgs;
use super::printer::Printer;
use crate::config::Flags;
use crate::findings::Level;
use crate::run::source_dates;
use crate::site::LoadedSite;
use sitemaps::EntryExtent;

/// The result of the command.
#[derive(Serialize)]
struct DatesResult {
    dates: Vec<DateResult>,
}

#[derive(Serialize)]
struct DateResult {
    /// The source, relative to the site root.
    path: String,
    lastmod: Option<String>,
    commit: Option<String>,
    /// The reason for a missing date.
    undated: Option<&'static str>,
}

pub(super) fn dates(args: &DatesArgs, printer: &Printer) -> Result<u8, CommandError> {
    let loaded = LoadedSite::load(
        request(".".as_ref(), Flags::default())?,
        EntryExtent::Sample,
    )?;
    loaded.report_settings();
    let found = source_dates(&loaded, &args.paths)?;
    let findings = loaded.findings.take_sorted();
    let mut findings = RunFindings::for_site(&findings, &loaded, Level::Deny);
    findings.show(printer);
    let format = loaded.settings().lastmod.format;
    let dates = found.iter().map(|date| DateResult {
        path: date.source.to_text().into_owned(),
        lastmod: date.lastmod.map(|date| date.to_text(format)),
        commit: date.dated.commit().map(|change| change.commit.to_string()),
        undated: date.dated.absence(),
    });
    let result = DatesResult {
        dates: dates.collect(),
    };
    if args.json {
        findings.print_json(&result)?;
    } else {
        let lines = result.dates.iter().map(|date| {
            let lastmod = date.lastmod.as_deref().unwrap_or("-");
            format!("{}\t{lastmod}\n", date.path)
        });
        Printer::data(lines.collect::<String>().as_bytes())?;
    }
    Ok(findings.exit_code())
}
