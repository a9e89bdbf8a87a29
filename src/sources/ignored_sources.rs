//! Sources that Git ignores: the build creates them or copies them from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::decided_pages::DecidedPages;
use super::file_history::SourceHistory;
use super::hinted_sources::HintedSources;
use super::source_finder::{PageSource, SourceDirs};
use crate::decide::Verdict;
use git_last_modified::{FileHistory, enclosing_repository};
use site_paths::SitePath;
use site_paths::finding::{Finding, Subject, code};

/// Listed pages whose sources are ignored, by index.
#[derive(Default)]
pub(crate) struct IgnoredSources {
    pages: BTreeSet<usize>,
    example: Option<SitePath>,
}

impl IgnoredSources {
    /// Finds the ignored ones among the sources that are not committed.
    pub(crate) fn find(
        pages: &DecidedPages,
        history: &SourceHistory,
        hinted: &HintedSources,
        dirs: &SourceDirs,
    ) -> Self {
        let mut found = Self::default();
        let mut rules = IgnoreRules::default();
        for (index, (line, ruled)) in pages.decided().iter().zip(pages.ruled()).enumerate() {
            let is_untracked = history.answer(index) == Some(&FileHistory::Untracked);
            let source = ruled.source.as_ref().and_then(PageSource::file);
            let (true, Some(source), None) = (is_untracked, source, hinted.of(index)) else {
                continue;
            };
            if line.verdict == Verdict::Listed && rules.ignore(&source.below_dir(&dirs.site_root)) {
                found.example.get_or_insert_with(|| source.clone());
                found.pages.insert(index);
            }
        }
        found
    }

    /// Whether the source of the page at an index is ignored.
    pub(crate) fn contains(&self, page: usize) -> bool {
        self.pages.contains(&page)
    }

    /// Reports them all at once, since none of them is to be committed.
    pub(crate) fn finding(&self) -> Option<Finding> {
        let example = self.example.as_ref()?;
        let message = match self.pages.len() {
            1 => format!("Git ignores `{example}`, so its page gets no Git date"),
            many => format!(
                "Git ignores the sources of {many} pages, such as `{example}`, so they get no Git date"
            ),
        };
        let finding = Finding::new(code::SOURCE_UNCOMMITTED, Subject::Site, message);
        Some(finding.with_hint(
            "the build creates or copies them: name the committed files that they come from with a \
             source map or a rule's `source`",
        ))
    }
}

/// The rules of `.gitignore` and `info/exclude`, read once per directory.
#[derive(Default)]
struct IgnoreRules {
    of_dirs: BTreeMap<PathBuf, Gitignore>,
    roots: BTreeMap<PathBuf, Option<PathBuf>>,
    dirs: BTreeMap<PathBuf, bool>,
}

impl IgnoreRules {
    /// Whether an untracked file is ignored. Nothing below an ignored directory can be included
    /// again (gitignore(5)).
    fn ignore(&mut self, file: &Path) -> bool {
        let Some(dir) = file.parent() else {
            return false;
        };
        let root = self.roots.entry(dir.to_owned());
        let root = root
            .or_insert_with(|| enclosing_repository(dir).ok().flatten())
            .clone();
        let Some((root, dir)) = root.zip(dir.canonicalize().ok()) else {
            return false;
        };
        let file = dir.join(file.file_name().unwrap_or_default());
        self.ignore_dir(&root, &dir) || self.matches(&root, &file, EntryType::File)
    }

    fn ignore_dir(&mut self, root: &Path, dir: &Path) -> bool {
        if dir == root || !dir.starts_with(root) {
            return false;
        }
        if let Some(&known) = self.dirs.get(dir) {
            return known;
        }
        let above = dir
            .parent()
            .is_some_and(|above| self.ignore_dir(root, above));
        let is_ignored = above || self.matches(root, dir, EntryType::Dir);
        self.dirs.insert(dir.to_owned(), is_ignored);
        is_ignored
    }

    /// Whether the innermost rule that matches a path ignores it.
    fn matches(&mut self, root: &Path, path: &Path, kind: EntryType) -> bool {
        let dirs = path
            .ancestors()
            .skip(1)
            .take_while(|dir| dir.starts_with(root));
        for dir in dirs {
            let rules = self.of_dirs.entry(dir.to_owned());
            let rules = rules.or_insert_with(|| rules_in(root, dir));
            match rules.matched(path, kind == EntryType::Dir) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

#[derive(Clone, Copy, PartialEq)]
enum EntryType {
    File,
    Dir,
}

/// Reads the rules of a directory. Files that are missing or cannot be read have no rules.
fn rules_in(root: &Path, dir: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(dir);
    let excluded = (dir == root).then(|| dir.join(".git/info/exclude"));
    for file in excluded.into_iter().chain([dir.join(".gitignore")]) {
        if file.is_file() {
            builder.add(file);
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_ignored_as_git_ignores_them() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it exists");
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().expect("it has one")).expect("it is created");
            fs::write(file, text).expect("it is written");
        };
        write(".git/HEAD", "ref: refs/heads/main\n");
        write(".git/objects/x", "");
        write(".git/refs/x", "");
        write(".git/info/exclude", "local.md\n");
        write(".gitignore", "/tmp/\n*.gen.md\n!keep.gen.md\n");
        write("docs/.gitignore", "!a.gen.md\n/only\n");
        write("tmp/a.md", "");
        write("docs/only/x", "");
        let mut rules = IgnoreRules::default();
        let mut check = |file: &str, expected: bool| {
            assert_eq!(rules.ignore(&root.join(file)), expected, "{file}");
        };
        check("tmp/a.md", true);
        check("docs/tmp.md", false);
        check("b.gen.md", true);
        check("keep.gen.md", false);
        check("docs/a.gen.md", false);
        check("docs/b.gen.md", true);
        check("docs/only/x", true);
        check("docs/local.md", true);
    }
}
