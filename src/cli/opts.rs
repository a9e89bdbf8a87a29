//! Command-line arguments.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::arg_numbers::{thread_count, timeout_seconds};
use super::color::ColorMode;
pub(super) use super::init_opts::InitArgs;
use super::live_opts::LiveArgs;
use super::printer::Verbosity;
use super::version::LONG_VERSION;
use crate::config::Flags;
use site_paths::finding::Level;

/// Writes accurate sitemaps for a static site after its build.
#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    long_version = LONG_VERSION,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Run it as the last step of a build: `zola build && waypost`, `hugo && waypost`, \
                  `mdbook build && waypost`.\n\
                  Exit codes: 0 success, 1 findings at level deny (any warning with --strict), \
                  2 could not run."
)]
pub(super) struct Opts {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) build: BuildArgs,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub(super) color: ColorMode,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the sitemaps (default)
    Build(BuildArgs),
    /// Check the sitemaps of a built site, a file or a URL
    Check(CheckArgs),
    /// Explain why pages are listed or excluded, and where their dates come from
    Explain(ExplainArgs),
    /// Write the sitemaps of a book, run by mdBook as `[output.waypost]`
    Mdbook(MdbookArgs),
    /// Write an HTML report on every page
    Report(ReportArgs),
    /// Notify search engines of changes (IndexNow)
    Submit(SubmitArgs),
    /// Write a commented waypost.toml and add waypost to the site's pipeline
    Init(InitArgs),
    /// Write an index of existing sitemaps, or merge them into one set
    Index(IndexArgs),
    /// Print a shell completion script
    Completions {
        /// Shell to complete for
        shell: Shell,
    },
    /// Print the manual page of waypost or of a command
    Man {
        /// Command to document: `check` for waypost-check(1)
        command: Option<String>,
    },
    /// Print the JSON Schema of the settings
    Schema,
}

/// Options of every command that reads a site.
#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// Site root, or a directory of HTML files; for `check` and `submit` also a sitemap or a URL
    #[arg(value_name = "SITE", default_value = ".")]
    pub(super) site: PathBuf,
    /// Directory of the rendered site [default: from the generator's settings]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) output_dir: Option<PathBuf>,
    /// URL at which the output directory is served [default: found in the site]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) base_url: Option<String>,
    /// Use this configuration file instead of waypost.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// File that maps pages to their sources (repeatable)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) source_map: Vec<PathBuf>,
    /// File that keeps dates for later builds in shallow clones
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) dates: Option<PathBuf>,
    /// Allow this finding in this run, such as `set-shrunk` (repeatable)
    #[arg(long, value_name = "CODE")]
    pub(super) accept: Vec<String>,
    /// Additional or overriding generator definitions (TOML)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) manifest: Option<PathBuf>,
    /// Headers and redirects of the host, instead of those in netlify.toml or vercel.json
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) host_rules: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Compare with this sitemap, not the one on disk: the live URL, a file or a directory
    #[arg(long, value_name = "URL|PATH")]
    pub(super) since: Option<String>,
    /// Compare with the copy that `waypost submit --record DIR` keeps, if it exists
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
    /// Annotate sources, set outputs and write a step summary for GitHub Actions
    #[arg(long, conflicts_with = "json")]
    pub(super) github: bool,
}

/// Argument of every command that can fail because of findings.
#[derive(Debug, Args)]
pub(super) struct StrictnessArgs {
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

impl StrictnessArgs {
    /// The level from which findings fail the run.
    pub(super) fn level(&self) -> Level {
        if self.strict {
            Level::Warn
        } else {
            Level::Deny
        }
    }
}

/// Options of every command that does work.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Worker threads; four times as many read pages [default: number of cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub(super) threads: Option<u16>,
    /// Print errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Show all findings and all changes
    #[arg(short, long)]
    pub(super) verbose: bool,
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
    /// Write the findings to this file as SARIF 2.1.0; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) sarif: Option<PathBuf>,
    /// Write the findings to this file as GitLab Code Quality; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) gitlab: Option<PathBuf>,
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
    /// Show what changed since this earlier report
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) against: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: SiteArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 accepted, or nothing to send; 1 rejected; \
                  2 not reachable (try again later), or could not run.\n\
                  The key is the setting `submit.key` or the variable WAYPOST_SUBMIT_KEY."
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a separate flag on the command line"
)]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Compare with this sitemap: the live URL, a file or a directory
    #[arg(long, value_name = "URL|PATH")]
    pub(super) since: Option<String>,
    /// Directory for a copy of the submitted sitemaps, compared with next time
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) record: Option<PathBuf>,
    /// Send every URL, changed or not
    #[arg(long, conflicts_with = "since")]
    pub(super) all: bool,
    /// Wait as long as a busy engine asks for (`Retry-After` up to 600 s), and send again
    #[arg(long)]
    pub(super) retry: bool,
    /// Look for the published key file first, as for a live sitemap, and send nothing without it
    #[arg(long)]
    pub(super) check_key: bool,
    /// IndexNow engine to notify (repeatable) [default: indexnow, shared with all]
    #[arg(long, value_name = "NAME")]
    pub(super) engine: Vec<String>,
    /// URL of another IndexNow endpoint (repeatable)
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) endpoint: Vec<String>,
    /// Request this URL instead of using IndexNow, with `{sitemap}` replaced (repeatable)
    #[arg(
        long,
        value_name = "URL",
        value_hint = ValueHint::Url,
        conflicts_with_all = ["since", "record", "all", "engine", "endpoint"]
    )]
    pub(super) ping: Vec<String>,
    /// List engines, sitemap pings and manual steps
    #[arg(long, conflicts_with = "json")]
    pub(super) list: bool,
    /// Show the requests, send nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Timeout for each request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = timeout_seconds)]
    pub(super) timeout: u16,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A file in the index's directory has its URL below the base URL. \
                  For any other file, give the URL: `FILE=https://example.com/sitemap.xml`.\n\
                  Exit codes: 0 success, 1 findings at level deny (any warning with --strict) \
                  and nothing written, 2 could not run."
)]
pub(super) struct IndexArgs {
    /// Sitemaps: files, URLs or `FILE=URL`
    #[arg(value_name = "SITEMAP", required = true)]
    pub(super) sitemaps: Vec<PathBuf>,
    /// Index file, in the directory served at the base URL [default: as `waypost build`]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) to: Option<PathBuf>,
    /// URL at which the index's directory is served [default: found in the site]
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) base_url: Option<String>,
    /// Merge all listed pages into one set of sitemaps, as a single build writes it
    #[arg(long)]
    pub(super) merge: bool,
    /// Accept sitemaps and pages on other hosts
    #[arg(long)]
    pub(super) other_hosts: bool,
    /// Site whose settings apply
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = ".")]
    pub(super) site: PathBuf,
    /// Use this configuration file instead of waypost.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) result: IndexResultArgs,
    /// Timeout for each request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = timeout_seconds)]
    pub(super) timeout: u16,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// Output options of `waypost index`.
#[derive(Debug, Args)]
pub(super) struct IndexResultArgs {
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
    /// The flags that override settings. Relative paths start from the working directory.
    pub(super) fn flags(&self) -> std::io::Result<Flags> {
        let file = self.to.as_ref().map(std::path::absolute).transpose()?;
        let name = file.as_ref().and_then(|file| file.file_name());
        Ok(Flags {
            base_url: self.base_url.clone(),
            output_dir: file
                .as_ref()
                .and_then(|file| file.parent())
                .map(Path::to_owned),
            sitemap_file: name.map(|name| name.to_string_lossy().into_owned()),
            source_map: Vec::new(),
            dates: None,
            accept: Vec::new(),
        })
    }
}

impl Opts {
    /// The names of all commands.
    pub(super) fn command_names() -> Vec<String> {
        Self::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect()
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
            _ => return Verbosity::Normal,
        };
        match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

impl SiteArgs {
    /// The files that the user has named by options.
    pub(super) fn named_files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.config, &self.dates, &self.manifest, &self.host_rules];
        let named = files.into_iter().flatten().chain(&self.source_map);
        named.map(PathBuf::as_path)
    }

    /// The first option given that describes a site, so that it has no meaning for a single file.
    pub(super) fn option_of_site(&self) -> Option<&'static str> {
        let options = [
            ("--output-dir", self.output_dir.is_some()),
            ("--base-url", self.base_url.is_some()),
            ("--config", self.config.is_some()),
            ("--source-map", !self.source_map.is_empty()),
            ("--dates", self.dates.is_some()),
            ("--accept", !self.accept.is_empty()),
            ("--manifest", self.manifest.is_some()),
            ("--host-rules", self.host_rules.is_some()),
        ];
        options
            .into_iter()
            .find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// The flags that override settings. Relative paths start from the working directory.
    pub(super) fn flags(&self) -> std::io::Result<Flags> {
        let output_dir = self
            .output_dir
            .as_ref()
            .map(std::path::absolute)
            .transpose()?;
        let source_map = self
            .source_map
            .iter()
            .map(std::path::absolute)
            .collect::<Result<_, _>>()?;
        Ok(Flags {
            base_url: self.base_url.clone(),
            output_dir,
            source_map,
            dates: self.dates.as_ref().map(std::path::absolute).transpose()?,
            accept: self.accept.clone(),
            sitemap_file: None,
        })
    }
}
