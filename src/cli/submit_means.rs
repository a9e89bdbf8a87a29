//! The receivers, the baseline and the network of `waypost submit`, as the arguments request them.

use std::time::Duration;

use url::Url;

use super::baseline::Baseline;
use super::network::network;
use super::opts::SubmitArgs;
use super::submit_error::SubmitError;
use crate::submit::{
    DEFAULT_ENGINE, Network, NetworkReach, Ping, PingState, TargetError, engine_of, ping_url,
    target_url,
};

/// Where the pages to submit are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageSource {
    /// On this machine.
    Local,
    /// In a live sitemap.
    Live,
}

/// Receivers, baseline and network, as the arguments request them.
pub(super) struct SubmitMeans {
    pub(super) targets: Vec<Target>,
    /// `None` if the arguments do not name one.
    pub(super) baseline: Option<Baseline>,
    /// `None` if nothing is requested.
    pub(super) network: Option<Network>,
}

impl SubmitMeans {
    pub(super) fn of(args: &SubmitArgs, source: PageSource) -> Result<Self, SubmitError> {
        let targets = targets_of(args)?;
        let baseline = if args.all {
            Some(Baseline::Nothing)
        } else {
            Baseline::named(args.since.as_deref(), args.record.as_deref())?
        };
        let needs_network = source == PageSource::Live
            || !args.dry_run
            || baseline.as_ref().is_some_and(Baseline::is_live);
        let patience = Duration::from_secs(args.timeout.into());
        let network = needs_network.then(|| network(patience, NetworkReach::Any));
        Ok(Self {
            targets,
            baseline,
            network: network.transpose()?,
        })
    }
}

/// A receiver of IndexNow messages.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) url: Url,
}

/// Every engine and endpoint in the arguments, or the default engine, which shares with all others.
fn targets_of(args: &SubmitArgs) -> Result<Vec<Target>, TargetError> {
    let default = [DEFAULT_ENGINE.to_owned()];
    let names = if args.engine.is_empty() && args.endpoint.is_empty() {
        &default[..]
    } else {
        &args.engine
    };
    let mut targets = Vec::new();
    for name in names {
        let engine = engine_of(name).ok_or_else(|| match Ping::by_name(name) {
            Some(ping) if ping.state == PingState::Gone => TargetError::Gone(ping),
            Some(ping) => TargetError::Doubtful(ping),
            None => TargetError::UnknownEngine(name.escape_debug().to_string()),
        })?;
        targets.push(Target {
            name: engine.name.to_owned(),
            url: target_url(engine.endpoint)?,
        });
    }
    for address in &args.endpoint {
        let url = target_url(address)?;
        targets.push(Target {
            name: url.to_string(),
            url,
        });
    }
    // Only validate the patterns here; they are filled in when the URL of the sitemap is known.
    args.ping
        .iter()
        .try_for_each(|pattern| ping_url(pattern, "").map(|_| ()))?;
    Ok(targets)
}
