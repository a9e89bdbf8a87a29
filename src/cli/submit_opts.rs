//! Arguments of `waypost submit`.

use std::path::PathBuf;

use clap::{Args, ValueHint, value_parser};

use super::shared_opts::{SiteArgs, TIMEOUTS};

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
    /// Timeout for each request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u16).range(TIMEOUTS))]
    pub(super) timeout: u16,
}
