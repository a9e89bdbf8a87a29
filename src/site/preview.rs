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

use super::build_event::{BuildEvent, BuildStatement};
use super::repository;
use crate::files::glob::PatternSet;
use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code};
use crate::generators::{GitRef, Pipeline, Pipelines};
use crate::settings::{PreviewMode, Settings};
use sitemaps::quoted;

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

impl BuildKind {
    /// The preview if this build is one that must write nothing.
    pub(super) fn skipped(&self, mode: PreviewMode) -> Option<&PreviewBuild> {
        match self {
            Self::Preview(preview) if mode == PreviewMode::Skip => Some(preview),
            _ => None,
        }
    }
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
    tree: &Tree,
) -> BuildKind {
    let event = BuildEvent::of(pipelines, tree);
    let stated = pipelines.matching().into_iter().filter_map(|service| {
        let event = event.as_ref().filter(|_| service.event_env.is_some());
        Some((service, statement_of(service, pipelines, event)?))
    });
    let (service, branch) = match stated.min_by_key(|(_, statement)| statement.rank()) {
        Some((service, BuildStatement::Preview(reason))) => return preview(service, reason),
        Some((service, BuildStatement::Ref(GitRef::Branch(branch)))) => (service, branch),
        _ => return BuildKind::Production,
    };
    let production = &settings.production_branches;
    let is_production = PatternSet::new(production.iter()).matches(branch.as_bytes());
    if !production.is_empty() && !is_production {
        let reason = format!("`{}` is not a production branch", quoted(branch));
        return preview(service, reason);
    }
    if is_production {
        return BuildKind::Production;
    }
    let default = event
        .as_ref()
        .and_then(BuildEvent::default_branch)
        .or_else(|| pipelines.default_branch(service))
        .map(str::to_owned)
        .or_else(|| repository::default_branch(repository?, tree));
    let is_usual = match default {
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

fn preview(service: &Pipeline, reason: String) -> BuildKind {
    let service = service.title.clone();
    BuildKind::Preview(PreviewBuild { service, reason })
}

/// The statement of a service about a build, in its event or its variables.
fn statement_of<'b>(
    service: &'b Pipeline,
    pipelines: Pipelines<'b>,
    event: Option<&'b BuildEvent>,
) -> Option<BuildStatement<'b>> {
    let statement = event
        .and_then(BuildEvent::statement)
        .or_else(|| marked_preview(pipelines, service).map(BuildStatement::Preview))
        .or_else(|| pipelines.git_ref(service).map(BuildStatement::Ref));
    match statement {
        Some(BuildStatement::Preview(_)) => statement,
        _ if pipelines.mark(&service.production_env).is_some() => Some(BuildStatement::Production),
        _ => statement,
    }
}

/// Why a build is a preview by the variables of a service.
fn marked_preview(pipelines: Pipelines<'_>, service: &Pipeline) -> Option<String> {
    if let Some((name, value)) = pipelines.mark(&service.preview_env) {
        return Some(format!("`{name}` is `{}`", quoted(value)));
    }
    let path = pipelines.deployment_path(service)?;
    Some(format!("it is deployed at `/{}`", quoted(&path)))
}
