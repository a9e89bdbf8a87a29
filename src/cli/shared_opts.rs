//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use clap::builder::FalseyValueParser;
use clap::{Args, ColorChoice, ValueHint, value_parser};

use super::command_error::CommandError;
use super::printer::Verbosity;
use crate::config::{Flags, STRICT_VARIABLE};
use sitemaps::site_paths::finding::Level;

/// Options of every command that reads a site.
#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// Site root, or a directory of HTML files
    #[arg(value_name = "SITE", default_value = ".")]
    pub(super) site: PathBuf,
    /// Directory of the rendered site
    ///
    /// By default, it is the one in the generator's settings.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) output_dir: Option<PathBuf>,
    /// URL at which the output directory is served
    ///
    /// By default, it is found in the site.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) base_url: Option<String>,
    /// Configuration file [default: waypost.toml]
    ///
    /// Its settings override those in the generator's own settings file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// File that maps pages to their sources (repeatable)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(super) source_map: Vec<PathBuf>,
    /// File that remembers what pages contained, for dates without the whole history
    ///
    /// It may be committed, or kept in the cache of a pipeline.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(super) memory: Option<PathBuf>,
    /// Allow this finding in this run (repeatable)
    ///
    /// Findings such as `set-shrunk` stop a run before it writes; with this option it goes on.
    #[arg(long, value_name = "CODE")]
    pub(super) accept: Vec<String>,
}

/// Argument of every command that can fail because of findings.
#[derive(Debug, Args)]
pub(super) struct StrictnessArgs {
    /// Treat warnings as errors
    ///
    /// The variable `WAYPOST_STRICT=1` does the same.
    #[arg(long, env = STRICT_VARIABLE, hide_env = true, value_parser = FalseyValueParser::new())]
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

/// Options of every command.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Worker threads; four times as many read pages [default: number of cores]
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
        let options = [
            ("--output-dir", self.output_dir.is_some()),
            ("--base-url", self.base_url.is_some()),
            ("--config", self.config.is_some()),
            ("--source-map", !self.source_map.is_empty()),
            ("--memory", self.memory.is_some()),
            ("--accept", !self.accept.is_empty()),
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

    /// The flags that override settings. Relative paths start from the working directory.
    pub(super) fn flags(&self) -> Result<Flags, CommandError> {
        let output_dir = self.output_dir.as_deref().map(absolute).transpose()?;
        let source_map = self.source_map.iter().map(|path| absolute(path));
        let source_map = source_map.collect::<Result<_, _>>()?;
        let memory = self.memory.as_deref().map(absolute).transpose()?;
        Ok(Flags {
            memory,
            base_url: self.base_url.clone(),
            output_dir,
            source_map,
            accept: self.accept.clone(),
            sitemap_file: None,
        })
    }
}

/// Resolves a path from the working directory.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, CommandError> {
    std::path::absolute(path).map_err(|error| {
        CommandError::new(
            format!("the working directory is unknown: {error}"),
            "change to a directory that exists",
        )
    })
}
