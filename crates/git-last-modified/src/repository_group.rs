//! Dates the sources of one repository, and follows those that are symbolic links.
//!
//! Git tracks the link, whose history ends with its last target. A program that reads the source
//! follows the link, so a change of the target is a change of the source.

use std::path::{Path, PathBuf};

use super::lookup::{PresentPaths, look_up};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::query::{CommitTime, WalkedTree};
use super::repository::{Repository, on_disk};
use super::revisions::Revisions;
use super::source_files::path_in;
use super::tree::EntryKind;
use super::trie::{PathTrie, WantedPath};
use super::walk::{WalkTask, walk};
use super::worktree::edited;
use super::{FileHistory, HistoryQuery, LastChange, ObjectId, RepositoryError, RepositoryReport};

/// A file in another repository, or in none, that a source refers to as a link.
pub(super) struct TargetElsewhere {
    pub(super) file: PathBuf,
    /// The place of the source.
    place: u32,
    /// Whether the link itself is in no commit.
    takes_place: bool,
}

impl TargetElsewhere {
    /// Adds the history of the file to that of its source.
    pub(super) fn add(&self, history: FileHistory, files: &mut [FileHistory]) {
        let own = &mut files[self.place as usize];
        *own = match (&*own, history) {
            (FileHistory::Untracked, history) if self.takes_place => history,
            (FileHistory::Untracked, _) | (_, FileHistory::Untracked) => FileHistory::Untracked,
            (own, history) => own.combined_with(&history),
        };
    }
}

/// Dates the wanted paths of the repository at the root of the report, fills in the report, and
/// enters the history of each source in `files`.
///
/// A source that is a link has the newest date of the link and the files it refers to; those that are not
/// in this repository are added to `elsewhere`. If no commit has the link, such as one that a build makes,
/// it has the date of these files.
pub(super) fn date_group(
    query: &HistoryQuery<'_>,
    revisions: &mut Revisions,
    mut wanted: Vec<WantedPath>,
    report: &mut RepositoryReport,
    files: &mut [FileHistory],
    elsewhere: &mut Vec<TargetElsewhere>,
) -> Result<(), RepositoryError> {
    enter(&wanted, &FileHistory::Incomplete, files);
    let repository = Repository::open(&report.root)?;
    let lineage = repository.lineage()?;
    revisions.note_known(&repository);
    report.shallow = !lineage.boundary.is_empty();
    // The configuration may name another work tree, which does not contain the sources.
    let has_sources = repository.work_tree == report.root;
    let Some(head) = repository.head()?.filter(|_| has_sources) else {
        enter(&wanted, &FileHistory::Untracked, files);
        return Ok(());
    };
    let mut objects = repository.objects();
    let commit = objects.commit(&head)?;
    report.head_is_root = commit.parents.is_empty();
    // Git accepts a boundary commit that is not there.
    let boundary = lineage.boundary.iter().filter_map(|id| {
        let times = objects.commit(id).ok()?.times;
        Some(LastChange::of(id, times, CommitTime::Committer))
    });
    report.boundary = boundary.collect();
    report.head = Some(LastChange::of(&head, commit.times, CommitTime::Committer));
    enter(&wanted, &FileHistory::Untracked, files);
    remove_untracked_tree(
        &mut wanted,
        query.walked,
        &repository,
        &mut objects,
        &commit.tree,
    );
    // Reading the index takes more memory than keeping it, so it comes before what is as large.
    let index = (!wanted.is_empty()).then(|| repository.index()).flatten();
    let mut trie = PathTrie::new(wanted);
    let mut present = look_up_all(&mut objects, &trie, &commit.tree);
    let targets = link_targets(&trie, &present, &report.root, elsewhere);
    if !targets.is_empty() {
        let mut wanted = trie.into_wanted();
        wanted.extend(targets);
        trie = PathTrie::new(wanted);
        present = look_up_all(&mut objects, &trie, &commit.tree);
    }
    let tracked = PathSet::from_ranges(&present.ranges());
    let edited = edited(&repository, index.as_ref(), &trie, &present.entries);
    drop(index);
    drop(present.entries); // as large as the result, and the walk takes long
    let task = WalkTask {
        trie: &trie,
        is_member: query.is_member,
        time: query.time,
        lineage: &lineage,
        ignored: &revisions.ids,
        minor: query.ignored.changes,
    };
    let mut walked = walk(&task, &mut objects, head, tracked);
    report.commits_visited = walked.commits_visited;
    report.error = walked.error.take();
    for (lost, error) in present.unknown {
        walked.answers[lost.start as usize..lost.end as usize].fill(FileHistory::Incomplete);
        error.note_in(&mut report.error);
    }
    for number in edited.into_iter().flatten() {
        let answer = &mut walked.answers[number as usize];
        *answer = match answer {
            FileHistory::Changed(change) => FileHistory::Edited(Some(change.clone())),
            FileHistory::BeyondBoundary | FileHistory::Incomplete => FileHistory::Edited(None),
            _ => continue,
        };
    }
    enter_answers(&trie, walked.answers, &report.root, files);
    Ok(())
}

/// Enters the answers for the sources, and adds those for the files that links refer to.
fn enter_answers(
    trie: &PathTrie,
    answers: Vec<FileHistory>,
    root: &Path,
    files: &mut [FileHistory],
) {
    let (targets, own): (Vec<_>, Vec<_>) = trie
        .all()
        .zip(answers)
        .partition(|(number, _)| trie.wanted(*number).is_target);
    for (number, answer) in own {
        // A link that is in no commit is wanted twice.
        if answer != FileHistory::Untracked {
            files[trie.wanted(number).place as usize] = answer;
        }
    }
    for (number, answer) in targets {
        let target = trie.wanted(number);
        // A target that exists neither in the commit nor on disk has nothing to add.
        if answer == FileHistory::Untracked && !on_disk(root, &target.path).exists() {
            continue;
        }
        let own = &mut files[target.place as usize];
        *own = match (&*own, answer) {
            // One of them is in no commit, and nothing says when it changed.
            (FileHistory::Untracked, _) | (_, FileHistory::Untracked) => FileHistory::Untracked,
            (own, answer) => own.combined_with(&answer),
        };
    }
}

fn look_up_all(objects: &mut ObjectReader, trie: &PathTrie, root: &ObjectId) -> PresentPaths {
    look_up(objects, trie, &PathSet::from_ranges(&[trie.all()]), root)
}

/// Enters the same history for all sources.
fn enter(wanted: &[WantedPath], history: &FileHistory, files: &mut [FileHistory]) {
    for path in wanted {
        files[path.place as usize] = history.clone();
    }
}

/// Removes the paths in the walked tree if the commit does not contain its directory: Git usually
/// ignores the output of a build, which may have a million files.
fn remove_untracked_tree(
    wanted: &mut Vec<WantedPath>,
    walked: Option<&WalkedTree>,
    repository: &Repository,
    objects: &mut ObjectReader,
    root: &ObjectId,
) {
    let Some(walked) = walked else { return };
    let dir = path_in(&repository.work_tree, &walked.top);
    let found = objects.entry_at(root, &dir);
    if !matches!(found, Ok(Some((EntryKind::Tree, _))) | Err(_)) {
        wanted.retain(|wanted| {
            let rest = wanted.path.strip_prefix(&*dir);
            !rest.is_some_and(|rest| rest.starts_with(b"/"))
        });
        wanted.shrink_to_fit();
    }
}

/// Returns the files that sources which are links refer to, and adds those that are elsewhere. The first
/// file of a link that is in no commit takes its place.
fn link_targets(
    trie: &PathTrie,
    present: &PresentPaths,
    root: &Path,
    elsewhere: &mut Vec<TargetElsewhere>,
) -> Vec<WantedPath> {
    let mut untracked = PathSet::from_ranges(&[trie.all()]);
    untracked.remove_all(&PathSet::from_ranges(&present.ranges()));
    let links = present
        .entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Link)
        .flat_map(|entry| entry.paths.clone().map(|number| (number, true)))
        .chain(untracked.iter().map(|number| (number, false)));
    let mut wanted = Vec::new();
    for (number, is_tracked) in links {
        let link = trie.wanted(number);
        let targets = LinkTargets::of(&on_disk(root, &link.path), root);
        elsewhere.extend(targets.elsewhere.map(|file| TargetElsewhere {
            file,
            place: link.place,
            takes_place: !is_tracked && targets.files.is_empty(),
        }));
        let files = targets.files.into_iter().enumerate();
        wanted.extend(files.map(|(index, file)| WantedPath {
            path: path_in(root, &file).into(),
            place: link.place,
            is_target: is_tracked || index > 0,
        }));
    }
    wanted
}

/// Limit for links in a chain, as in Linux (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

/// The files of a chain of links after the first link. A directory is not part of it.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    /// Those in the same repository.
    pub(super) files: Vec<PathBuf>,
    /// The first one elsewhere, if it exists. It may be a link again.
    pub(super) elsewhere: Option<PathBuf>,
}

impl LinkTargets {
    pub(super) fn of(link: &Path, work_tree: &Path) -> Self {
        let mut found = Self::default();
        let mut target = link.read_link().ok();
        while found.files.len() < MAX_LINKS
            && let Some(written) = target
        {
            let from = found.files.last().map_or(link, PathBuf::as_path);
            let Some(file) = resolve(from, &written) else {
                break;
            };
            if file.is_dir() {
                break;
            }
            if !is_in_repository(&file, work_tree) {
                found.elsewhere = file.exists().then_some(file);
                break;
            }
            target = file.read_link().ok();
            found.files.push(file);
        }
        found
    }
}

/// Resolves a target, but not the file at its end, which may be a link again.
fn resolve(link: &Path, target: &Path) -> Option<PathBuf> {
    let file = link.parent()?.join(target);
    let name = file.file_name()?;
    Some(file.parent()?.canonicalize().ok()?.join(name))
}

/// Whether no other repository is between a file and the work tree.
fn is_in_repository(file: &Path, work_tree: &Path) -> bool {
    file.ancestors()
        .skip(1)
        .find(|dir| *dir == work_tree || dir.join(".git").exists())
        == Some(work_tree)
}
