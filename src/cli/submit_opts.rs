//! Arguments of `waypost submit`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueHint};

use super::arg_numbers::timeout_seconds;
use super::known_words::KnownWords;
use super::shared_opts::SiteArgs;
use crate::submit::ENGINES;

#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a separate flag on the command line"
)]
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
    /// Wait as long as a busy engine asks, and send again
    ///
    /// `Retry-After` counts up to 600 seconds.
    #[arg(long)]
    pub(super) retry: bool,
    /// Look for the published key file first
    ///
    /// Without it, nothing is sent. A live sitemap always needs it.
    #[arg(long)]
    pub(super) check_key: bool,
    /// IndexNow engine (repeatable) [default: indexnow]
    ///
    /// Each engine shares what it accepts with the others. `--list` shows the names.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = KnownWords(engine_names),
        hide_possible_values = true
    )]
    pub(super) engine: Vec<String>,
    /// URL of another IndexNow endpoint (repeatable)
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(super) endpoint: Vec<String>,
    /// Request this URL instead of using IndexNow
    ///
    /// `{sitemap}` is replaced by the URL of the sitemap (repeatable).
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

/// The names of the engines, as completion scripts offer them.
fn engine_names() -> Vec<PossibleValue> {
    let engines = ENGINES.iter();
    engines
        .map(|engine| PossibleValue::new(engine.name).help(engine.title))
        .collect()
}
