//! `waypost submit`: plans the sitemaps and notifies search engines of the changes since last time.

use std::path::Path;
use std::time::Duration;

use url::Url;

use super::baseline::Baseline;
use super::build::prepare;
use super::command_error::CommandError;
use super::exit_code::{EXIT_FAILURE, EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::{self, PlaceResolver};
use super::json_result::json_text;
use super::opts::SubmitArgs;
use super::printer::Printer;
use super::progress::with_progress_bar;
use super::submit_error::SubmitError;
use super::submit_list;
use super::submit_report::{SubmitReport, SubmitRequest, SubmitResponse};
use crate::pipeline::{
    InventoryDetail, SiteInventory, WritePermission, build_inventory, plan_of, refusals_first,
    set_refusals,
};
use crate::publish::{SurroundingFiles, create_dir, publish};
use crate::settings::{KeyLocation, Settings, SubmitKey, SubmitSettings};
use crate::site::{LoadedSite, is_refusal};
use crate::submit::{
    CONTENT_TYPE, ChangedUrls, DEFAULT_ENGINE, IndexNowSender, KeyCoverage, MAX_URLS, Network,
    Ping, PingState, ReplySummary, RequestOutcome, TargetError, engine_of, ping_url, target_url,
};
use site_paths::BaseUrl;
use site_paths::finding::{Finding, Level, Subject, WithFindings, code};
use sitemaps::Plan;

pub(super) fn submit(args: &SubmitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let (manifest, request) = prepare(&args.common)?;
    if args.list {
        submit_list::print(request, &manifest)?;
        return Ok(EXIT_SUCCESS);
    }
    // Check the targets before reading the site.
    let means = SubmitMeans::of(args)?;
    let loaded = LoadedSite::load(request, &manifest)?;
    if let Some(preview) = &loaded.preview.value {
        let hint = "run `waypost submit` in the production build";
        printer.note(&preview.message("sent"), hint);
        let nothing = SubmitReport {
            preview: Some(preview.service.clone()),
            ..SubmitReport::default()
        };
        return show(args, printer, &nothing);
    }
    submit_site(args, &loaded, &means, printer)
}

/// Submits the changed URLs of a site.
fn submit_site(
    args: &SubmitArgs,
    loaded: &LoadedSite<'_>,
    means: &SubmitMeans,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let key = if args.ping.is_empty() {
        Some(key_of(&loaded.settings().submit)?)
    } else {
        None
    };
    let SiteInventory {
        inventory,
        mut findings,
        ..
    } = with_progress_bar(printer, |progress| {
        build_inventory(loaded, InventoryDetail::Usual, progress)
    })?;
    let plan = plan_of(loaded, &inventory).value;
    // `build` and `check` report the other findings of the site.
    findings.retain(|finding| is_refusal(finding.code));
    if plan.files().is_empty() {
        return Err(SubmitError::NothingListed.into());
    }
    let levels = &loaded.settings().levels;
    let mut pointers = PlaceResolver::new(loaded);
    if findings::fail_run(&findings, levels, Level::Deny) {
        findings::show(printer, &findings, levels, Level::Deny, &mut pointers);
        return Ok(EXIT_FINDINGS);
    }
    let run = SubmitRun {
        args,
        settings: loaded.settings(),
        output_dir: loaded.output_dir(),
        plan: &plan,
        network: means.network.as_ref(),
    };
    let WithFindings {
        value: reported,
        findings,
    } = match key {
        Some(key) => run.index_now(key, means, &inventory.base)?,
        None => run.ping()?.into(),
    };
    findings::show(printer, &findings, levels, Level::Deny, &mut pointers);
    let is_refused = findings.iter().any(|finding| is_refusal(finding.code));
    if is_refused && findings::fail_run(&findings, levels, Level::Deny) {
        return Ok(EXIT_FINDINGS);
    }
    show(args, printer, &reported)
}

/// Receivers, baseline and network, as the arguments request them.
struct SubmitMeans {
    targets: Vec<Target>,
    /// `None` if the arguments do not name one.
    baseline: Option<Baseline>,
    /// `None` if nothing is requested.
    network: Option<Network>,
}

impl SubmitMeans {
    fn of(args: &SubmitArgs) -> Result<Self, SubmitError> {
        let targets = targets_of(args)?;
        let baseline = if args.all {
            Some(Baseline::Nothing)
        } else {
            Baseline::named(args.since.as_deref(), args.record.as_deref())?
        };
        let needs_network = !args.dry_run || baseline.as_ref().is_some_and(Baseline::is_live);
        let patience = Duration::from_secs(args.timeout.into());
        let network = needs_network.then(|| Network::new(patience));
        Ok(Self {
            targets,
            baseline,
            network: network.transpose()?,
        })
    }
}

/// A receiver of IndexNow messages.
struct Target {
    name: String,
    url: Url,
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

fn key_of(settings: &SubmitSettings) -> Result<&SubmitKey, SubmitError> {
    settings.key.as_ref().ok_or(SubmitError::NoKey)
}

/// Creates the sender for a key, and the set of URLs that the key covers.
///
/// A key file that is not at the host's root covers only its directory, and its URL is sent along.
fn sender_of(
    base: &BaseUrl,
    key: &SubmitKey,
    own: Option<&KeyLocation>,
) -> Result<(IndexNowSender, KeyCoverage), SubmitError> {
    let cover = KeyCoverage::new(base, own);
    if !cover.is_of_host() {
        return Err(SubmitError::ForeignKey(base.clone()));
    }
    let written =
        (!base.is_host_root()).then(|| base.of_path(key.file_name().as_bytes()).to_string());
    let location = own.map(|location| location.reveal().to_owned()).or(written);
    Ok((IndexNowSender::new(base, key.clone(), location), cover))
}

/// The inputs of a submission.
struct SubmitRun<'a> {
    args: &'a SubmitArgs,
    settings: &'a Settings,
    output_dir: &'a Path,
    plan: &'a Plan,
    network: Option<&'a Network>,
}

impl SubmitRun<'_> {
    /// Sends the changes to every target, and keeps a record if one is requested.
    fn index_now(
        &self,
        key: &SubmitKey,
        means: &SubmitMeans,
        base: &BaseUrl,
    ) -> Result<WithFindings<SubmitReport>, CommandError> {
        self.check_record()?;
        let location = self.settings.submit.key_location.as_ref();
        let (sender, cover) = sender_of(base, key, location)?;
        let baseline = means
            .baseline
            .as_ref()
            .ok_or_else(|| self.no_baseline(base))?;
        let changes = baseline
            .changes(self.plan, base, self.network)
            .map_err(SubmitError::from)?;
        let lacks = set_refusals(self.settings, self.plan, &changes);
        let refusal = refusals_first(Vec::new(), lacks, self.settings);
        if refusal.permission == WritePermission::Refused {
            return Ok(WithFindings::new(SubmitReport::default(), refusal.findings));
        }
        let due = ChangedUrls::since(self.plan, &cover, &changes);
        let mut reported = SubmitReport::new(base, baseline.display(), &due);
        for target in &means.targets {
            for urls in due.urls.chunks(MAX_URLS) {
                let requested = self.post(&sender, target, urls);
                let goes_on = requested
                    .outcome()
                    .is_none_or(|outcome| outcome == RequestOutcome::Accepted);
                reported.requests.push(requested);
                // Do not retry: a rejected message stays rejected, and a busy server needs a pause.
                if !goes_on {
                    break;
                }
            }
        }
        if let Some(dir) = self
            .args
            .record
            .as_deref()
            .filter(|_| !self.args.dry_run && reported.is_all_accepted())
        {
            create_dir(dir)?;
            let surroundings = SurroundingFiles {
                robots_txt: None,
                key: None,
                is_generators_sitemap: &|_| false,
            };
            publish(self.plan, dir, surroundings)?;
        }
        let findings = refusal.findings.into_iter().chain(not_covered(&due));
        Ok(WithFindings::new(reported, findings.collect()))
    }

    /// Sends one message, or only records it with `--dry-run`.
    fn post(&self, sender: &IndexNowSender, target: &Target, urls: &[String]) -> SubmitRequest {
        let message = sender.message(urls);
        let answer = self.network.filter(|_| !self.args.dry_run).map(|network| {
            match network.post(&target.url, CONTENT_TYPE, &message) {
                Ok(answer) => SubmitResponse::Reply(ReplySummary::read(answer).masked(sender)),
                Err(error) => SubmitResponse::NoReply(error.to_string(), RequestOutcome::Transient),
            }
        });
        let body = answer.is_none().then(|| sender.masked(&message));
        SubmitRequest {
            method: "POST",
            target: target.name.clone(),
            url: target.url.to_string(),
            urls: urls.len(),
            body,
            answer,
        }
    }

    /// Requests every ping URL for every root sitemap.
    fn ping(&self) -> Result<SubmitReport, SubmitError> {
        let mut reported = SubmitReport::default();
        for pattern in &self.args.ping {
            for sitemap in self.plan.roots() {
                let url = ping_url(pattern, sitemap.as_str())?;
                let answer =
                    self.network.filter(|_| !self.args.dry_run).map(|network| {
                        match network.follow(url.clone()) {
                            Ok(answer) => SubmitResponse::Reply(ReplySummary::read(answer)),
                            Err(error) => {
                                SubmitResponse::NoReply(error.to_string(), error.outcome())
                            }
                        }
                    });
                let target = url.host_str().unwrap_or_default().to_owned();
                reported.requests.push(SubmitRequest {
                    method: "GET",
                    target,
                    url: url.to_string(),
                    urls: 1,
                    body: None,
                    answer,
                });
            }
        }
        Ok(reported)
    }

    fn no_baseline(&self, base: &BaseUrl) -> SubmitError {
        let sitemap = self
            .plan
            .roots()
            .next()
            .unwrap_or_else(|| base.of_path(b"sitemap.xml"));
        SubmitError::NoBaseline {
            pages: self.plan.entries().len(),
            sitemap,
        }
    }

    fn check_record(&self) -> Result<(), SubmitError> {
        let real = |path: &Path| path.canonicalize().ok();
        match &self.args.record {
            Some(record) if record.is_dir() && real(record) == real(self.output_dir) => {
                Err(SubmitError::RecordInOutput(record.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// The finding for changed URLs that the key does not cover.
fn not_covered(due: &ChangedUrls) -> Option<Finding> {
    let first = due.not_covered.first()?.escape_debug();
    let more = match due.not_covered.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("`{first}`{more} cannot be submitted with this key");
    let hint = "a key covers only the directory of its file: put the file at the host's root";
    Some(Finding::new(code::SUBMIT_NOT_COVERED, Subject::Site, message).with_hint(hint))
}

/// Prints the report and returns the exit code.
fn show(args: &SubmitArgs, printer: &Printer, reported: &SubmitReport) -> Result<u8, CommandError> {
    if args.json {
        Printer::json(&json_text(reported))?;
    } else if args.dry_run {
        Printer::text(&reported.as_requests())?;
    }
    reported.say(printer);
    Ok(
        match reported
            .requests
            .iter()
            .filter_map(SubmitRequest::outcome)
            .max()
        {
            None | Some(RequestOutcome::Accepted) => EXIT_SUCCESS,
            Some(RequestOutcome::Refused) => EXIT_FINDINGS,
            Some(RequestOutcome::Transient) => EXIT_FAILURE,
        },
    )
}
