//! Reports commits that date many pages, but changed nothing in most of them that a reader sees.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::findings::{Finding, Findings, Subject, code};
use crate::pages::{DateOrigin, Page, SourceDirs};
use crate::share::{FEW, is_nearly_all};
use crate::sources::HistoryOptions;
use git_last_modified::{
    HistoryError, MinorChange, ObjectId, RepositoryError, SHORT_HASH, compare_contents,
    differ_only_in,
};
use page_signals::have_same_main_text;
use sitemaps::site_paths::SitePath;

/// A commit that dates more than this part of the pages is looked at.
const PART: usize = 5;

/// How many pages of a commit to compare, evenly spread over them.
const MOST_COMPARED: usize = 200;

/// The changes of a commit, as far as they are known.
enum Changes {
    /// Many pages have another text.
    Visible,
    /// At most this many of those that were compared have.
    Invisible(usize),
    /// The clone does not have the contents.
    Unknown,
}

/// Reports each commit that dates more than a fifth of the pages without a visible change.
pub(crate) fn report_bulk_commits(
    dirs: &SourceDirs,
    options: &HistoryOptions<'_>,
    pages: &[Page],
    findings: &Findings,
) -> Result<(), HistoryError> {
    let mut by_commit: BTreeMap<ObjectId, Vec<&Page>> = BTreeMap::new();
    let mut listed = 0;
    for page in pages.iter().filter(|page| page.is_listed()) {
        listed += 1;
        if let DateOrigin::Commit(change) = &page.dated {
            by_commit.entry(change.commit).or_default().push(page);
        }
    }
    for (commit, dated) in by_commit {
        if dated.len() < FEW || dated.len() * PART <= listed {
            continue;
        }
        let changes = changes_of(dirs, options, &commit, &dated)?;
        let message = match changes {
            Changes::Visible => continue,
            Changes::Invisible(0) => " and changed nothing in them that a reader sees",
            Changes::Invisible(_) => " and changed nothing that a reader sees in most of them",
            Changes::Unknown => {
                "; the clone lacks the contents of files, so it is unknown whether it changed their text"
            }
        };
        let hash = commit.to_string();
        let message = format!(
            "commit {} dates {} of {listed} pages{message}",
            &hash[..SHORT_HASH],
            dated.len()
        );
        let hint = match changes {
            // Those that it did change must keep its date.
            Changes::Invisible(1..) => "to date the others by earlier commits, set \
                `changes = [\"front-matter\", \"whitespace\"]` in `[lastmod.ignore]`"
                .to_owned(),
            _ => format!(
                "to date these pages by earlier commits, set `revs = [\"{hash}\"]` in `[lastmod.ignore]`"
            ),
        };
        findings.add(Finding::new(code::BULK_COMMIT, Subject::Site, message).with_hint(hint));
    }
    Ok(())
}

fn changes_of(
    dirs: &SourceDirs,
    options: &HistoryOptions<'_>,
    commit: &ObjectId,
    pages: &[&Page],
) -> Result<Changes, HistoryError> {
    let step = pages.len().div_ceil(MOST_COMPARED);
    let sources = pages.iter().step_by(step).filter_map(|page| {
        let source = page.source.as_ref()?;
        let name = source.file().unwrap_or(&page.file);
        Some((name, source.on_disk(dirs, &page.file)))
    });
    let (names, files): (Vec<&SitePath>, Vec<PathBuf>) = sources.unzip();
    // A sweep may come with as many real edits and new pages.
    let is_sweep = |visible: usize| is_nearly_all(files.len() - visible, files.len());
    let mut visible = 0;
    let compared = compare_contents(&files, commit, &mut |index, contents| {
        let is_visible =
            contents.is_none_or(|(before, after)| !look_alike(names[index], before, after));
        visible += usize::from(is_visible);
        is_sweep(visible)
    });
    match compared {
        Ok(()) if !is_sweep(visible) => Ok(Changes::Visible),
        Ok(()) => Ok(Changes::Invisible(visible)),
        Err(RepositoryError::NotFetched(_) | RepositoryError::ContentNotFetched(_)) => {
            Ok(Changes::Unknown)
        }
        Err(failure) => Err(HistoryError::UnreadableRepository {
            root: options.loaded.site.root.clone(),
            failure,
        }),
    }
}

/// Whether two versions of a source make pages that look the same to readers.
fn look_alike(source: &SitePath, before: &[u8], after: &[u8]) -> bool {
    differ_only_in(
        &[MinorChange::FrontMatter, MinorChange::Whitespace],
        before,
        after,
    ) || source.is_html() && have_same_main_text(before, after)
}
