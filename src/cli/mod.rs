//! The command line: the only module that reads arguments, environment variables and the clock,
//! and the only one that prints.

mod baseline;
mod build;
mod build_result;
mod changes_result;
mod check;
mod check_result;
mod command_error;
mod command_help;
mod dates;
pub mod diagnose;
mod documentation;
mod environment;
mod explain;
mod findings;
pub mod github;
mod github_step;
mod index;
mod init;
mod init_steps;
mod init_workflow;
mod opts;
mod printer;
mod report;
mod settings;
mod site_result;
mod submit;
mod submit_result;
mod text_layout;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, Parser};
use clap_complete::Shell;

use crate::config::{self, nearest};
use crate::findings::{Hint, Level, with_causes};
use crate::generators::GeneratorError;
use crate::site::RunError;
use sitemaps::site_paths::escaped;

use command_error::{CommandError, EXIT_FAILURE, EXIT_SUCCESS};
use command_help::PROGRAM;
use diagnose::Diagnostic;
use documentation::Section;
use environment::{environment, first_argument};
use opts::{Command, Opts};
use printer::{Printer, StdoutError, Verbosity};

/// Parses the arguments, runs the command and returns its exit code.
pub fn run() -> ExitCode {
    let environment = environment();
    let opts = match Opts::try_parse() {
        Ok(opts) => opts,
        Err(error) => return unknown_command(&error).unwrap_or_else(|| usage(&error)),
    };
    match opts.run.color {
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        // As `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` say.
        ColorChoice::Auto => {}
    }
    let printer = Printer::new(opts.run.verbosity());
    printer.show_progress();
    let ended = run_command(&opts, &printer);
    Printer::end_progress();
    let code = match ended {
        Ok(code) => code,
        Err(CommandError::Stdout(error)) if error.is_closed_pipe() => EXIT_SUCCESS,
        Err(error) => {
            show_error(&error, &opts, &printer, &environment);
            EXIT_FAILURE
        }
    };
    ExitCode::from(code)
}

fn run_command(opts: &Opts, printer: &Printer) -> Result<u8, CommandError> {
    use_threads(opts.run.threads)?;
    match &opts.command {
        None => build::build(&opts.build, printer),
        Some(Command::Build(args)) => build::build(args, printer),
        Some(Command::Check(args)) => check::check(args, printer),
        Some(Command::Explain(args)) => explain::explain(args, printer),
        Some(Command::Mdbook(args)) => build::mdbook(*args, printer),
        Some(Command::Index(args)) => index::index(args, printer),
        Some(Command::Init(args)) => init::init(args, printer),
        Some(Command::Report(args)) => report::report(args, printer),
        Some(Command::Submit(args)) => submit::submit(args, printer),
        Some(Command::Dates(args)) => dates::dates(args, printer),
        Some(Command::Completions { shell }) => {
            Printer::data(&completion_script(*shell))?;
            Ok(EXIT_SUCCESS)
        }
        Some(Command::Schema) => {
            Printer::data(config::SCHEMA.as_bytes())?;
            Ok(EXIT_SUCCESS)
        }
    }
}

/// The script that completes commands, options and values in a shell.
fn completion_script(shell: Shell) -> Vec<u8> {
    let mut command = Opts::command();
    if shell == Shell::Zsh {
        command = without_site(&command);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    script
}

/// The program without its own `SITE`: clap's script for zsh would take the name of a command for it,
/// and complete no option of the command.
fn without_site(command: &clap::Command) -> clap::Command {
    clap::Command::new(PROGRAM)
        .args(command.get_arguments().filter(|arg| !arg.is_positional()))
        .subcommands(command.get_subcommands())
}

/// Starts the global thread pool with `--threads`, or one thread per core. It would panic if it
/// started by itself and the system allowed no more threads. A single thread is this one.
fn use_threads(threads: Option<u16>) -> Result<(), CommandError> {
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

/// Prints the error for a misspelled command with arguments, where clap takes it for SITE.
fn unknown_command(error: &clap::Error) -> Option<ExitCode> {
    let typed = first_argument().filter(|_| error.kind() == ErrorKind::ArgumentConflict)?;
    let is_command = Opts::command().find_subcommand(&typed).is_some();
    if typed.starts_with('-') || is_command || Path::new(&typed).exists() {
        return None;
    }
    let hint =
        command_like(&typed).unwrap_or_else(|| "`waypost help` lists all commands".to_owned());
    let message = format!("no command named `{}`", escaped(&typed));
    Printer::new(Verbosity::Normal).error(&message, Some(&hint));
    Some(ExitCode::from(EXIT_FAILURE))
}

/// The hint for a word that is typed as a command.
fn command_like(typed: &str) -> Option<String> {
    let opts = Opts::command();
    let names = opts.get_subcommands().map(clap::Command::get_name);
    let name = nearest(typed, names)?;
    Some(if name == typed {
        format!("`{name}` is a command; commands go before options: `waypost {name}`")
    } else {
        format!("did you mean the command `waypost {name}`?")
    })
}

/// Prints clap's output. `--help` and `--version` succeed; anything else is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        Printer::to_stderr(error.render().ansi().to_string().trim_end());
        return ExitCode::from(EXIT_FAILURE);
    }
    match error.print().map_err(StdoutError) {
        Err(error) if !error.is_closed_pipe() => {
            Printer::to_stderr(&format!("error: {error}"));
            ExitCode::from(EXIT_FAILURE)
        }
        Ok(()) | Err(_) => ExitCode::from(EXIT_SUCCESS),
    }
}

/// Prints the error, and also as an annotation of GitHub if the command prints those.
fn show_error(
    error: &CommandError,
    opts: &Opts,
    printer: &Printer,
    environment: &BTreeMap<String, String>,
) {
    let suggested = match error {
        CommandError::Run(RunError::Sources(GeneratorError::NoSuchDir(_))) => argument_like(opts),
        _ => None,
    };
    let hint = suggested.map(Cow::Owned).or_else(|| error.hint());
    let diagnostic = match error {
        CommandError::Run(RunError::Settings(error)) => Diagnostic::from_mistake(error),
        _ => Diagnostic::new(Level::Deny, with_causes(error), hint.as_deref()),
    };
    printer.draw(&diagnostic);
    if opts.is_annotated() {
        let annotation = github_step::error_annotation(&diagnostic, environment);
        // Without stdout, only stderr has the error.
        let _ = Printer::data(annotation.as_bytes());
    }
}

/// The hint for a site directory that does not exist, if another argument is likely.
fn argument_like(opts: &Opts) -> Option<String> {
    match &opts.command {
        None => command_like(&opts.build.common.site.to_string_lossy()),
        Some(Command::Explain(args)) => {
            let typed = args.common.site.to_string_lossy();
            Some(match nearest(&typed, Section::names()) {
                Some(name) => format!("did you mean `waypost explain {name}`?"),
                None => format!(
                    "to explain a page, name the site first: `waypost explain . {}`",
                    escaped(&typed)
                ),
            })
        }
        Some(_) => None,
    }
}
