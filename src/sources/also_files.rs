//! Finds the files that `also` of rules adds to the sources of pages.
//!
//! Takes the paths as written: files, directories, or globs; returns files relative to the site
//! root, those of each path sorted. Files are listed, never opened.

use std::collections::HashSet;
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::source_finder::{SourceDirs, SourceProblem, problem_with};
use crate::settings::Rule;
use site_paths::SitePath;
use site_paths::finding::{Finding, WithFindings, code};
use site_paths::glob::{GlobPattern, PatternSet};

/// How many files one directory or glob may add to a rule.
const MAX_FILES: usize = 10_000;

/// How many entries to look at for one directory or glob.
const MAX_ENTRIES: usize = 200_000;

/// The files of each rule that has `also`. Pages share the list of their rule.
pub(super) struct AlsoFiles(Vec<Option<Arc<[String]>>>);

impl AlsoFiles {
    /// Finds the files of all rules.
    pub(super) fn find(rules: &[Rule], dirs: &SourceDirs) -> WithFindings<Self> {
        let mut findings = Vec::new();
        let files = rules.iter().map(|rule| {
            let named = rule.also.as_ref()?.iter();
            let mut seen = HashSet::new();
            let files = named
                .flat_map(|path| files_at(path, rule, dirs).take_into(&mut findings))
                .filter(|file| seen.insert(file.clone()));
            Some(files.collect())
        });
        let files = Self(files.collect());
        WithFindings::new(files, findings)
    }

    /// Returns the files of the rule at an index.
    pub(super) fn of(&self, rule: usize) -> Option<Arc<[String]>> {
        self.0.get(rule)?.clone()
    }
}

/// Finds the files at a path. A path that exists is not a glob: names may contain brackets. A path
/// with a problem stays in the list, so that its pages get no date, which could be too old.
fn files_at(path: &str, rule: &Rule, dirs: &SourceDirs) -> WithFindings<Vec<String>> {
    let Some(problem) = problem_with(dirs, &SitePath::from(path)) else {
        return vec![path.to_owned()].into();
    };
    let path = path.strip_prefix("./").unwrap_or(path);
    let path = path.trim_end_matches('/');
    let path = if path == "." { "" } else { path };
    let found = match &problem {
        SourceProblem::Directory => files_below(path, None, dirs),
        SourceProblem::Missing if path.contains(['*', '?', '[', '{']) => files_like(path, dirs),
        _ => Err(problem),
    };
    let (files, problem) = match found {
        Ok(files) if files.is_empty() => (files, SourceProblem::NoMatch),
        Ok(files) => return files.into(),
        Err(problem) => (vec![path.to_owned()], problem),
    };
    let message = format!("the source `{path}` named by `also` {problem}");
    let finding = Finding::new(code::SOURCE_MISSING, rule.subject(), message);
    let hint = problem
        .remedy()
        .unwrap_or_else(|| "sources are given relative to the site root".to_owned());
    WithFindings::new(files, vec![finding.with_hint(hint)])
}

/// Finds the files that a glob matches.
fn files_like(glob: &str, dirs: &SourceDirs) -> Result<Vec<String>, SourceProblem> {
    let wildcard = glob.find(['*', '?', '[', '{']).unwrap_or(glob.len());
    let dir = glob[..wildcard].rsplit_once('/').map_or("", |(dir, _)| dir);
    let invalid = |error: site_paths::glob::PatternError| SourceProblem::Other(error.to_string());
    let pattern = GlobPattern::new(glob).map_err(invalid)?;
    match problem_with(dirs, &SitePath::from(dir)) {
        None | Some(SourceProblem::Missing) => Ok(Vec::new()),
        Some(SourceProblem::Directory) => {
            files_below(dir, Some(&PatternSet::new([&pattern].into_iter())), dirs)
        }
        Some(problem) => Err(problem),
    }
}

/// Lists the files below a directory, without hidden ones and without following links to other
/// directories.
fn files_below(
    dir: &str,
    only: Option<&PatternSet>,
    dirs: &SourceDirs,
) -> Result<Vec<String>, SourceProblem> {
    let top = dirs.site_root.join(dir);
    let mut files = Vec::new();
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(&top).min_depth(1).into_iter();
    let entries = entries.filter_entry(|entry| !is_hidden(entry));
    for (count, entry) in entries.enumerate() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(&top).to_owned();
            let error = error.into_io_error().expect("links are not followed");
            dirs.failures.note_error(&path, &error);
            SourceProblem::Other(format!("cannot be listed: {error}"))
        })?;
        files.extend(wanted(&entry, only, dirs));
        if count > MAX_ENTRIES || files.len() > MAX_FILES {
            return Err(SourceProblem::TooMany(MAX_FILES));
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Returns the path of an entry if it is a file that the pattern matches and that Git can name.
fn wanted(entry: &DirEntry, only: Option<&PatternSet>, dirs: &SourceDirs) -> Option<String> {
    let kind = entry.file_type();
    if !kind.is_file() && !kind.is_symlink() {
        return None;
    }
    let path = SitePath::below(&dirs.site_root, entry.path())?;
    if only.is_some_and(|pattern| !pattern.matches(path.as_bytes())) {
        return None;
    }
    let is_file = kind.is_file() || problem_with(dirs, &path).is_none();
    let path = str::from_utf8(path.as_bytes()).ok()?;
    is_file.then(|| path.to_owned())
}
