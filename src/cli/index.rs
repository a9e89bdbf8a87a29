//! `waypost index`: reads and checks existing sitemaps, then writes an index of them or one merged
//! set. If a finding fails the run, nothing is written.

use crate::manifest;
use std::time::Duration;

use super::build::use_threads;
use super::findings;
use super::json_result::IndexResult;
use super::opts::IndexArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use super::summary;
use super::{EXIT_FINDINGS, EXIT_SUCCESS};
use crate::merge::{
    AllowedHosts, MergePurpose, MergedSitemaps, PartSitemap, SitemapArgument, SitemapSource,
    plan_index, plan_merged_set,
};
use crate::pipeline::{
    FoundBaseUrl, Inventory, PublishedSite, RobotsFile, RunRequest, Survey, publish_plan,
};
use crate::publish::WriteMode;
use crate::submit::Network;
use site_paths::finding::Level;
use sitemaps::{Plan, SitemapChanges};

pub(super) fn index(args: &IndexArgs, printer: &Printer) -> anyhow::Result<u8> {
    let start = Stopwatch::start();
    use_threads(args.run.threads)?;
    let manifest = manifest::embedded();
    let environment = super::environment();
    let now = super::now(&environment)?;
    let (site, config, flags) = (args.site.clone(), args.config.clone(), args.flags()?);
    let survey = Survey::new(
        RunRequest {
            site,
            config,
            flags,
            environment,
            book: None,
            now,
        },
        &manifest,
    )?;
    let strictness = if args.result.strict {
        Level::Warn
    } else {
        Level::Deny
    };
    let run = run(args, &survey, strictness)?;

    findings::show(printer, &survey, &run.inventory, strictness);
    if args.result.json {
        let result = IndexResult::new(&survey, &run);
        Printer::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
    } else {
        printer.say(&summary::of_index(
            &survey,
            &run,
            printer.verbosity(),
            start.elapsed(),
        ));
    }
    if let Some(pipeline) = survey.skipped_preview() {
        let message = format!(
            "this is a preview build on {}, so nothing is written",
            pipeline.title
        );
        printer.note(
            &message,
            "`preview = \"production-urls\"` writes the production site's sitemap here too",
        );
    }
    if run.published.is_none() {
        printer.error(
            "nothing was written",
            Some("fix the sitemaps, or change the levels of these findings in `[levels]`"),
        );
    }
    let failed = findings::fail_run(&run.inventory, &survey.settings().levels, strictness);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

/// A completed `waypost index`.
pub(super) struct IndexRun {
    pub(super) base: FoundBaseUrl,
    pub(super) parts: Vec<PartSitemap>,
    pub(super) inventory: Inventory,
    pub(super) effect: WriteMode,
    /// What was written; `None` if a finding fails the run.
    pub(super) published: Option<PublishedSite>,
}

fn run(args: &IndexArgs, survey: &Survey<'_>, strictness: Level) -> anyhow::Result<IndexRun> {
    let base = survey.base_url()?;
    let MergedSitemaps {
        parts: members,
        plan,
        findings,
    } = merge_sitemaps(args, survey, &base)?;
    let mut inventory = Inventory::empty(base.url.clone());
    inventory.findings = findings;
    let robots = RobotsFile::read(survey, &mut inventory.findings);
    let is_preview = args.result.dry_run || survey.skipped_preview().is_some();
    let effect = if is_preview {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let fails = findings::fail_run(&inventory, &survey.settings().levels, strictness);
    let delivered = if fails {
        None
    } else {
        Some(publish(
            args,
            survey,
            &robots,
            plan,
            &mut inventory,
            effect,
        )?)
    };
    Ok(IndexRun {
        base,
        parts: members,
        inventory,
        effect,
        published: delivered,
    })
}

fn merge_sitemaps(
    args: &IndexArgs,
    survey: &Survey<'_>,
    base: &FoundBaseUrl,
) -> anyhow::Result<MergedSitemaps> {
    let named = args
        .sitemaps
        .iter()
        .map(|typed| SitemapArgument::parse(typed))
        .collect::<Result<Vec<_>, _>>()?;
    let is_on_the_web = named
        .iter()
        .any(|named| matches!(named.source, SitemapSource::Url(_)));
    let patience = Duration::from_secs(args.timeout.into());
    let network = is_on_the_web.then(|| Network::new(patience)).transpose()?;
    let purpose = MergePurpose {
        base: &base.url,
        output_dir: &survey.output_dir,
        settings: survey.settings(),
        hosts: if args.other_hosts {
            AllowedHosts::Any
        } else {
            AllowedHosts::Own
        },
        network: network.as_ref(),
        now: survey.now,
    };
    Ok(if args.merge {
        plan_merged_set(&named, &purpose)?
    } else {
        plan_index(&named, &purpose)?
    })
}

fn publish(
    args: &IndexArgs,
    survey: &Survey<'_>,
    robots: &RobotsFile,
    plan: Plan,
    inventory: &mut Inventory,
    effect: WriteMode,
) -> anyhow::Result<PublishedSite> {
    // An index lists no pages, so there is nothing to compare.
    let changes = if args.merge {
        SitemapChanges::between(&survey.output(), &plan)
    } else {
        SitemapChanges::default()
    };
    Ok(publish_plan(
        survey, robots, plan, changes, inventory, effect,
    )?)
}
