//! Identifies the repository of a site: whose edit links count.

use std::collections::BTreeMap;
use std::path::Path;

use super::repository_name::RepositoryName;
use crate::site::origin_of;
use page_signals::repository_in;
use page_sources::generator::Site;

/// Where a site may name its repository.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RepositoryEvidence<'s> {
    pub(crate) site: &'s Site<'s>,
    pub(crate) environment: &'s BTreeMap<String, String>,
}

impl RepositoryEvidence<'_> {
    /// Returns the repository with this root: the remote `origin`, else what the service that builds
    /// the site says, else what the settings of the generator say.
    pub(super) fn name(self, root: &Path) -> Option<RepositoryName> {
        let origin = origin_of(root, &self.site.failures);
        let origin = origin.as_ref().map(RepositoryName::of_remote);
        origin
            .or_else(|| named_by_service(self.environment))
            .or_else(|| self.named_by_generator())
    }

    fn named_by_generator(self) -> Option<RepositoryName> {
        let mut keys = self.site.generator?.repository.as_slice().iter();
        keys.find_map(|key| repository_of_setting(self.site.config.text(key)?))
    }
}

/// Returns the repository in the variables of GitHub and Forgejo Actions, GitLab CI, Vercel or
/// Netlify, as their documentation lists them. Vercel and Netlify may remove the remote.
fn named_by_service(environment: &BTreeMap<String, String>) -> Option<RepositoryName> {
    let value = |name: &str| environment.get(name).filter(|value| !value.is_empty());
    let actions = || {
        let path = value("GITHUB_REPOSITORY")?;
        let server = value("GITHUB_SERVER_URL").map_or("https://github.com", String::as_str);
        Some(format!("{server}/{path}"))
    };
    let gitlab = || {
        let path = value("CI_PROJECT_PATH")?;
        let host = value("CI_SERVER_HOST").map_or("gitlab.com", String::as_str);
        Some(format!("https://{host}/{path}"))
    };
    let vercel = || {
        let host = match value("VERCEL_GIT_PROVIDER")?.as_str() {
            "github" => "github.com",
            "gitlab" => "gitlab.com",
            "bitbucket" => "bitbucket.org",
            _ => return None,
        };
        let owner = value("VERCEL_GIT_REPO_OWNER")?;
        let name = value("VERCEL_GIT_REPO_SLUG")?;
        Some(format!("https://{host}/{owner}/{name}"))
    };
    let url = actions().or_else(gitlab).or_else(vercel);
    let url = url.or_else(|| value("REPOSITORY_URL").cloned());
    RepositoryName::of_url(&url?)
}

/// Returns the repository in a setting: its URL, the URL of a file or directory in it, or its path on
/// GitHub.
fn repository_of_setting(text: &str) -> Option<RepositoryName> {
    if let Some(repository) = repository_in(text) {
        return RepositoryName::of_link(repository);
    }
    let is_path = text.split('/').filter(|part| !part.is_empty()).count() == 2;
    RepositoryName::of_url(text)
        .or_else(|| RepositoryName::of_link(&format!("github.com/{text}")).filter(|_| is_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_names_the_repository_that_it_builds() {
        let check = |variables: &[(&str, &str)], expected: Option<&str>| {
            let variables = variables.iter();
            let environment = variables.map(|&(name, value)| (name.to_owned(), value.to_owned()));
            let found = named_by_service(&environment.collect());
            let expected = expected.map(|expected| RepositoryName::of_link(expected).expect("one"));
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
            let expected = expected.map(|expected| RepositoryName::of_link(expected).expect("one"));
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
