//! Arguments of `check` that send requests.

use clap::Args;

use super::arg_numbers::{page_count, timeout_seconds};

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
    #[arg(long, value_name = "SECONDS", value_parser = timeout_seconds)]
    pub(super) timeout: Option<u16>,
}

impl LiveArgs {
    /// The first option that is given and applies only to a URL.
    pub(super) fn option_of_url(&self) -> Option<&'static str> {
        let live = self.live.map(|_| "--live");
        live.or_else(|| self.timeout.map(|_| "--timeout"))
    }
}
