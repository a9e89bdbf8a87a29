//! Reads the event that started a workflow, from the file that GitHub and Forgejo write
//! (docs.github.com, "Webhook events and payloads").

use std::path::Path;

use serde_json::Value;

use page_sources::generator::Pipelines;
use site_paths::containment::{MAX_FILE_BYTES, read_text};
use site_paths::finding::{Finding, Subject, WithFindings, code, quoted};
use site_paths::io_failure::FailureLog;

/// The event of a workflow run.
#[derive(Debug)]
pub(super) struct BuildEvent {
    name: String,
    payload: Value,
}

/// The subject of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventRef<'e> {
    /// A branch.
    Branch(&'e str),
    /// A tag of the default branch, or of a commit.
    Tag,
    /// A branch or a tag: the event has the name alone.
    Name(&'e str),
    /// Changes under review: a pull request or a merge queue.
    Review,
}

impl BuildEvent {
    /// Reads the event of this run. If it cannot be read, the variables decide alone.
    pub(super) fn of(
        pipelines: Pipelines<'_>,
        failures: &FailureLog,
    ) -> WithFindings<Option<Self>> {
        let Some((name, file)) = pipelines.event() else {
            return WithFindings::new(None, Vec::new());
        };
        match payload_of(Path::new(file), failures) {
            Ok(payload) => {
                let name = name.to_owned();
                WithFindings::new(Some(Self { name, payload }), Vec::new())
            }
            Err(why) => WithFindings::new(None, vec![unreadable(file, &why)]),
        }
    }

    /// The subject of the run, where the variables do not name it.
    pub(super) fn git_ref(&self) -> Option<EventRef<'_>> {
        match self.name.as_str() {
            "pull_request" | "pull_request_target" => Some(self.pull_request()),
            "workflow_run" => self.workflow_run(),
            "release" => self.release(),
            _ => None,
        }
    }

    /// The default branch of the repository.
    pub(super) fn default_branch(&self) -> Option<&str> {
        self.text("/repository/default_branch")
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.payload.pointer(pointer)?.as_str()
    }

    /// A merged pull request is now part of its base branch.
    fn pull_request(&self) -> EventRef<'_> {
        let merged = self.payload.pointer("/pull_request/merged");
        let is_merged = merged.and_then(Value::as_bool).unwrap_or_default();
        match self.text("/pull_request/base/ref") {
            Some(base) if is_merged && self.text("/action") == Some("closed") => {
                EventRef::Branch(base)
            }
            _ => EventRef::Review,
        }
    }

    /// The variables of a `workflow_run` are those of the default branch, whatever started it. Its
    /// `head_branch` is the name of the tag if a tag was pushed.
    fn workflow_run(&self) -> Option<EventRef<'_>> {
        match self.text("/workflow_run/event")? {
            "pull_request" | "pull_request_target" | "merge_group" => Some(EventRef::Review),
            "release" => Some(EventRef::Tag),
            "push" => self.text("/workflow_run/head_branch").map(EventRef::Name),
            _ => self.text("/workflow_run/head_branch").map(EventRef::Branch),
        }
    }

    /// The target of a release is the default branch, another branch, or a commit.
    fn release(&self) -> Option<EventRef<'_>> {
        let target = self.text("/release/target_commitish")?;
        let is_commit = target.len() >= 40 && target.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_default = is_commit || self.default_branch() == Some(target);
        Some(if is_default {
            EventRef::Tag
        } else {
            EventRef::Branch(target)
        })
    }
}

fn payload_of(file: &Path, failures: &FailureLog) -> Result<Value, String> {
    let text = failures.note(file, read_text(file, MAX_FILE_BYTES));
    let text = text.map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

fn unreadable(file: &str, why: &str) -> Finding {
    let message = format!(
        "the event file of this build cannot be read: {}",
        quoted(why)
    );
    Finding::new(
        code::EVENT_UNREADABLE,
        Subject::File(file.into(), None),
        message,
    )
    .with_hint("make the file of `GITHUB_EVENT_PATH` readable, for example in the container")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_names_what_it_builds() {
        let check = |name: &str, payload: Value, expected: Option<EventRef<'_>>| {
            let event = BuildEvent {
                name: name.to_owned(),
                payload,
            };
            assert_eq!(event.git_ref(), expected, "{event:?}");
        };
        let pull = |action: &str, merged: bool| json!({"action": action, "pull_request": {"merged": merged, "base": {"ref": "live"}}});
        check(
            "pull_request",
            pull("opened", false),
            Some(EventRef::Review),
        );
        check(
            "pull_request",
            pull("closed", false),
            Some(EventRef::Review),
        );
        let merged = EventRef::Branch("live");
        check("pull_request", pull("closed", true), Some(merged));
        check(
            "pull_request_target",
            pull("labeled", true),
            Some(EventRef::Review),
        );
        let run = |event: &str| json!({"workflow_run": {"event": event, "head_branch": "a"}});
        check("workflow_run", run("push"), Some(EventRef::Name("a")));
        check("workflow_run", run("schedule"), Some(EventRef::Branch("a")));
        check("workflow_run", run("pull_request"), Some(EventRef::Review));
        check("workflow_run", run("release"), Some(EventRef::Tag));
        let release = |target: &str| json!({"release": {"target_commitish": target}, "repository": {"default_branch": "trunk"}});
        check("release", release("trunk"), Some(EventRef::Tag));
        check("release", release(&"a1".repeat(20)), Some(EventRef::Tag));
        check("release", release("v1"), Some(EventRef::Branch("v1")));
        check("push", json!({"ref": "refs/heads/a"}), None);
        check("pull_request", json!([]), Some(EventRef::Review));
    }
}
