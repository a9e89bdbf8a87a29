//! Command-line arguments.

use std::path::{Path, PathBuf};

use clap::builder::FalseyValueParser;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueHint, value_parser};
use clap_complete::Shell;

use super::command_error::CommandError;
use super::command_help::{self as help, SUCCESS_OR_FAILURE, build_exit_codes, long_help};
use super::printer::Verbosity;
use crate::config::{Flags, STRICT_VARIABLE, absolute};
use crate::findings::Level;

/// The pages that `--live=all` requests at most: forty minutes of requests.
const MAX_LIVE_PAGES: u16 = 10_000;

/// The version, the commit if the program was built from a known one, the features and the target: for
/// reports of problems.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("BUILD_COMMIT"),
    "\nfeatures: ",
    env!("BUILD_FEATURES"),
    "\ntarget: ",
    env!("BUILD_TARGET"),
);

#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    long_version = LONG_VERSION,
    about = "Accurate sitemaps for static sites",
    long_about = env!("CARGO_PKG_DESCRIPTION"),
    after_long_help = long_help(help::WAYPOST, &build_exit_codes()),
    args_conflicts_with_subcommands = true,
)]
pub(super) struct Opts {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) build: BuildArgs,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the sitemaps (default)
    #[command(after_long_help = long_help(help::BUILD, &build_exit_codes()))]
    Build(BuildArgs),
    /// Check the sitemaps of a built site, a file or a URL
    #[command(after_long_help = long_help(help::CHECK, &build_exit_codes()))]
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
    #[command(after_long_help = long_help(help::INIT, SUCCESS_OR_FAILURE))]
    Init(SiteArgs),
    /// Write an index of existing sitemaps
    #[command(after_long_help = long_help(help::INDEX, help::OF_INDEX))]
    Index(IndexArgs),
    /// Write the sitemaps of a book, run by mdBook as `[output.waypost]`
    #[command(after_long_help = long_help(help::MDBOOK, &build_exit_codes()))]
    Mdbook(StrictnessArgs),
    /// Print the dates of sources before the site is built
    #[command(after_long_help = long_help(help::DATES, SUCCESS_OR_FAILURE))]
    Dates(DatesArgs),
    /// Print a shell completion script
    #[command(after_long_help = long_help(help::COMPLETIONS, SUCCESS_OR_FAILURE))]
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print the JSON Schema of the settings
    #[command(after_long_help = long_help(help::SCHEMA, SUCCESS_OR_FAILURE))]
    Schema,
}

#[derive(Debug, Default, Args)]
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
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Report to GitHub Actions
    ///
    /// Sources are annotated, outputs are set, and a step summary is written.
    #[arg(long, conflicts_with = "json")]
    pub(super) github: bool,
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
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Request N of the listed pages [default: 20]
    ///
    /// `0` requests none, `all` up to 10,000.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "20",
        value_parser = page_count
    )]
    pub(super) live: Option<u16>,
    /// Timeout for each request, in seconds [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u16).range(1..=3_600))]
    pub(super) timeout: Option<u16>,
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

impl CheckArgs {
    /// The first option that is given and applies only to a URL.
    pub(super) fn option_of_url(&self) -> Option<&'static str> {
        let live = self.live.map(|_| "--live");
        live.or_else(|| self.timeout.map(|_| "--timeout"))
    }
}

/// Parses the number of pages of `--live`.
fn page_count(text: &str) -> Result<u16, String> {
    if text == "all" {
        return Ok(MAX_LIVE_PAGES);
    }
    let number = text.parse().ok();
    number
        .filter(|number| *number <= MAX_LIVE_PAGES)
        .ok_or_else(|| format!("expected a number up to {MAX_LIVE_PAGES}, or `all`"))
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// File to write; `-` is standard output [default: -]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) to: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: SiteArgs,
}

#[derive(Debug, Args)]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Compare with this sitemap: a URL, file or directory
    #[arg(long, value_name = "URL|PATH", value_hint = ValueHint::AnyPath)]
    pub(super) since: Option<String>,
    /// Directory for a copy of the submitted sitemaps
    ///
    /// The next run compares with this copy.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) record: Option<PathBuf>,
    /// Send every URL, changed or not
    #[arg(long, conflicts_with = "since")]
    pub(super) all: bool,
    /// URL of the IndexNow endpoint (repeatable)
    ///
    /// The default is that of indexnow.org, which informs all engines.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) endpoint: Vec<String>,
    /// Request this URL instead of using IndexNow
    ///
    /// `{sitemap}` is replaced by the URL of the sitemap (repeatable).
    #[arg(
        long,
        value_name = "URL",
        value_hint = ValueHint::Url,
        conflicts_with_all = ["since", "record", "all", "endpoint"]
    )]
    pub(super) ping: Vec<String>,
    /// Show the requests, send nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Files in the index's directory: sitemaps, indexes and feeds
    ///
    /// Of an index, the sitemaps that it names are listed. A URL on another host is listed unread.
    #[arg(value_name = "SITEMAP", required = true)]
    pub(super) sitemaps: Vec<PathBuf>,
    /// Index file [default: as `waypost build`]
    ///
    /// Its directory is the one served at the base URL.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = absolute())]
    pub(super) to: Option<PathBuf>,
    /// URL at which the index's directory is served
    ///
    /// By default, it is found in the site.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) base_url: Option<String>,
    /// Site whose settings apply
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = ".")]
    pub(super) site: PathBuf,
    /// Configuration file [default: waypost.toml]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// Read and check, write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) strictness: StrictnessArgs,
}

impl IndexArgs {
    /// The flags that override settings.
    pub(super) fn flags(&self) -> Flags {
        let file = self.to.as_deref();
        let name = file.and_then(Path::file_name);
        Flags {
            base_url: self.base_url.clone(),
            output_dir: file.and_then(Path::parent).map(Path::to_owned),
            config: self.config.clone(),
            sitemap_file: name.map(|name| name.to_string_lossy().into_owned()),
            ..Flags::default()
        }
    }
}

impl Opts {
    /// Whether to print annotations for GitHub Actions.
    pub(super) fn is_annotated(&self) -> bool {
        match &self.command {
            None => self.build.github,
            Some(Command::Build(args)) => args.github,
            Some(_) => false,
        }
    }
}

/// Options of every command that reads a site.
#[derive(Debug, Default, Args)]
pub(super) struct SiteArgs {
    /// Site root, or a directory of HTML files
    #[arg(value_name = "SITE", default_value = ".")]
    pub(super) site: PathBuf,
    #[command(flatten)]
    pub(super) flags: Flags,
}

/// Argument of every command that can fail because of findings.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct StrictnessArgs {
    /// Treat warnings as errors
    ///
    /// The variable `WAYPOST_STRICT=1` does the same.
    #[arg(long, env = STRICT_VARIABLE, hide_env = true, value_parser = FalseyValueParser::new())]
    strict: bool,
}

impl StrictnessArgs {
    /// The level from which findings fail the run.
    pub(super) fn level(self) -> Level {
        if self.strict {
            Level::Warn
        } else {
            Level::Deny
        }
    }
}

/// Options of every command.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Worker threads [default: number of cores]
    ///
    /// Four times as many read pages, because most of them wait for the disk.
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = value_parser!(u16).range(1..=1024),
        hide_short_help = true
    )]
    pub(super) threads: Option<u16>,
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Show all findings and all changes
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(super) color: ColorChoice,
}

impl RunArgs {
    pub(super) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

impl SiteArgs {
    /// An error if an option other than `allowed` describes a site, so that it has no meaning for this
    /// file or URL.
    pub(super) fn refuse_options_of_site(
        &self,
        file: &str,
        allowed: &[&str],
    ) -> Result<(), CommandError> {
        let flags = &self.flags;
        let options = [
            ("--output-dir", flags.output_dir.is_some()),
            ("--base-url", flags.base_url.is_some()),
            ("--config", flags.config.is_some()),
            ("--source-map", !flags.source_map.is_empty()),
            ("--memory", flags.memory.is_some()),
            ("--accept", !flags.accept.is_empty()),
        ];
        let mut given = options.into_iter().filter(|(_, is_given)| *is_given);
        match given.find(|(option, _)| !allowed.contains(option)) {
            None => Ok(()),
            Some((option, _)) => Err(CommandError::new(
                format!("`{option}` does not apply to `{file}`, which is a file and not a site"),
                format!("omit `{option}`, or name the directory of the site"),
            )),
        }
    }
}
