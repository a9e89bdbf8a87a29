//! The receivers, the baseline and the network of `waypost submit`, as the arguments request them.

use std::time::Duration;

use url::Url;

use super::baseline::Baseline;
use super::check_url::url_of;
use super::command_error::CommandError;
use super::network::network;
use super::opts::SubmitArgs;
use crate::submit::{Network, TargetError, ping_url, target_url};

/// The endpoint that passes messages on to all engines (indexnow.org, "FAQ").
const DEFAULT_ENDPOINT: &str = "https://api.indexnow.org/indexnow";

/// Receivers, baseline and network, as the arguments request them.
pub(super) struct SubmitMeans {
    pub(super) targets: Vec<Url>,
    /// `None` if the arguments do not name one.
    pub(super) baseline: Option<Baseline>,
    /// `None` if nothing is requested but the baseline.
    pub(super) network: Option<Network>,
}

impl SubmitMeans {
    pub(super) fn of(args: &SubmitArgs) -> Result<Self, CommandError> {
        let targets = targets_of(args)?;
        let patience = Duration::from_secs(args.timeout.into());
        let baseline = if args.all {
            Some(Baseline::Nothing)
        } else {
            Baseline::named(args.since.as_deref(), args.record.as_deref(), patience)?
        };
        let needs_network = url_of(&args.common.site).is_some() || !args.dry_run;
        let network = needs_network.then(|| network(patience));
        Ok(Self {
            targets,
            baseline,
            network: network.transpose()?,
        })
    }
}

/// The endpoints in the arguments, or the default one.
fn targets_of(args: &SubmitArgs) -> Result<Vec<Url>, TargetError> {
    // Only validate the patterns here; they are filled in when the URL of the sitemap is known.
    for pattern in &args.ping {
        ping_url(pattern, "")?;
    }
    if args.endpoint.is_empty() {
        return Ok(vec![target_url(DEFAULT_ENDPOINT)?]);
    }
    args.endpoint.iter().map(|url| target_url(url)).collect()
}
