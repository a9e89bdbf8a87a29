//! Command-line arguments.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::color::ColorMode;
use super::command_help::{command_names, long_help_end, more_commands};
pub(super) use super::index_opts::IndexArgs;
pub(super) use super::init_opts::InitArgs;
use super::known_words::KnownWords;
use super::live_opts::LiveArgs;
use super::printer::Verbosity;
pub(super) use super::shared_opts::{InvalidStrictVariable, RunArgs, SiteArgs, StrictnessArgs};
pub(super) use super::submit_opts::SubmitArgs;
use super::version::LONG_VERSION;

#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    long_version = LONG_VERSION,
    about = "Accurate sitemaps for static sites",
    long_about = env!("CARGO_PKG_DESCRIPTION"),
    after_help = more_commands(),
    after_long_help = format!("{}\n\n{}", more_commands(), long_help_end("waypost")),
    args_conflicts_with_subcommands = true,
)]
pub(super) struct Opts {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) build: BuildArgs,
    /// Colours: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(super) color: ColorMode,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the sitemaps (default)
    #[command(after_long_help = long_help_end("build"))]
    Build(BuildArgs),
    /// Check the sitemaps of a built site, a file or a URL
    #[command(after_long_help = long_help_end("check"))]
    Check(CheckArgs),
    /// Explain why each page is listed or excluded, and its date
    #[command(after_long_help = long_help_end("explain"))]
    Explain(ExplainArgs),
    /// Write an HTML report on every page
    #[command(after_long_help = long_help_end("report"))]
    Report(ReportArgs),
    /// Notify search engines of changes (IndexNow)
    #[command(after_long_help = long_help_end("submit"))]
    Submit(SubmitArgs),
    /// Write a commented waypost.toml and print the step of the pipeline
    #[command(after_long_help = long_help_end("init"))]
    Init(InitArgs),
    /// Write an index of existing sitemaps
    #[command(after_long_help = long_help_end("index"))]
    Index(IndexArgs),
    /// Write the sitemaps of a book, run by mdBook as `[output.waypost]`
    #[command(hide = true, after_long_help = long_help_end("mdbook"))]
    Mdbook(MdbookArgs),
    /// Print the dates of sources before the site is built
    #[command(hide = true, after_long_help = long_help_end("dates"))]
    Dates(DatesArgs),
    /// Print a shell completion script
    #[command(hide = true, after_long_help = long_help_end("completions"))]
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print the manual page of waypost or of a command
    #[command(hide = true, after_long_help = long_help_end("man"))]
    Man {
        /// Command to document: `check` for waypost-check(1)
        #[arg(value_parser = KnownWords(documented_commands), hide_possible_values = true)]
        command: Option<String>,
    },
    /// Print the JSON Schema of the settings
    #[command(hide = true, after_long_help = long_help_end("schema"))]
    Schema,
}

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Compare with this sitemap: a URL, file or directory
    ///
    /// By default, a build compares with the sitemap on disk.
    #[arg(long, value_name = "URL|PATH", value_hint = ValueHint::AnyPath)]
    pub(super) since: Option<String>,
    /// Compare with the copy that `submit --record` keeps
    ///
    /// If it does not exist yet, the build compares as without this option.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "since")]
    pub(super) record: Option<PathBuf>,
    /// Show what would change, write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) format: OutputFormatArgs,
    #[command(flatten)]
    pub(super) strictness: StrictnessArgs,
}

#[derive(Debug, Args)]
pub(super) struct DatesArgs {
    /// Sources, or directories of content files [default: all content files]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) paths: Vec<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) run: RunArgs,
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

/// Arguments that select the output format of a build.
#[derive(Debug, Args)]
pub(super) struct OutputFormatArgs {
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Report to GitHub Actions
    ///
    /// Sources are annotated, outputs are set, and a step summary is written.
    #[arg(long, conflicts_with = "json")]
    pub(super) github: bool,
}

#[derive(Debug, Args)]
pub(super) struct MdbookArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,
    #[command(flatten)]
    pub(super) strictness: StrictnessArgs,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Print the result as JSON
    #[arg(long, conflicts_with = "github")]
    pub(super) json: bool,
    /// Print the findings as GitHub Actions annotations
    #[arg(long)]
    pub(super) github: bool,
    #[command(flatten)]
    pub(super) live: LiveArgs,
    #[command(flatten)]
    pub(super) strictness: StrictnessArgs,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Pages, by file, URL or source [default: all]
    #[arg(value_name = "PAGE")]
    pub(super) pages: Vec<String>,
    /// Print JSON Lines, one object per page
    #[arg(long)]
    pub(super) json: bool,
    /// Print every setting and its origin
    #[arg(long, conflicts_with_all = ["pages", "json"])]
    pub(super) settings: bool,
}

impl OutputFormatArgs {
    pub(super) fn format(&self) -> OutputFormat {
        match (self.json, self.github) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::GitHub,
            _ => OutputFormat::Summary,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// File to write; `-` is standard output [default: -]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) to: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: SiteArgs,
}

/// The names of all commands, as completion scripts offer them.
fn documented_commands() -> Vec<PossibleValue> {
    command_names().map(PossibleValue::new).collect()
}

impl Opts {
    /// Applies the variables that set flags.
    pub(super) fn read_variables(
        &mut self,
        environment: &BTreeMap<String, String>,
    ) -> Result<(), InvalidStrictVariable> {
        let strictness = match &mut self.command {
            None => &mut self.build.strictness,
            Some(Command::Build(args)) => &mut args.strictness,
            Some(Command::Check(args)) => &mut args.strictness,
            Some(Command::Index(args)) => &mut args.result.strictness,
            Some(Command::Mdbook(args)) => &mut args.strictness,
            Some(_) => return Ok(()),
        };
        strictness.read_variable(environment)
    }

    /// Whether to print annotations for GitHub Actions.
    pub(super) fn is_annotated(&self) -> bool {
        match &self.command {
            None => self.build.format.github,
            Some(Command::Build(args)) => args.format.github,
            Some(Command::Check(args)) => args.github,
            Some(_) => false,
        }
    }

    /// The options of a command that reads a site.
    pub(super) fn site_args(&self) -> Option<&SiteArgs> {
        match self.command.as_ref() {
            None => Some(&self.build.common),
            Some(Command::Build(args)) => Some(&args.common),
            Some(Command::Check(args)) => Some(&args.common),
            Some(Command::Explain(args)) => Some(&args.common),
            Some(Command::Report(args)) => Some(&args.common),
            Some(Command::Submit(args)) => Some(&args.common),
            Some(_) => None,
        }
    }

    /// The verbosity that the flags select.
    pub(super) fn verbosity(&self) -> Verbosity {
        if let Some(Command::Init(args)) = &self.command {
            return args.verbosity();
        }
        let RunArgs { quiet, verbose, .. } = match (&self.command, self.site_args()) {
            (_, Some(args)) => &args.run,
            (Some(Command::Mdbook(args)), _) => &args.run,
            (Some(Command::Index(args)), _) => &args.run,
            (Some(Command::Dates(args)), _) => &args.run,
            _ => return Verbosity::Normal,
        };
        match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}
