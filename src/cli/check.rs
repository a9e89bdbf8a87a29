//! `waypost check`: plans the sitemaps and checks the existing ones against that plan.

use std::time::Instant;

use super::build::{begin, stock};
use super::findings::{self, PlaceResolver};
use super::json_result::CheckResult;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::progress::watch;
use super::summary;
use super::{DONE, FINDINGS, github_step, sarif};
use crate::check::{CheckReport, check as hold_against};
use crate::finding::Level;
use crate::pipeline::{FoundBaseUrl, Inventory, InventoryDetail, RunProgress, Survey, plan_of};
use crate::publish::put_file;
use crate::sitemaps::Plan;

pub(super) fn check(args: &CheckArgs, screen: &Printer) -> anyhow::Result<u8> {
    let start = Instant::now();
    let (manifest, request) = begin(&args.common)?;
    let survey = Survey::new(request, &manifest)?;
    let run = watch(screen, |progress| run(&survey, progress))?;
    let strictness = if args.strict {
        Level::Warn
    } else {
        Level::Deny
    };
    if let Some(file) = &args.sarif {
        let log = sarif::log(&survey, &run.ledger, &mut PlaceResolver::new(&survey));
        put_file(
            file,
            format!("{}\n", serde_json::to_string_pretty(&log)?).as_bytes(),
        )?;
    }
    if args.github {
        Printer::data(github_step::annotations(&survey, &run.ledger).as_bytes())?;
    } else {
        findings::show(screen, &survey, &run.ledger, strictness);
    }
    if args.json {
        let result = CheckResult::new(&survey, &run);
        Printer::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
    } else {
        screen.say(&summary::of_check(
            &survey,
            &run,
            screen.volume(),
            start.elapsed(),
        ));
    }
    let failed = findings::fail(&run.ledger, &survey.settings().levels, strictness);
    Ok(if failed { FINDINGS } else { DONE })
}

/// A completed check; its findings are in the inventory.
pub(super) struct CheckRun {
    pub(super) base: FoundBaseUrl,
    pub(super) ledger: Inventory,
    pub(super) plan: Plan,
    pub(super) checked: CheckReport,
}

/// Plans the sitemaps and runs all checks.
pub(super) fn run(survey: &Survey<'_>, progress: &RunProgress) -> anyhow::Result<CheckRun> {
    let (base, robots, mut ledger) = stock(survey, InventoryDetail::Close, progress)?;
    let plan = plan_of(survey, &mut ledger);
    let mut checked = hold_against(survey, &robots, &ledger, &plan);
    ledger.findings.append(&mut checked.findings);
    Ok(CheckRun {
        base,
        ledger,
        plan,
        checked,
    })
}
