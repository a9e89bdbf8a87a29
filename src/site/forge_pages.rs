//! The web pages of commits and files on the forge of a repository, from the URL of its remote.
//!
//! Only forges whose URLs are known have pages: a link that leads nowhere is worse than none.
//! Credentials in the URL of a remote, as CI services put there, never reach a link.

use std::path::Path;

use serde::Serialize;

use super::loaded_site::LoadedSite;
use super::remote::{LocalRefs, origin_of};
use super::submodules::listed_submodules;
use git_last_modified::{Remote, enclosing_repository};
use site_paths::SitePath;
use site_paths::containment::absolute;

/// A program that serves repositories, by the form of its URLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Forge {
    GitHub,
    GitLab,
    /// Gitea and Forgejo, the program of Codeberg.
    Gitea,
    Bitbucket,
}

/// Where the commits and sources of a site can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForgePages {
    /// The URL of a commit, before its hash.
    pub commit: String,
    /// The URL of a file of the checked-out commit, before its path in the repository. `None` if the
    /// hash of that commit is unknown.
    pub file: Option<String>,
    /// The directory of the site in the repository: empty, or with a slash at the end.
    pub prefix: String,
    /// The directories of submodules in the repository, whose commits and files are elsewhere.
    pub submodules: Vec<String>,
}

impl ForgePages {
    /// Finds the forge of the site's repository; `None` without a remote at a known forge.
    pub fn of(loaded: &LoadedSite<'_>) -> Option<Self> {
        let failures = &loaded.site.failures;
        let site = failures.resolved(&absolute(&loaded.site.root))?;
        let root = failures.note(&site, enclosing_repository(&site)).ok()??;
        let root = failures.resolved(&root)?;
        let (forge, repository) = repository_page(&origin_of(&root, failures)?)?;
        let head = LocalRefs {
            root: Some(&root),
            failures,
        }
        .head_commit();
        Some(Self {
            commit: format!("{repository}{}", forge.before_commit()),
            file: head.map(|head| format!("{repository}{}{head}/", forge.before_file())),
            prefix: dir_text(site.strip_prefix(&root).ok()?),
            submodules: listed_submodules(&root, failures)
                .iter()
                .map(|submodule| dir_text(&submodule.dir))
                .collect(),
        })
    }
}

impl Forge {
    /// Detects the forge by its host: one of the public ones, or a host named after the program.
    fn at(host: &str) -> Option<Self> {
        let (label, _) = host.split_once('.')?;
        match (host, label) {
            ("bitbucket.org", _) => Some(Self::Bitbucket),
            ("codeberg.org", _) | (_, "gitea" | "forgejo") => Some(Self::Gitea),
            (_, "github") => Some(Self::GitHub),
            (_, "gitlab") => Some(Self::GitLab),
            _ => None,
        }
    }

    fn before_commit(self) -> &'static str {
        match self {
            Self::GitHub | Self::Gitea => "/commit/",
            Self::GitLab => "/-/commit/",
            Self::Bitbucket => "/commits/",
        }
    }

    fn before_file(self) -> &'static str {
        match self {
            Self::GitHub => "/blob/",
            Self::GitLab => "/-/blob/",
            Self::Gitea => "/src/commit/",
            Self::Bitbucket => "/src/",
        }
    }
}

/// Returns the forge and the web page of a repository.
fn repository_page(remote: &Remote) -> Option<(Forge, String)> {
    let forge = Forge::at(&remote.host)?;
    let parts = remote.path.split('/').filter(|part| !part.is_empty());
    (parts.count() >= 2).then(|| (forge, format!("{}/{}", remote.web_root, remote.path)))
}

/// Formats a relative directory: empty, or with a slash at the end.
fn dir_text(dir: &Path) -> String {
    let dir = SitePath::from_relative(dir);
    match dir.to_text().as_ref() {
        "" => String::new(),
        dir => format!("{dir}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_forge_has_its_own_form_of_urls() {
        let check = |remote: &str, commit: &str, file: &str| {
            let remote = Remote::parse(remote).expect("a repository on a server");
            let (forge, page) = repository_page(&remote).expect("a known forge");
            assert_eq!(format!("{page}{}1", forge.before_commit()), commit);
            assert_eq!(format!("{page}{}1/a.md", forge.before_file()), file);
        };
        check(
            "git@github.com:o/r",
            "https://github.com/o/r/commit/1",
            "https://github.com/o/r/blob/1/a.md",
        );
        check(
            "https://gitlab.example.org:8443/g/s/p",
            "https://gitlab.example.org:8443/g/s/p/-/commit/1",
            "https://gitlab.example.org:8443/g/s/p/-/blob/1/a.md",
        );
        check(
            "git@codeberg.org:o/r",
            "https://codeberg.org/o/r/commit/1",
            "https://codeberg.org/o/r/src/commit/1/a.md",
        );
        check(
            "https://gitea.example.org/o/r",
            "https://gitea.example.org/o/r/commit/1",
            "https://gitea.example.org/o/r/src/commit/1/a.md",
        );
        check(
            "git@bitbucket.org:o/r",
            "https://bitbucket.org/o/r/commits/1",
            "https://bitbucket.org/o/r/src/1/a.md",
        );
    }

    #[test]
    fn a_repository_at_an_unknown_forge_has_no_page() {
        for remote in [
            "https://git.example.org/o/r.git",
            "https://bitbucket.example.org/scm/o/r.git",
            "https://github.com/o",
        ] {
            let remote = Remote::parse(remote).expect("a repository on a server");
            assert!(repository_page(&remote).is_none(), "{remote:?}");
        }
    }
}
