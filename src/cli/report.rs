//! `waypost report`: writes the result of a check as one HTML file.

use super::EXIT_SUCCESS;
use super::build::prepare;
use super::check;
use super::findings::PlaceResolver;
use super::opts::ReportArgs;
use super::printer::Printer;
use super::progress::with_progress_bar;
use crate::pipeline::Survey;
use crate::publish::write_file;
use crate::report::Report;

pub(super) fn report(args: &ReportArgs, printer: &Printer) -> anyhow::Result<u8> {
    let (manifest, request) = prepare(&args.common)?;
    let survey = Survey::new(request, &manifest)?;
    let run = with_progress_bar(printer, |progress| check::run(&survey, progress))?;
    let report = Report {
        survey: &survey,
        inventory: &run.inventory,
        plan: &run.plan,
        changes: &run.report.changes,
    };
    let mut pointers = PlaceResolver::new(&survey);
    let html = report.to_html(|finding| match pointers.resolve(finding) {
        (Some(file), Some((line, column))) => Some(format!("{file}:{line}:{column}")),
        (file, _) => file,
    });
    match &args.to {
        Some(file) => {
            write_file(file, html.as_bytes())?;
            printer.say(&format!("report written to {}", Survey::display_path(file)));
        }
        None => Printer::data(html.as_bytes())?,
    }
    Ok(EXIT_SUCCESS)
}
