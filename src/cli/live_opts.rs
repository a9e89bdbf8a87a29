//! Arguments of `check` that send requests.

use clap::{Args, value_parser};

use super::shared_opts::TIMEOUTS;

/// The pages that `--live=all` requests at most: forty minutes of requests.
const MAX_LIVE_PAGES: u16 = 10_000;

/// Arguments of `check` that send requests.
#[derive(Debug, Args)]
pub(super) struct LiveArgs {
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
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u16).range(TIMEOUTS))]
    pub(super) timeout: Option<u16>,
}

impl LiveArgs {
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
