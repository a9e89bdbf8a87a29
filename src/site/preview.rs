//! Decides whether a build is production or a preview.
//!
//! The order:
//! 1. It is a preview if any service that is present reports one.
//! 2. It is production if a service reports that.
//! 3. If a service names a branch, `production_branches` decides.
//! 4. Without this setting, a branch that is neither the default nor a usual one may be either. It is
//!    written: a missing sitemap does more harm than that of a preview, which has production's URLs.
//!
//! A tag, a commit without a branch, and a build outside all services are production.

use super::build_event::{BuildEvent, EventSubject};
use super::remote;
use crate::settings::Settings;
use page_sources::generator::{GitRef, Pipeline, Pipelines};
use sitemaps::site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::site_paths::glob::PatternSet;
use sitemaps::site_paths::io_failure::FailureLog;
use std::path::Path;

/// Branches that are usually production, where the default branch is not known.
const USUAL_BRANCHES: [&str; 2] = ["main", "master"];

/// Whether a build is of the production site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildKind {
    /// It is.
    Production,
    /// Neither a service nor the settings decide.
    UnknownBranch(UnknownBranch),
    /// It is not.
    Preview(PreviewBuild),
}

/// A build of a branch that may be production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownBranch {
    /// The title of the service that names the branch.
    pub service: String,
    /// The branch.
    pub branch: String,
}

/// A build that is not of the production site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewBuild {
    /// The title of the service that reports it, or that names the branch.
    pub service: String,
    /// Why it is a preview, in words.
    pub reason: String,
}

impl UnknownBranch {
    /// The problem in words.
    pub fn message(&self) -> String {
        let (service, branch) = (&self.service, quoted(&self.branch));
        format!("this build on {service} is of the branch `{branch}`, which may not be production")
    }

    /// The finding for a build that is written.
    pub(super) fn finding(&self) -> Finding {
        let finding = Finding::new(code::BRANCH_UNKNOWN, Subject::Site, self.message());
        finding.with_hint(self.hint())
    }

    /// The remedy.
    pub fn hint(&self) -> String {
        let branch = quoted(&self.branch);
        format!(
            "if it is, set `production_branches = [\"{branch}\"]`, else the branches that are: \
             builds of other branches then write nothing"
        )
    }
}

impl PreviewBuild {
    /// The message for a command that does nothing because of this preview.
    pub fn message(&self, effect: &str) -> String {
        let Self { service, reason } = self;
        format!("this is a preview build on {service} ({reason}), so nothing is {effect}")
    }

    /// The finding for a preview that writes nothing.
    pub fn finding(&self) -> Finding {
        let message = self.message("written");
        Finding::new(code::PREVIEW_SKIPPED, Subject::Site, message).with_hint(Self::HINT)
    }

    /// How to write the sitemap in this build.
    pub const HINT: &str =
        "`preview = \"production-urls\"` writes the production site's sitemap here too";
}

/// Decides of which kind a build is.
pub(super) fn kind_of_build(
    pipelines: Pipelines<'_>,
    settings: &Settings,
    repository: Option<&Path>,
    failures: &FailureLog,
) -> BuildKind {
    let event = BuildEvent::of(pipelines, failures);
    let statements: Vec<_> = pipelines
        .matching()
        .into_iter()
        .map(|service| ServiceStatement::of(service, pipelines, event.as_ref()))
        .collect();
    let default_branch = |service| {
        let of_event = event.as_ref().and_then(BuildEvent::default_branch);
        let named = of_event.or_else(|| pipelines.default_branch(service));
        named
            .map(str::to_owned)
            .or_else(|| remote::default_branch(repository?, failures))
    };
    kind_of(&statements, settings, default_branch)
}

fn kind_of<'b>(
    statements: &[ServiceStatement<'b>],
    settings: &Settings,
    default_branch: impl Fn(&'b Pipeline) -> Option<String>,
) -> BuildKind {
    let preview = |service: &Pipeline, reason| {
        BuildKind::Preview(PreviewBuild {
            service: service.title.clone(),
            reason,
        })
    };
    for statement in statements {
        if let Some(reason) = &statement.preview {
            return preview(statement.service, reason.clone());
        }
    }
    let is_stated = statements.iter().any(|statement| statement.is_production);
    let mut refs = statements
        .iter()
        .filter_map(|statement| Some((statement.service, statement.git_ref?)));
    let (service, branch) = match refs.next() {
        Some((service, GitRef::Branch(branch))) if !is_stated => (service, branch),
        _ => return BuildKind::Production,
    };
    let production = &settings.production_branches;
    if !production.is_empty() {
        let is_production = PatternSet::new(production.iter()).matches(branch.as_bytes());
        let reason = format!("`{}` is not a production branch", quoted(branch));
        return if is_production {
            BuildKind::Production
        } else {
            preview(service, reason)
        };
    }
    let is_usual = match default_branch(service) {
        Some(default) => default == branch,
        None => USUAL_BRANCHES.contains(&branch),
    };
    if is_usual {
        return BuildKind::Production;
    }
    BuildKind::UnknownBranch(UnknownBranch {
        service: service.title.clone(),
        branch: branch.to_owned(),
    })
}

/// The report of a service about a build, in its variables and its event.
struct ServiceStatement<'b> {
    service: &'b Pipeline,
    /// Why it is a preview, if it is.
    preview: Option<String>,
    is_production: bool,
    git_ref: Option<GitRef<'b>>,
}

impl<'b> ServiceStatement<'b> {
    fn of(service: &'b Pipeline, pipelines: Pipelines<'b>, event: Option<&'b BuildEvent>) -> Self {
        let event = event.filter(|_| service.event_env.is_some());
        let (preview, git_ref) = match event.and_then(BuildEvent::subject) {
            Some(EventSubject::Review) => {
                let reason = "the workflow that started it is of a pull request";
                (Some(reason.to_owned()), None)
            }
            Some(EventSubject::Ref(git_ref)) => (None, Some(git_ref)),
            None => (
                marked_preview(pipelines, service),
                pipelines.git_ref(service),
            ),
        };
        Self {
            service,
            preview,
            is_production: pipelines.has_production_mark(service),
            git_ref,
        }
    }
}

/// Why a build is a preview by the variables of a service.
fn marked_preview(pipelines: Pipelines<'_>, service: &Pipeline) -> Option<String> {
    if let Some((name, value)) = pipelines.preview_mark(service) {
        return Some(format!("`{name}` is `{}`", quoted(value)));
    }
    let path = pipelines.deployment_path(service)?;
    Some(format!("it is deployed at `/{}`", quoted(&path)))
}
