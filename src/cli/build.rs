//! `waypost build`: runs the whole pipeline, or with `--dry-run` everything except writing.

use crate::clock;
use std::path::Path;
use std::time::Duration;

use super::baseline::Baseline;
use super::command_error::CommandError;
use super::completed_run::BuildRun;
use super::environment::environment;
use super::exit_code::{EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::github_step::{self, StepFindings};
use super::json_result::{BuildResult, FindingResult, result_text};
use super::opts::{BuildArgs, OutputFormat, RunArgs, SiteArgs};
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use super::summary::{self, SiteLine};
use crate::config::Flags;
use crate::pipeline::{
    ComparedSet, PublishedSite, SiteInventory, WritePermission, build_inventory, publish_changes,
    publish_inventory,
};
use crate::publish::{WriteMode, append};
use crate::site::{LoadedSite, RunRequest};
use sitemaps::Plan;
use sitemaps::site_paths::finding::Level;

/// How long to wait for each response when a live sitemap is read.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) fn build(args: &BuildArgs, printer: &Printer) -> Result<u8, CommandError> {
    let request = prepare(&args.common)?;
    let last = if args.dry_run {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let strictness = args.strictness.level();
    let earlier = Baseline::named(args.since.as_deref(), args.record.as_deref(), PATIENCE)?;
    let options = BuildOptions {
        last,
        output: args.format.format(),
        strictness,
        earlier,
    };
    build_site(request, &options, printer)
}

/// How to build, and what to print.
pub(super) struct BuildOptions {
    /// Whether to write.
    pub(super) last: WriteMode,
    /// What to print.
    pub(super) output: OutputFormat,
    /// The level from which findings fail the run.
    pub(super) strictness: Level,
    /// The sitemap to compare with; `None` for the one on disk.
    pub(super) earlier: Option<Baseline>,
}

/// Builds the sitemaps of a site.
pub(super) fn build_site(
    request: RunRequest,
    options: &BuildOptions,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let (output, strictness) = (options.output, options.strictness);
    let start = Stopwatch::start();
    let loaded = LoadedSite::load(request)?;
    let preview = loaded.skipped_preview();
    let effect = if preview.is_some() {
        WriteMode::DryRun
    } else {
        options.last
    };
    let earlier = options.earlier.as_ref();
    let run = run(&loaded, earlier, effect)?;
    let refused = run.published.permission == WritePermission::Refused;
    let effect = if refused { WriteMode::DryRun } else { effect };
    let human = || {
        let site = SiteLine::new(&loaded);
        summary::of_build(site, &run, effect, printer.verbosity(), start.elapsed())
    };
    let levels = &loaded.settings().levels;
    let mut pointers = PlaceResolver::new(&loaded);
    if output == OutputFormat::GitHub {
        let text = human();
        printer.say(&text);
        write_github_results(&loaded, &run, effect, &text)?;
    } else if output == OutputFormat::Json {
        findings::show(printer, &run.findings, levels, strictness, &mut pointers);
        let found = FindingResult::all(&run.findings, levels, &mut pointers);
        let result = BuildResult::new(&loaded.site, loaded.output_dir(), preview, &run, found);
        Printer::json(&result_text(&result))?;
    } else {
        findings::show(printer, &run.findings, levels, strictness, &mut pointers);
        printer.say(&human());
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
    printed: &str,
) -> Result<(), CommandError> {
    let (settings, output_dir) = (loaded.settings(), loaded.output_dir());
    let environment = &loaded.environment;
    let findings = StepFindings {
        environment,
        levels: &settings.levels,
        inventory: Some(&run.inventory),
        findings: &run.findings,
    };
    let pointers = &mut PlaceResolver::new(loaded);
    Printer::data(findings.annotations(pointers).as_bytes())?;
    let (found, listed) = (run.inventory.pages.len(), run.inventory.listed());
    let heading = format!("{listed} of {found} pages in the sitemap");
    let texts = [
        (
            "GITHUB_OUTPUT",
            github_step::outputs(output_dir, &settings.sitemap, run, effect),
        ),
        (
            "GITHUB_STEP_SUMMARY",
            findings.summary(&heading, printed, pointers),
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
    earlier: Option<&Baseline>,
    effect: WriteMode,
) -> Result<BuildRun, CommandError> {
    let SiteInventory {
        base,
        robots,
        inventory,
        findings,
    } = build_inventory(loaded)?;
    let mut published = match earlier {
        None => publish_inventory(loaded, &robots, &inventory, findings, effect)?,
        Some(named) => {
            let changes_of = |plan: &Plan, _| named.changes(plan, &inventory.base);
            let published =
                publish_changes(loaded, &robots, &inventory, findings, effect, changes_of)?;
            PublishedSite {
                compared: ComparedSet::Named(named.display().unwrap_or_default()),
                ..published
            }
        }
    };
    let findings = std::mem::take(&mut published.findings);
    Ok(BuildRun {
        base,
        inventory,
        findings,
        published,
    })
}

/// Sets up threads and the request for the site that the arguments name.
pub(super) fn prepare(args: &SiteArgs) -> Result<RunRequest, CommandError> {
    let flags = args.flags()?;
    request(&args.site, args.config.as_deref(), flags, &args.run)
}

/// Sets up threads and the request, as every command that reads a site does.
pub(super) fn request(
    site: &Path,
    config: Option<&Path>,
    flags: Flags,
    run: &RunArgs,
) -> Result<RunRequest, CommandError> {
    use_threads(run.threads)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    Ok(RunRequest {
        site: site.to_owned(),
        config: config.map(Path::to_owned),
        flags,
        environment,
        book: None,
        now,
    })
}

/// Starts the global thread pool with `--threads`, or one thread per core. It would panic if it
/// started by itself and the system allowed no more threads. A single thread is this one.
pub(super) fn use_threads(threads: Option<u16>) -> Result<(), CommandError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into());
    let builder = match threads {
        Some(1) => builder.use_current_thread(),
        _ => builder,
    };
    builder.build_global().map_err(|error| {
        CommandError::new(
            format!("the threads of the run cannot be started: {error}"),
            "choose a smaller number of `--threads`, or raise the limit of processes: `ulimit -u`",
        )
    })
}
