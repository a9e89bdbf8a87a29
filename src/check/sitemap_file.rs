//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::checked_set::{CheckedSet, unread_children};
use super::entry_facts::{EntryFacts, EntryRules, KeptPages, SetHome};
use super::file_form::check_form;
use super::file_source::FileSource;
use super::published_texts::PublishedTexts;
use super::set_facts::check_set;
use sitemaps::Now;
use sitemaps::set::{ChildRule, FileRead, SetFile, SetPlace, SetWalk};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::{self, SitemapDir};
use sitemaps::site_paths::finding::Subject;

/// Checks a file and those that it names in its directory.
///
/// A child that is not there is not a finding: an index may have been copied alone. Returns an
/// error if the file itself cannot be opened, or if the machine fails.
pub fn check_file(path: &Path, now: Now, pages: KeptPages) -> io::Result<CheckedSet> {
    containment::open(path)?;
    let dir = SitemapDir::named_by_user(path.parent().unwrap_or(Path::new("")));
    let name = path.file_name().unwrap_or_default();
    let case = FileCheck {
        root: path,
        name: SitePath::new(name.as_encoded_bytes()),
        dir: &dir,
        now,
        pages,
    };
    let walk = SetWalk::new(ChildRule::InDirectory(dir.path()));
    let root = SetPlace::Below(case.name.clone());
    let mut files = walk.in_parallel([root], |walk, file| case.read(walk, file));
    dir.check_failures().map_err(io::Error::other)?;
    let tally = check_set(&mut files, &|file| case.source(file), None);
    Ok(CheckedSet {
        absent: unread_children(&files[..1]).collect(),
        files,
        findings: tally.into_findings(),
        texts: PublishedTexts::default(),
    })
}

/// The file that the user names, and what its check needs.
struct FileCheck<'a> {
    root: &'a Path,
    name: SitePath,
    dir: &'a SitemapDir,
    now: Now,
    pages: KeptPages,
}

impl FileCheck<'_> {
    /// The path of a file, as the user would name it.
    fn path_of(&self, file: &SetFile) -> PathBuf {
        match file.place.below() {
            Some(below) if *below != self.name => {
                below.below_dir(self.root.parent().unwrap_or(Path::new("")))
            }
            _ => self.root.to_owned(),
        }
    }

    /// Opens a file. The one that the user names may be a link to anywhere, its children may not.
    fn open(&self, file: &SetFile) -> io::Result<Box<dyn Read>> {
        let below = file.place.below().unwrap_or(&self.name);
        let is_root = *below == self.name;
        Ok(if is_root && self.dir.is_escaped_by(below) {
            Box::new(containment::open(self.root)?)
        } else {
            Box::new(self.dir.open(below)?)
        })
    }

    fn source(&self, file: &SetFile) -> FileSource<'_> {
        let (path, file) = (self.path_of(file), file.clone());
        FileSource::new(Subject::File(path, None), move || self.open(&file))
    }

    fn read(&self, walk: &SetWalk<'_>, file: &SetFile) -> (EntryFacts, FileRead) {
        let rules = EntryRules {
            home: SetHome::FirstUrl,
            dir: None,
            now: self.now,
            pages: self.pages,
        };
        let source = self.source(file);
        check_form(walk, file, &source, rules, &mut |_, _| ())
    }
}
