//! Reads the event that started a workflow, from the file that GitHub and Forgejo write
//! (docs.github.com, "Webhook events and payloads").

use std::path::Path;

use serde_json::Value;

use page_sources::generator::{GitRef, Pipelines};
use sitemaps::site_paths::containment::{MAX_FILE_BYTES, read_text};
use sitemaps::site_paths::io_failure::FailureLog;

/// The event of a workflow run.
#[derive(Debug)]
pub(super) struct BuildEvent {
    name: String,
    payload: Value,
}

/// The subject of a run, where its variables do not define it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventSubject<'e> {
    /// Changes under review: a pull request or a merge queue.
    Review,
    /// A branch or a tag.
    Ref(GitRef<'e>),
}

impl BuildEvent {
    /// Reads the event of this run. If it cannot be read, the variables decide alone.
    pub(super) fn of(pipelines: Pipelines<'_>, failures: &FailureLog) -> Option<Self> {
        let (name, file) = pipelines.event()?;
        let file = Path::new(file);
        let text = failures.note(file, read_text(file, MAX_FILE_BYTES)).ok()?;
        Some(Self {
            name: name.to_owned(),
            payload: serde_json::from_str(&text).ok()?,
        })
    }

    /// The subject of the run, where its variables do not define it.
    pub(super) fn subject(&self) -> Option<EventSubject<'_>> {
        match self.name.as_str() {
            "pull_request" | "pull_request_target" => self.merged_pull_request(),
            "workflow_run" => self.workflow_run(),
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

    /// A merged pull request is a push to its base branch.
    fn merged_pull_request(&self) -> Option<EventSubject<'_>> {
        let merged = self.payload.pointer("/pull_request/merged")?.as_bool()?;
        let base = self.text("/pull_request/base/ref")?;
        let is_closed = self.text("/action") == Some("closed");
        (merged && is_closed).then_some(EventSubject::Ref(GitRef::Branch(base)))
    }

    /// The variables of a `workflow_run` are those of the default branch, whatever started it.
    fn workflow_run(&self) -> Option<EventSubject<'_>> {
        Some(match self.text("/workflow_run/event")? {
            "pull_request" | "pull_request_target" | "merge_group" => EventSubject::Review,
            "release" => EventSubject::Ref(GitRef::Tag),
            _ => {
                let head = self.text("/workflow_run/head_branch")?;
                EventSubject::Ref(GitRef::Branch(head))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_names_what_it_builds() {
        let check = |name: &str, payload: Value, expected: Option<EventSubject<'_>>| {
            let event = BuildEvent {
                name: name.to_owned(),
                payload,
            };
            assert_eq!(event.subject(), expected, "{event:?}");
        };
        let branch = |name| Some(EventSubject::Ref(GitRef::Branch(name)));
        let pull = |action: &str, merged: bool| json!({"action": action, "pull_request": {"merged": merged, "base": {"ref": "live"}}});
        check("pull_request", pull("opened", false), None);
        check("pull_request", pull("closed", false), None);
        check("pull_request", pull("closed", true), branch("live"));
        check("pull_request_target", pull("closed", true), branch("live"));
        check("pull_request_target", pull("labeled", true), None);
        check("pull_request", json!([]), None);
        let run = |event: &str| json!({"workflow_run": {"event": event, "head_branch": "a"}});
        check("workflow_run", run("push"), branch("a"));
        check("workflow_run", run("schedule"), branch("a"));
        let review = Some(EventSubject::Review);
        check("workflow_run", run("pull_request"), review);
        check("workflow_run", run("merge_group"), review);
        let tag = Some(EventSubject::Ref(GitRef::Tag));
        check("workflow_run", run("release"), tag);
        check("push", json!({"ref": "refs/heads/a"}), None);
    }
}
