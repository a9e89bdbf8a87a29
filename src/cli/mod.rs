//! The command line: the only room that reads arguments, environment and clock, and the only one that prints.

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
mod opts;
mod places;
mod printer;
mod progress;
mod report;
mod sarif;
mod settings;
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
use crate::dates::Now;
use crate::decide::reason_names;
use crate::generator::{ManifestError, SiteError};
use crate::merge::MergeError;
use crate::pipeline::RunError;
use crate::publish::DiskError;
use crate::site_paths::escaped;
use crate::source_map::BookError;
use crate::submit::NetworkError;

use opts::{Command, Opts};
use printer::Printer;
use submit_error::SubmitError;

/// Done.
const DONE: u8 = 0;
/// Done, but with a finding at level deny.
const FINDINGS: u8 = 1;
/// Could not run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command that the arguments ask for, and says how it ended.
pub fn run() -> ExitCode {
    let opts = match Opts::try_parse() {
        Ok(opts) => opts,
        Err(error) => return usage(&error),
    };
    let is_annotated = opts.is_annotated();
    let screen = Printer::new(opts.volume());
    let code = match take(&opts, &screen) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => DONE,
        Err(error) => {
            let hint = hint_of(&error, &opts);
            show_error(&screen, &error, hint.as_deref());
            if is_annotated {
                annotate_error(&error, hint.as_deref());
            }
            COULD_NOT_RUN
        }
    };
    ExitCode::from(code)
}

fn take(opts: &Opts, screen: &Printer) -> anyhow::Result<u8> {
    match &opts.command {
        None => build::build(&opts.build, screen),
        Some(Command::Build(args)) => build::build(args, screen),
        Some(Command::Check(args)) => check::check(args, screen),
        Some(Command::Explain(args)) => explain::explain(args, screen),
        Some(Command::Mdbook(args)) => mdbook::mdbook(args, screen),
        Some(Command::Index(args)) => index::index(args, screen),
        Some(Command::Init(args)) => init::init(args, screen),
        Some(Command::Report(args)) => report::report(args, screen),
        Some(Command::Submit(args)) => submit::submit(args, screen),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Opts::command(), "waypost", &mut script);
            Printer::data(&script)?;
            Ok(DONE)
        }
        Some(Command::Man { command }) => {
            Printer::data(&manual_page(command.as_deref())?)?;
            Ok(DONE)
        }
        Some(Command::Schema) => {
            Printer::data(config::schema(&reason_names()).as_bytes())?;
            Ok(DONE)
        }
    }
}

/// The manual page of waypost, or of one of its commands.
fn manual_page(name: Option<&str>) -> anyhow::Result<Vec<u8>> {
    // What `help` prints is said by the pages themselves.
    let mut command = Opts::command().disable_help_subcommand(true);
    command.build();
    if let Some(name) = name {
        let found = command.find_subcommand(name).cloned();
        command = found.with_context(|| {
            format!(
                "no command is called `{}`; `waypost help` names all",
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

/// Help and version are no errors; anything else that clap says is one of usage.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        Printer::misused(&error.render().ansi().to_string());
        return ExitCode::from(COULD_NOT_RUN);
    }
    // A closed pipe is all that can go wrong here, and then nobody reads on.
    error.print().ok();
    ExitCode::from(DONE)
}

/// What went wrong, and why; a cause that the text before it names already is not told again.
fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn show_error(screen: &Printer, error: &anyhow::Error, hint: Option<&str>) {
    match error.downcast_ref::<RunError>() {
        Some(RunError::Mistakes(mistakes)) => findings::show_mistakes(screen, mistakes),
        _ => screen.error(&told(error), hint),
    }
}

/// Annotates what stopped the run. Where stdout is closed, the exit code says the rest.
fn annotate_error(error: &anyhow::Error, hint: Option<&str>) {
    let annotations = match error.downcast_ref::<RunError>() {
        Some(RunError::Mistakes(mistakes)) => github_step::annotations_of(mistakes, &environment()),
        _ => annotation_of(error, hint),
    };
    if Printer::data(annotations.as_bytes()).is_err() {}
}

fn annotation_of(error: &anyhow::Error, hint: Option<&str>) -> String {
    let (level, message) = (github::AnnotationLevel::Error, &told(error));
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

/// What to do about it.
fn hint_of(error: &anyhow::Error, opts: &Opts) -> Option<String> {
    if let Some(fault) = error.downcast_ref::<RunError>() {
        return match fault {
            RunError::Site(SiteError::NoSuchFolder(_)) => {
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
        // What a build writes is named by its sitemap.
        (
            DiskError::IsFolder { .. } | DiskError::NotAName { .. },
            None | Some(Command::Build(_) | Command::Mdbook(_)),
        ) => "choose another name by `sitemap.file`",
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

/// The environment as text; a value that is not UTF-8 is no setting of ours.
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// `SOURCE_DATE_EPOCH` (reproducible-builds.org) where it is set, else the clock.
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
        .context("the clock stands before 1970")?;
    Ok(Now(
        i64::try_from(since.as_secs()).context("the clock stands too far ahead")?
    ))
}
