//! `waypost check`: the road as far as the plan, which is then held against the sitemaps that stand there.

use std::time::Instant;

use super::build::{begin, stock};
use super::findings::{self, Pointers};
use super::opts::CheckArgs;
use super::progress::watch;
use super::result::CheckResult;
use super::screen::Screen;
use super::summary;
use super::{DONE, FINDINGS, github_step, sarif};
use crate::check::{Checked, check as hold_against};
use crate::finding::Level;
use crate::road::{FoundBase, Ledger, Progress, Scrutiny, Survey, plan_of};
use crate::write::{Plan, put_file};

pub(super) fn check(args: &CheckArgs, screen: &Screen) -> anyhow::Result<u8> {
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
        let log = sarif::log(&survey, &run.ledger, &mut Pointers::new(&survey));
        put_file(
            file,
            format!("{}\n", serde_json::to_string_pretty(&log)?).as_bytes(),
        )?;
    }
    if args.github {
        Screen::data(github_step::annotations(&survey, &run.ledger).as_bytes())?;
    } else {
        findings::show(screen, &survey, &run.ledger, strictness);
    }
    if args.json {
        let result = CheckResult::new(&survey, &run);
        Screen::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
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

/// A check that came to its end; all findings stand in the ledger.
pub(super) struct CheckRun {
    pub(super) base: FoundBase,
    pub(super) ledger: Ledger,
    pub(super) plan: Plan,
    pub(super) checked: Checked,
}

/// The road as far as the plan, and the check.
pub(super) fn run(survey: &Survey<'_>, progress: &Progress) -> anyhow::Result<CheckRun> {
    let (base, robots, mut ledger) = stock(survey, Scrutiny::Close, progress)?;
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
