//! The URL that GitHub Pages or GitLab Pages gives a repository, from its remote.
//!
//! A repository may be published anywhere, so the URL is an answer only if the repository says that
//! it uses Pages; otherwise it is a suggestion.

use std::path::{Path, PathBuf};

use git_last_modified::Remote;
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::containment::{self, MAX_FILE_BYTES};
use sitemaps::site_paths::io_failure::FailureLog;

/// The Pages URL of a repository.
#[derive(Debug)]
pub(super) struct PagesUrl {
    /// The URL.
    pub(super) url: BaseUrl,
    /// Whether the repository is published there, as far as its files say.
    pub(super) is_published: bool,
}

/// The Pages URL of the repository at `root`. `path` is the path of the site in the generator's
/// settings: a path with the name of the repository is made for Pages. `publishes` is whether a
/// [workflow](pages_host) publishes there.
pub(super) fn of_repository(
    root: &Path,
    path: Option<&str>,
    publishes: bool,
    failures: &FailureLog,
) -> Option<PagesUrl> {
    let git = git_dir(root, failures)?;
    let remote = origin_of(root, failures)?;
    let url = match remote.host.as_str() {
        "github.com" => github_pages(&remote.path)?,
        "gitlab.com" => gitlab_pages(&remote.path)?,
        _ => return None,
    };
    let has_path = !url.is_host_root()
        && path.is_some_and(|path| path.trim_matches('/') == url.path().trim_matches('/'));
    let is_published = has_path || publishes || has_pages_branch(&git, failures);
    Some(PagesUrl { url, is_published })
}

/// The Pages URL of `OWNER/NAME` on GitHub.
pub(super) fn github_pages(project: &str) -> Option<BaseUrl> {
    let (owner, name) = project.split_once('/')?;
    let owner = owner.to_ascii_lowercase();
    let host = format!("{owner}.github.io");
    let path = if name.eq_ignore_ascii_case(&host) {
        String::new()
    } else {
        format!("{name}/")
    };
    (!name.contains('/')).then(|| BaseUrl::parse(&format!("https://{host}/{path}")).ok())?
}

fn gitlab_pages(project: &str) -> Option<BaseUrl> {
    let (group, path) = project.split_once('/')?;
    let host = format!("{}.gitlab.io", group.to_ascii_lowercase());
    let path = if path.eq_ignore_ascii_case(&host) {
        String::new()
    } else {
        format!("{path}/")
    };
    BaseUrl::parse(&format!("https://{host}/{path}")).ok()
}

/// The directory with the repository's configuration; a worktree shares that of its repository, a
/// submodule has its own.
fn git_dir(root: &Path, failures: &FailureLog) -> Option<PathBuf> {
    let git = root.join(".git");
    if failures.is_dir(&git) {
        return Some(git);
    }
    let link = text_of(&git, failures)?;
    let own = root.join(link.strip_prefix("gitdir:")?.trim());
    let common = text_of(&own.join("commondir"), failures);
    Some(common.map_or_else(|| own.clone(), |common| own.join(common.trim())))
}

/// The text of a file; `None` if it cannot be read. Remembers a failure of the machine.
fn text_of(file: &Path, failures: &FailureLog) -> Option<String> {
    let text = containment::read_text(file, MAX_FILE_BYTES);
    failures.note(file, text).ok()
}

/// The remote `origin` of the repository at `root`.
pub(crate) fn origin_of(root: &Path, failures: &FailureLog) -> Option<Remote> {
    let config = text_of(&git_dir(root, failures)?.join("config"), failures)?;
    Remote::origin_in(&config)
}

/// The host to which a workflow or job of the repository publishes: its name in the manifest.
pub(super) fn pages_host(root: &Path, failures: &FailureLog) -> Option<&'static str> {
    let mentions = |file: &Path, words: &[&str]| {
        text_of(file, failures).is_some_and(|text| words.iter().any(|word| text.contains(word)))
    };
    let to_github = ["actions/deploy-pages", "gh-pages", "ghp-import"];
    let workflows = failures.entries(&root.join(".github/workflows"));
    if workflows
        .iter()
        .any(|entry| mentions(&entry.path(), &to_github))
    {
        return Some("github-pages");
    }
    mentions(&root.join(".gitlab-ci.yml"), &["\npages:"]).then_some("gitlab-pages")
}

/// The default branch of the remote `origin`, as `git clone` notes it.
pub(super) fn default_branch(root: &Path, failures: &FailureLog) -> Option<String> {
    let head = git_dir(root, failures)?.join("refs/remotes/origin/HEAD");
    let text = text_of(&head, failures)?;
    let branch = text.strip_prefix("ref: refs/remotes/origin/")?;
    Some(branch.trim_end().to_owned())
}

/// Whether the clone knows a branch `gh-pages`, in a file of its own or in the common one.
fn has_pages_branch(git: &Path, failures: &FailureLog) -> bool {
    let name = "refs/remotes/origin/gh-pages";
    let packed = || text_of(&git.join("packed-refs"), failures);
    failures.is_file(&git.join(name)) || packed().is_some_and(|text| text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_has_the_url_of_its_pages() {
        let check = |url: Option<BaseUrl>, expected: &str| {
            assert_eq!(url.expect("a URL").as_str(), expected);
        };
        check(github_pages("Ann/book"), "https://ann.github.io/book/");
        check(github_pages("ann/Ann.github.io"), "https://ann.github.io/");
        check(gitlab_pages("g/s/p"), "https://g.gitlab.io/s/p/");
        check(gitlab_pages("g/g.gitlab.io"), "https://g.gitlab.io/");
        assert_eq!(github_pages("a/b/c"), None);
    }
}
