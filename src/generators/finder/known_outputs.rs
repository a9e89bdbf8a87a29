//! The directories that a search for sites looks into, and output directories that are known by
//! their names.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use serde_json::Value;
use walkdir::WalkDir;

use crate::files::tree::Tree;
use crate::generators::{Manifest, SiteSearch};
use sitemaps::site_paths::is_html;

/// Texts in an `index.html` that only the template of a build has: Create React App, Vite, Trunk.
const TEMPLATE_TEXTS: [&str; 4] = ["%PUBLIC_URL%", "src=\"/src/", "src=\"./src/", "data-trunk"];

/// Directory that generators copy and many also write.
const OFTEN_STATIC_FILES: &str = "public";

/// How many directories to name that could be the right one.
const MOST_NAMED: usize = 3;

/// How many files and directories to look at for a page.
const MAX_ENTRIES: usize = 20_000;

/// Finds the known output directories in `root` that have an `index.html`.
pub(super) fn built_outputs(root: &Path, search: &SiteSearch) -> Vec<PathBuf> {
    let tree = &search.tree;
    let mut outputs: Vec<PathBuf> = Vec::new();
    for name in &Manifest::embedded().generic.outputs {
        for dir in dirs_named(root, name, tree) {
            // `dist/analog/public` is the output, and `dist` only contains it.
            // A link to another of them is the same directory.
            if is_built(&dir, tree)
                && !outputs.iter().any(|found| {
                    found.starts_with(&dir)
                        || dir.starts_with(found)
                        || tree.resolved(found) == tree.resolved(&dir)
                })
            {
                outputs.push(dir);
            }
        }
    }
    if outputs.len() > 1 {
        outputs.retain(|dir| !is_copied(root, dir, tree));
    }
    outputs
}

/// Whether a directory usually has the files that the build of a package copies.
fn is_copied(root: &Path, dir: &Path, tree: &Tree) -> bool {
    *dir == root.join(OFTEN_STATIC_FILES) && tree.is_file(&root.join("package.json"))
}

/// The first known output directory in `root`, if none has pages.
pub(super) fn empty_output(root: &Path, search: &SiteSearch) -> Option<PathBuf> {
    Manifest::embedded()
        .generic
        .outputs
        .iter()
        .find_map(|name| {
            let dir = root.join(name);
            let is_output =
                name != "docs" && search.tree.is_dir(&dir) && !is_copied(root, &dir, &search.tree);
            is_output.then_some(dir)
        })
}

/// The directories below `root` with a name of the manifest, sorted. In `dist/*/browser`, the star
/// is any directory.
fn dirs_named(root: &Path, name: &str, tree: &Tree) -> Vec<PathBuf> {
    let Some((before, after)) = name.split_once("/*/") else {
        return vec![root.join(name)];
    };
    let mut dirs: Vec<PathBuf> = tree
        .entries(&root.join(before))
        .into_iter()
        .map(|entry| entry.path().join(after))
        .filter(|dir| tree.is_dir(dir))
        .collect();
    dirs.sort();
    dirs
}

/// Whether a directory has a home page that is not a template.
pub(super) fn is_built(dir: &Path, tree: &Tree) -> bool {
    let index = dir.join("index.html");
    tree.is_file(&index) && !is_template(&index, tree)
}

/// Whether a directory has pages at its top or below, and its home page is not a template.
pub fn has_pages(dir: &Path, tree: &Tree) -> bool {
    is_built(dir, tree) || !tree.is_file(&dir.join("index.html")) && has_html_below(dir, tree)
}

/// The directories with HTML files at their top, up to two levels below a directory: the few that could be a
/// built site.
pub fn dirs_with_pages(dir: &Path, tree: &Tree) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![dir.to_owned()];
    for _ in 0..2 {
        let dirs: Vec<PathBuf> = level.iter().flat_map(|dir| dirs_in(dir, tree)).collect();
        let (with_pages, without) = dirs.into_iter().partition(|dir| has_html_files(dir, tree));
        found.extend::<Vec<PathBuf>>(with_pages);
        level = without;
    }
    found.truncate(MOST_NAMED);
    found
}

/// Whether the home page in a directory has the name of a generator, usually in
/// `<meta name="generator">` or a comment.
pub(super) fn names_generator(dir: &Path, name: &str, tree: &Tree) -> bool {
    let text = tree
        .text_anywhere(&dir.join("index.html"))
        .unwrap_or_default();
    text.to_lowercase().contains(name)
}

fn is_template(page: &Path, tree: &Tree) -> bool {
    let text = tree.text_anywhere(page).unwrap_or_default();
    TEMPLATE_TEXTS.iter().any(|mark| text.contains(mark))
}

/// Whether the `index.html` of a package may be the template of its build.
pub(super) fn is_package_template(root: &Path, tree: &Tree) -> bool {
    let text = tree
        .text_anywhere(&root.join("package.json"))
        .unwrap_or_default();
    let package: Value = serde_json::from_str(&text).unwrap_or_default();
    package.pointer("/scripts/build").is_some() || is_template(&root.join("index.html"), tree)
}

/// Finds the known output directory in `root` that contains all pages below it; `None` if there are
/// other pages.
pub(super) fn only_output_with_pages(root: &Path, search: &SiteSearch) -> Option<PathBuf> {
    let tree = &search.tree;
    if has_html_files(root, tree) {
        return None;
    }
    let with_pages: Vec<PathBuf> = dirs_in(root, tree)
        .into_iter()
        .filter(|dir| has_html_below(dir, tree))
        .collect();
    let [only] = &with_pages[..] else {
        return None;
    };
    let mut known = Manifest::embedded().generic.outputs.iter();
    let is_output = known.any(|name| *only == root.join(name)) && !is_copied(root, only, tree);
    is_output.then(|| only.clone())
}

/// Whether a directory has HTML files at its top.
pub(super) fn has_html_files(dir: &Path, tree: &Tree) -> bool {
    let entries = tree.entries(dir);
    entries.iter().any(|entry| is_html_name(&entry.file_name()))
}

/// Whether a directory has HTML files at its top or below, as far as a search of limited length
/// finds them. Each directory is listed once.
fn has_html_below(dir: &Path, tree: &Tree) -> bool {
    tree.walk(WalkDir::new(dir).min_depth(1), |entry| {
        !entry.file_type().is_dir() || is_searched(entry.file_name())
    })
    .take(MAX_ENTRIES)
    .filter_map(walkdir::Result::ok)
    .any(|entry| !entry.file_type().is_dir() && is_html_name(entry.file_name()))
}

fn is_html_name(name: &OsStr) -> bool {
    is_html(name.as_encoded_bytes())
}

/// Whether a directory of this name may contain a site.
pub(super) fn is_searched(name: &OsStr) -> bool {
    let others = &Manifest::embedded().generic.not_searched;
    name.to_str()
        .is_none_or(|name| !name.starts_with('.') && !others.iter().any(|other| other == name))
}

/// The directories in a directory that may contain a site, sorted. Links are not followed.
pub(super) fn dirs_in(dir: &Path, tree: &Tree) -> Vec<PathBuf> {
    dirs_among(tree.entries(dir), tree)
}

/// The directories among the entries of one that may contain a site, sorted.
pub(super) fn dirs_among(entries: Vec<DirEntry>, tree: &Tree) -> Vec<PathBuf> {
    let mut dirs = Vec::new();
    for entry in entries {
        let kind = tree.note(&entry.path(), entry.file_type());
        if kind.is_ok_and(|kind| kind.is_dir()) && is_searched(&entry.file_name()) {
            dirs.push(entry.path());
        }
    }
    // Comparing paths takes ten times as long as comparing their bytes.
    dirs.sort_unstable_by(|left, right| left.as_os_str().cmp(right.as_os_str()));
    dirs
}
