//! Sends the messages of `waypost submit`, and records what was accepted.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::command_error::CommandError;
use super::opts::SubmitArgs;
use super::submit_error::SubmitError;
use super::submit_means::{SubmitMeans, Target};
use super::submit_record::SubmitRecord;
use super::submit_report::{SubmitReport, SubmitRequest, SubmitResponse};
use crate::pipeline::{WritePermission, refusals_first, set_refusals};
use crate::settings::{KeyLocation, Settings, SubmitKey, SubmitSettings};
use crate::submit::{
    CONTENT_TYPE, ChangedUrls, HttpResponse, IndexNowSender, KeyCoverage, MAX_URLS, Network,
    ReplySummary, RequestOutcome, key_file_fault, pause_of, ping_url,
};
use site_paths::BaseUrl;
use site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::Plan;

/// The longest pause that `--retry` waits for, and the maximum number of pauses per message.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
const MAX_PAUSES: usize = 3;

/// When the key file is looked for before anything is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyCheck {
    /// The site is live.
    Before,
    /// The site may not be published yet.
    Never,
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
    let location = own.map(|location| location.reveal().to_owned());
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
    /// The key and its location; those of the environment for a site that is not built here.
    pub(super) submit: &'a SubmitSettings,
    /// The directory that cannot have the record; `None` without a built site.
    pub(super) output_dir: Option<&'a Path>,
    pub(super) plan: &'a Plan,
    pub(super) network: Option<&'a Network>,
    pub(super) key_check: KeyCheck,
}

impl SubmitRun<'_> {
    /// Sends the changes to every target, and keeps a record if one is requested.
    pub(super) fn index_now(
        &self,
        key: &SubmitKey,
        means: &SubmitMeans,
        base: &BaseUrl,
    ) -> Result<WithFindings<SubmitReport>, CommandError> {
        self.check_record()?;
        let (sender, cover) = sender_of(base, key, self.submit.key_location.as_ref())?;
        let dir = self.args.record.as_deref();
        let mut record = dir.map(|dir| SubmitRecord::new(dir, self.plan));
        let Some(baseline) = &means.baseline else {
            return match record {
                Some(record) => Ok(self.first_record(record, base)?.into()),
                None => Err(self.no_baseline(base).into()),
            };
        };
        let changes = baseline
            .changes(self.plan, base, self.network)
            .map_err(SubmitError::from)?;
        let lacks = set_refusals(self.settings, self.plan, &changes);
        let refusal = refusals_first(Vec::new(), lacks, self.settings);
        if refusal.permission == WritePermission::Refused {
            return Ok(WithFindings::new(SubmitReport::default(), refusal.findings));
        }
        let unsent = record.as_ref().map(SubmitRecord::unsent).transpose()?;
        let due = ChangedUrls::since(self.plan, &cover, &changes)
            .with_unsent(unsent.unwrap_or_default(), &cover);
        self.check_key(key, base, &due)?;
        let mut reported = SubmitReport::new(base, baseline.display(), &due);
        self.send_all(&sender, means, &due, record.as_mut(), &mut reported)?;
        let findings = refusal.findings.into_iter().chain(not_covered(&due));
        Ok(WithFindings::new(reported, findings.collect()))
    }

    /// Sends the messages, and records after each how many every target has accepted.
    fn send_all(
        &self,
        sender: &IndexNowSender,
        means: &SubmitMeans,
        due: &ChangedUrls,
        mut record: Option<&mut SubmitRecord<'_>>,
        reported: &mut SubmitReport,
    ) -> Result<(), CommandError> {
        // Each target accepts the first messages up to a number, so all of them accept the fewest.
        let mut accepted_by_all = due.urls.len();
        for (at, target) in means.targets.iter().enumerate() {
            let is_last = at + 1 == means.targets.len();
            let mut accepted = 0;
            for urls in due.urls.chunks(MAX_URLS) {
                let requested = self.post(sender, target, urls);
                let outcome = requested.outcome();
                reported.requests.push(requested);
                // A rejected message stays rejected, and a busy server needs a pause.
                match outcome {
                    None => continue,
                    Some(RequestOutcome::Accepted) => accepted += urls.len(),
                    Some(_) => break,
                }
                if let Some(record) = record.as_deref_mut().filter(|_| is_last)
                    && accepted <= accepted_by_all
                {
                    record.note(&due.urls, accepted)?;
                }
            }
            accepted_by_all = accepted_by_all.min(accepted);
        }
        let has_nothing = due.urls.is_empty() && !self.args.dry_run;
        if let Some(record) = record.filter(|_| has_nothing) {
            record.note(&[], 0)?;
        }
        Ok(())
    }

    /// The first run with a record: notes the set as the baseline of the next run, and sends nothing.
    fn first_record(
        &self,
        mut record: SubmitRecord<'_>,
        base: &BaseUrl,
    ) -> Result<SubmitReport, CommandError> {
        if !self.args.dry_run {
            record.note(&[], 0)?;
        }
        Ok(SubmitReport {
            base_url: Some(base.to_string()),
            recorded: Some(self.plan.entries().len()),
            ..SubmitReport::default()
        })
    }

    /// Looks for the key file, because engines reject every message without it.
    fn check_key(
        &self,
        key: &SubmitKey,
        base: &BaseUrl,
        due: &ChangedUrls,
    ) -> Result<(), SubmitError> {
        let is_needed = self.key_check == KeyCheck::Before && !due.urls.is_empty();
        let Some(network) = self.network.filter(|_| is_needed && !self.args.dry_run) else {
            return Ok(());
        };
        let own = self.submit.key_location.as_ref();
        let url = own.map_or_else(
            || written_key_file(base, key),
            |location| location.reveal().to_owned(),
        );
        match key_file_fault(network, &url, key) {
            None => Ok(()),
            Some(fault) => Err(SubmitError::KeyFile {
                url: key.mask_in(&url),
                fault: key.mask_in(&fault),
            }),
        }
    }

    /// Sends one message, or only records it with `--dry-run`.
    fn post(&self, sender: &IndexNowSender, target: &Target, urls: &[String]) -> SubmitRequest {
        let message = sender.message(urls);
        let network = self.network.filter(|_| !self.args.dry_run);
        let answer = network.map(|network| self.exchange(network, sender, target, &message));
        let body = answer.is_none().then_some(message);
        SubmitRequest {
            method: "POST",
            target: target.name.clone(),
            url: target.url.to_string(),
            urls: urls.len(),
            body,
            answer,
        }
    }

    /// Sends a message, with `--retry` again after each pause that the server asks for.
    fn exchange(
        &self,
        network: &Network,
        sender: &IndexNowSender,
        target: &Target,
        message: &str,
    ) -> SubmitResponse {
        let mut pauses = 0;
        loop {
            let response = match network.post(&target.url, CONTENT_TYPE, message) {
                Ok(response) => response,
                Err(error) => {
                    return SubmitResponse::NoReply(error.to_string(), RequestOutcome::Transient);
                }
            };
            match self.pause(&response).filter(|_| pauses < MAX_PAUSES) {
                Some(pause) => sleep(pause),
                None => return SubmitResponse::Reply(ReplySummary::read(response).masked(sender)),
            }
            pauses += 1;
        }
    }

    /// The pause before the same message is sent again, if `--retry` is given.
    fn pause(&self, response: &HttpResponse) -> Option<Duration> {
        let is_busy = self.args.retry && matches!(response.status, 429 | 503);
        let pause = pause_of(response).filter(|_| is_busy)?;
        (pause <= LONGEST_PAUSE).then_some(pause)
    }

    /// Requests every ping URL for every root sitemap.
    pub(super) fn ping(&self) -> Result<SubmitReport, SubmitError> {
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
        match (&self.args.record, self.output_dir) {
            (Some(record), Some(output)) if record.is_dir() && real(record) == real(output) => {
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
    Some(Finding::new(code::SUBMIT_KEY_UNUSABLE, Subject::Site, message).with_hint(hint))
}
