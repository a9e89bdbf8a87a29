//! `waypost check URL`: checks what a server publishes, without a site or settings.

use std::path::Path;
use std::time::Duration;

use super::check_result::{CheckTarget, CheckedSet, NamedSet, SetFileLine};
use super::command_error::CommandError;
use super::environment::environment;
use super::findings::PlaceResolver;
use super::network::network;
use super::numbers::counted;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use crate::check::{LiveCheck, PageSample, PublishedSite, PublishedTarget, check_published};
use crate::clock;
use crate::settings::Settings;
use crate::submit::PoliteClient;
use sitemaps::site_paths::escaped;

/// The default of `--live`.
const LIVE_PAGES: u16 = 20;

/// The default of `--timeout`, in seconds.
const TIMEOUT: u16 = 30;

/// The URL that `SITE` names, if it is one and not a file or a directory.
pub(super) fn url_of(site: &Path) -> Option<&str> {
    let text = site.to_str()?;
    let is_web = ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    (is_web && !site.exists()).then_some(text)
}

/// Checks the site or sitemap at a URL. Findings have their default levels.
pub(super) fn check_url(
    args: &CheckArgs,
    address: &str,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    if let Some(option) = args.common.option_of_site() {
        let file = escaped(address).into_owned();
        return Err(CommandError::OptionOfSite { option, file });
    }
    let target = PublishedTarget::parse(address)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let timeout = Duration::from_secs(args.live.timeout.unwrap_or(TIMEOUT).into());
    let network = network(timeout)?;
    let clock = Stopwatch::start();
    let elapsed = || clock.elapsed();
    let client = PoliteClient::new(&network, &elapsed);
    let pages = args.live.live.unwrap_or(LIVE_PAGES);
    let site = PublishedSite::find(&client, &target)?;
    let origin = site.origin();
    let mut sample = PageSample::new(pages.into(), origin.clone());
    let mut set = check_published(&client, &site, now, &mut |listed, subject| {
        sample.see(&listed.loc, subject);
    })?;
    let settings = Settings::default();
    let mut live = (pages > 0).then(|| {
        let check = LiveCheck {
            client: &client,
            robots: &site.robots,
            agents: &settings.robots_txt.agents,
            now,
        };
        check.run(&sample.choose())
    });
    if let Some(live) = &mut live {
        set.findings.append(&mut live.findings);
    }
    let absent = counted(set.absent.len(), "sitemap");
    let result = CheckedSet {
        target: CheckTarget::Set(NamedSet {
            name: address,
            origin: Some(&origin).filter(|&origin| *origin != target.origin()),
            absent: &set.absent,
            unchecked: format!("{absent} on other hosts"),
            live: live.as_ref(),
        }),
        files: set.files.iter().map(SetFileLine::of).collect(),
        findings: &set.findings,
    };
    let pointers = &mut PlaceResolver::of_published(&set.texts);
    result.show(args, &environment, printer, pointers, &start)
}
