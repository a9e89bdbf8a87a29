//! Sends the messages of `waypost submit`, and records the set when they are accepted.

use std::collections::BTreeSet;
use std::time::Duration;

use url::Url;

use super::baseline::Baseline;
use super::build::url_of;
use super::command_error::CommandError;
use super::network::network;
use super::opts::SubmitArgs;
use super::submit_result::{SubmitRequest, SubmitResponse, SubmitResult};
use crate::pipeline::{refusals_first, set_refusals};
use crate::publish::{SurroundingFiles, create_dir, publish};
use crate::settings::{KeyLocation, Settings, SubmitKey};
use crate::site::stop_run;
use crate::submit::{
    CONTENT_TYPE, ChangedUrls, FetchError, IndexNowSender, KeyCoverage, MAX_URLS, Network,
    RequestOutcome, ping_url, target_url,
};
use sitemaps::Plan;
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

/// The endpoint that passes messages on to all engines (indexnow.org, "FAQ").
const DEFAULT_ENDPOINT: &str = "https://api.indexnow.org/indexnow";

/// Creates the sender for a key, and the set of URLs that the key covers.
///
/// A key file that is not at the host's root covers only its directory, and its URL is sent along.
fn sender_of(
    base: &BaseUrl,
    key: &SubmitKey,
    own: Option<&KeyLocation>,
) -> Result<(IndexNowSender, KeyCoverage), CommandError> {
    let cover = KeyCoverage::new(base, own);
    if !cover.is_of_host() {
        return Err(CommandError::new(
            format!(
                "the key file (`submit.key_location`) is not on the host of `{base}`, so the key \
                 does not cover the site"
            ),
            "put the key file on the site's own host",
        ));
    }
    let location = own.map(|location| location.as_str().to_owned());
    let written = (!base.is_host_root()).then(|| written_key_file(base, key));
    Ok((
        IndexNowSender::new(base, key.clone(), location.or(written)),
        cover,
    ))
}

/// The URL of the key file that `build` writes.
fn written_key_file(base: &BaseUrl, key: &SubmitKey) -> String {
    base.of_path(key.file_name().as_bytes()).to_string()
}

/// Receivers, baseline and network, as the arguments request them.
pub(super) struct SubmitRun<'a> {
    pub(super) args: &'a SubmitArgs,
    targets: Vec<Url>,
    /// `None` if the arguments do not name one.
    baseline: Option<Baseline>,
    /// `None` if nothing is requested but the baseline.
    pub(super) network: Option<Network>,
}

impl<'a> SubmitRun<'a> {
    pub(super) fn of(args: &'a SubmitArgs) -> Result<Self, CommandError> {
        // Only validate the patterns here; they are filled in when the URL of the sitemap is known.
        for pattern in &args.ping {
            ping_url(pattern, "")?;
        }
        let targets = if args.endpoint.is_empty() {
            vec![target_url(DEFAULT_ENDPOINT)?]
        } else {
            let targets = args.endpoint.iter().map(|url| target_url(url));
            targets.collect::<Result<_, _>>()?
        };
        let patience = Duration::from_secs(args.timeout.into());
        let baseline = if args.all {
            Some(Baseline::Nothing)
        } else {
            Baseline::named(args.since.as_deref(), args.record.as_deref(), patience)?
        };
        let needs_network = url_of(&args.common.site).is_some() || !args.dry_run;
        let network = needs_network.then(|| network(patience));
        Ok(Self {
            args,
            targets,
            baseline,
            network: network.transpose()?,
        })
    }

    /// Sends the changes to every target, and records the set if all of them accept everything.
    pub(super) fn index_now(
        &self,
        settings: &Settings,
        plan: &Plan,
        key: &SubmitKey,
        base: &BaseUrl,
    ) -> Result<WithFindings<SubmitResult>, CommandError> {
        let (sender, cover) = sender_of(base, key, settings.submit.key_location.as_ref())?;
        let Some(baseline) = &self.baseline else {
            return match &self.args.record {
                Some(_) => Ok(self.first_record(plan, base)?.into()),
                None => Err(no_baseline(plan, base)),
            };
        };
        let changes = baseline.changes(plan, base)?;
        let lacks = set_refusals(settings, &BTreeSet::new(), plan, &changes);
        let mut findings = refusals_first(Vec::new(), lacks, settings);
        if stop_run(&findings, &settings.levels) {
            return Ok(WithFindings::new(SubmitResult::default(), findings));
        }
        let due = ChangedUrls::since(plan, &cover, &changes);
        let mut reported = SubmitResult::new(base, baseline.display(), &due);
        for target in &self.targets {
            reported.requests.extend(self.send(&sender, target, &due));
        }
        if reported.is_accepted() {
            self.record(plan)?;
        }
        findings.extend(not_covered(&due));
        Ok(WithFindings::new(reported, findings))
    }

    /// Sends the messages to a target, up to the first that it does not accept: a rejected message stays
    /// rejected, and a busy server needs a pause.
    fn send(&self, sender: &IndexNowSender, target: &Url, due: &ChangedUrls) -> Vec<SubmitRequest> {
        let mut sent = Vec::new();
        for urls in due.urls.chunks(MAX_URLS) {
            let request = self.post(sender, target, urls);
            let is_failed = !request.is_accepted() && !self.args.dry_run;
            sent.push(request);
            if is_failed {
                break;
            }
        }
        sent
    }

    /// Writes a copy of the set, which the next run compares with, if the user names a directory for it.
    fn record(&self, plan: &Plan) -> Result<(), CommandError> {
        let Some(dir) = self.args.record.as_ref().filter(|_| !self.args.dry_run) else {
            return Ok(());
        };
        create_dir(dir)?;
        let surroundings = SurroundingFiles {
            robots_txt: None,
            key: None,
            memory: None,
            is_generators_sitemap: &|_| false,
        };
        publish(plan, dir, surroundings)?;
        Ok(())
    }

    /// The first run with a record: records the set as the baseline of the next run, and sends nothing.
    fn first_record(&self, plan: &Plan, base: &BaseUrl) -> Result<SubmitResult, CommandError> {
        self.record(plan)?;
        Ok(SubmitResult {
            base_url: Some(base.to_string()),
            recorded: Some(plan.entries().len()),
            ..SubmitResult::default()
        })
    }

    /// Sends one message, or only describes it with `--dry-run`.
    fn post(&self, sender: &IndexNowSender, target: &Url, urls: &[String]) -> SubmitRequest {
        let message = sender.message(urls);
        let answer = self.network().map(|network| {
            let reply = network.post(target, CONTENT_TYPE, &message);
            SubmitResponse::of(reply, |_| RequestOutcome::Transient)
        });
        let body = answer.is_none().then_some(message);
        SubmitRequest {
            method: "POST",
            target: host_of(target),
            url: target.to_string(),
            urls: urls.len(),
            body,
            answer,
        }
    }

    /// Requests every ping URL for every root sitemap.
    pub(super) fn ping(&self, plan: &Plan) -> Result<SubmitResult, CommandError> {
        let mut reported = SubmitResult::default();
        for pattern in &self.args.ping {
            for sitemap in plan.roots() {
                let url = ping_url(pattern, sitemap.as_str())?;
                let answer = self.network().map(|network| {
                    SubmitResponse::of(network.follow(url.clone()), FetchError::outcome)
                });
                reported.requests.push(SubmitRequest {
                    method: "GET",
                    target: host_of(&url),
                    url: url.to_string(),
                    urls: 1,
                    body: None,
                    answer,
                });
            }
        }
        Ok(reported)
    }

    /// The network; `None` if nothing is to be sent.
    fn network(&self) -> Option<&Network> {
        let network = self.network.as_ref();
        network.filter(|_| !self.args.dry_run)
    }
}

fn no_baseline(plan: &Plan, base: &BaseUrl) -> CommandError {
    let sitemap = plan.roots().next();
    let sitemap = sitemap.unwrap_or_else(|| base.of_path(b"sitemap.xml"));
    let all = match plan.entries().len() {
        1 => "the only URL".to_owned(),
        pages => format!("all {pages} URLs"),
    };
    let hint = format!(
        "`--since {sitemap}` compares with the live sitemap, `--record DIR` with the copy from \
         last time; `--all` sends {all}"
    );
    let message = "no previous sitemap to compare with, so nothing is sent";
    CommandError::new(message, hint)
}

/// The host of a URL, for display.
fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
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
    Some(Finding::new(code::SUBMIT_KEY_UNUSABLE, Subject::Site, message).with_hint(hint))
}
