//! `waypost build`: runs the whole pipeline, or with `--dry-run` everything except writing.

use std::path::Path;
use std::time::Instant;

use super::findings;
use super::github_step;
use super::json_result::BuildResult;
use super::opts::{BuildArgs, SiteArgs};
use super::printer::Printer;
use super::progress::watch;
use super::summary;
use super::{DONE, FINDINGS};
use crate::finding::{Finding, Level};
use crate::generator::Manifest;
use crate::pipeline::{
    FoundBaseUrl, Inventory, InventoryDetail, PublishedSite, RobotsFile, RunError, RunProgress,
    RunRequest, Survey, deliver, take_stock,
};
use crate::publish::{WriteMode, append};

pub(super) fn build(args: &BuildArgs, screen: &Printer) -> anyhow::Result<u8> {
    let (manifest, request) = begin(&args.common)?;
    let last = if args.dry_run {
        WriteMode::Look
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
        args.form.output(),
        strictness,
        screen,
    )
}

/// What a build prints when done.
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
    screen: &Printer,
) -> anyhow::Result<u8> {
    let start = Instant::now();
    let survey = Survey::new(request, manifest)?;
    let preview = survey.skipped_preview();
    let effect = if preview.is_some() {
        WriteMode::Look
    } else {
        last
    };
    let run = watch(screen, |progress| run(&survey, effect, progress))?;
    let human = || summary::of(&survey, &run, effect, screen.volume(), start.elapsed());
    if output == OutputFormat::GitHub {
        screen.say(&human());
        show_to_github(&survey, &run, effect)?;
    } else if output == OutputFormat::Json {
        findings::show(screen, &survey, &run.ledger, strictness);
        let result = BuildResult::new(&survey, &run.ledger, &run.delivered);
        Printer::json(&format!("{}\n", serde_json::to_string_pretty(&result)?))?;
    } else {
        findings::show(screen, &survey, &run.ledger, strictness);
        screen.say(&human());
    }
    if let Some(pipeline) = preview {
        let message = format!(
            "this is a preview build on {}, so nothing is written",
            pipeline.title
        );
        screen.note(
            &message,
            "`preview = \"production-urls\"` writes the production site's sitemap here too",
        );
    }
    let failed = findings::fail(&run.ledger, &survey.settings().levels, strictness);
    Ok(if failed { FINDINGS } else { DONE })
}

/// Prints annotations, and writes outputs and summary to the files that the runner names.
fn show_to_github(survey: &Survey<'_>, run: &BuildRun, effect: WriteMode) -> anyhow::Result<()> {
    Printer::data(github_step::annotations(survey, &run.ledger).as_bytes())?;
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
    pub(super) ledger: Inventory,
    pub(super) delivered: PublishedSite,
}

fn run(survey: &Survey<'_>, effect: WriteMode, progress: &RunProgress) -> anyhow::Result<BuildRun> {
    let (base, robots, mut ledger) = stock(survey, InventoryDetail::Usual, progress)?;
    let delivered = deliver(survey, &robots, &mut ledger, effect)?;
    Ok(BuildRun {
        base,
        ledger,
        delivered,
    })
}

/// Runs the pipeline up to the inventory, which every command needs.
pub(super) fn stock(
    survey: &Survey<'_>,
    scrutiny: InventoryDetail,
    progress: &RunProgress,
) -> Result<(FoundBaseUrl, RobotsFile, Inventory), RunError> {
    let base = survey.base_url()?;
    let mut robots_findings: Vec<Finding> = Vec::new();
    let robots = RobotsFile::read(survey, &mut robots_findings);
    let mut ledger = take_stock(survey, &base.url, &robots, scrutiny, progress)?;
    ledger.findings.extend(robots_findings);
    Ok((base, robots, ledger))
}

/// Sets up threads, the manifest and the request, as every command that reads a site does.
pub(super) fn begin(args: &SiteArgs) -> anyhow::Result<(Manifest, RunRequest)> {
    use_threads(args.run.threads)?;
    let manifest = Manifest::with(args.manifest.as_deref())?;
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
