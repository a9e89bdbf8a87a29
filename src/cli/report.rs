//! `waypost report`: writes the result of a check as one HTML file.

use std::io::{self, Write};
use std::path::Path;

use super::check;
use super::command_error::{CommandError, EXIT_SUCCESS};
use super::environment::prepare;
use super::findings::PlaceResolver;
use super::opts::ReportArgs;
use super::printer::Printer;
use crate::publish::write_file_with;
use crate::report::Report;
use crate::site::LoadedSite;
use sitemaps::EntryExtent;
use sitemaps::site_paths::display_path;

pub(super) fn report(args: &ReportArgs, printer: &Printer) -> Result<u8, CommandError> {
    let mut loaded = LoadedSite::load(prepare(&args.common)?, EntryExtent::All)?;
    let run = check::run(&mut loaded)?;
    let report = Report {
        loaded: &loaded,
        inventory: &run.inventory,
        findings: &run.findings,
    };
    let mut pointers = PlaceResolver::new(&loaded);
    let write = |out: &mut dyn Write| -> io::Result<()> {
        report.write_html(out, |finding| match pointers.resolve(finding) {
            (Some(file), Some((line, column))) => Some(format!("{file}:{line}:{column}")),
            (file, _) => file,
        })
    };
    match &args.to {
        Some(file) if file != Path::new("-") => {
            write_file_with(file, write)?;
            printer.say(&format!("report written to {}", display_path(file)));
        }
        None if Printer::is_terminal() => {
            return Err(CommandError::new(
                "the report is a page of HTML, which a terminal does not show",
                "write it to a file: `waypost report --to report.html`",
            ));
        }
        _ => Printer::data_with(write)?,
    }
    Ok(EXIT_SUCCESS)
}
