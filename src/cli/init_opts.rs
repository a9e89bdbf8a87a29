//! Arguments of `waypost init`, which describe the site.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::printer::Verbosity;

#[derive(Debug, Args)]
pub(super) struct InitArgs {
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
    /// Print errors only
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl InitArgs {
    pub(super) fn verbosity(&self) -> Verbosity {
        if self.quiet {
            Verbosity::Quiet
        } else {
            Verbosity::Normal
        }
    }
}
