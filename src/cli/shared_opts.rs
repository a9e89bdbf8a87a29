//! Arguments that several commands share.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ColorChoice, value_parser};

use super::command_error::CommandError;
use super::printer::Verbosity;
use crate::config::{Flags, STRICT_VARIABLE};
use sitemaps::findings::Level;

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
