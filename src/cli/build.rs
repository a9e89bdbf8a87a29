//! `waypost build`: the whole road, or with `--dry-run` as far as the plan.

use std::time::Instant;

use super::findings;
use super::opts::{BuildArgs, SiteArgs};
use super::progress::watch;
use super::result::BuildResult;
use super::screen::Screen;
use super::summary;
use super::{DONE, FINDINGS};
use crate::finding::{Finding, Level};
use crate::generator::Manifest;
use crate::road::{
    Delivered, Delivery, Fault, FoundBase, Ledger, Progress, Request, RobotsFile, Scrutiny, Survey, deliver, take_stock,
};
use crate::write::DiskError;

pub(super) fn build(args: &BuildArgs, screen: &Screen) -> anyhow::Result<u8> {
    let start = Instant::now();
    use_threads(&args.common)?;
    let manifest = Manifest::embedded();
    let survey = Survey::new(request(&args.site, &args.common)?, &manifest)?;
    let preview = survey.skipped_preview();
    let delivery = if args.dry_run || preview.is_some() { Delivery::Preview } else { Delivery::Write };
    let run = watch(screen, |progress| run(&survey, delivery, progress))?;
    findings::show(screen, &survey, &run.ledger);
    if args.json {
        let result = BuildResult::new(&survey, &run.ledger, &run.delivered);
        Screen::data(format!("{}\n", serde_json::to_string_pretty(&result)?).as_bytes())?;
    } else {
        screen.say(&summary::of(&survey, &run, delivery, screen.volume(), start.elapsed()));
    }
    if let Some(pipeline) = preview {
        let message = format!("this is a preview build on {}, so nothing is written", pipeline.title);
        screen.note(&message, "`preview = \"production-urls\"` writes the production site's sitemap here too");
    }
    let strictness = if args.strict { Level::Warn } else { Level::Deny };
    let failed = findings::fail(&run.ledger, &survey.settings().levels, strictness);
    Ok(if failed { FINDINGS } else { DONE })
}

/// A build that came to its end.
pub(super) struct Run {
    pub(super) base: FoundBase,
    pub(super) ledger: Ledger,
    pub(super) delivered: Delivered,
}

fn run(survey: &Survey<'_>, delivery: Delivery, progress: &Progress) -> anyhow::Result<Run> {
    let (base, robots, mut ledger) = stock(survey, Scrutiny::Usual, progress)?;
    let delivered = deliver(survey, &robots, &mut ledger, delivery)?;
    Ok(Run { base, ledger, delivered })
}

/// The road up to the ledger, which every command goes.
pub(super) fn stock(
    survey: &Survey<'_>,
    scrutiny: Scrutiny,
    progress: &Progress,
) -> Result<(FoundBase, RobotsFile, Ledger), Fault> {
    let base = survey.base_url()?;
    let mut robots_findings: Vec<Finding> = Vec::new();
    let robots = RobotsFile::read(survey, &mut robots_findings);
    let mut ledger = take_stock(survey, &base.url, &robots, scrutiny, progress)?;
    ledger.findings.extend(robots_findings);
    Ok((base, robots, ledger))
}

/// Brings arguments, environment and clock together.
pub(super) fn request(site: &std::path::Path, args: &SiteArgs) -> anyhow::Result<Request> {
    let environment = super::environment();
    let now = super::now(&environment)?;
    Ok(Request { site: site.to_owned(), config: args.config.clone(), flags: args.flags()?, environment, now })
}

/// Takes `--threads` at its word for everything that runs on many.
pub(super) fn use_threads(args: &SiteArgs) -> anyhow::Result<()> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    Ok(())
}

/// The remedy for what went wrong on the disk.
pub(super) fn hint_of(error: &anyhow::Error) -> Option<String> {
    let error = error.downcast_ref::<DiskError>()?;
    let hint = match error {
        DiskError::IsFolder { .. } | DiskError::NotAName { .. } => "choose another name by `sitemap.file`",
        DiskError::Write { .. } | DiskError::Read { .. } | DiskError::Replace { .. } => error.hint()?,
    };
    Some(hint.to_owned())
}
