//! Reads the event that started a workflow, from the file that GitHub and Forgejo write
//! (docs.github.com, "Webhook events and payloads").

use std::path::Path;

use serde_json::Value;

use crate::files::tree::Tree;
use crate::generators::{GitRef, Pipelines};

/// Why a run is a preview whose workflow was started by a pull request or a merge queue.
const OF_REVIEW: &str = "the workflow that started it is of a pull request";

/// The event of a workflow run.
#[derive(Debug)]
pub(super) struct BuildEvent {
    name: String,
    payload: Value,
}

/// A statement of a service about a build. Those of the first kind precede the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BuildStatement<'b> {
    /// It is a preview, for this reason.
    Preview(String),
    /// It is production.
    Production,
    /// It is of this branch, or of a tag.
    Ref(GitRef<'b>),
}

impl BuildStatement<'_> {
    /// Its place in the order of precedence.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Preview(_) => 0,
            Self::Production => 1,
            Self::Ref(_) => 2,
        }
    }
}

impl BuildEvent {
    /// Reads the event of this run. If it cannot be read, the variables decide alone.
    pub(super) fn of(pipelines: Pipelines<'_>, tree: &Tree) -> Option<Self> {
        let (name, file) = pipelines.event()?;
        let text = tree.text_anywhere(Path::new(file))?;
        Some(Self {
            name: name.to_owned(),
            payload: serde_json::from_str(&text).ok()?,
        })
    }

    /// The statement of the event, where the variables of the run make none.
    pub(super) fn statement(&self) -> Option<BuildStatement<'_>> {
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
    fn merged_pull_request(&self) -> Option<BuildStatement<'_>> {
        let merged = self.payload.pointer("/pull_request/merged")?.as_bool()?;
        let base = self.text("/pull_request/base/ref")?;
        let is_closed = self.text("/action") == Some("closed");
        (merged && is_closed).then_some(BuildStatement::Ref(GitRef::Branch(base)))
    }

    /// The variables of a `workflow_run` are those of the default branch, whatever started it.
    fn workflow_run(&self) -> Option<BuildStatement<'_>> {
        Some(match self.text("/workflow_run/event")? {
            "pull_request" | "pull_request_target" | "merge_group" => {
                BuildStatement::Preview(OF_REVIEW.to_owned())
            }
            "release" => BuildStatement::Ref(GitRef::Tag),
            _ => {
                let head = self.text("/workflow_run/head_branch")?;
                BuildStatement::Ref(GitRef::Branch(head))
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
        let check = |name: &str, payload: Value, expected: Option<BuildStatement<'_>>| {
            let event = BuildEvent {
                name: name.to_owned(),
                payload,
            };
            assert_eq!(event.statement(), expected, "{event:?}");
        };
        let branch = |name| Some(BuildStatement::Ref(GitRef::Branch(name)));
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
        let review = || Some(BuildStatement::Preview(OF_REVIEW.to_owned()));
        check("workflow_run", run("pull_request"), review());
        check("workflow_run", run("merge_group"), review());
        let tag = Some(BuildStatement::Ref(GitRef::Tag));
        check("workflow_run", run("release"), tag);
        check("push", json!({"ref": "refs/heads/a"}), None);
    }
}
