//! The URL that GitHub Pages or GitLab Pages gives a repository, from its remote.
//!
//! A repository may be published anywhere, so the URL is an answer only if the repository says that
//! it uses Pages; otherwise it is a suggestion.

use std::path::{Path, PathBuf};

use super::found_base::{BaseUrlKind, FoundBaseUrl};
use git_last_modified::{Remote, common_dir, enclosing_repository};
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::containment::{self, MAX_FILE_BYTES};
use sitemaps::site_paths::io_failure::FailureLog;

/// The Pages URL of the repository at `root`, of this kind unless the repository itself names it.
/// `path` is the path of the site in the generator's settings: a path with the name of the repository
/// is made for Pages.
pub(super) fn of_repository(
    root: &Path,
    path: Option<&str>,
    kind: BaseUrlKind,
    failures: &FailureLog,
) -> Option<FoundBaseUrl> {
    let git = git_dir(root, failures)?;
    let remote = origin_of(root, failures)?;
    let domain = match remote.host.as_str() {
        "github.com" => "github.io",
        "gitlab.com" => "gitlab.io",
        _ => return None,
    };
    let url = pages_url(&remote.path, domain)?;
    let has_path = !url.is_host_root()
        && path.is_some_and(|path| path.trim_matches('/') == url.path().trim_matches('/'));
    let kind = if has_path || has_pages_branch(&git, failures) {
        BaseUrlKind::Guess
    } else {
        kind
    };
    Some(FoundBaseUrl::new(url, kind, "the repository's remote"))
}

/// The Pages URL of the project `OWNER/NAME` below a domain.
pub(super) fn pages_url(project: &str, domain: &str) -> Option<BaseUrl> {
    let (owner, name) = project.split_once('/')?;
    let host = format!("{}.{domain}", owner.to_ascii_lowercase());
    let path = if name.eq_ignore_ascii_case(&host) {
        String::new()
    } else {
        format!("{name}/")
    };
    BaseUrl::parse(&format!("https://{host}/{path}")).ok()
}

/// The top of the repository that contains a directory. Remembers a failure of the machine.
pub(crate) fn repository_around(dir: &Path, failures: &FailureLog) -> Option<PathBuf> {
    failures.note(dir, enclosing_repository(dir)).ok()?
}

fn git_dir(root: &Path, failures: &FailureLog) -> Option<PathBuf> {
    let git = root.join(".git");
    failures.note(&git, common_dir(&git)).ok()
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
        let check = |project: &str, domain: &str, expected: &str| {
            let url = pages_url(project, domain).expect("a URL");
            assert_eq!(url.as_str(), expected);
        };
        let (github, gitlab) = ("github.io", "gitlab.io");
        check("Ann/book", github, "https://ann.github.io/book/");
        check("ann/Ann.github.io", github, "https://ann.github.io/");
        check("g/s/p", gitlab, "https://g.gitlab.io/s/p/");
        check("g/g.gitlab.io", gitlab, "https://g.gitlab.io/");
    }
}
