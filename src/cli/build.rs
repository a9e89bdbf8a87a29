//! `waypost build`: runs the whole pipeline, or with `--dry-run` everything except writing.

use crate::manifest;
use std::path::Path;

use super::findings;
use super::github_step;
use super::json_result::BuildResult;
use super::opts::{BuildArgs, SiteArgs};
use super::printer::Printer;
use super::progress::with_progress_bar;
use super::stopwatch::Stopwatch;
use super::summary;
use super::{EXIT_FINDINGS, EXIT_SUCCESS};
use crate::pipeline::{
    FoundBaseUrl, Inventory, InventoryDetail, PublishedSite, RobotsFile, RunError, RunProgress,
    RunRequest, Survey, publish_inventory, take_inventory,
};
use crate::publish::{WriteMode, append};
use page_sources::generator::Manifest;
use site_paths::finding::{Finding, Level};

pub(super) fn build(args: &BuildArgs, printer: &Printer) -> anyhow::Result<u8> {
    let (manifest, request) = prepare(&args.common)?;
    let last = if args.dry_run {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let strictness = if args.strict {
        Level::Warn
    } else {
        Level::Deny
    };
    build_site(
        &manifest,
        request,
        last,
        args.format.format(),
        strictness,
        printer,
    )
}

/// Output format of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputFormat {
    /// A summary in plain text.
    Summary,
    /// One JSON object.
    Json,
    /// Annotations for GitHub Actions.
    GitHub,
}

/// Builds the sitemaps of a site. Findings at level `strictness` or above fail the run.
pub(super) fn build_site(
    manifest: &Manifest,
    request: RunRequest,
    last: WriteMode,
    output: OutputFormat,
    strictness: Level,
    printer: &Printer,
) -> anyhow::Result<u8> {
    let start = Stopwatch::start();
    let survey = Survey::new(request, manifest)?;
    let preview = survey.skipped_preview();
    let effect = if preview.is_some() {
        WriteMode::DryRun
    } else {
        last
    };
    let run = with_progress_bar(printer, |progress| run(&survey, effect, progress))?;
    let human = || summary::of_build(&survey, &run, effect, printer.verbosity(), start.elapsed());
    if output == OutputFormat::GitHub {
        printer.say(&human());
        write_github_results(&survey, &run, effect)?;
    } else if output == OutputFormat::Json {
        findings::show(printer, &survey, &run.inventory, strictness);
        let result = BuildResult::new(&survey, &run.inventory, &run.published);
        Printer::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
    } else {
        findings::show(printer, &survey, &run.inventory, strictness);
        printer.say(&human());
    }
    if let Some(pipeline) = preview {
        let message = format!(
            "this is a preview build on {}, so nothing is written",
            pipeline.title
        );
        printer.note(
            &message,
            "`preview = \"production-urls\"` writes the production site's sitemap here too",
        );
    }
    let failed = findings::fail_run(&run.inventory, &survey.settings().levels, strictness);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

/// Prints annotations, and writes outputs and summary to the files that the runner names.
fn write_github_results(
    survey: &Survey<'_>,
    run: &BuildRun,
    effect: WriteMode,
) -> anyhow::Result<()> {
    Printer::data(github_step::annotations(survey, &run.inventory).as_bytes())?;
    let texts = [
        ("GITHUB_OUTPUT", github_step::outputs(survey, run, effect)),
        ("GITHUB_STEP_SUMMARY", github_step::summary(survey, run)),
    ];
    for (variable, text) in texts {
        if let Some(file) = survey
            .environment
            .get(variable)
            .filter(|file| !file.is_empty())
        {
            append(Path::new(file), &text)?;
        }
    }
    Ok(())
}

/// A completed build.
pub(super) struct BuildRun {
    pub(super) base: FoundBaseUrl,
    pub(super) inventory: Inventory,
    pub(super) published: PublishedSite,
}

fn run(survey: &Survey<'_>, effect: WriteMode, progress: &RunProgress) -> anyhow::Result<BuildRun> {
    let (base, robots, mut inventory) = build_inventory(survey, InventoryDetail::Usual, progress)?;
    let delivered = publish_inventory(survey, &robots, &mut inventory, effect)?;
    Ok(BuildRun {
        base,
        inventory,
        published: delivered,
    })
}

/// Runs the pipeline up to the inventory, which every command needs.
pub(super) fn build_inventory(
    survey: &Survey<'_>,
    scrutiny: InventoryDetail,
    progress: &RunProgress,
) -> Result<(FoundBaseUrl, RobotsFile, Inventory), RunError> {
    let base = survey.base_url()?;
    let mut robots_findings: Vec<Finding> = Vec::new();
    let robots = RobotsFile::read(survey, &mut robots_findings);
    let mut inventory = take_inventory(survey, &base.url, &robots, scrutiny, progress)?;
    inventory.findings.extend(robots_findings);
    Ok((base, robots, inventory))
}

/// Sets up threads, the manifest and the request, as every command that reads a site does.
pub(super) fn prepare(args: &SiteArgs) -> anyhow::Result<(Manifest, RunRequest)> {
    use_threads(args.run.threads)?;
    let manifest = manifest::embedded().with(args.manifest.as_deref())?;
    let environment = super::environment();
    let now = super::now(&environment)?;
    let (config, flags) = (args.config.clone(), args.flags()?);
    Ok((
        manifest,
        RunRequest {
            site: args.site.clone(),
            config,
            flags,
            environment,
            book: None,
            now,
        },
    ))
}

/// Applies `--threads` to the global thread pool.
pub(super) fn use_threads(threads: Option<u16>) -> anyhow::Result<()> {
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()?;
    }
    Ok(())
}
