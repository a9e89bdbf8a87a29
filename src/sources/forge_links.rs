//! The files of the repository, and of its submodules, that pages link to on a forge.
//!
//! Links to other repositories look the same, and files such as `README.md` exist in most of them, so
//! the linked repository must be this one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;

use super::file_history::HistoryOptions;
use super::mapped_sources::path_from_root;
use super::repository_name::{RepositoryName, repository_of};
use crate::files::tree::Tree;
use crate::generators::Site;
use crate::pages::{Pages, SourceDirs};
use crate::share::is_nearly_all;
use crate::site::{listed_submodules, repository_around};
use git_last_modified::{HistoryError, Source, Submodule};
use page_signals::{EditLink, EditLinkForm, edit_links_of};
use sitemaps::site_paths::{SitePath, decode};

/// Path segments that Gitea and Forgejo put before the name of a branch, tag or commit.
const KINDS_OF_REF: [&[u8]; 3] = [b"branch", b"tag", b"commit"];

/// The repository of a site, and what its pages link to on a forge.
pub(super) struct Forge<'s> {
    output: &'s Tree,
    /// Root of the repository, without symbolic links.
    root: PathBuf,
    /// Root of the site, without symbolic links.
    site_root: PathBuf,
    /// The repository itself, if anything names it.
    own: Option<RepositoryName>,
    /// The submodules that `.gitmodules` lists and that are checked out.
    submodules: Vec<Submodule>,
}

/// A link to a file on a forge.
#[derive(Debug)]
pub(super) struct ForgeLink {
    repository: RepositoryName,
    path: SitePath,
    form: EditLinkForm,
}

/// The links of each page that has any, with the index of the page.
pub(super) type ForgeLinks = Vec<(usize, Vec<ForgeLink>)>;

/// The files of the repository that a page links to, each with the most reliable form of link.
pub(super) type LinkedFiles = BTreeMap<SitePath, EditLinkForm>;

/// The repositories whose links count, with the directory of each.
pub(super) type CountingRepositories = BTreeMap<RepositoryName, PathBuf>;

impl<'s> Forge<'s> {
    pub(super) fn of(site: &Site, dirs: &'s SourceDirs) -> Option<Self> {
        let site_root = dirs.site_root.canonicalize();
        let site_root = dirs.output.note(&dirs.site_root, site_root).ok()?;
        let root = repository_around(&site_root, &dirs.output)?;
        let mut submodules = listed_submodules(&root, &dirs.output);
        submodules.retain(|submodule| dirs.output.exists(&root.join(&submodule.dir).join(".git")));
        Some(Self {
            output: &dirs.output,
            own: repository_of(site, &root),
            submodules,
            root,
            site_root,
        })
    }

    /// Returns the links of these pages, without those to repositories that cannot be this one or a
    /// submodule.
    pub(super) fn links(&self, pages: &Pages, indexes: &[usize]) -> ForgeLinks {
        let submodules = self.submodules_of(self.own.as_ref());
        indexes
            .par_iter()
            .filter_map(|&index| {
                let page = &pages[index].file;
                let file = page.below_dir(self.output.path());
                let page = self.output.note(&file, self.output.open_page(page)).ok()?;
                let mut found: Vec<_> = edit_links_of(&page)
                    .iter()
                    .filter_map(ForgeLink::parse)
                    .collect();
                found.retain(|ForgeLink { repository, .. }| {
                    submodules.contains_key(repository)
                        || self
                            .own
                            .as_ref()
                            .is_none_or(|own| repository == own || repository.is_fork_of(own))
                });
                (!found.is_empty()).then_some((index, found))
            })
            .collect()
    }

    /// Returns the repositories whose links count: this one and its submodules.
    ///
    /// Where nothing names this one, or the links are those of the repository that this one is a fork
    /// of, it is the repository that most of `pages` pages link to, if the checked-out commit has nine
    /// of ten of the linked files.
    pub(super) fn counting(
        &self,
        links: &[&ForgeLinks],
        pages: usize,
        options: &HistoryOptions<'_>,
    ) -> Result<CountingRepositories, HistoryError> {
        let upstream = match self.most_linked(links, pages) {
            Some(linked) if self.has_files_of(linked, links, options)? => Some(linked),
            _ => None,
        };
        let own = self.own.as_ref();
        let mut dirs = self.submodules_of(own.or(upstream));
        for name in own.into_iter().chain(upstream) {
            dirs.insert(name.clone(), self.root.clone());
        }
        Ok(dirs)
    }

    /// Returns the repository that most pages link to, unless it is known to be this one.
    fn most_linked<'l>(
        &self,
        links: &[&'l ForgeLinks],
        pages: usize,
    ) -> Option<&'l RepositoryName> {
        let submodules = self.submodules_of(self.own.as_ref());
        let mut counts: BTreeMap<&RepositoryName, usize> = BTreeMap::new();
        for (_, links) in links.iter().copied().flatten() {
            let linked: BTreeSet<_> = links.iter().map(|link| &link.repository).collect();
            for name in linked {
                if !submodules.contains_key(name) {
                    *counts.entry(name).or_default() += 1;
                }
            }
        }
        let most = counts.values().copied().max()?;
        counts.retain(|_, count| *count == most);
        let (linked, _) = counts.pop_first().filter(|_| counts.is_empty())?;
        (most * 2 >= pages && self.own.as_ref() != Some(linked)).then_some(linked)
    }

    /// Whether the checked-out commit has nine of ten of the files that pages link to in a repository.
    fn has_files_of(
        &self,
        linked: &RepositoryName,
        links: &[&ForgeLinks],
        options: &HistoryOptions<'_>,
    ) -> Result<bool, HistoryError> {
        let paths: BTreeSet<_> = links
            .iter()
            .copied()
            .flatten()
            .flat_map(|(_, links)| links)
            .filter(|link| link.repository == *linked)
            .map(|link| &link.path)
            .collect();
        let files = paths
            .iter()
            .map(|path| path.below_dir(&self.root))
            .filter(|file| self.output.is_file(file));
        let answers = options.query(files.map(Source::File))?.files;
        let committed = answers.iter().filter(|answer| answer.is_tracked());
        Ok(is_nearly_all(committed.count(), paths.len()))
    }

    /// Returns the directories of the submodules by repository; `base` is that of relative URLs.
    fn submodules_of(&self, base: Option<&RepositoryName>) -> BTreeMap<RepositoryName, PathBuf> {
        self.submodules
            .iter()
            .filter_map(|submodule| {
                let name = RepositoryName::from_submodule(base, &submodule.url)?;
                Some((name, self.root.join(&submodule.dir)))
            })
            .collect()
    }

    /// Returns the linked files of each page that has any.
    pub(super) fn files(
        &self,
        links: &ForgeLinks,
        counting: &CountingRepositories,
    ) -> Vec<(usize, LinkedFiles)> {
        links
            .par_iter()
            .filter_map(|(index, links)| {
                let mut files = LinkedFiles::new();
                for link in links {
                    if let Some(file) = self.file_of(link, counting) {
                        let form = files.entry(file).or_insert(link.form);
                        *form = link.form.max(*form);
                    }
                }
                (!files.is_empty()).then_some((*index, files))
            })
            .collect()
    }

    /// Returns the file that a link points to, relative to the site root.
    fn file_of(&self, link: &ForgeLink, counting: &CountingRepositories) -> Option<SitePath> {
        let file = link.path.below_dir(counting.get(&link.repository)?);
        let is_file = self.output.is_file(&file);
        is_file.then(|| path_from_root(&self.site_root, &file))
    }
}

impl ForgeLink {
    /// Returns `None` for a link to a directory, or to what is not in the repository.
    fn parse(link: &EditLink) -> Option<Self> {
        let decoded = decode(&link.branch_and_path);
        let parts: Vec<&[u8]> = decoded.split(|&byte| byte == b'/').collect();
        let below_ref = 1 + usize::from(KINDS_OF_REF.contains(&parts[0]));
        let parts = parts.get(below_ref..)?;
        // Browsers resolve dots: `website/../docs/a.md` is `docs/a.md`.
        let path = SitePath::joined("", parts.join(&b'/'));
        let is_file = !parts.last()?.is_empty() && !path.is_outside();
        (is_file && !path.as_bytes().contains(&0)).then_some(Self {
            repository: RepositoryName::from_link(&link.repository)?,
            path,
            form: link.form,
        })
    }
}
