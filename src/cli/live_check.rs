//! `check --live` and `check --wait` for sitemaps on disk: requests what their server publishes.

use std::path::Path;
use std::time::Duration;

use url::Url;

use super::command_error::CommandError;
use super::network::network;
use super::opts::CheckArgs;
use super::stopwatch::Stopwatch;
use crate::check::{
    CheckReport, CheckedSet, LiveCheck, LiveReport, LiveRobots, PageSample, PublishedCopy,
    sample_set, sample_site, wait_for_copies,
};
use crate::settings::Settings;
use crate::submit::{Network, NetworkReach, PoliteClient, RequestLimits, parse_address};
use site_paths::containment::{self, SitemapDir};
use site_paths::finding::Finding;
use site_paths::{BaseUrl, display_path};
use sitemaps::Now;

/// The HTTP client of a check; private addresses only if the command line names one.
pub(super) fn client_of(args: &CheckArgs, named: Option<&Url>) -> Result<Network, CommandError> {
    let timeout = Duration::from_secs(args.live.timeout.into());
    Ok(network(timeout, NetworkReach::public_and(named))?)
}

/// The findings of `--wait`, and the result of `--live`.
#[derive(Default)]
pub(super) struct ServerCheck {
    pub(super) waited: Option<Finding>,
    pub(super) live: Option<LiveReport>,
}

impl ServerCheck {
    /// Moves the findings out.
    pub(super) fn take_findings(&mut self) -> Vec<Finding> {
        let of_live = self
            .live
            .iter_mut()
            .flat_map(|live| live.findings.drain(..));
        self.waited.take().into_iter().chain(of_live).collect()
    }

    /// Checks the server of a built site.
    pub(super) fn of_site(
        args: &CheckArgs,
        dir: &SitemapDir,
        base: &BaseUrl,
        report: &CheckReport,
        case: &LiveSettings<'_>,
    ) -> Result<Self, CommandError> {
        if !args.live.is_requested() {
            return Ok(Self::default());
        }
        let copies = report.sitemaps.iter().filter_map(|sitemap| {
            let file = sitemap.file.clone();
            let url = Url::parse(base.of_file(&file).as_str()).ok()?;
            let open = Box::new(move || Ok(Box::new(dir.open(&file)?) as Box<_>));
            Some(PublishedCopy { url, open })
        });
        let mut sample = PageSample::new(args.live.pages(), Some(base.origin().to_owned()));
        sample_site(dir, &report.sitemaps, &mut sample);
        let copies: Vec<PublishedCopy<'_>> = copies.collect();
        case.run(args, base, &copies, sample)
    }

    /// Checks the server of a sitemap file, which the user may name with `--base-url`.
    pub(super) fn of_file(
        args: &CheckArgs,
        set: &CheckedSet,
        case: &LiveSettings<'_>,
    ) -> Result<Self, CommandError> {
        if !args.live.is_requested() {
            return Ok(Self::default());
        }
        let dir = args.common.site.parent().unwrap_or(Path::new(""));
        let named = args.common.base_url.as_deref();
        let named = named.map(base_url).transpose()?;
        if args.live.wait.is_some() && named.is_none() {
            return Err(CommandError::WaitWithoutUrl(display_path(
                &args.common.site,
            )));
        }
        let origin = named.as_ref().map(|base| base.origin().to_owned());
        let mut sample = PageSample::new(args.live.pages(), origin);
        sample_set(set, &mut sample);
        let Some(base) = named.or_else(|| sample.origin_url()) else {
            return Ok(Self::default());
        };
        let copies = set.files.iter().filter_map(|file| {
            let below = file.path.strip_prefix(dir).ok()?;
            let path = below.to_string_lossy().replace('\\', "/");
            let url = Url::parse(base.of_path(path.as_bytes()).as_str()).ok()?;
            let open = Box::new(|| Ok(Box::new(containment::open(&file.path)?) as Box<_>));
            Some(PublishedCopy { url, open })
        });
        let copies: Vec<PublishedCopy<'_>> = copies.collect();
        case.run(args, &base, &copies, sample)
    }
}

fn base_url(typed: &str) -> Result<BaseUrl, CommandError> {
    BaseUrl::parse(typed).map_err(|source| CommandError::LiveUrl {
        url: typed.escape_debug().to_string(),
        source,
    })
}

/// The settings that a live check needs.
pub(super) struct LiveSettings<'a> {
    pub(super) settings: &'a Settings,
    pub(super) now: Now,
}

impl LiveSettings<'_> {
    fn run(
        &self,
        args: &CheckArgs,
        base: &BaseUrl,
        copies: &[PublishedCopy<'_>],
        sample: PageSample,
    ) -> Result<ServerCheck, CommandError> {
        let typed = args.common.base_url.as_deref();
        let typed = typed.and_then(|typed| Url::parse(typed).ok());
        let network = client_of(args, typed.as_ref())?;
        let clock = Stopwatch::start();
        let elapsed = || clock.elapsed();
        let client = PoliteClient::new(&network, &elapsed, RequestLimits::default());
        let waited = args.live.wait.and_then(|seconds| {
            wait_for_copies(&client, copies, Duration::from_secs(seconds.into()))
        });
        let live = args.live.live.map(|_| self.pages(&client, base, sample));
        Ok(ServerCheck {
            waited,
            live: live.transpose()?,
        })
    }

    fn pages(
        &self,
        client: &PoliteClient<'_>,
        base: &BaseUrl,
        sample: PageSample,
    ) -> Result<LiveReport, CommandError> {
        let robots = LiveRobots::fetch(client, &parse_address(base.as_str())?)?;
        Ok(self.report(client, &robots, sample))
    }

    /// Requests the pages of a sample.
    pub(super) fn report(
        &self,
        client: &PoliteClient<'_>,
        robots: &LiveRobots,
        sample: PageSample,
    ) -> LiveReport {
        let check = LiveCheck {
            client,
            robots,
            agents: &self.settings.robots_txt.agents,
            robots_meta: &self.settings.robots_meta,
            now: self.now,
        };
        check.run(&sample.choose())
    }
}
