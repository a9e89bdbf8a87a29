//! Arguments of `waypost index`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::command_error::CommandError;
use super::shared_opts::{RunArgs, StrictnessArgs, absolute};
use crate::config::Flags;

#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Sitemaps, indexes and feeds: files, or `FILE=URL`
    ///
    /// Of an index, the sitemaps that it names are listed. A file in the index's directory has its URL below the base URL. For any other file, give
    /// the URL: `FILE=https://example.com/sitemap.xml`.
    #[arg(value_name = "SITEMAP", required = true)]
    pub(super) sitemaps: Vec<PathBuf>,
    /// Index file [default: as `waypost build`]
    ///
    /// Its directory is the one served at the base URL.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
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
    #[command(flatten)]
    pub(super) result: IndexResultArgs,
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
    pub(super) fn flags(&self) -> Result<Flags, CommandError> {
        let file = self.to.as_deref().map(absolute).transpose()?;
        let name = file.as_ref().and_then(|file| file.file_name());
        Ok(Flags {
            base_url: self.base_url.clone(),
            output_dir: file
                .as_ref()
                .and_then(|file| file.parent())
                .map(Path::to_owned),
            sitemap_file: name.map(|name| name.to_string_lossy().into_owned()),
            ..Flags::default()
        })
    }
}
