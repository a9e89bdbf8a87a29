//! `waypost index`: reads and checks existing sitemaps, then writes an index of them or one merged
//! set. If a finding fails the run, nothing is written.

use crate::clock;
use crate::manifest;
use std::path::Path;
use std::time::Duration;

use super::build::use_threads;
use super::command_error::CommandError;
use super::completed_run::IndexRun;
use super::environment::environment;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::json_result::{FindingResult, IndexResult, result_text};
use super::network::network;
use super::opts::IndexArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use super::summary;
use crate::inventory::Inventory;
use crate::merge::{
    AllowedHosts, MergePurpose, MergedSitemaps, SitemapArgument, SitemapSource, plan_index,
    plan_merged_set,
};
use crate::pipeline::publish_plan;
use crate::publish::WriteMode;
use crate::settings::Settings;
use crate::site::{FoundBaseUrl, LoadedSite, PreviewBuild, RobotsFile, RunRequest};
use crate::submit::NetworkReach;
use site_paths::finding::Level;
use sitemaps::{Now, SitemapChanges};

pub(super) fn index(args: &IndexArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    use_threads(args.run.threads)?;
    let manifest = manifest::embedded();
    let environment = environment();
    let now = clock::now(&environment)?;
    let flags = args.flags().map_err(CommandError::WorkingDir)?;
    let (site, config) = (args.site.clone(), args.config.clone());
    let loaded = LoadedSite::load(
        RunRequest {
            site,
            config,
            host_rules: None,
            flags,
            environment,
            book: None,
            now,
        },
        &manifest,
    )?;
    let strictness = args.result.strictness.level();
    let run = run(args, &loaded, strictness)?;

    let (output_dir, settings) = (loaded.output_dir(), loaded.settings());
    let (levels, format) = (&settings.levels, settings.lastmod.format);
    let mut pointers = PlaceResolver::new(&loaded);
    findings::show(printer, &run.findings, levels, strictness, &mut pointers);
    if args.result.json {
        let found = FindingResult::all(&run.findings, levels, &mut pointers);
        let result = IndexResult::new(output_dir, format, loaded.skipped_preview(), &run, found);
        Printer::json(&result_text(&result))?;
    } else {
        printer.say(&summary::of_index(
            output_dir,
            format,
            &run,
            printer.verbosity(),
            start.elapsed(),
        ));
    }
    if let Some(preview) = loaded.skipped_preview() {
        printer.note(&preview.message("written"), PreviewBuild::HINT);
    }
    if run.published.is_none() {
        printer.error(
            "nothing was written",
            Some("fix the sitemaps, or change the levels of these findings in `[levels]`"),
        );
    }
    let failed = findings::fail_run(&run.findings, levels, strictness);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

fn run(
    args: &IndexArgs,
    loaded: &LoadedSite<'_>,
    strictness: Level,
) -> Result<IndexRun, CommandError> {
    let (output, settings) = (&loaded.output, loaded.settings());
    let base = loaded.base_url()?;
    let MergedSitemaps {
        parts,
        plan,
        mut findings,
    } = merge_sitemaps(args, output.path(), settings, loaded.now, &base)?;
    let robots = RobotsFile::read(output).take_into(&mut findings);
    let is_preview = args.result.dry_run || loaded.skipped_preview().is_some();
    let effect = if is_preview {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let published = if findings::fail_run(&findings, &settings.levels, strictness) {
        None
    } else {
        // An index lists no pages, so there is nothing to compare.
        let changes = if args.merge {
            SitemapChanges::between(output, &plan)
        } else {
            SitemapChanges::default()
        };
        let inventory = Inventory::empty(base.url.clone());
        let mut published = publish_plan(loaded, &robots, plan, changes, &inventory, effect)?;
        findings.append(&mut published.findings);
        Some(published)
    };
    Ok(IndexRun {
        base,
        parts,
        findings,
        effect,
        published,
    })
}

fn merge_sitemaps(
    args: &IndexArgs,
    output_dir: &Path,
    settings: &Settings,
    now: Now,
    base: &FoundBaseUrl,
) -> Result<MergedSitemaps, CommandError> {
    let named = args
        .sitemaps
        .iter()
        .map(|typed| SitemapArgument::parse(typed))
        .collect::<Result<Vec<_>, _>>()?;
    let is_on_the_web = named
        .iter()
        .any(|named| matches!(named.source, SitemapSource::Url(_)));
    let patience = Duration::from_secs(args.timeout.into());
    let network = is_on_the_web.then(|| network(patience, NetworkReach::Any));
    let network = network.transpose()?;
    let purpose = MergePurpose {
        base: &base.url,
        output_dir,
        settings,
        hosts: if args.other_hosts {
            AllowedHosts::Any
        } else {
            AllowedHosts::Own
        },
        network: network.as_ref(),
        now,
    };
    Ok(if args.merge {
        plan_merged_set(&named, &purpose)?
    } else {
        plan_index(&named, &purpose)?
    })
}
