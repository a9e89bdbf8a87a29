//! A set that was checked without a site: its files, what their indexes name, and the findings.

use std::collections::BTreeMap;

use super::entry_facts::EntryFacts;
use super::published_texts::PublishedTexts;
use sitemaps::LastMod;
use sitemaps::set::{SetFile, SitemapFileKind, WalkedFile};
use sitemaps::site_paths::finding::{Finding, Place, Subject};

/// A set that was checked.
#[derive(Debug)]
pub struct CheckedSet {
    /// The files that were read, roots first.
    pub files: Vec<CheckedFile>,
    /// URLs of sitemaps that were not read: they are elsewhere.
    pub absent: Vec<String>,
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
    /// The texts of fetched files, which the places of findings refer to.
    pub texts: PublishedTexts,
}

/// A file of a set.
#[derive(Debug)]
pub struct CheckedFile {
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
    /// The newest date of its entries.
    pub newest: Option<LastMod>,
    /// The URLs of its pages, if they are kept.
    pub pages: Vec<Box<str>>,
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

/// The files of a walk, in their order. `named` gives the name of a file and its subject.
pub(super) fn checked_files(
    walked: Vec<WalkedFile<EntryFacts>>,
    named: impl Fn(&SetFile) -> (String, Subject),
) -> Vec<CheckedFile> {
    let places = walked.iter().map(|one| one.file.place.clone());
    let numbers: BTreeMap<_, _> = places.zip(0..).collect();
    let files = walked.into_iter().map(|WalkedFile { file, read, value }| {
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
            newest: value.newest,
            pages: value.pages,
        }
    });
    files.collect()
}
