//! `waypost report`: writes the result of a check as one HTML file.

use super::DONE;
use super::build::begin;
use super::check;
use super::findings::PlaceResolver;
use super::opts::ReportArgs;
use super::printer::Printer;
use super::progress::watch;
use crate::pipeline::Survey;
use crate::publish::put_file;
use crate::report::Report;

pub(super) fn report(args: &ReportArgs, screen: &Printer) -> anyhow::Result<u8> {
    let (manifest, request) = begin(&args.common)?;
    let survey = Survey::new(request, &manifest)?;
    let run = watch(screen, |progress| check::run(&survey, progress))?;
    let report = Report {
        survey: &survey,
        ledger: &run.ledger,
        plan: &run.plan,
        changes: &run.checked.changes,
    };
    let mut pointers = PlaceResolver::new(&survey);
    let html = report.to_html(|finding| match pointers.of(finding) {
        (Some(file), Some((line, column))) => Some(format!("{file}:{line}:{column}")),
        (file, _) => file,
    });
    match &args.to {
        Some(file) => {
            put_file(file, html.as_bytes())?;
            screen.say(&format!("report written to {}", Survey::shown(file)));
        }
        None => Printer::data(html.as_bytes())?,
    }
    Ok(DONE)
}
