//! Command-line arguments.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::color::ColorMode;
use super::command_help::{
    self as help, COMMANDS, SUCCESS_OR_FAILURE, long_help, more_commands, of_build,
};
pub(super) use super::index_opts::IndexArgs;
use super::live_opts::LiveArgs;
use super::printer::Verbosity;
pub(super) use super::shared_opts::{RunArgs, SiteArgs, StrictnessArgs};
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
    after_long_help = format!("{}\n\n{}", more_commands(), long_help(help::WAYPOST, &of_build())),
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
    #[command(after_long_help = long_help(help::BUILD, &of_build()))]
    Build(BuildArgs),
    /// Check the sitemaps of a built site, a file or a URL
    #[command(after_long_help = long_help(help::CHECK, &of_build()))]
    Check(CheckArgs),
    /// Explain why each page is listed or excluded, and its date
    #[command(after_long_help = long_help(help::EXPLAIN, SUCCESS_OR_FAILURE))]
    Explain(ExplainArgs),
    /// Write an HTML report on every page
    #[command(after_long_help = long_help(help::REPORT, SUCCESS_OR_FAILURE))]
    Report(ReportArgs),
    /// Notify search engines of changes (IndexNow)
    #[command(after_long_help = long_help(help::SUBMIT, help::OF_SUBMIT))]
    Submit(SubmitArgs),
    /// Write a commented waypost.toml and print the step of the pipeline
    #[command(after_long_help = long_help(help::INIT, SUCCESS_OR_FAILURE), mut_args = without_rare)]
    Init(SiteArgs),
    /// Write an index of existing sitemaps
    #[command(after_long_help = long_help(help::INDEX, help::OF_INDEX))]
    Index(IndexArgs),
    /// Write the sitemaps of a book, run by mdBook as `[output.waypost]`
    #[command(hide = true, after_long_help = long_help(help::MDBOOK, &of_build()))]
    Mdbook(MdbookArgs),
    /// Print the dates of sources before the site is built
    #[command(hide = true, after_long_help = long_help(help::DATES, SUCCESS_OR_FAILURE))]
    Dates(DatesArgs),
    /// Print a shell completion script
    #[command(hide = true, after_long_help = long_help(help::COMPLETIONS, SUCCESS_OR_FAILURE))]
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print the manual page of waypost or of a command
    #[command(hide = true, after_long_help = long_help(help::MAN, SUCCESS_OR_FAILURE))]
    Man {
        /// Command to document: `check` for waypost-check(1)
        #[arg(value_parser = PossibleValuesParser::new(COMMANDS), hide_possible_values = true)]
        command: Option<String>,
    },
    /// Print the JSON Schema of the settings
    #[command(hide = true, after_long_help = long_help(help::SCHEMA, SUCCESS_OR_FAILURE))]
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

/// Hides the options of a site that matter little for its first settings.
fn without_rare(arg: Arg) -> Arg {
    let is_shown = ["site", "output_dir", "base_url", "quiet"].contains(&arg.get_id().as_str());
    arg.hide(!is_shown)
}

impl Opts {
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
            Some(Command::Init(args)) => Some(args),
            Some(_) => None,
        }
    }

    /// The verbosity that the flags select.
    pub(super) fn verbosity(&self) -> Verbosity {
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
