//! The next version of the file: the dates of this run, and earlier ones that it could not replace.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::file_text::{MemoryText, RepositorySection};
use super::{DateMemory, MemoryUpdate};
use git_last_modified::{HeadSnapshot, History, KnownFile, RepositoryDates, Snapshot};

/// How many snapshots of one repository are kept. There are several only while clones do not reach
/// the commit of an earlier one.
const MAX_SNAPSHOTS: usize = 8;

/// The result of a history query, and which of its files belong to listed pages.
pub(crate) struct ListedFiles<'h> {
    pub(crate) history: &'h History,
    /// Whether the source at an index of the query belongs to a listed page.
    pub(crate) is_listed: &'h dyn Fn(usize) -> bool,
}

/// The files of one repository as of the checked-out commit, from all queries.
struct NewSnapshot<'h> {
    head: &'h HeadSnapshot,
    files: BTreeMap<Vec<u8>, KnownFile>,
}

impl DateMemory {
    /// Returns what to write after these queries.
    pub(crate) fn update(&self, queries: &[ListedFiles<'_>]) -> MemoryUpdate {
        let mut new: BTreeMap<&Path, NewSnapshot<'_>> = BTreeMap::new();
        for query in queries {
            for report in &query.history.repositories {
                let Some(head) = &report.snapshot else {
                    continue;
                };
                let all = new.entry(&report.root).or_insert_with(|| NewSnapshot {
                    head,
                    files: BTreeMap::new(),
                });
                let listed = head
                    .files
                    .iter()
                    .filter(|file| (query.is_listed)(file.source));
                all.files
                    .extend(listed.map(|file| (file.path.clone(), file.file)));
            }
        }
        let roots = self.repositories.iter().map(|known| &*known.root);
        let mut roots: Vec<&Path> = roots.chain(new.keys().copied()).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut sections = Vec::new();
        for root in roots {
            let mut known = self.repositories.iter();
            let known = known.find(|known| known.root == root);
            let dates = match (new.remove(root), known) {
                (Some(new), known) => new.after(root, known),
                (None, Some(known)) => known.clone(),
                (None, None) => continue,
            };
            if !dates.snapshots.is_empty() {
                let path = path_from(&self.site_root, root);
                sections.push(RepositorySection { path, dates });
            }
        }
        let text = MemoryText {
            settings: self.settings_digest.clone(),
            repositories: sections,
        }
        .to_text();
        MemoryUpdate {
            path: self.path.clone(),
            text: (self.text.as_deref() != Some(&*text)).then_some(text),
        }
    }
}

impl NewSnapshot<'_> {
    /// Returns the dates to keep. An earlier date stays as of its own commit if this run could not
    /// date the file: a deeper clone may reach that commit again.
    fn after(self, root: &Path, known: Option<&RepositoryDates>) -> RepositoryDates {
        let mut files = self.files;
        let known_snapshots = known.map_or(&[][..], |known| &known.snapshots);
        let mut commit = self.head.commit;
        if let Some(same) = self.head.same_as
            && let Some(before) = known_snapshots.iter().find(|before| before.commit == same)
            && says_the_same(&files, before)
        {
            // A commit of only this file must not change it, or it would lead to the next one.
            commit = same;
        }
        let mut snapshots = Vec::new();
        for before in known_snapshots
            .iter()
            .filter(|before| before.commit != commit)
        {
            let undated =
                |path: &Vec<u8>| files.get(path).is_some_and(|file| file.change.is_none());
            let kept = before.files.iter();
            let kept: BTreeMap<_, _> = kept
                .filter(|(path, file)| file.change.is_some() && undated(path))
                .map(|(path, file)| (path.clone(), *file))
                .collect();
            if !kept.is_empty() {
                snapshots.push(Snapshot {
                    commit: before.commit,
                    files: kept,
                });
            }
        }
        if !files.is_empty() {
            for file in files.values_mut() {
                file.change = file.change.map(|change| git_last_modified::LastChange {
                    known_since: None,
                    ..change
                });
            }
            snapshots.insert(0, Snapshot { commit, files });
        }
        snapshots.truncate(MAX_SNAPSHOTS);
        RepositoryDates {
            root: root.to_owned(),
            first_commit: self
                .head
                .first_commit
                .or_else(|| known.and_then(|known| known.first_commit)),
            snapshots,
        }
    }
}

/// Whether these files have the entries and dates of an earlier snapshot.
fn says_the_same(files: &BTreeMap<Vec<u8>, KnownFile>, before: &Snapshot) -> bool {
    let facts = |file: &KnownFile| {
        let change = file.change;
        let change = change.map(|change| (change.commit, change.seconds, change.offset_minutes));
        (file.entry, change)
    };
    let ours = files.iter().map(|(path, file)| (path, facts(file)));
    let theirs = before.files.iter().map(|(path, file)| (path, facts(file)));
    ours.eq(theirs)
}

/// Returns the path from one directory to another, with `/` between names.
fn path_from(dir: &Path, to: &Path) -> String {
    let names = |path: &Path| -> Vec<String> {
        let names = path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        names.collect()
    };
    let (from, to) = (names(dir), names(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let path: Vec<String> = up.chain(to[shared..].iter().cloned()).collect();
    if path.is_empty() {
        ".".to_owned()
    } else {
        path.join("/")
    }
}
