//! `waypost build`: runs the whole pipeline, or with `--dry-run` everything except writing.

use crate::manifest;
use std::path::Path;

use super::command_error::CommandError;
use super::completed_run::BuildRun;
use super::environment::{environment, now};
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::github_step;
use super::json_result::{BuildResult, FindingResult, json_text};
use super::opts::{BuildArgs, OutputFormat, SiteArgs};
use super::printer::Printer;
use super::progress::with_progress_bar;
use super::stopwatch::Stopwatch;
use super::summary::{self, SiteLine};
use crate::inventory::Inventory;
use crate::pipeline::{
    InventoryDetail, WritePermission, page_refusals, publish_inventory, refusals_first,
    take_inventory,
};
use crate::publish::{WriteMode, append};
use crate::reading::RunProgress;
use crate::site::{FoundBaseUrl, LoadedSite, RobotsFile, RunError, RunRequest};
use page_sources::generator::Manifest;
use site_paths::finding::{Finding, Level};

pub(super) fn build(args: &BuildArgs, printer: &Printer) -> Result<u8, CommandError> {
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

/// Builds the sitemaps of a site. Findings at level `strictness` or above fail the run.
pub(super) fn build_site(
    manifest: &Manifest,
    request: RunRequest,
    last: WriteMode,
    output: OutputFormat,
    strictness: Level,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let loaded = LoadedSite::load(request, manifest)?;
    let preview = loaded.skipped_preview();
    let effect = if preview.is_some() {
        WriteMode::DryRun
    } else {
        last
    };
    let run = with_progress_bar(printer, |progress| run(&loaded, effect, progress))?;
    let refused = run.published.permission == WritePermission::Refused;
    let effect = if refused { WriteMode::DryRun } else { effect };
    let human = || {
        let site = SiteLine::new(&loaded.site, loaded.output_dir());
        summary::of_build(site, &run, effect, printer.verbosity(), start.elapsed())
    };
    let levels = &loaded.settings().levels;
    let mut pointers = PlaceResolver::new(&loaded);
    if output == OutputFormat::GitHub {
        printer.say(&human());
        write_github_results(&loaded, &run, effect)?;
    } else if output == OutputFormat::Json {
        findings::show(printer, &run.findings, levels, strictness, &mut pointers);
        let found = FindingResult::all(&run.findings, levels, &mut pointers);
        let result = BuildResult::new(&loaded.site, loaded.output_dir(), preview, &run, found);
        Printer::json(&json_text(&result))?;
    } else {
        findings::show(printer, &run.findings, levels, strictness, &mut pointers);
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
    if refused {
        printer.note(
            "nothing was written, and an existing sitemap is unchanged",
            "fix the first error above, or accept it for one run with `--accept CODE`",
        );
    }
    let failed = findings::fail_run(&run.findings, levels, strictness);
    Ok(if failed { EXIT_FINDINGS } else { EXIT_SUCCESS })
}

/// Prints annotations, and writes outputs and summary to the files that the runner names.
fn write_github_results(
    loaded: &LoadedSite<'_>,
    run: &BuildRun,
    effect: WriteMode,
) -> Result<(), CommandError> {
    let (settings, output_dir) = (loaded.settings(), loaded.output_dir());
    let (levels, environment) = (&settings.levels, &loaded.environment);
    let (inventory, findings) = (&run.inventory, &run.findings);
    let pointers = &mut PlaceResolver::new(loaded);
    let notes = github_step::annotations(environment, levels, inventory, findings, pointers);
    Printer::data(notes.as_bytes())?;
    let table = github_step::findings_table(environment, levels, inventory, findings, pointers);
    let texts = [
        (
            "GITHUB_OUTPUT",
            github_step::outputs(output_dir, &settings.sitemap, run, effect),
        ),
        (
            "GITHUB_STEP_SUMMARY",
            github_step::summary(output_dir, loaded.skipped_preview(), run, &table),
        ),
    ];
    for (variable, text) in texts {
        if let Some(file) = environment.get(variable).filter(|file| !file.is_empty()) {
            append(Path::new(file), &text)?;
        }
    }
    Ok(())
}

fn run(
    loaded: &LoadedSite<'_>,
    effect: WriteMode,
    progress: &RunProgress,
) -> Result<BuildRun, CommandError> {
    let SiteInventory {
        base,
        robots,
        inventory,
        findings,
    } = build_inventory(loaded, InventoryDetail::Usual, progress)?;
    let mut published = publish_inventory(loaded, &robots, &inventory, findings, effect)?;
    let findings = std::mem::take(&mut published.findings);
    Ok(BuildRun {
        base,
        inventory,
        findings,
        published,
    })
}

/// The pages of a site, and what was read on the way to them.
pub(super) struct SiteInventory {
    pub(super) base: FoundBaseUrl,
    pub(super) robots: RobotsFile,
    pub(super) inventory: Inventory,
    /// Refusals, then problems of the pages, ordered by file and place, of robots.txt and of the base
    /// URL.
    pub(super) findings: Vec<Finding>,
}

/// Runs the pipeline up to the inventory, which every command needs.
pub(super) fn build_inventory(
    loaded: &LoadedSite<'_>,
    detail: InventoryDetail,
    progress: &RunProgress,
) -> Result<SiteInventory, RunError> {
    let base = loaded.base_url_with_findings()?;
    let robots = RobotsFile::read(&loaded.output);
    let mut findings = Vec::new();
    let inventory = take_inventory(loaded, &base.value.url, &robots.value, detail, progress)?
        .take_into(&mut findings);
    let robots = robots.take_into(&mut findings);
    let base = base.take_into(&mut findings);
    // A preview that writes nothing may name its own URLs.
    if loaded.skipped_preview().is_none() {
        let pages = page_refusals(&loaded.site, &base, loaded.output_dir(), &inventory);
        findings = refusals_first(findings, pages, loaded.settings()).findings;
    }
    Ok(SiteInventory {
        base,
        robots,
        inventory,
        findings,
    })
}

/// Sets up threads, the manifest and the request, as every command that reads a site does.
pub(super) fn prepare(args: &SiteArgs) -> Result<(Manifest, RunRequest), CommandError> {
    use_threads(args.run.threads)?;
    let manifest = manifest::embedded().with(args.manifest.as_deref())?;
    let environment = environment();
    let now = now(&environment)?;
    let flags = args.flags().map_err(CommandError::WorkingDir)?;
    let config = args.config.clone();
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

/// Starts the global thread pool with `--threads`, or one thread per core. It would panic if it
/// started by itself and the system allowed no more threads. A single thread is this one.
pub(super) fn use_threads(threads: Option<u16>) -> Result<(), CommandError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into());
    let builder = match threads {
        Some(1) => builder.use_current_thread(),
        _ => builder,
    };
    Ok(builder.build_global()?)
}
