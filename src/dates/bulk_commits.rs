//! Reports commits that date many pages, but changed nothing in them that a reader sees.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::pages::Page;
use crate::pages::{DateOrigin, SourceDirs};
use crate::sources::HistoryOptions;
use git_last_modified::{
    HistoryError, MinorChange, ObjectId, RepositoryError, SHORT_HASH, compare_contents,
    differ_only_in,
};
use page_signals::have_same_main_text;
use sitemaps::findings::{Finding, Subject, code};
use sitemaps::site_paths::SitePath;

/// Fewer pages may well be changed together.
const MIN_PAGES: usize = 10;

/// A commit that dates more than this part of the pages is looked at.
const PART: usize = 5;

/// How many pages of a commit to compare, evenly spread over them.
const MOST_COMPARED: usize = 200;

/// The changes of a commit, as far as they are known.
enum Changes {
    /// At least one page has other text.
    Visible,
    Invisible,
    /// The clone does not have the contents.
    Unknown,
}

/// Reports each commit that dates more than a fifth of the pages without a visible change.
pub(crate) fn bulk_commits(
    dirs: &SourceDirs,
    options: &HistoryOptions<'_>,
    pages: &[Page],
) -> Result<Vec<Finding>, HistoryError> {
    let mut by_commit: BTreeMap<ObjectId, Vec<&Page>> = BTreeMap::new();
    let mut listed = 0;
    for page in pages.iter().filter(|page| page.is_listed()) {
        listed += 1;
        if let DateOrigin::Commit(change) = &page.dated {
            by_commit.entry(change.commit).or_default().push(page);
        }
    }
    let mut found = Vec::new();
    for (commit, dated) in by_commit {
        if dated.len() < MIN_PAGES || dated.len() * PART <= listed {
            continue;
        }
        let message = match changes_of(dirs, options, &commit, &dated)? {
            Changes::Visible => continue,
            Changes::Invisible => " and changed nothing in them that a reader sees",
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
        let hint = format!(
            "to date these pages by earlier commits, set `revs = [\"{hash}\"]` in `[lastmod.ignore]`"
        );
        found.push(Finding::new(code::BULK_COMMIT, Subject::Site, message).with_hint(hint));
    }
    Ok(found)
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
    let mut is_visible = false;
    let compared = compare_contents(&files, commit, &mut |index, before, after| {
        is_visible = before.is_none_or(|before| !look_alike(names[index], before, after));
        !is_visible
    });
    match compared {
        Ok(()) if is_visible => Ok(Changes::Visible),
        Ok(()) => Ok(Changes::Invisible),
        Err(RepositoryError::NotFetched(_) | RepositoryError::ContentNotFetched(_)) => {
            Ok(Changes::Unknown)
        }
        Err(failure) => Err(HistoryError::UnreadableRepository {
            root: options.site_root.to_owned(),
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
