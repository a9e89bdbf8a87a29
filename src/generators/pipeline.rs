//! Detects the build pipeline from its environment variables.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::manifest::PipelineRole;
use super::url_path::replaced;
use super::{Manifest, Pipeline};
use crate::files::glob::{GlobPattern, PatternSet};
use sitemaps::site_paths::BaseUrl;

/// The manifest's pipelines, matched against an environment.
#[derive(Debug, Clone, Copy)]
pub struct Pipelines<'a> {
    environment: &'a BTreeMap<String, String>,
}

/// The branch or tag that is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitRef<'a> {
    /// A branch.
    Branch(&'a str),
    /// A tag.
    Tag,
}

impl<'a> GitRef<'a> {
    /// Parses a full reference, or the name of a branch, which Jenkins writes after its remote.
    /// Other references, such as `refs/pull/7/merge`, are neither branch nor tag.
    fn of(name: &'a str) -> Option<Self> {
        if let Some(branch) = name.strip_prefix("refs/heads/") {
            Some(Self::Branch(branch))
        } else if name.starts_with("refs/tags/") {
            Some(Self::Tag)
        } else if name.starts_with("refs/") {
            None
        } else {
            Some(Self::Branch(name.strip_prefix("origin/").unwrap_or(name)))
        }
    }
}

impl<'a> Pipelines<'a> {
    /// The pipelines in an environment.
    pub fn new(environment: &'a BTreeMap<String, String>) -> Self {
        Self { environment }
    }

    /// All pipelines whose variables are set. Hosts precede CI services, which may run the build of
    /// any host; within each group, pipelines with a production URL come first.
    pub fn matching(self) -> Vec<&'a Pipeline> {
        let mut found: Vec<&Pipeline> = Manifest::embedded().pipeline.values().collect();
        found.retain(|pipeline| {
            let mut variables = pipeline.detect_env.iter();
            variables.all(|(name, value)| self.has_value(name, value))
        });
        found.sort_by_key(|pipeline| (pipeline.role, self.production_url(pipeline).is_none()));
        found
    }

    /// The current pipeline.
    pub fn current(self) -> Option<&'a Pipeline> {
        self.matching().first().copied()
    }

    /// The name of the host that the current pipeline serves the site on. A CI service can publish
    /// anywhere, so its own host counts only if `base` is the URL of its pages.
    pub fn host(self, base: Option<&BaseUrl>) -> Option<&'a str> {
        let pipeline = self.current()?;
        let is_served = pipeline.role == PipelineRole::Host
            || base.is_some_and(|base| self.production_url(pipeline).as_ref() == Some(base));
        pipeline.serves.as_deref().filter(|_| is_served)
    }

    /// The name of the host that gives sites domains of this form.
    pub fn host_of_domain(base: &BaseUrl) -> Option<&'static str> {
        let mut hosts = Manifest::embedded().host.iter();
        let (name, _) = hosts.find(|(_, host)| has_form_of(base, &host.domains))?;
        Some(name)
    }

    /// The first of a pipeline's variables that has one of these values, and its value.
    pub fn mark(self, marks: &'a BTreeMap<String, Vec<String>>) -> Option<(&'a str, &'a str)> {
        marks.iter().find_map(|(name, values)| {
            let value = self.value(name)?;
            let is_mark = values.iter().any(|mark| is_value(value, mark));
            is_mark.then_some((name.as_str(), value))
        })
    }

    /// The branch or tag that a pipeline builds, as its variables name it.
    pub fn git_ref(self, pipeline: &'a Pipeline) -> Option<GitRef<'a>> {
        if self.first_value(&pipeline.tag_env).is_some() {
            return Some(GitRef::Tag);
        }
        GitRef::of(self.first_value(&pipeline.branch_env)?)
    }

    fn first_value(self, names: &[String]) -> Option<&'a str> {
        names.iter().find_map(|name| self.value(name))
    }

    /// The default branch of the repository, as a pipeline's variables name it.
    pub fn default_branch(self, pipeline: &'a Pipeline) -> Option<&'a str> {
        self.value(pipeline.default_branch_env.as_ref()?)
    }

    /// The name of the event that started this run, and the file that describes it.
    pub fn event(self) -> Option<(&'a str, &'a str)> {
        let file = self
            .matching()
            .into_iter()
            .find_map(|pipeline| pipeline.event_env.as_ref())?;
        Some((self.value("GITHUB_EVENT_NAME")?, self.value(file)?))
    }

    /// The path of a parallel deployment, if this build is one: GitLab appends it to the URL of the
    /// Pages (docs.gitlab.com, "Parallel deployments").
    pub fn deployment_path(self, pipeline: &Pipeline) -> Option<String> {
        let project = self.value(pipeline.project_env.as_ref()?)?;
        let base = self.production_url(pipeline)?;
        let path = base.path().trim_matches('/').to_owned();
        let (_, below_group) = project.split_once('/')?;
        // An instance may serve all groups at one host, with the group in the path.
        let own_paths = ["", below_group, project];
        let is_own = own_paths.iter().any(|own| path.eq_ignore_ascii_case(own));
        (!is_own).then_some(path)
    }

    /// The production URL from the pipeline's environment, and the name of its variable.
    pub fn base_url(self) -> Option<(&'a str, BaseUrl)> {
        let pipeline = self.current()?;
        let base = self.production_url(pipeline)?;
        Some((pipeline.base_url_env.as_deref()?, base))
    }

    /// The URL of the Pages of the CI service that runs this build.
    pub fn pages_url(self) -> Option<BaseUrl> {
        let pipeline = self.current()?;
        (pipeline.role == PipelineRole::Ci).then(|| self.production_url(pipeline))?
    }

    /// The pipeline if `base` is the URL of a single deploy: its host has the form of one, or the
    /// environment names it as the URL of this deploy.
    pub fn deploy_host(self, base: &BaseUrl) -> Option<&'a Pipeline> {
        if let Some(pipeline) = self.current() {
            let production = self.production_url(pipeline);
            if production.is_some_and(|url| url.origin() == base.origin()) {
                return None;
            }
            for name in &pipeline.preview_url_env {
                if self
                    .url_in(name)
                    .is_some_and(|url| url.origin() == base.origin())
                {
                    return Some(pipeline);
                }
            }
        }
        let mut pipelines = Manifest::embedded().pipeline.values();
        pipelines.find(|pipeline| has_form_of(base, &pipeline.preview_hosts))
    }

    /// The URL of the repository, as the variables of a service state it.
    pub fn repository(self) -> Option<String> {
        static VARIABLE: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\{([^}]*)\}").expect("a regular expression"));
        let text = |name: &str| self.value(name).map(str::to_owned);
        Manifest::embedded()
            .repository
            .iter()
            .filter(|stated| {
                stated
                    .if_env
                    .iter()
                    .all(|(name, value)| self.has_value(name, value))
            })
            .find_map(|stated| replaced(&stated.url, &VARIABLE, text))
    }

    /// Whether a variable has this value, ignoring case, or any if that is `*`.
    pub fn has_value(self, variable: &str, expected: &str) -> bool {
        self.value(variable)
            .is_some_and(|value| expected == "*" || value.eq_ignore_ascii_case(expected))
    }

    /// The value of a variable; an empty value counts as unset.
    pub fn value(self, variable: &str) -> Option<&'a str> {
        self.environment
            .get(variable)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    fn production_url(self, pipeline: &Pipeline) -> Option<BaseUrl> {
        self.url_in(pipeline.base_url_env.as_ref()?)
    }

    fn url_in(self, variable: &str) -> Option<BaseUrl> {
        let text = self.value(variable)?;
        let scheme = if text.contains("://") { "" } else { "https://" };
        BaseUrl::parse(&format!("{scheme}{text}")).ok()
    }
}

/// Whether a value is one that the manifest names: by a glob, or as any other than one after `!`.
fn is_value(value: &str, named: &str) -> bool {
    match named.strip_prefix('!') {
        Some(other) => value != other,
        None => GlobPattern::new(named)
            .is_ok_and(|glob| PatternSet::new([&glob].into_iter()).matches(value.as_bytes())),
    }
}

/// Whether the host of a URL has one of these forms, in which each `*` matches characters of one
/// label.
fn has_form_of(base: &BaseUrl, forms: &[String]) -> bool {
    let host = base.host().replace('.', "/");
    forms
        .iter()
        .any(|form| is_value(&host, &form.replace('.', "/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_a_branch_a_tag_or_neither() {
        let check = |name, expected| assert_eq!(GitRef::of(name), expected);
        check("main", Some(GitRef::Branch("main")));
        check("refs/heads/a/b", Some(GitRef::Branch("a/b")));
        check("origin/main", Some(GitRef::Branch("main")));
        check("refs/tags/v1", Some(GitRef::Tag));
        check("refs/pull/7/merge", None);
    }

    #[test]
    fn deploy_urls_are_detected_by_their_form() {
        let check = |address: &str, variables: &[(&str, &str)], expected: Option<&str>| {
            let environment = variables
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let base = BaseUrl::parse(address).expect("a base URL");
            let found = Pipelines::new(&environment).deploy_host(&base);
            assert_eq!(
                found.map(|pipeline| pipeline.title.as_str()),
                expected,
                "{address}"
            );
        };
        check(
            "https://deploy-preview-7--site.netlify.app",
            &[],
            Some("Netlify"),
        );
        check("https://5e1f0c--my-site.netlify.app", &[], Some("Netlify"));
        check("https://my-site.netlify.app", &[], None);
        check(
            "https://1a2b3c4d.site.pages.dev",
            &[],
            Some("Cloudflare Pages"),
        );
        check("https://site.pages.dev", &[], None);
        check("https://site-git-main-team.vercel.app", &[], Some("Vercel"));
        check("https://my-wonderful-site.vercel.app", &[], None);
        let vercel = [
            ("VERCEL", "1"),
            ("VERCEL_URL", "site-a1b2c3d4e-team.vercel.app"),
        ];
        check(
            "https://site-a1b2c3d4e-team.vercel.app",
            &vercel,
            Some("Vercel"),
        );
        let netlify = [
            ("NETLIFY", "true"),
            ("URL", "https://a.example"),
            ("DEPLOY_PRIME_URL", "https://a.example"),
        ];
        check("https://a.example", &netlify, None);
    }
}
