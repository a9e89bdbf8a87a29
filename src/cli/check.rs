//! `waypost check`: plans the sitemaps and checks the existing ones against that plan.

use super::build::{build_inventory, prepare};
use super::findings::{self, PlaceResolver};
use super::json_result::CheckResult;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::progress::with_progress_bar;
use super::stopwatch::Stopwatch;
use super::summary;
use super::{EXIT_FINDINGS, EXIT_SUCCESS, github_step, sarif};
use crate::check::{CheckReport, check as hold_against};
use crate::pipeline::{FoundBaseUrl, Inventory, InventoryDetail, RunProgress, Survey, plan_of};
use crate::publish::write_file;
use site_paths::finding::Level;
use sitemaps::Plan;

pub(super) fn check(args: &CheckArgs, printer: &Printer) -> anyhow::Result<u8> {
    let start = Stopwatch::start();
    let (manifest, request) = prepare(&args.common)?;
    let survey = Survey::new(request, &manifest)?;
    let run = with_progress_bar(printer, |progress| run(&survey, progress))?;
    let strictness = if args.strict {
        Level::Warn
    } else {
        Level::Deny
    };
    if let Some(file) = &args.sarif {
        let log = sarif::log(&survey, &run.inventory, &mut PlaceResolver::new(&survey));
        write_file(
            file,
            format!("{}\n", serde_json::to_string_pretty(&log)?).as_bytes(),
        )?;
    }
    if args.github {
        Printer::data(github_step::annotations(&survey, &run.inventory).as_bytes())?;
    } else {
        findings::show(printer, &survey, &run.inventory, strictness);
    }
    if args.json {
        let result = CheckResult::new(&survey, &run);
        Printer::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
    } else {
        printer.say(&summary::of_check(
            &survey,
            &run,
            printer.verbosity(),
            start.elapsed(),
        ));
    }
    let failed = findings::fail_run(&run.inventory, &survey.settings().levels, strictness);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

/// A completed check; its findings are in the inventory.
pub(super) struct CheckRun {
    pub(super) base: FoundBaseUrl,
    pub(super) inventory: Inventory,
    pub(super) plan: Plan,
    pub(super) report: CheckReport,
}

/// Plans the sitemaps and runs all checks.
pub(super) fn run(survey: &Survey<'_>, progress: &RunProgress) -> anyhow::Result<CheckRun> {
    let (base, robots, mut inventory) = build_inventory(survey, InventoryDetail::Close, progress)?;
    let plan = plan_of(survey, &mut inventory);
    let mut checked = hold_against(survey, &robots, &inventory, &plan);
    inventory.findings.append(&mut checked.findings);
    Ok(CheckRun {
        base,
        inventory,
        plan,
        report: checked,
    })
}
