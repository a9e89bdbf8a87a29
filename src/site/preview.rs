//! Decides whether a build is production or a preview, by its pull request, tag or branch.
//!
//! A tag is production: a service builds it only if the user says so, and it names a state to
//! publish. Without a service's variables every build is production, whatever its branch.

use super::build_event::{BuildEvent, EventRef};
use super::remote::LocalRefs;
use crate::settings::Settings;
use page_sources::generator::{GitRef, PipelineStatement, Pipelines};
use site_paths::finding::{Finding, Subject, WithFindings, code, quoted};
use site_paths::io_failure::FailureLog;
use std::path::Path;

/// Branches that are usually production.
const USUAL_BRANCHES: [&str; 2] = ["main", "master"];

/// A build that is not of the production site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewBuild {
    /// The title of the service that runs it.
    pub service: String,
    /// Why it is a preview, in words.
    pub reason: String,
    /// The branch, if the branch is the reason.
    pub branch: Option<String>,
}

/// The sitemaps in the output directory that waypost did not write.
#[derive(Debug, Default)]
pub struct RemainingSitemaps {
    /// Those of the site's generator.
    pub of_generator: Vec<String>,
    /// The others.
    pub of_others: Vec<String>,
}

impl PreviewBuild {
    /// The message for a command that does nothing because of this preview.
    pub fn message(&self, effect: &str) -> String {
        let Self {
            service, reason, ..
        } = self;
        format!("this is a preview build on {service} ({reason}), so nothing is {effect}")
    }

    /// How to write the sitemap in this build.
    pub fn hint(&self) -> String {
        let here = "`preview = \"production-urls\"` writes the production site's sitemap here too";
        match &self.branch {
            Some(branch) => {
                format!("if this is production, set `production_branches = [\"{branch}\"]`; {here}")
            }
            None => here.to_owned(),
        }
    }

    /// The finding for a preview that writes nothing and leaves these sitemaps.
    pub fn finding(&self, remaining: &RemainingSitemaps) -> Finding {
        let mut message = self.message("written");
        for (names, owner) in [
            (&remaining.of_generator, "the generator"),
            (&remaining.of_others, "another program"),
        ] {
            let all: Vec<String> = names
                .iter()
                .map(|name| format!("`{}`", quoted(name)))
                .collect();
            match all.as_slice() {
                [] => {}
                [one] => message.push_str(&["; ", one, " of ", owner, " remains"].concat()),
                several => {
                    message
                        .push_str(&["; ", &several.join(", "), " of ", owner, " remain"].concat());
                }
            }
        }
        Finding::new(code::PREVIEW_SKIPPED, Subject::Site, message).with_hint(self.hint())
    }
}

/// Detects a preview.
///
/// The order: a pull request or another mark of a preview, a tag, `production_branches`, the
/// statement of the host, the usual branches and the default branch of the remote.
pub(super) fn detect(
    pipelines: Pipelines<'_>,
    settings: &Settings,
    repository: Option<&Path>,
    failures: &FailureLog,
) -> WithFindings<Option<PreviewBuild>> {
    let WithFindings {
        value: event,
        findings,
    } = BuildEvent::of(pipelines, failures);
    let refs = LocalRefs {
        root: repository,
        failures,
    };
    let preview = preview_of(pipelines, settings, event.as_ref(), refs);
    WithFindings::new(preview, findings)
}

fn preview_of(
    pipelines: Pipelines<'_>,
    settings: &Settings,
    event: Option<&BuildEvent>,
    refs: LocalRefs<'_>,
) -> Option<PreviewBuild> {
    let service = &pipelines.current()?.title;
    let preview = |reason: String, branch: Option<&str>| {
        Some(PreviewBuild {
            service: service.clone(),
            reason,
            branch: branch.map(|branch| branch.escape_debug().to_string()),
        })
    };
    let branch = match subject_of(pipelines, event, refs) {
        BuildSubject::Preview(reason) => return preview(reason, None),
        BuildSubject::Tag => return None,
        BuildSubject::Branch(branch) => Some(branch),
        BuildSubject::Unknown => None,
    };
    let names = &settings.production_branches;
    let is_production = match (branch, pipelines.statement()) {
        (Some(branch), _) if !names.is_empty() => names.iter().any(|name| name == branch),
        (_, Some(PipelineStatement::Production)) | (None, None) => true,
        (_, Some(PipelineStatement::Preview(name, value))) => {
            return preview(format!("`{name}` is `{}`", quoted(value)), None);
        }
        (Some(branch), None) => {
            let default = event.and_then(BuildEvent::default_branch);
            is_usual(branch, pipelines, default) || refs.default_branch().as_deref() == Some(branch)
        }
    };
    let branch = branch.filter(|_| !is_production)?;
    let reason = format!("`{}` is not a production branch", quoted(branch));
    preview(reason, Some(branch))
}

/// The subject of a build.
enum BuildSubject<'b> {
    /// A preview, with the reason.
    Preview(String),
    Tag,
    Branch(&'b str),
    Unknown,
}

fn subject_of<'b>(
    pipelines: Pipelines<'b>,
    event: Option<&'b BuildEvent>,
    refs: LocalRefs<'_>,
) -> BuildSubject<'b> {
    let of_event = event.and_then(BuildEvent::git_ref);
    if of_event == Some(EventRef::Review) {
        return BuildSubject::Preview("a review of changes".to_owned());
    }
    if let (None, Some((name, value))) = (of_event, pipelines.preview_mark()) {
        return BuildSubject::Preview(format!("`{name}` is `{}`", quoted(value)));
    }
    if let Some(path) = pipelines.deployment_path() {
        return BuildSubject::Preview(format!("it is deployed at `/{}`", quoted(&path)));
    }
    match (of_event, pipelines.git_ref()) {
        (Some(EventRef::Name(name)), _) if refs.is_tag(name) => BuildSubject::Tag,
        (Some(EventRef::Name(branch)), _) => BuildSubject::Branch(branch),
        (Some(EventRef::Branch(branch)), _) | (None, Some(GitRef::Branch(branch))) => {
            BuildSubject::Branch(branch)
        }
        (Some(_), _) | (None, Some(GitRef::Tag(_))) => BuildSubject::Tag,
        (None, Some(GitRef::Other(name))) => {
            BuildSubject::Preview(format!("it builds `{}`", quoted(name)))
        }
        (None, None) => BuildSubject::Unknown,
    }
}

/// Whether a branch is production as far as the environment says.
fn is_usual(branch: &str, pipelines: Pipelines<'_>, default_of_event: Option<&str>) -> bool {
    let own = pipelines.current().into_iter();
    let mut own = own.flat_map(|pipeline| &pipeline.production_branches);
    USUAL_BRANCHES.contains(&branch)
        || own.any(|name| name == branch)
        || pipelines.default_branch() == Some(branch)
        || default_of_event == Some(branch)
}
