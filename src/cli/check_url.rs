//! `waypost check URL`: checks what a server publishes, without a site or settings.

use std::path::Path;

use super::command_error::CommandError;
use super::environment::environment;
use super::findings::PlaceResolver;
use super::live_check::{LiveSettings, client_of};
use super::numbers::counted;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::set_result::{SetFileLine, SetResult};
use super::stopwatch::Stopwatch;
use crate::check::{PageSample, PublishedTarget, check_published};
use crate::clock;
use crate::settings::Settings;
use crate::submit::{PoliteClient, RequestLimits};
use site_paths::escaped;

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
    let file = || escaped(address).into_owned();
    if let Some(option) = args.common.option_of_site() {
        let file = file();
        return Err(CommandError::OptionOfSite { option, file });
    }
    if args.live.wait.is_some() {
        return Err(CommandError::WaitWithoutUrl(file()));
    }
    let target = PublishedTarget::parse(address)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let network = client_of(args, Some(target.url()))?;
    let clock = Stopwatch::start();
    let elapsed = || clock.elapsed();
    let client = PoliteClient::new(&network, &elapsed, RequestLimits::default());
    let origin = target.url().origin().ascii_serialization();
    let mut sample = PageSample::new(args.live.pages(), Some(origin));
    let mut set = check_published(&client, &target, now, &mut sample)?;
    let settings = &Settings::default();
    let live = args
        .live
        .live
        .map(|_| LiveSettings { settings, now }.report(&client, &set.robots, sample));
    let of_live = live.iter().flat_map(|live| live.findings.iter().cloned());
    set.findings.extend(of_live);
    let files = set.files.iter().map(|file| SetFileLine {
        name: file.url.clone(),
        kind: file.kind,
        entries: file.entries,
    });
    let absent = counted(set.absent.len(), "sitemap");
    let result = SetResult {
        name: address,
        files: files.collect(),
        absent: &set.absent,
        unchecked: format!("{absent} on other hosts"),
        live: live.as_ref(),
        findings: &set.findings,
    };
    let pointers = &mut PlaceResolver::of_published(&set.texts);
    result.show(args, &environment, printer, pointers, &start)
}
