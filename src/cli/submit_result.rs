//! The result of `waypost submit`, as JSON, as requests or as text.

use serde::Serialize;
use url::Url;

use super::command_error::{CommandError, EXIT_FAILURE, EXIT_FINDINGS, EXIT_SUCCESS};
use super::findings::RunFindings;
use super::opts::SubmitArgs;
use super::printer::Printer;
use crate::findings::{Finding, counted, grouped};
use crate::web::{CONTENT_TYPE, ChangedUrls, Reply, RequestOutcome};

/// The requests that were sent, or would be sent.
#[derive(Default, Serialize)]
pub(super) struct SubmitResult {
    pub(super) base_url: Option<String>,
    /// The pipeline of a preview build, for which nothing is sent.
    pub(super) preview: Option<String>,
    /// The baseline.
    pub(super) since: Option<String>,
    #[serde(flatten)]
    pub(super) due: ChangedUrls,
    /// Whether the key covers no page, so that nothing can ever be sent.
    #[serde(skip)]
    pub(super) covers_nothing: bool,
    /// The number of pages that were recorded, in the first run with a record, which sends nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recorded: Option<usize>,
    pub(super) requests: Vec<SubmitRequest>,
    #[serde(skip)]
    pub(super) findings: Vec<Finding>,
}

/// One request and its result.
#[derive(Serialize)]
pub(super) struct SubmitRequest {
    method: &'static str,
    /// The host.
    target: String,
    url: String,
    /// How many URLs it contains.
    urls: usize,
    /// The body of a request that was not sent.
    body: Option<String>,
    /// The response; `None` if the request was not sent.
    answer: Option<Reply>,
}

impl SubmitResult {
    /// That of a run that sends nothing because of these findings.
    pub(super) fn refused(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            ..Self::default()
        }
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
        let answers = self
            .requests
            .iter()
            .filter_map(|request| request.answer.as_ref());
        Ok(match answers.map(|answer| answer.outcome).max() {
            None if self.covers_nothing => EXIT_FINDINGS,
            None | Some(RequestOutcome::Accepted) => EXIT_SUCCESS,
            Some(RequestOutcome::Refused) => EXIT_FINDINGS,
            Some(RequestOutcome::Transient) => EXIT_FAILURE,
        })
    }

    /// The requests as they would be sent.
    fn as_requests(&self) -> String {
        let texts = self.requests.iter().map(|request| {
            let SubmitRequest { method, url, .. } = request;
            match &request.body {
                Some(body) => {
                    format!("{method} {url}\nContent-Type: {CONTENT_TYPE}\n\n{body}\n\n")
                }
                None => format!("{method} {url}\n\n"),
            }
        });
        texts.collect()
    }

    /// Prints the result on stderr.
    fn say(&self, printer: &Printer) {
        match (&self.base_url, self.recorded) {
            (Some(base), Some(pages)) => printer.say(&format!(
                "{base}: {} recorded, nothing sent; the next run sends the changes since now, \
                 `--all` sends everything",
                counted(pages, "URL")
            )),
            (Some(base), None) => {
                let since = match &self.since {
                    Some(since) => format!(" since {since}"),
                    None => String::new(),
                };
                let ChangedUrls {
                    added,
                    changed,
                    removed,
                    ..
                } = &self.due;
                let [added, changed, removed] = [added, changed, removed].map(|n| grouped(*n));
                printer.say(&format!(
                    "{base}{since}: {added} added, {changed} changed, {removed} removed"
                ));
                if self.requests.is_empty() && !self.covers_nothing {
                    printer.say("no changes to submit");
                }
            }
            (None, _) => {}
        }
        for request in &self.requests {
            request.say(printer);
        }
    }
}

impl SubmitRequest {
    pub(super) fn new(
        method: &'static str,
        url: &Url,
        urls: usize,
        body: Option<String>,
        answer: Option<Reply>,
    ) -> Self {
        Self {
            method,
            target: url.host_str().unwrap_or_default().to_owned(),
            url: url.to_string(),
            urls,
            body: body.filter(|_| answer.is_none()),
            answer,
        }
    }

    /// Whether the request was sent and not accepted.
    pub(super) fn is_failed(&self) -> bool {
        let answer = self.answer.as_ref();
        answer.is_some_and(|answer| answer.outcome != RequestOutcome::Accepted)
    }

    fn say(&self, printer: &Printer) {
        let what = match self.method {
            "POST" => format!("{} to {}", counted(self.urls, "URL"), self.target),
            _ => format!("ping {}", self.target),
        };
        let Some(answer) = &self.answer else {
            return printer.say(&format!("{what}: not sent (--dry-run)"));
        };
        let line = match (answer.status, &answer.error) {
            (Some(status), _) if self.method == "POST" => {
                format!("{what}: {status}, {}", answer.meaning())
            }
            (Some(status), _) => format!("{what}: {status}"),
            (None, error) => format!("{what}: failed: {}", error.as_deref().unwrap_or_default()),
        };
        let text = answer.text.as_ref();
        let line = line + &text.map_or_else(String::new, |text| format!(": {text}"));
        if answer.outcome == RequestOutcome::Accepted {
            return printer.say(&line);
        }
        let hint = match (&answer.retry_after, &answer.location) {
            // RFC 9110 section 10.2.3: seconds, or a date.
            (Some(when), _) => Some(match when.parse::<u32>() {
                Ok(_) => format!("retry after {when} seconds"),
                Err(_) => format!("retry after `{when}`"),
            }),
            (None, Some(target)) => Some(format!("it redirects to `{target}`")),
            (None, None) => None,
        };
        printer.error(&line, hint.as_deref());
    }
}
