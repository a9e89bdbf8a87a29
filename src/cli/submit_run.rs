//! Sends the messages of `waypost submit`, and records the set when they are accepted.

use std::collections::BTreeSet;

use url::Url;

use super::command_error::CommandError;
use super::opts::SubmitArgs;
use super::submit_means::SubmitMeans;
use super::submit_report::{SubmitReport, SubmitRequest, SubmitResponse};
use crate::pipeline::{WritePermission, refusals_first, set_refusals};
use crate::publish::{SurroundingFiles, create_dir, publish};
use crate::settings::{KeyLocation, Settings, SubmitKey};
use crate::submit::{
    CONTENT_TYPE, ChangedUrls, FetchError, IndexNowSender, KeyCoverage, MAX_URLS, Network,
    RequestOutcome, ping_url,
};
use sitemaps::Plan;
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

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

/// The inputs of a submission.
pub(super) struct SubmitRun<'a> {
    pub(super) args: &'a SubmitArgs,
    pub(super) settings: &'a Settings,
    pub(super) plan: &'a Plan,
    pub(super) means: &'a SubmitMeans,
}

impl SubmitRun<'_> {
    /// Sends the changes to every target, and records the set if all of them accept everything.
    pub(super) fn index_now(
        &self,
        key: &SubmitKey,
        base: &BaseUrl,
    ) -> Result<WithFindings<SubmitReport>, CommandError> {
        let (sender, cover) = sender_of(base, key, self.settings.submit.key_location.as_ref())?;
        let Some(baseline) = &self.means.baseline else {
            return match &self.args.record {
                Some(_) => Ok(self.first_record(base)?.into()),
                None => Err(self.no_baseline(base)),
            };
        };
        let changes = baseline.changes(self.plan, base)?;
        let lacks = set_refusals(self.settings, &BTreeSet::new(), self.plan, &changes);
        let refusal = refusals_first(Vec::new(), lacks, self.settings);
        if refusal.permission == WritePermission::Refused {
            return Ok(WithFindings::new(SubmitReport::default(), refusal.findings));
        }
        let due = ChangedUrls::since(self.plan, &cover, &changes);
        let mut reported = SubmitReport::new(base, baseline.display(), &due);
        for target in &self.means.targets {
            reported.requests.extend(self.send(&sender, target, &due));
        }
        if reported.is_accepted() {
            self.record()?;
        }
        let findings = refusal.findings.into_iter().chain(not_covered(&due));
        Ok(WithFindings::new(reported, findings.collect()))
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
    fn record(&self) -> Result<(), CommandError> {
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
        publish(self.plan, dir, surroundings)?;
        Ok(())
    }

    /// The first run with a record: records the set as the baseline of the next run, and sends nothing.
    fn first_record(&self, base: &BaseUrl) -> Result<SubmitReport, CommandError> {
        self.record()?;
        Ok(SubmitReport {
            base_url: Some(base.to_string()),
            recorded: Some(self.plan.entries().len()),
            ..SubmitReport::default()
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
    pub(super) fn ping(&self) -> Result<SubmitReport, CommandError> {
        let mut reported = SubmitReport::default();
        for pattern in &self.args.ping {
            for sitemap in self.plan.roots() {
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

    fn no_baseline(&self, base: &BaseUrl) -> CommandError {
        let sitemap = self.plan.roots().next();
        let sitemap = sitemap.unwrap_or_else(|| base.of_path(b"sitemap.xml"));
        let all = match self.plan.entries().len() {
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

    /// The network; `None` if nothing is to be sent.
    fn network(&self) -> Option<&Network> {
        let network = self.means.network.as_ref();
        network.filter(|_| !self.args.dry_run)
    }
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
