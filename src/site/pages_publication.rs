//! Whether this repository publishes itself on GitHub Pages or GitLab Pages, and at which URL.
//!
//! Judged by what is there alone: a step or a script that publishes, a job of GitLab with `pages`, the
//! pages at the tip of a branch `gh-pages`. A name proves nothing: the branch may contain charts or
//! benchmarks, a workflow may only ignore it, and the site may have moved on.

use std::path::Path;

use super::host_settings::{HostDirs, is_marked};
use super::publication::{Publication, jobs, package_scripts, workflows};
use super::repository::origin_of;
use crate::files::located_values::{SettingData, SettingValue, Syntax};
use crate::files::tree::Tree;
use crate::generators::Manifest;
use git_last_modified::{BranchTip, Remote, branch_tip};
use page_signals::{PageReader, ReadOptions, Refresh};
use sitemaps::site_paths::BaseUrl;

/// The branch that GitHub Pages publishes, in a clone.
const BRANCH: &str = "refs/remotes/origin/gh-pages";

/// A branch whose tip is older than HEAD by more than this is not published any more: a year.
const MAX_AGE_SECONDS: i64 = 366 * 24 * 60 * 60;

/// Where the repository publishes itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PagesSite {
    /// At the URL of its pages.
    Own,
    /// At a custom domain.
    Domain(BaseUrl),
    /// Nothing says so.
    Unknown,
    /// Something says that it is published by another host, or is not any more.
    Elsewhere,
}

/// Collects the evidence that the repository at `root`, whose pages would be at `url`, publishes itself
/// there.
pub(super) fn published_site(root: &Path, url: &BaseUrl, dirs: &HostDirs) -> PagesSite {
    let tree = dirs.tree();
    if !url.host().ends_with(".github.io") {
        return if has_pages_job(root, tree) {
            PagesSite::Own
        } else {
            PagesSite::Unknown
        };
    }
    // Objects that the clone lacks prove nothing.
    let tip = branch_tip(root, BRANCH, &["index.html", "CNAME"])
        .ok()
        .flatten();
    let is_retired = tip.as_ref().is_some_and(|tip| !is_recent(tip));
    let tip = tip.filter(is_recent);
    let domain = tip.as_ref().and_then(domain_of_branch);
    let steps = workflow_steps(root, tree);
    match (publishing_step(root, dirs, &steps), domain.clone()) {
        (Some(PagesSite::Own), Some(domain)) => return PagesSite::Domain(domain),
        (Some(site), _) => return site,
        (None, _) => {}
    }
    if is_retired || is_for_another_host(dirs) || steps.iter().any(publishes_elsewhere) {
        return PagesSite::Elsewhere;
    }
    let Some(home) = tip.and_then(|mut tip| tip.files.swap_remove(0)) else {
        return PagesSite::Unknown;
    };
    if leads_elsewhere(&home, domain.as_ref().unwrap_or(url)) {
        return PagesSite::Elsewhere;
    }
    domain.map_or(PagesSite::Own, PagesSite::Domain)
}

/// The host to which a step of a workflow, a script or a job of the repository publishes: its name in
/// the manifest.
pub(super) fn pages_host(root: &Path, dirs: &HostDirs) -> Option<&'static str> {
    let steps = workflow_steps(root, dirs.tree());
    if publishing_step(root, dirs, &steps).is_some() {
        return Some("github-pages");
    }
    has_pages_job(root, dirs.tree()).then_some("gitlab-pages")
}

fn is_recent(tip: &BranchTip) -> bool {
    tip.head_committed
        .is_none_or(|head| head - tip.committed <= MAX_AGE_SECONDS)
}

fn domain_of_branch(tip: &BranchTip) -> Option<BaseUrl> {
    let text = tip.files.last()?.as_ref()?;
    domain_root(std::str::from_utf8(text).ok()?.lines().next()?)
}

/// The root of a custom domain. A name with an expression is not known before the workflow runs.
fn domain_root(domain: &str) -> Option<BaseUrl> {
    let domain = domain.trim();
    let is_name = !domain.is_empty() && !domain.contains(['/', '$', '{']);
    is_name.then(|| BaseUrl::parse(&format!("https://{}/", domain.to_ascii_lowercase())).ok())?
}

/// Whether a page does little but lead to another host, after any delay.
fn leads_elsewhere(page: &[u8], url: &BaseUrl) -> bool {
    let facts = PageReader::new(ReadOptions::default()).facts_of(page);
    facts.refreshes.iter().any(|tag| {
        Refresh::parse(&tag.value.content)
            .and_then(|refresh| url.resolve(refresh.target?))
            .is_some_and(|target| target.host() != url.host())
    }) || facts
        .redirect_script
        .is_some_and(|script| script.contains("://") && !script.contains(url.host()))
}

/// Whether a file of another host is in the site or above it.
fn is_for_another_host(dirs: &HostDirs) -> bool {
    Manifest::embedded().host.iter().any(|(name, host)| {
        let mut programs = host.built_by.iter();
        name != "github-pages"
            && (host.files.iter().any(|mark| is_marked(dirs, host, mark))
                || programs.any(|file| dirs.nearest(file).is_some()))
    })
}

/// Returns where the first step or script publishes the repository on GitHub Pages: at a domain if it names one.
fn publishing_step(root: &Path, dirs: &HostDirs, steps: &[SettingValue]) -> Option<PagesSite> {
    let tree = dirs.tree();
    let repository = OwnRepository {
        remote: origin_of(root, tree),
        output: dirs.output_name(),
    };
    let scripts = package_scripts(root, tree);
    let in_scripts = scripts
        .iter()
        .flat_map(|(_, script)| Publication::all_in_script(script));
    let published = steps
        .iter()
        .flat_map(Publication::all_in_step)
        .chain(in_scripts)
        .find(|published| repository.is_published_by(published))?;
    let domain = published.value(&published.publisher.domain);
    Some(
        domain
            .and_then(domain_root)
            .map_or(PagesSite::Own, PagesSite::Domain),
    )
}

/// The steps of all workflows.
pub(super) fn workflow_steps(root: &Path, tree: &Tree) -> Vec<SettingValue> {
    let mut steps = Vec::new();
    for (_, workflow) in workflows(root, ".github/workflows", tree) {
        for job in jobs(&workflow) {
            steps.extend_from_slice(job.value.list("steps"));
        }
    }
    steps
}

/// The repository whose site is published or not.
struct OwnRepository {
    remote: Option<Remote>,
    /// The name of the output directory, if it has one.
    output: Option<String>,
}

impl OwnRepository {
    /// Whether an action or a command publishes the output directory on the Pages of this repository. A command
    /// must name the directory if it has an option for it.
    fn is_published_by(&self, published: &Publication<'_>) -> bool {
        let own = published.publisher;
        let dir = published.dir();
        let keys = &Manifest::embedded().generic.publishing;
        own.host.as_deref() == Some("github-pages")
            && (published.is_action() || own.dir.is_empty() || dir.is_some())
            && published
                .value(&keys.other_repository)
                .is_none_or(|name| name == "origin" || self.is_called(name))
            && published.value(&keys.target_dir).is_none()
            && dir.is_none_or(|dir| self.is_output(dir))
    }

    /// Whether a name of a repository, or a URL, is that of this one.
    fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        let expression: String = name.split_whitespace().collect();
        if name == "self" || expression == "${{github.repository}}" {
            return true;
        }
        self.remote.as_ref().is_some_and(|own| {
            Remote::parse(name)
                .map_or_else(|| name.to_owned(), |remote| remote.path)
                .eq_ignore_ascii_case(&own.path)
        })
    }

    /// Whether a directory may be the output directory: it has its name, or is known only to the workflow.
    fn is_output(&self, dir: &str) -> bool {
        let path = dir.trim().trim_end_matches('/');
        path.rsplit('/').next().is_none_or(|name| {
            matches!(name, "" | ".")
                || name.contains('$')
                || self.output.as_ref().is_none_or(|output| output == name)
        })
    }
}

/// Whether a step deploys to another host, or on Pages of another repository.
fn publishes_elsewhere(step: &SettingValue) -> bool {
    Publication::all_in_step(step).iter().any(|published| {
        let host = published.publisher.host.as_deref();
        host.is_some_and(|host| host != "github-pages" || published.is_action())
    })
}

/// Whether a job of GitLab publishes: one with the name or the keyword `pages`. A hidden job never runs.
fn has_pages_job(root: &Path, tree: &Tree) -> bool {
    let file = root.join(".gitlab-ci.yml");
    let text = tree.text_anywhere(&file).unwrap_or_default();
    let tables = &Manifest::embedded().generic.publishing.gitlab_tables;
    // A header, with `spec`, may precede the jobs.
    for document in text.split("\n---") {
        let Ok(jobs) = Syntax::Yaml.parse(document) else {
            continue;
        };
        for job in jobs.entries() {
            let pages = job.value.get("pages").map(|pages| &pages.data);
            let publishes = job.key == "pages"
                || !matches!(
                    pages,
                    None | Some(SettingData::Flag(false) | SettingData::Nothing)
                );
            if publishes && !job.key.starts_with('.') && !tables.contains(&job.key) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_that_publishes_this_site_counts() {
        let repository = OwnRepository {
            remote: Remote::parse("https://github.com/acme/book.git"),
            output: Some("book".to_owned()),
        };
        let check = |script: &str, expected: bool| {
            let published = Publication::all_in_script(script);
            let is_here = published
                .iter()
                .any(|published| repository.is_published_by(published));
            assert_eq!(is_here, expected, "{script}");
        };
        check("ghp-import -n -p -f book", true);
        check("mkdocs build\nmkdocs gh-deploy --force", true);
        check("npm run build && gh-pages -d book", true);
        check("npx --yes gh-pages@6 --dist ./book/", true);
        check("GIT_USER=a yarn docusaurus deploy", true);
        check("mike deploy 1.0 -r origin --push", true);
        check("gh-pages -d book -r git@github.com:Acme/book.git", true);
        check("gh-pages -d coverage", false);
        check("# ghp-import book", false);
        check("pip install ghp-import", false);
        check("echo to publish run mkdocs gh-deploy", false);
        check("ghp-import -n -p \\\n -r upstream book", false);
        check("git push origin :gh-pages", false);
        check(
            "git clone --branch gh-pages git@github.com:a/b deploy",
            false,
        );
        check("gh-pages -d book --repo=git@github.com:a/b.git", false);
        check("mkdocs gh-deploy --remote-name upstream", false);
    }
}
