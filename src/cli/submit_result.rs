//! The result of `waypost submit`, as JSON, as requests or as text.

use std::fmt::{Display, Write};

use serde::Serialize;

use super::command_error::CommandError;
use super::exit_code::{EXIT_FAILURE, EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::RunFindings;
use super::numbers::{counted, grouped};
use super::opts::SubmitArgs;
use super::printer::Printer;
use crate::submit::{CONTENT_TYPE, ChangedUrls, HttpResponse, ReplySummary, RequestOutcome};
use sitemaps::site_paths::BaseUrl;

/// The requests that were sent, or would be sent.
#[derive(Debug, Default, Serialize)]
pub(super) struct SubmitResult {
    pub(super) base_url: Option<String>,
    /// The pipeline of a preview build, for which nothing is sent.
    pub(super) preview: Option<String>,
    /// The baseline.
    pub(super) since: Option<String>,
    pub(super) added: usize,
    pub(super) changed: usize,
    pub(super) removed: usize,
    pub(super) not_covered: Vec<String>,
    /// The number of pages that were recorded, in the first run with a record, which sends nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recorded: Option<usize>,
    pub(super) requests: Vec<SubmitRequest>,
}

/// One request and its result.
#[derive(Debug, Serialize)]
pub(super) struct SubmitRequest {
    pub(super) method: &'static str,
    pub(super) target: String,
    pub(super) url: String,
    /// How many URLs it contains.
    pub(super) urls: usize,
    /// The body of a request that was not sent.
    pub(super) body: Option<String>,
    /// The response; `None` if the request was not sent.
    pub(super) answer: Option<SubmitResponse>,
}

/// The result of a request that was sent.
#[derive(Debug, Serialize)]
pub(super) struct SubmitResponse {
    outcome: RequestOutcome,
    #[serde(flatten)]
    answer: SubmitAnswer,
}

/// The response to a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SubmitAnswer {
    Reply(ReplySummary),
    NoReply { error: String },
}

impl SubmitResponse {
    /// The result of a response, or else of its error.
    pub(super) fn of<E: Display>(
        reply: Result<HttpResponse, E>,
        outcome_of: impl FnOnce(&E) -> RequestOutcome,
    ) -> Self {
        match reply.map(ReplySummary::read) {
            Ok(reply) => Self {
                outcome: reply.outcome(),
                answer: SubmitAnswer::Reply(reply),
            },
            Err(error) => Self {
                outcome: outcome_of(&error),
                answer: SubmitAnswer::NoReply {
                    error: error.to_string(),
                },
            },
        }
    }
}

impl SubmitResult {
    pub(super) fn new(base: &BaseUrl, since: Option<String>, due: &ChangedUrls) -> Self {
        Self {
            base_url: Some(base.to_string()),
            since,
            added: due.added,
            changed: due.changed,
            removed: due.removed,
            not_covered: due.not_covered.clone(),
            ..Self::default()
        }
    }

    /// Whether every request is accepted.
    pub(super) fn is_accepted(&self) -> bool {
        self.requests.iter().all(SubmitRequest::is_accepted)
    }

    /// Prints the findings and the result, and returns the exit code.
    pub(super) fn show(
        &self,
        args: &SubmitArgs,
        printer: &Printer,
        mut findings: RunFindings<'_>,
    ) -> Result<u8, CommandError> {
        findings.show(printer);
        if args.json {
            findings.print_json(self)?;
        } else if args.dry_run {
            Printer::text(&self.as_requests())?;
        }
        if findings.refuse() {
            return Ok(EXIT_FINDINGS);
        }
        self.say(printer);
        let outcomes = self.requests.iter().filter_map(SubmitRequest::outcome);
        Ok(match outcomes.max() {
            None | Some(RequestOutcome::Accepted) => EXIT_SUCCESS,
            Some(RequestOutcome::Refused) => EXIT_FINDINGS,
            Some(RequestOutcome::Transient) => EXIT_FAILURE,
        })
    }

    /// The requests as they would be sent.
    fn as_requests(&self) -> String {
        let mut out = String::new();
        for SubmitRequest {
            method, url, body, ..
        } in &self.requests
        {
            let written = match body {
                Some(body) => writeln!(
                    out,
                    "{method} {url}\nContent-Type: {CONTENT_TYPE}\n\n{body}\n"
                ),
                None => writeln!(out, "{method} {url}\n"),
            };
            written.expect("writing to a string cannot fail");
        }
        out
    }

    /// Prints the result on stderr.
    fn say(&self, printer: &Printer) {
        if let (Some(base), Some(pages)) = (&self.base_url, self.recorded) {
            let pages = counted(pages, "URL");
            printer.say(&format!(
                "{base}: {pages} recorded, nothing sent; the next run sends the changes since now, \
                 `--all` sends everything"
            ));
        } else if let Some(base) = &self.base_url {
            let since = self
                .since
                .as_ref()
                .map(|since| format!(" since {since}"))
                .unwrap_or_default();
            let [added, changed, removed] = [self.added, self.changed, self.removed].map(grouped);
            printer.say(&format!(
                "{base}{since}: {added} added, {changed} changed, {removed} removed"
            ));
            if self.requests.is_empty() {
                printer.say("no changes to submit");
            }
        }
        for requested in &self.requests {
            requested.say(printer);
        }
    }
}

impl SubmitRequest {
    /// The outcome; `None` if the request was not sent.
    fn outcome(&self) -> Option<RequestOutcome> {
        self.answer.as_ref().map(|answer| answer.outcome)
    }

    /// Whether the request is accepted.
    pub(super) fn is_accepted(&self) -> bool {
        self.outcome() == Some(RequestOutcome::Accepted)
    }

    fn say(&self, printer: &Printer) {
        let what = match self.method {
            "POST" => format!("{} to {}", counted(self.urls, "URL"), self.target),
            _ => format!("ping {}", self.target),
        };
        let reply = match self.answer.as_ref().map(|response| &response.answer) {
            None => return printer.say(&format!("{what}: not sent (--dry-run)")),
            Some(SubmitAnswer::NoReply { error }) => {
                return printer.error(&format!("{what}: failed: {error}"), None);
            }
            Some(SubmitAnswer::Reply(reply)) => reply,
        };
        let meaning = match self.method {
            "POST" => format!(", {}", reply.meaning()),
            _ => String::new(),
        };
        let text = reply.first_line.as_ref();
        let text = text.map_or_else(String::new, |text| format!(": {text}"));
        let line = format!("{what}: {}{meaning}{text}", reply.status);
        if self.is_accepted() {
            return printer.say(&line);
        }
        let hint = match (&reply.retry_after, &reply.location) {
            (Some(when), _) => Some(format!("retry after `{when}`")),
            (None, Some(target)) => Some(format!("it redirects to `{target}`")),
            (None, None) => None,
        };
        printer.error(&line, hint.as_deref());
    }
}
