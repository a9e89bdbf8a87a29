//! Finds the directories that list pages show, whose members date them, and which pages are lists: those
//! whose main text links to what is below them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::source_finder::SiteSources;
use crate::files::tree::Tree;
use crate::generators::{ListDirs, NamesOfLanguage, ShownFiles, Site, Taxonomies};
use crate::hosts::candidate_files;
use crate::pages::{DateOrigin, OtherCommit, Page, PageSource, Pages};
use crate::settings::{LastmodSettings, ListDates};
use crate::site::read_again;
use git_last_modified::{FileHistory, Source};
use page_signals::main_text_links;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// A list of many pages may show only a few of them.
const ENOUGH: usize = 3;

/// The directories whose members date list pages, by the page's index.
#[derive(Debug, Default)]
pub(crate) struct ListMembers {
    dirs: Vec<ShownFiles>,
    /// The index of each directory.
    numbers: HashMap<ShownFiles, usize>,
    /// The indexes of the directories of each list page.
    by_page: BTreeMap<usize, Vec<usize>>,
    /// The same for pages that list nothing.
    others: BTreeMap<usize, Vec<usize>>,
    /// A link of a list page that is not followed.
    not_followed: BTreeMap<usize, SitePath>,
}

impl ListMembers {
    /// Adds a list page that shows files in these directories.
    pub(super) fn add(&mut self, page: usize, dirs: Vec<ShownFiles>) {
        for dir in dirs {
            let number = *self.numbers.entry(dir).or_insert_with_key(|dir| {
                self.dirs.push(dir.clone());
                self.dirs.len() - 1
            });
            self.by_page.entry(page).or_default().push(number);
        }
    }

    /// The indexes of the directories in which all files count, and of those in which the files of a
    /// language do, by their names.
    pub(super) fn by_names(&self) -> (Vec<usize>, BTreeMap<&NamesOfLanguage, Vec<usize>>) {
        let (mut shared, mut by_language) = (Vec::new(), BTreeMap::<_, Vec<usize>>::new());
        for (index, shown) in self.dirs.iter().enumerate() {
            match &shown.names {
                Some(names) => by_language.entry(names).or_default().push(index),
                None => shared.push(index),
            }
        }
        (shared, by_language)
    }

    pub(super) fn len(&self) -> usize {
        self.dirs.len()
    }

    /// Removes the members of pages that list nothing: a home page or a section may have only a text of
    /// its own.
    pub(crate) fn keep_lists(&mut self, pages: &Pages, sources: &SiteSources) {
        (self.by_page, self.others) = std::mem::take(&mut self.by_page)
            .into_iter()
            .partition(|(page, _)| is_list(*page, pages, sources));
    }

    /// Whether a page is made like a list, but lists nothing.
    pub(super) fn lists_nothing(&self, page: usize) -> bool {
        self.others.contains_key(&page)
    }

    /// A directory on disk.
    pub(super) fn on_disk(&self, index: usize, site_root: &Path) -> PathBuf {
        self.dirs[index].dir.below_dir(site_root)
    }

    /// The members of directories, to be dated.
    pub(super) fn sources(&self, dirs: &[usize], site_root: &Path) -> Vec<Source> {
        dirs.iter()
            .map(|dir| Source::Members(self.on_disk(*dir, site_root)))
            .collect()
    }

    /// The newest change of the members of a list, or why there is none; `None` for a page that is
    /// not dated by members. `answers` has one for each directory, with its repository.
    pub(super) fn of(
        &self,
        page: usize,
        answers: &[(FileHistory, Option<PathBuf>)],
    ) -> Option<DateOrigin> {
        let dirs = self.by_page.get(&page)?;
        if let Some(dir) = self.not_followed.get(&page) {
            return Some(DateOrigin::MemberUnknown(Box::new(dir.clone())));
        }
        let mut newest: Option<OtherCommit> = None;
        let mut absent = DateOrigin::NotCommitted;
        let is_spread = dirs.iter().any(|dir| answers[*dir].1 != answers[dirs[0]].1);
        for &dir in dirs {
            let (history, _) = &answers[dir];
            match history {
                FileHistory::Changed(change) => {
                    if newest
                        .as_ref()
                        .is_none_or(|newest| newest.change.seconds < change.seconds)
                    {
                        newest = Some(OtherCommit {
                            change: Arc::clone(change),
                            path: self.dirs[dir].dir.clone(),
                        });
                    }
                }
                FileHistory::Incomplete => return Some(DateOrigin::Unreadable),
                // It may be newer than what is known of another repository.
                _ if is_spread => {
                    return Some(DateOrigin::MemberUnknown(Box::new(
                        self.dirs[dir].dir.clone(),
                    )));
                }
                // An older change than any that is known.
                FileHistory::BeyondBoundary => absent = DateOrigin::OutOfReach,
                other => {
                    if absent == DateOrigin::NotCommitted {
                        absent = DateOrigin::from_source(Some(other));
                    }
                }
            }
        }
        Some(newest.map_or(absent, |newest| DateOrigin::Members(Box::new(newest))))
    }

    /// The files of a list.
    pub(super) fn shown_by(&self, page: usize) -> impl Iterator<Item = &ShownFiles> {
        let dirs = self.by_page.get(&page).into_iter().flatten();
        dirs.map(|&dir| &self.dirs[dir])
    }
}

/// Finds the lists of a generator that are dated by their members: the home page, sections and
/// their further pages, but no terms.
pub(crate) fn lists_by_members(
    site: &Site,
    sources: &SiteSources,
    settings: &LastmodSettings,
    pages: &Pages,
) -> ListMembers {
    let mut found = ListMembers::default();
    let is_wanted = settings.lists == ListDates::Members;
    let generator = site.generator.filter(|known| is_wanted && known.has_lists);
    let dirs = generator.and_then(|_| ListDirs::new(site, &sources.content));
    let (Some(generator), Some(dirs)) = (generator, dirs) else {
        return found;
    };
    let taxonomies = Taxonomies::new(generator, &site.config);
    let mut shared: Option<SourceDirsBelow<'_>> = None;
    for (index, page) in pages.iter().enumerate() {
        let file = &page.file;
        let source = page.source.as_ref().and_then(PageSource::file);
        let is_list = match &page.source {
            None => file.file_name() == b"index.html",
            Some(_) => source
                .and_then(|source| sources.content.file(source))
                .is_some_and(|file| file.is_list),
        };
        if !is_list || !page.rule_outcome.wants_history(settings) || taxonomies.contain(file) {
            continue;
        }
        let dir = sources.pagers.list_of(file).unwrap_or_else(|| file.dir());
        let mut shown = dirs.shown_by(dir, source);
        if shown.is_empty() && !dir.is_empty() {
            let dirs = shared.get_or_insert_with(|| SourceDirsBelow::new(pages));
            shown.extend(dirs.of(dir).map(|dir| ShownFiles { dir, names: None }));
        }
        if let Some(dir) = dirs.not_followed(&shown) {
            found.not_followed.insert(index, dir.clone());
        }
        found.add(index, shown);
    }
    found
}

/// Whether the main text of a page links to three of the pages below it, or to half of them if they
/// are fewer than six. A further page of a list goes with the first one.
fn is_list(index: usize, pages: &Pages, sources: &SiteSources) -> bool {
    let file = &pages[index].file;
    let dir = sources.pagers.list_of(file).unwrap_or_else(|| file.dir());
    let first = SitePath::new([dir, b"index.html"].concat());
    let list = &pages[pages.index_of(&first).unwrap_or(index)];
    let start = pages.partition_point(|page| page.file.as_bytes() < dir);
    let (mut pages_of_list, mut below) = (vec![list], Vec::new());
    for page in &pages[start..] {
        let file = &page.file;
        if !file.as_bytes().starts_with(dir) {
            break;
        }
        if sources.pagers.list_of(file) == Some(dir) {
            pages_of_list.push(page);
        }
        if page.is_listed() && *file != list.file && !sources.pagers.contain(file) {
            below.push(file);
        }
    }
    let wanted = ENOUGH.min(below.len().div_ceil(2));
    if wanted == 0 {
        return false;
    }
    let all = below.len();
    for page in pages_of_list {
        for file in linked_files(page, &sources.dirs.output, &pages.base) {
            if let Ok(linked) = below.binary_search(&&file) {
                below.remove(linked);
            }
        }
        if all - below.len() >= wanted {
            return true;
        }
    }
    false
}

/// The files that the main text of a page may link to.
fn linked_files(page: &Page, output: &Tree, base: &BaseUrl) -> Vec<SitePath> {
    let read = read_again(output, &page.file, |page| main_text_links(&page)).unwrap_or_default();
    let from = read.base.and_then(|base| page.url.resolve(&base));
    let from: &PageUrl = from.as_ref().unwrap_or(&page.url);
    read.links
        .iter()
        .filter_map(|href| from.resolve(href))
        .flat_map(|url| candidate_files(base, &url))
        .collect()
}

/// Pages with their sources, to find the directory that a list shows by the pages below it.
struct SourceDirsBelow<'p> {
    /// Output files with their sources, sorted by file.
    by_file: Vec<(&'p SitePath, &'p SitePath)>,
    /// The sources, sorted.
    sources: Vec<&'p SitePath>,
}

impl<'p> SourceDirsBelow<'p> {
    fn new(pages: &'p Pages) -> Self {
        let by_file: Vec<_> = pages
            .iter()
            .filter_map(|page| Some((&page.file, page.source.as_ref()?.file()?)))
            .collect();
        let mut sources: Vec<_> = by_file.iter().map(|(_, source)| *source).collect();
        sources.sort_unstable();
        Self { by_file, sources }
    }

    /// The directory of the sources of all pages below an output directory, if no other page has
    /// its source there: the list shows all of it then, such as a blog.
    fn of(&self, dir: &[u8]) -> Option<SitePath> {
        let start = self
            .by_file
            .partition_point(|(file, _)| file.as_bytes() < dir);
        let (mut common, mut count): (Option<&[u8]>, usize) = (None, 0);
        for (file, source) in &self.by_file[start..] {
            if !file.as_bytes().starts_with(dir) {
                break;
            }
            count += 1;
            let mut shared = common.unwrap_or_else(|| source.dir());
            while !source.as_bytes().starts_with(shared) {
                shared = dir_above(shared);
            }
            common = Some(shared);
        }
        let common = common.filter(|dir| !dir.is_empty())?;
        let first = self
            .sources
            .partition_point(|source| source.as_bytes() < common);
        let there = self.sources[first..]
            .iter()
            .take_while(|source| source.as_bytes().starts_with(common));
        (there.count() == count).then(|| SitePath::new(&common[..common.len() - 1]))
    }
}

/// The directory above one; both end in `/` or are empty.
fn dir_above(dir: &[u8]) -> &[u8] {
    let name = dir.strip_suffix(b"/").unwrap_or(dir);
    &name[..memchr::memrchr(b'/', name).map_or(0, |at| at + 1)]
}
