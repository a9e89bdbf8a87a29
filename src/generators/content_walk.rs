//! Lists the files below a content directory that may become pages, without opening them.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{ContentRoot, FrontMatter, Generator, ListedContentFile, Site};
use crate::files::tree::{LinkedDir, Tree};
use crate::findings::{Finding, Findings, Subject, code};
use sitemaps::site_paths::SitePath;

const OUTSIDE: &str = "this path leads outside the site and its repository, so it is not followed; \
                       pages made from it have no source";

const CHAINED_LINK: &str = "this symbolic link is in a directory that was reached through another \
                            one, so it is not followed; pages made from its target have no source";

/// Lists the content files below a root, sorted by name, and adds the links that are not followed. Remembers
/// a failure of the machine.
pub(super) fn walk<'r>(
    site: &Site,
    generator: &Generator,
    root: &'r ContentRoot<'r>,
    not_followed: &mut Vec<SitePath>,
    findings: &Findings,
) -> Vec<ListedContentFile<'r>> {
    let dir = site.root.join(&root.path);
    let tree = &site.tree;
    if tree.note_unknown(&dir, dir.metadata()).is_err() {
        return Vec::new();
    }
    if tree.is_escaped_by(&dir) {
        findings.add(outside(dir));
        return Vec::new();
    }
    let (mut listed, mut linked) = (Vec::new(), LinkedDir::default());
    let whole = WalkDir::new(&dir).follow_links(true).sort_by_file_name();
    let entries = tree.walk(whole, |entry| {
        if entry.depth() == 0 || !is_searched(entry, &site.output_dir) {
            return entry.depth() == 0;
        }
        let finding = link_finding(entry, tree, &mut linked);
        let is_followed = finding.is_none();
        if !is_followed {
            not_followed.extend(SitePath::below(&site.root, entry.path()));
        }
        findings.extend(finding);
        is_followed
    });
    for entry in entries {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                // Empty if the root is a single file. Its name in the content is then the mount
                // target, so the extension of that name counts.
                let below = SitePath::below(&dir, entry.path());
                listed.extend(below.and_then(|below| {
                    ListedContentFile::new(root, generator, entry.into_path(), &below)
                }));
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(&dir).to_owned();
                if let Ok(target) = path.read_link() {
                    let target = target.display();
                    let message =
                        format!("this symbolic link leads to `{target}`, which does not exist");
                    findings.add(unreadable(path, message).with_hint(
                        "if that is in a submodule, clone it: `git submodule update --init`",
                    ));
                    continue;
                }
                let message = format!(
                    "cannot read the content directory: {error}; pages made from it have no source"
                );
                findings.add(unreadable(path, message));
            }
        }
    }
    listed
}

fn outside(path: PathBuf) -> Finding {
    unreadable(path, OUTSIDE).with_hint(
        "move that directory into the site, or clone its repository there, for example as a submodule",
    )
}

fn unreadable(path: PathBuf, message: impl Into<String>) -> Finding {
    Finding::new(code::SOURCE_UNREADABLE, Subject::File(path, None), message)
}

/// Whether a walk enters a directory or reads a file: none that is hidden, nor the output directory or
/// `node_modules`.
fn is_searched(entry: &DirEntry, output_dir: &Path) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    !name.starts_with(b".") && name != b"node_modules" && entry.path() != output_dir
}

/// Reports a symbolic link that is not followed: out of the site, or from one linked directory to
/// another.
fn link_finding(entry: &DirEntry, tree: &Tree, linked: &mut LinkedDir) -> Option<Finding> {
    if entry.path_is_symlink() && tree.is_escaped_by(entry.path()) {
        return Some(outside(entry.path().to_owned()));
    }
    linked
        .is_further_link(entry)
        .then(|| Finding::new(code::FILE_SKIPPED, entry.path(), CHAINED_LINK))
}

impl<'r> ListedContentFile<'r> {
    /// A file at the path `below` a content root; `None` if it has no extension of content.
    pub(super) fn new(
        root: &'r ContentRoot<'r>,
        generator: &Generator,
        file: PathBuf,
        below: &SitePath,
    ) -> Option<Self> {
        let in_content = SitePath::joined(&root.mounted_at, below.as_bytes());
        let without_ending =
            in_content.as_bytes().len() - generator.ending_of(in_content.file_name())?;
        // The page of a file whose name is not UTF-8 is not known.
        let logical = String::from_utf8_lossy(&in_content.as_bytes()[..without_ending]);
        Some(Self {
            file,
            path: SitePath::joined(&root.path, below.as_bytes()),
            logical: logical.into_owned(),
            root,
            front_matter: FrontMatter::default(),
            include_calls: Vec::new(),
        })
    }
}
