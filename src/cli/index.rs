//! `waypost index`: checks existing sitemaps, then writes an index of them. If a finding fails the
//! run, nothing is written.

use super::build::request;
use super::command_error::CommandError;
use super::completed_run::IndexRun;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::json_result::{FindingResult, IndexResult, result_text};
use super::opts::IndexArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use super::summary;
use crate::index::{IndexError, IndexPlan, IndexPurpose, SitemapArgument, plan_index};
use crate::inventory::Inventory;
use crate::pipeline::publish_plan;
use crate::publish::WriteMode;
use crate::site::{FoundBaseUrl, LoadedSite, PreviewBuild, RobotsFile};
use sitemaps::SitemapChanges;
use sitemaps::site_paths::finding::Level;

pub(super) fn index(args: &IndexArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let flags = args.flags()?;
    let request = request(&args.site, args.config.as_deref(), flags, &args.run)?;
    let loaded = LoadedSite::load(request)?;
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
    let IndexPlan {
        children,
        plan,
        mut findings,
    } = plan_over(args, loaded, &base)?;
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
        let changes = SitemapChanges::default();
        let inventory = Inventory::empty(base.url.clone());
        let mut published = publish_plan(loaded, &robots, plan, changes, &inventory, effect)?;
        findings.append(&mut published.findings);
        Some(published)
    };
    Ok(IndexRun {
        base,
        children,
        findings,
        effect,
        published,
    })
}

fn plan_over(
    args: &IndexArgs,
    loaded: &LoadedSite<'_>,
    base: &FoundBaseUrl,
) -> Result<IndexPlan, CommandError> {
    let named = args
        .sitemaps
        .iter()
        .map(|typed| SitemapArgument::parse(typed));
    let named = named.collect::<Result<Vec<_>, IndexError>>()?;
    let purpose = IndexPurpose {
        base: &base.url,
        output_dir: loaded.output.path(),
        settings: loaded.settings(),
        now: loaded.now,
    };
    Ok(plan_index(&named, &purpose)?)
}
