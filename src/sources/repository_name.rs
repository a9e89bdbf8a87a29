//! Repositories by host and path, however their URLs are written.

use git_last_modified::Remote;

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
    pub(super) fn of_url(url: &str) -> Option<Self> {
        Remote::parse(url).map(|remote| Self::of_remote(&remote))
    }

    pub(super) fn of_remote(remote: &Remote) -> Self {
        let host = remote.host.to_lowercase();
        Self {
            host: host.strip_prefix("www.").unwrap_or(&host).to_owned(),
            path: remote.path.to_lowercase(),
        }
    }

    /// Parses host and path as an edit link has them: `forge.example/o/r`.
    pub(super) fn of_link(host_and_path: &str) -> Option<Self> {
        Self::of_url(&format!("https://{host_and_path}"))
    }

    /// Resolves the URL of a submodule; a relative one is relative to this repository
    /// (gitsubmodules(7)).
    pub(super) fn of_submodule(base: Option<&Self>, url: &str) -> Option<Self> {
        if !url.starts_with('.') {
            return Self::of_url(url);
        }
        let base = base?;
        let mut parts: Vec<&str> = base.path.split('/').collect();
        for part in url.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        Self::of_link(&format!("{}/{}", base.host, parts.join("/")))
    }

    /// Whether one may be a fork of the other: a repository of this name that another owner has.
    pub(super) fn is_fork_of(&self, other: &Self) -> bool {
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        self != other && self.host == other.host && name(&self.path) == name(&other.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(host_and_path: &str) -> RepositoryName {
        RepositoryName::of_link(host_and_path).expect(host_and_path)
    }

    #[test]
    fn a_repository_is_the_same_in_every_notation_of_its_url() {
        let check = |url: &str, host_and_path: &str, expected: bool| {
            let is_it = RepositoryName::of_url(url) == RepositoryName::of_link(host_and_path);
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
            let found = RepositoryName::of_submodule(Some(&own), url);
            assert_eq!(found, expected.map(linked), "{url}");
        };
        check("../r.git", Some("forge.example/o/r"));
        check("../../p/r", Some("forge.example/p/r"));
        check("./r", Some("forge.example/o/site/r"));
        check("https://other.example/p/r", Some("other.example/p/r"));
        check("../../../r", None);
        check("/srv/r", None);
        assert_eq!(RepositoryName::of_submodule(None, "../r"), None);
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
}
