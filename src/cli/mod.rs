//! The command line: the only module that reads arguments, environment variables and the clock,
//! and the only one that prints.

mod baseline;
mod build;
mod check;
pub mod diagnose;
mod explain;
mod explain_text;
mod finding_source;
mod findings;
pub mod github;
mod github_paths;
mod github_step;
mod index;
mod init;
mod json_result;
mod mdbook;
mod numbers;
mod opts;
mod places;
mod printer;
mod progress;
mod report;
mod sarif;
mod settings;
mod stopwatch;
mod submit;
mod submit_error;
mod submit_list;
mod submit_report;
mod suggestion;
mod summary;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::{CommandFactory, Parser};

use crate::config;
use crate::decide::reason_names;
use crate::merge::MergeError;
use crate::pipeline::RunError;
use crate::publish::DiskError;
use crate::submit::NetworkError;
use page_sources::generator::{ManifestError, SiteError};
use page_sources::source_map::BookError;
use site_paths::escaped;
use sitemaps::Now;

use opts::{Command, Opts};
use printer::Printer;
use submit_error::SubmitError;

/// Exit code for success.
const EXIT_SUCCESS: u8 = 0;
/// Exit code for a run with findings that fail it, or with a rejected submission.
const EXIT_FINDINGS: u8 = 1;
/// Exit code for a run that could not be completed, or a submission to try again later.
const EXIT_FAILURE: u8 = 2;

/// Parses the arguments, runs the command and returns its exit code.
pub fn run() -> ExitCode {
    let opts = match Opts::try_parse() {
        Ok(opts) => opts,
        Err(error) => return usage(&error),
    };
    let is_annotated = opts.is_annotated();
    let printer = Printer::new(opts.verbosity());
    let code = match run_command(&opts, &printer) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => EXIT_SUCCESS,
        Err(error) => {
            let hint = hint_of(&error, &opts);
            show_error(&printer, &error, hint.as_deref());
            if is_annotated {
                annotate_error(&error, hint.as_deref());
            }
            EXIT_FAILURE
        }
    };
    ExitCode::from(code)
}

fn run_command(opts: &Opts, printer: &Printer) -> anyhow::Result<u8> {
    match &opts.command {
        None => build::build(&opts.build, printer),
        Some(Command::Build(args)) => build::build(args, printer),
        Some(Command::Check(args)) => check::check(args, printer),
        Some(Command::Explain(args)) => explain::explain(args, printer),
        Some(Command::Mdbook(args)) => mdbook::mdbook(args, printer),
        Some(Command::Index(args)) => index::index(args, printer),
        Some(Command::Init(args)) => init::init(args, printer),
        Some(Command::Report(args)) => report::report(args, printer),
        Some(Command::Submit(args)) => submit::submit(args, printer),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Opts::command(), "waypost", &mut script);
            Printer::data(&script)?;
            Ok(EXIT_SUCCESS)
        }
        Some(Command::Man { command }) => {
            Printer::data(&manual_page(command.as_deref())?)?;
            Ok(EXIT_SUCCESS)
        }
        Some(Command::Schema) => {
            Printer::data(config::schema(&reason_names()).as_bytes())?;
            Ok(EXIT_SUCCESS)
        }
    }
}

/// Renders the manual page of waypost or of the named command.
fn manual_page(name: Option<&str>) -> anyhow::Result<Vec<u8>> {
    // The manual pages already contain what `help` prints.
    let mut command = Opts::command().disable_help_subcommand(true);
    command.build();
    if let Some(name) = name {
        let found = command.find_subcommand(name).cloned();
        command = found.with_context(|| {
            format!(
                "no command named `{}`; `waypost help` lists all commands",
                escaped(name)
            )
        })?;
    }
    let source = concat!("waypost ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .source(source)
        .render(&mut page)?;
    Ok(page)
}

/// Prints clap's output. `--help` and `--version` succeed; anything else is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        Printer::usage_error(&error.render().ansi().to_string());
        return ExitCode::from(EXIT_FAILURE);
    }
    // Only a closed pipe can fail here, and that counts as success.
    error.print().ok();
    ExitCode::from(EXIT_SUCCESS)
}

/// Formats an error with its causes, skipping a cause that the text already contains.
fn error_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn show_error(printer: &Printer, error: &anyhow::Error, hint: Option<&str>) {
    match error.downcast_ref::<RunError>() {
        Some(RunError::Mistakes(mistakes)) => findings::show_mistakes(printer, mistakes),
        _ => printer.error(&error_text(error), hint),
    }
}

/// Prints the error as GitHub annotations. If stdout is closed, the exit code still reports it.
fn annotate_error(error: &anyhow::Error, hint: Option<&str>) {
    let annotations = match error.downcast_ref::<RunError>() {
        Some(RunError::Mistakes(mistakes)) => {
            github_step::mistake_annotations(mistakes, &environment())
        }
        _ => annotation_of(error, hint),
    };
    if Printer::data(annotations.as_bytes()).is_err() {}
}

fn annotation_of(error: &anyhow::Error, hint: Option<&str>) -> String {
    let (level, message) = (github::AnnotationLevel::Error, &error_text(error));
    format!(
        "{}\n",
        github::Annotation {
            level,
            file: None,
            line: None,
            title: "waypost",
            message,
            hint
        }
    )
}

/// The remedy for an error, if there is one.
fn hint_of(error: &anyhow::Error, opts: &Opts) -> Option<String> {
    if let Some(fault) = error.downcast_ref::<RunError>() {
        return match fault {
            RunError::Site(SiteError::NoSuchDir(_)) => {
                suggestion::hint(opts).or_else(|| fault.hint())
            }
            _ => fault.hint(),
        };
    }
    if let Some(error) = error.downcast_ref::<ManifestError>() {
        return error.hint().map(str::to_owned);
    }
    if let Some(error) = error.downcast_ref::<BookError>() {
        return Some(error.remedy().to_owned());
    }
    if let Some(error) = error.downcast_ref::<SubmitError>() {
        return error.hint();
    }
    if let Some(error) = error.downcast_ref::<MergeError>() {
        return error.hint();
    }
    if let Some(error) = error.downcast_ref::<NetworkError>() {
        return error.hint().map(str::to_owned);
    }
    let hint = match (error.downcast_ref::<DiskError>()?, &opts.command) {
        // A build names its files after the sitemap.
        (
            DiskError::IsDirectory { .. } | DiskError::NotAName { .. },
            None | Some(Command::Build(_) | Command::Mdbook(_)),
        ) => "choose another name with `sitemap.file`",
        (error, _) => error.hint()?,
    };
    Some(hint.to_owned())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.into_iter()
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The environment variables that are valid UTF-8; no other variable can hold a setting.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the environment"
)]
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The current time: `SOURCE_DATE_EPOCH` (reproducible-builds.org) if set, else the system clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system clock"
)]
fn now(environment: &BTreeMap<String, String>) -> anyhow::Result<Now> {
    if let Some(text) = environment
        .get("SOURCE_DATE_EPOCH")
        .filter(|text| !text.is_empty())
    {
        let seconds = text.parse().with_context(|| {
            format!(
                "`SOURCE_DATE_EPOCH` is `{}`, not a number of seconds",
                text.escape_debug()
            )
        })?;
        return Ok(Now(seconds));
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the system clock is set before 1970")?;
    Ok(Now(
        i64::try_from(since.as_secs()).context("the system clock is too far in the future")?
    ))
}
