//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::checked_set::{CheckedSet, checked_files};
use super::entry_facts::{EntryFacts, EntryRules, KeptPages, SetHome};
use super::file_form::check_form;
use super::file_source::FileSource;
use super::published_texts::PublishedTexts;
use super::set_facts::check_set;
use sitemaps::Now;
use sitemaps::set::{ChildRule, FileRead, SetFile, SetPlace, SetWalk, Strictness};
use sitemaps::site_paths::HintedError;
use sitemaps::site_paths::containment::{self, SitemapDir};
use sitemaps::site_paths::finding::Subject;
use sitemaps::site_paths::{SitePath, display_path};

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
    let walk = SetWalk::new(ChildRule::InDirectory(dir.path()), Strictness::Lenient);
    let root = SetPlace::Below(case.name.clone());
    let walked = walk.in_parallel([root], |walk, file| case.read(walk, file));
    let mut walked = walked.map_err(|error| io::Error::other(error.to_string()))?;
    dir.check_failures().map_err(io::Error::other)?;
    let tally = check_set(&mut walked, &|file| case.source(file), None);
    let files = checked_files(walked, |file| {
        let path = case.path_of(file);
        (display_path(&path), Subject::File(path, None))
    });
    let children = files.iter().filter(|file| !file.is_child);
    let children = children.flat_map(|file| &file.children);
    let absent = children.filter(|child| child.file.is_none());
    Ok(CheckedSet {
        absent: absent.map(|child| child.loc.clone()).collect(),
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
        FileSource::new(
            display_path(&path),
            move |place| Subject::File(path.clone(), place),
            move || self.open(&file),
        )
    }

    fn read(
        &self,
        walk: &SetWalk<'_>,
        file: &SetFile,
    ) -> Result<(EntryFacts, FileRead), HintedError> {
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
