//! What may be typed.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use super::build::OutputFormat;
use super::printer::Verbosity;
use crate::config::Flags;

/// Writes the sitemaps of a static site after its build; every line of them is true.
#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Run it as the last step of a build: `zola build && waypost`, `hugo && waypost`, `mdbook build && waypost`.\n\
                  Exit codes: 0 done, 1 findings at level deny (any warning under --strict), 2 could not run."
)]
pub(super) struct Opts {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) build: BuildArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the sitemaps (what happens without a command)
    Build(BuildArgs),
    /// Hold the sitemaps that stand there against the site
    Check(CheckArgs),
    /// Say why pages are in or out, where their dates come from and which rules touched them
    Explain(ExplainArgs),
    /// Write the sitemaps of a book; for mdBook to run, as the command of `[output.waypost]`
    Mdbook(MdbookArgs),
    /// Show what became of every page, as one HTML file
    Report(ReportArgs),
    /// Tell search engines what has changed, by IndexNow
    Submit(SubmitArgs),
    /// Write a commented waypost.toml for the site at hand, and print the step for its pipeline
    Init(InitArgs),
    /// Write an index over sitemaps that were made elsewhere, or merge all they list into one set
    Index(IndexArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or that of a command
    Man {
        /// The command: `check` for waypost-check(1)
        command: Option<String>,
    },
    /// Print the JSON Schema of the settings
    Schema,
}

/// What every command that looks at a site takes.
#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// The root of a site, or a folder of HTML
    #[arg(value_name = "SITE", default_value = ".")]
    pub(super) site: PathBuf,
    /// The folder that holds the rendered site [default: as the generator's settings say]
    #[arg(short, long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// The address at which the output folder is served [default: found in the site]
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Settings to read in place of waypost.toml
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// A list that says which source each page was made from; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) source_map: Vec<PathBuf>,
    /// What is known of a generator that waypost does not know, or knows otherwise
    #[arg(long, value_name = "FILE")]
    pub(super) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Plan, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) form: OutputFormatArgs,
    /// End with exit code 1 on any warning
    #[arg(long)]
    pub(super) strict: bool,
}

/// For whom the result is printed.
#[derive(Debug, Args)]
pub(super) struct OutputFormatArgs {
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Annotate the sources, set outputs and write a step summary for GitHub Actions
    #[arg(long, conflicts_with = "json")]
    pub(super) github: bool,
}

/// How any command runs.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Threads to compute with; pages are read with four times as many [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Say nothing but what fails the run
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Show every finding and every change
    #[arg(short, long)]
    pub(super) verbose: bool,
}

#[derive(Debug, Args)]
pub(super) struct MdbookArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// End with exit code 1 on any warning
    #[arg(long)]
    pub(super) strict: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Print the result as JSON
    #[arg(long, conflicts_with = "github")]
    pub(super) json: bool,
    /// Print the findings as annotations for GitHub Actions
    #[arg(long)]
    pub(super) github: bool,
    /// Write the findings to a file as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub(super) sarif: Option<PathBuf>,
    /// End with exit code 1 on any warning
    #[arg(long)]
    pub(super) strict: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Pages by file, address or source; all where none is named
    #[arg(value_name = "PAGE")]
    pub(super) pages: Vec<String>,
    /// Print one JSON object a page
    #[arg(long)]
    pub(super) json: bool,
    /// Print every setting and where it came from
    #[arg(long, conflicts_with_all = ["pages", "json"])]
    pub(super) settings: bool,
}

impl OutputFormatArgs {
    pub(super) fn output(&self) -> OutputFormat {
        match (self.json, self.github) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::GitHub,
            _ => OutputFormat::Summary,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: SiteArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 sent, or nothing to send; 1 refused; 2 not reached, to be tried later, or could not run.\n\
                        The key is the setting `submit.key` or the variable WAYPOST_SUBMIT_KEY."
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// What engines were told last: the address of the sitemap that is live, a file, or a folder
    #[arg(long, value_name = "URL|PATH")]
    pub(super) since: Option<String>,
    /// Keep a copy of the sitemaps in a folder, and compare with it the next time
    #[arg(long, value_name = "DIR")]
    pub(super) record: Option<PathBuf>,
    /// Send every address, changed or not
    #[arg(long, conflicts_with = "since")]
    pub(super) all: bool,
    /// An engine that takes IndexNow; may be repeated [default: indexnow, which passes on to all]
    #[arg(long, value_name = "NAME")]
    pub(super) engine: Vec<String>,
    /// The address of another one; may be repeated
    #[arg(long, value_name = "URL")]
    pub(super) endpoint: Vec<String>,
    /// Ask for this address in place of IndexNow, with `{sitemap}` replaced; may be repeated
    #[arg(long, value_name = "URL", conflicts_with_all = ["since", "record", "all", "engine", "endpoint"])]
    pub(super) ping: Vec<String>,
    /// Print every engine, every ping that ever was, and what to do for the others
    #[arg(long, conflicts_with = "json")]
    pub(super) list: bool,
    /// Show the requests, and send nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// How long a request may take, with the whole answer
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(super) timeout: u16,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    #[command(flatten)]
    pub(super) common: SiteArgs,
    /// Print the table for the generator's own settings, and write nothing
    #[arg(long)]
    pub(super) table: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A file in the folder of the index is served at its place below the base URL; of any other, say where: \
                        `FILE=https://example.com/sitemap.xml`.\n\
                        Exit codes: 0 done, 1 a sitemap has a finding at level deny (any under --strict) and nothing was \
                        written, 2 could not run."
)]
pub(super) struct IndexArgs {
    /// Files, addresses, or `FILE=ADDRESS`, of sitemaps
    #[arg(value_name = "SITEMAP", required = true)]
    pub(super) sitemaps: Vec<PathBuf>,
    /// The index; its folder is what is served at the base URL [default: where `waypost build` writes it]
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
    /// The address at which the folder of the index is served [default: found in the site]
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Write one set of sitemaps of all that they list, as one build over the whole would
    #[arg(long)]
    pub(super) merge: bool,
    /// Take sitemaps and pages of other hosts
    #[arg(long)]
    pub(super) other_hosts: bool,
    /// The site whose settings count
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) site: PathBuf,
    /// Settings to read in place of waypost.toml
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) result: IndexResultArgs,
    /// For the answer to each request wait at most so long
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(super) timeout: u16,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// What becomes of the result.
#[derive(Debug, Args)]
pub(super) struct IndexResultArgs {
    /// Read and check, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// End with exit code 1 on any warning
    #[arg(long)]
    pub(super) strict: bool,
}

impl IndexArgs {
    /// The flags that are settings too. What was typed is relative to the working folder.
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
        })
    }
}

impl Opts {
    /// What the commands are called.
    pub(super) fn command_names() -> Vec<String> {
        Self::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect()
    }

    /// Whether what is found is annotated for GitHub Actions.
    pub(super) fn is_annotated(&self) -> bool {
        match &self.command {
            None => self.build.form.github,
            Some(Command::Build(args)) => args.form.github,
            Some(Command::Check(args)) => args.github,
            Some(_) => false,
        }
    }

    /// How much is said.
    pub(super) fn volume(&self) -> Verbosity {
        let RunArgs { quiet, verbose, .. } = match &self.command {
            Some(Command::Build(args)) => &args.common.run,
            Some(Command::Check(args)) => &args.common.run,
            Some(Command::Explain(args)) => &args.common.run,
            Some(Command::Report(args)) => &args.common.run,
            Some(Command::Submit(args)) => &args.common.run,
            Some(Command::Init(args)) => &args.common.run,
            Some(Command::Mdbook(args)) => &args.run,
            Some(Command::Index(args)) => &args.run,
            _ => &self.build.common.run,
        };
        match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

impl SiteArgs {
    /// The flags that are settings too. What was typed is relative to the working folder.
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
            sitemap_file: None,
        })
    }
}
