//! Arguments of `check` that send requests.

use clap::Args;

use super::arg_numbers::{page_count, timeout_seconds};

/// Arguments of `check` that send requests.
#[derive(Debug, Args)]
pub(super) struct LiveArgs {
    /// Request up to N pages from the server [default: 50]
    ///
    /// The pages are those of the sitemap; `all` requests up to 10,000.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "50",
        value_parser = page_count
    )]
    pub(super) live: Option<u16>,
    /// Wait until the sitemap of this build is published
    ///
    /// The published sitemap is compared with the one on disk, for 300 seconds by default.
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "300",
        value_parser = timeout_seconds
    )]
    pub(super) wait: Option<u16>,
    /// Timeout for each request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = timeout_seconds)]
    pub(super) timeout: u16,
}

impl LiveArgs {
    /// Whether the server of a site on disk is asked.
    pub(super) fn is_requested(&self) -> bool {
        self.live.is_some() || self.wait.is_some()
    }

    /// The number of pages to request.
    pub(super) fn pages(&self) -> usize {
        self.live.unwrap_or_default().into()
    }
}
