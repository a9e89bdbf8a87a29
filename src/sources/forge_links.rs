//! The files of the repository, and of its submodules, that pages link to on a forge.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::mapped_sources::path_from_root;
use super::source_finder::SourceDirs;
use crate::decide::DecidedPage;
use crate::site::listed_submodules;
use git_last_modified::{Remote, enclosing_repository};
use page_signals::{EditLink, EditLinkForm, edit_links_of};
use site_paths::io_failure::{FailureLog, retried};
use site_paths::open_tree::OpenTree;
use site_paths::{SitePath, decode};

/// Path segments that Gitea and Forgejo put before the name of a branch, tag or commit.
const KINDS_OF_REF: [&[u8]; 3] = [b"branch", b"tag", b"commit"];

/// The repositories that must contain the files.
pub(super) struct Forge<'s> {
    output: OpenTree,
    failures: &'s FailureLog,
    /// Root of the repository, without symbolic links.
    root: PathBuf,
    /// Root of the site, without symbolic links.
    site_root: PathBuf,
    submodules: Vec<ClonedSubmodule>,
}

/// A submodule that is checked out.
struct ClonedSubmodule {
    dir: PathBuf,
    repository: RepositoryName,
}

/// The files of the repository that a page links to, each with the most reliable form of link.
pub(super) type LinkedFiles = BTreeMap<SitePath, EditLinkForm>;

impl<'s> Forge<'s> {
    pub(super) fn of(dirs: &'s SourceDirs) -> Option<Self> {
        let site_root = retried(|| dirs.site_root.canonicalize());
        let site_root = dirs.failures.note(&dirs.site_root, site_root).ok()?;
        let repository = enclosing_repository(&site_root);
        let root = dirs.failures.note(&site_root, repository).ok()??;
        Some(Self {
            output: dirs.output.tree(),
            failures: &dirs.failures,
            submodules: submodules_of(&root, &dirs.failures),
            root,
            site_root,
        })
    }

    /// Returns the linked files of each of these pages that has any.
    pub(super) fn linked_files(
        &self,
        lines: &[DecidedPage],
        pages: &[usize],
    ) -> Vec<(usize, LinkedFiles)> {
        let files_of = |&index: &usize| {
            let mut files = LinkedFiles::new();
            let opened = self.output.clone().regular_file(&lines[index].file);
            for link in opened.map_or_else(|_| Vec::new(), |page| edit_links_of(&page)) {
                if let Some(file) = self.file_of(&link) {
                    let form = files.entry(file).or_insert(link.form);
                    *form = link.form.max(*form);
                }
            }
            (!files.is_empty()).then_some((index, files))
        };
        pages.par_iter().filter_map(files_of).collect()
    }

    /// Returns the file that a link points to, relative to the site root: in the submodule that is
    /// cloned from the linked repository, else in this repository, of which there may be forks.
    fn file_of(&self, link: &EditLink) -> Option<SitePath> {
        let decoded = decode(&link.branch_and_path);
        let mut parts: Vec<&[u8]> = decoded.split(|&byte| byte == b'/').collect();
        let parts_of_ref = if KINDS_OF_REF.contains(&parts[0]) {
            2
        } else {
            1
        };
        if parts.len() <= parts_of_ref {
            return None;
        }
        let path = resolved(&parts.split_off(parts_of_ref))?;
        let mut submodules = self.submodules.iter();
        let submodule = submodules.find(|one| one.repository.is_that_of(&link.repository));
        let root = submodule.map_or(&self.root, |submodule| &submodule.dir);
        let file = SitePath::new(path.join(&b'/')).below_dir(root);
        self.failures
            .is_file(&file)
            .then(|| path_from_root(&self.site_root, Path::new(&file)))
    }
}

/// Finds the submodules that are checked out.
fn submodules_of(root: &Path, failures: &FailureLog) -> Vec<ClonedSubmodule> {
    let listed = listed_submodules(root, failures);
    let cloned = listed.into_iter().map(|submodule| ClonedSubmodule {
        dir: root.join(submodule.dir),
        repository: RepositoryName::of(&submodule.url),
    });
    cloned
        .filter(|submodule| failures.exists(&submodule.dir.join(".git")))
        .collect()
}

/// Host and path of a repository: `forge.example/o/r`; only the end of the path for a relative URL.
#[derive(Debug, PartialEq, Eq)]
struct RepositoryName(String);

impl RepositoryName {
    fn of(url: &str) -> Self {
        let path = match Remote::parse(url) {
            Some(remote) => format!("{}/{}", remote.host, remote.path),
            None => url.trim_end_matches('/').to_owned(),
        };
        let path = path.strip_suffix(".git").unwrap_or(&path);
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .collect();
        Self(parts.join("/").to_lowercase())
    }

    /// Whether a link with this host and path of a repository points to it.
    fn is_that_of(&self, linked: &str) -> bool {
        let linked = Self::of(linked).0;
        let rest = linked.strip_suffix(self.0.as_str());
        !self.0.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }
}

/// Resolves `.` and `..` as browsers do (WHATWG URL, "path state"): `website/../docs/a.md` becomes
/// `docs/a.md`. Returns `None` for a path that leaves its start directory or does not name a file.
fn resolved<'p>(parts: &[&'p [u8]]) -> Option<Vec<&'p [u8]>> {
    let mut path = Vec::with_capacity(parts.len());
    for &part in parts {
        match part {
            b"." => {}
            b".." => {
                path.pop()?;
            }
            part if part.is_empty() || part.contains(&0) => return None,
            part => path.push(part),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_resolved_and_escaping_paths_are_rejected() {
        let check = |path: &str, expected: Option<&str>| {
            let parts: Vec<&[u8]> = path.split('/').map(str::as_bytes).collect();
            let resolved = resolved(&parts).map(|parts| parts.join(&b'/'));
            assert_eq!(resolved.as_deref(), expected.map(str::as_bytes), "{path}");
        };
        check("docs/a.md", Some("docs/a.md"));
        check("website/../docs/./a.md", Some("docs/a.md"));
        check("website/docs/../../a.md", Some("a.md"));
        check("../a.md", None);
        check("docs/../../docs/a.md", None);
        check("docs//a.md", None);
        check("docs/", None);
    }

    #[test]
    fn a_repository_is_the_same_in_every_notation_of_its_url() {
        let check = |url: &str, linked: &str, expected: bool| {
            let is_it = RepositoryName::of(url).is_that_of(linked);
            assert_eq!(is_it, expected, "{url} {linked}");
        };
        let linked = "forge.example/o/R";
        check("https://forge.example/o/r.git", linked, true);
        check("https://user@forge.example/o/r/", linked, true);
        check("git@forge.example:o/r.git", linked, true);
        check("ssh://git@forge.example/o/r", linked, true);
        check("../r.git", linked, true);
        check("../../o/r", linked, true);
        check("../other", linked, false);
        check("https://forge.example/o/more-r", linked, false);
        check("https://mirror.example/o/r", linked, false);
        check("..", linked, false);
    }
}
