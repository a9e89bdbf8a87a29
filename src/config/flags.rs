//! The flags that set settings, as the command line parses them.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueHint};

/// Flags that override settings. Their paths are absolute or relative to the site root, so those that
/// are typed relative to the working directory become absolute; only `config` stays as it is typed.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Directory of the rendered site
    ///
    /// By default, it is the one in the generator's settings.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = absolute())]
    pub output_dir: Option<PathBuf>,
    /// URL at which the output directory is served
    ///
    /// By default, it is found in the site.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub base_url: Option<String>,
    /// Configuration file [default: waypost.toml]
    ///
    /// Its settings override those in the generator's own settings file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// File that maps pages to their sources (repeatable)
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        value_parser = absolute(),
        hide_short_help = true
    )]
    pub source_map: Vec<PathBuf>,
    /// File that remembers what pages contained, for dates without the whole history
    ///
    /// It may be committed, or kept in the cache of a pipeline.
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        value_parser = absolute(),
        hide_short_help = true
    )]
    pub memory: Option<PathBuf>,
    /// Allow this finding in this run (repeatable)
    ///
    /// Findings such as `set-shrunk` stop a run before it writes; with this option it goes on.
    #[arg(long, value_name = "CODE")]
    pub accept: Vec<String>,
    /// The file name from `--to` of `waypost index`.
    #[arg(skip)]
    pub sitemap_file: Option<String>,
}

/// Parses a path, which becomes absolute.
pub(crate) fn absolute() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(std::path::absolute)
}
