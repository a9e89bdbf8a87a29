//! Facts in the files of a repository: its remote, with the URL that GitHub Pages or GitLab Pages gives it, its
//! default branch and its submodules.
//!
//! A repository may be published anywhere; `pages_publication.rs` decides whether it is there.

use std::path::{Path, PathBuf};

use crate::files::tree::Tree;
use git_last_modified::{Remote, Submodule, common_dir, enclosing_repository, submodules_in};
use sitemaps::site_paths::BaseUrl;

/// The Pages URL of the repository at `root`, by its remote.
pub(crate) fn pages_url_of(root: &Path, tree: &Tree) -> Option<BaseUrl> {
    let remote = origin_of(root, tree)?;
    let domain = match remote.host.as_str() {
        "github.com" => "github.io",
        "gitlab.com" => "gitlab.io",
        _ => return None,
    };
    pages_url(&remote.path, domain)
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
pub(crate) fn repository_around(dir: &Path, tree: &Tree) -> Option<PathBuf> {
    tree.note(dir, enclosing_repository(dir)).ok()?
}

fn git_dir(root: &Path, tree: &Tree) -> Option<PathBuf> {
    let git = root.join(".git");
    tree.note(&git, common_dir(&git)).ok()
}

/// The remote `origin` of the repository at `root`.
pub(crate) fn origin_of(root: &Path, tree: &Tree) -> Option<Remote> {
    let config = tree.text_anywhere(&git_dir(root, tree)?.join("config"))?;
    Remote::origin_in(&config)
}

/// The default branch of the remote `origin`, as `git clone` notes it.
pub(super) fn default_branch(root: &Path, tree: &Tree) -> Option<String> {
    let head = git_dir(root, tree)?.join("refs/remotes/origin/HEAD");
    let text = tree.text_anywhere(&head)?;
    let branch = text.strip_prefix("ref: refs/remotes/origin/")?;
    Some(branch.trim_end().to_owned())
}

/// The submodules that `.gitmodules` lists. A file that cannot be parsed lists none.
pub(crate) fn listed_submodules(root: &Path, tree: &Tree) -> Vec<Submodule> {
    let list = root.join(".gitmodules");
    if !tree.is_file(&list) {
        return Vec::new();
    }
    let text = tree.text_anywhere(&list).unwrap_or_default();
    submodules_in(&text).unwrap_or_default()
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
