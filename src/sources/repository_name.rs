//! Repositories by host and path, however their URLs are written, and which one is that of a site:
//! its edit links count.

use std::path::Path;

use crate::generators::{Pipelines, Site};
use crate::site::origin_of;
use git_last_modified::Remote;
use page_signals::repository_in;
use sitemaps::site_paths::SitePath;

/// Host and path of a repository, in lower case and without port and credentials: SSH and HTTP have
/// other ports, and forges ignore the case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RepositoryName {
    host: String,
    /// Without `.git` and slashes around it: `o/r`.
    path: String,
}

impl RepositoryName {
    /// Parses a URL in a notation of Git. Returns `None` for a local repository.
    pub(super) fn parse(url: &str) -> Option<Self> {
        Remote::parse(url).map(|remote| Self::from_remote(&remote))
    }

    pub(super) fn from_remote(remote: &Remote) -> Self {
        let host = remote.host.to_lowercase();
        Self {
            host: host.strip_prefix("www.").unwrap_or(&host).to_owned(),
            path: remote.path.to_lowercase(),
        }
    }

    /// Parses host and path as an edit link has them: `forge.example/o/r`.
    pub(super) fn from_link(host_and_path: &str) -> Option<Self> {
        Self::parse(&format!("https://{host_and_path}"))
    }

    /// Resolves the URL of a submodule; a relative one is relative to this repository
    /// (gitsubmodules(7)).
    pub(super) fn from_submodule(base: Option<&Self>, url: &str) -> Option<Self> {
        if !url.starts_with('.') {
            return Self::parse(url);
        }
        let base = base?;
        let path = SitePath::joined(&base.path, url);
        let link = format!("{}/{}", base.host, path.to_text());
        Self::from_link(&link).filter(|_| !path.is_outside())
    }

    /// Whether one may be a fork of the other: a repository of this name that another owner has.
    pub(super) fn is_fork_of(&self, other: &Self) -> bool {
        self != other
            && self.host == other.host
            && self.path.rsplit('/').next() == other.path.rsplit('/').next()
    }
}

/// Returns the repository of a site, with this root: the remote `origin`, else what the service that
/// builds the site says, else what the settings of the generator say.
pub(super) fn repository_of(site: &Site, root: &Path) -> Option<RepositoryName> {
    origin_of(root, &site.tree)
        .as_ref()
        .map(RepositoryName::from_remote)
        .or_else(|| named_by_service(Pipelines::new(&site.environment)))
        .or_else(|| {
            let keys = &site.generator?.repository;
            keys.iter()
                .find_map(|key| repository_of_setting(site.config.text(key)?))
        })
}

/// Returns the repository in the variables of the service that builds the site.
fn named_by_service(pipelines: Pipelines<'_>) -> Option<RepositoryName> {
    RepositoryName::parse(&pipelines.repository()?)
}

/// Returns the repository in a setting: its URL, the URL of a file or directory in it, or its path
/// on GitHub.
fn repository_of_setting(text: &str) -> Option<RepositoryName> {
    if let Some(repository) = repository_in(text) {
        return RepositoryName::from_link(repository);
    }
    let is_path = text.split('/').filter(|part| !part.is_empty()).count() == 2;
    RepositoryName::parse(text)
        .or_else(|| RepositoryName::from_link(&format!("github.com/{text}")).filter(|_| is_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(host_and_path: &str) -> RepositoryName {
        RepositoryName::from_link(host_and_path).expect(host_and_path)
    }

    #[test]
    fn a_repository_is_the_same_in_every_notation_of_its_url() {
        let check = |url: &str, host_and_path: &str, expected: bool| {
            let is_it = RepositoryName::parse(url) == RepositoryName::from_link(host_and_path);
            assert_eq!(is_it, expected, "{url} {host_and_path}");
        };
        let link = "forge.example/o/R";
        check("https://forge.example/o/r.git", link, true);
        check("https://user:secret@Forge.example/o/r/", link, true);
        check("http://forge.example:8080/o/r", link, true);
        check("git@forge.example:o/r.git", link, true);
        check("ssh://git@forge.example:2222/o/r", link, true);
        check(
            "ssh://git@forge.example/o/r",
            "forge.example:8443/o/r",
            true,
        );
        check("git@ssh.github.com:o/r", "www.github.com/o/r", true);
        check("https://forge.example/g/s/r", "forge.example/g/s/r", true);
        check("https://forge.example/g/s/r", "forge.example/s/r", false);
        check("https://forge.example/o/more-r", link, false);
        check("https://mirror.example/o/r", link, false);
        check("https://forge.example/p/r", link, false);
        check("/srv/git/r.git", link, false);
    }

    #[test]
    fn a_relative_submodule_is_next_to_its_repository() {
        let own = linked("forge.example/o/site");
        let check = |url: &str, expected: Option<&str>| {
            let found = RepositoryName::from_submodule(Some(&own), url);
            assert_eq!(found, expected.map(linked), "{url}");
        };
        check("../r.git", Some("forge.example/o/r"));
        check("../../p/r", Some("forge.example/p/r"));
        check("./r", Some("forge.example/o/site/r"));
        check("https://other.example/p/r", Some("other.example/p/r"));
        check("../../../r", None);
        check("/srv/r", None);
        assert_eq!(RepositoryName::from_submodule(None, "../r"), None);
    }

    #[test]
    fn a_fork_has_the_same_host_and_name_but_another_owner() {
        let own = linked("forge.example/o/r");
        let check = |other: &str, expected: bool| {
            assert_eq!(linked(other).is_fork_of(&own), expected, "{other}");
        };
        check("forge.example/p/r", true);
        check("forge.example/o/r", false);
        check("forge.example/p/more-r", false);
        check("mirror.example/p/r", false);
    }

    #[test]
    fn each_service_names_the_repository_that_it_builds() {
        let check = |variables: &[(&str, &str)], expected: Option<&str>| {
            let variables = variables.iter();
            let environment = variables.map(|&(name, value)| (name.to_owned(), value.to_owned()));
            let environment = environment.collect();
            let found = named_by_service(Pipelines::new(&environment));
            let expected =
                expected.map(|expected| RepositoryName::from_link(expected).expect("one"));
            assert_eq!(found, expected);
        };
        let github = ("GITHUB_REPOSITORY", "o/r");
        check(&[github], Some("github.com/o/r"));
        let server = ("GITHUB_SERVER_URL", "https://forge.example");
        check(&[github, server], Some("forge.example/o/r"));
        let gitlab = ("CI_PROJECT_PATH", "g/s/p");
        check(&[gitlab], Some("gitlab.com/g/s/p"));
        let server = ("CI_SERVER_HOST", "forge.example");
        check(&[gitlab, server], Some("forge.example/g/s/p"));
        let netlify = ("REPOSITORY_URL", "git@github.com:o/r");
        check(&[netlify], Some("github.com/o/r"));
        let vercel = |provider| {
            [
                ("VERCEL_GIT_PROVIDER", provider),
                ("VERCEL_GIT_REPO_OWNER", "o"),
                ("VERCEL_GIT_REPO_SLUG", "r"),
            ]
        };
        check(&vercel("bitbucket"), Some("bitbucket.org/o/r"));
        check(&vercel("another"), None);
        check(&[("GITHUB_REPOSITORY", "")], None);
    }

    #[test]
    fn a_setting_names_a_repository_by_its_url_a_url_in_it_or_its_path() {
        let check = |text: &str, expected: Option<&str>| {
            let expected =
                expected.map(|expected| RepositoryName::from_link(expected).expect("one"));
            assert_eq!(repository_of_setting(text), expected, "{text}");
        };
        let own = Some("forge.example/o/r");
        check("https://forge.example/o/r", own);
        check("https://forge.example/o/r.git/", own);
        check("https://forge.example/o/r/edit/main/{path}", own);
        check("https://forge.example/o/r/-/edit/main/docs/:path", own);
        check("//forge.example/o/r/tree/main/docs/", own);
        check("git@forge.example:o/r.git", own);
        check("o/r", Some("github.com/o/r"));
        check("r", None);
        check("a/b/c", None);
    }
}
