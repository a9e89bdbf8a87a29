//! A set that was checked without a site: its files, what their indexes name, and the findings.

use std::collections::BTreeMap;

use sitemaps::set::{SetFile, SitemapFileKind, WalkedFile};
use sitemaps::site_paths::finding::{Place, Subject};

/// A file of a set.
#[derive(Debug)]
pub struct CheckedFile<T> {
    /// Its path or URL, as the user would name it.
    pub name: String,
    /// The subject of findings about all of it.
    pub subject: Subject,
    /// Its kind by its content.
    pub kind: SitemapFileKind,
    /// The number of entries.
    pub entries: usize,
    /// Whether an index of the set names it.
    pub is_child: bool,
    /// The sitemaps that it names.
    pub children: Vec<CheckedChild>,
    /// The caller's value, made from its pages.
    pub pages: T,
}

/// A sitemap that an index names.
#[derive(Debug)]
pub struct CheckedChild {
    /// Its URL, as written.
    pub loc: String,
    /// Where the index names it.
    pub place: Place,
    /// Its number among the files of the set; `None` if it was not read.
    pub file: Option<usize>,
}

/// The files of a walk, in their order, with the caller's values. `named` gives the name of a file
/// and its subject.
pub(super) fn checked_files<T, F>(
    walked: Vec<WalkedFile<F>>,
    pages: Vec<T>,
    named: impl Fn(&SetFile) -> (String, Subject),
) -> Vec<CheckedFile<T>> {
    let places = walked.iter().map(|one| one.file.place.clone());
    let numbers: BTreeMap<_, _> = places.zip(0..).collect();
    let files = walked.into_iter().zip(pages);
    let files = files.map(|(WalkedFile { file, read, .. }, pages)| {
        let (name, subject) = named(&file);
        let children = read.children.into_iter().map(|child| CheckedChild {
            file: child
                .file
                .ok()
                .and_then(|place| numbers.get(&place).copied()),
            loc: child.loc,
            place: child.place,
        });
        CheckedFile {
            name,
            subject,
            kind: read.kind,
            entries: read.entries,
            is_child: file.parent.is_some(),
            children: children.collect(),
            pages,
        }
    });
    files.collect()
}
