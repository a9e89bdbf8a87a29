//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::checked_set::{CheckedFile, checked_files};
use super::entry_facts::{EntryFacts, EntryRules, SetHome};
use super::file_form::check_form;
use super::file_source::FileSource;
use super::set_facts::check_set;
use sitemaps::set::{
    ChildRule, FileRead, SetFile, SetPlace, SetProblem, SetWalk, Strictness, WalkedFile,
};
use sitemaps::site_paths::containment::{self, SitemapDir};
use sitemaps::site_paths::finding::{Finding, Subject};
use sitemaps::site_paths::{SitePath, display_path};
use sitemaps::{ListedEntry, Now};

/// A file and those that it names, with their findings.
#[derive(Debug)]
pub struct CheckedSet<T> {
    /// The files that were read, the named one first.
    pub files: Vec<CheckedFile<T>>,
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
}

/// Checks a file and those that it names in its directory. Each listed page is passed to `visit`
/// with the value of its file.
///
/// A child that is not there is not a finding: an index may have been copied alone. Returns an
/// error if the file itself cannot be opened, or if the machine fails.
pub fn check_file<T: Default + Send>(
    path: &Path,
    now: Now,
    visit: impl Fn(&mut T, &ListedEntry) + Sync,
) -> io::Result<CheckedSet<T>> {
    containment::open(path)?;
    let dir = SitemapDir::named_by_user(path.parent().unwrap_or(Path::new("")));
    let name = path.file_name().unwrap_or_default();
    let case = FileCheck {
        root: path,
        name: SitePath::new(name.as_encoded_bytes()),
        dir: &dir,
        now,
    };
    let walk = SetWalk::new(ChildRule::InDirectory(dir.path()), Strictness::Lenient);
    let root = SetPlace::Below(case.name.clone());
    let walked = walk.in_parallel([root], |walk, file| {
        let mut pages = T::default();
        let (facts, read) = case.read(walk, file, &mut |listed| visit(&mut pages, listed))?;
        Ok::<_, SetProblem>(((facts, pages), read))
    });
    let walked = walked.map_err(io::Error::other)?;
    dir.check_failures().map_err(io::Error::other)?;
    let (mut walked, pages): (Vec<WalkedFile<EntryFacts>>, Vec<T>) =
        walked.into_iter().map(WalkedFile::split).unzip();
    let tally = check_set(&mut walked, &|file| case.source(file), None);
    let files = checked_files(walked, pages, |file| {
        let path = case.path_of(file);
        (display_path(&path), Subject::File(path, None))
    });
    let findings = tally.into_findings();
    Ok(CheckedSet { files, findings })
}

/// The file that the user names, and what its check needs.
struct FileCheck<'a> {
    root: &'a Path,
    name: SitePath,
    dir: &'a SitemapDir,
    now: Now,
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
        FileSource {
            name: display_path(&path),
            subject: Box::new(move |place| Subject::File(path.clone(), place)),
            open: Box::new(move || self.open(&file)),
        }
    }

    fn read(
        &self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<(EntryFacts, FileRead), SetProblem> {
        let rules = EntryRules {
            home: SetHome::FirstUrl,
            dir: None,
            now: self.now,
        };
        let source = self.source(file);
        check_form(walk, file, &source, rules, &mut |listed, _| visit(listed))
    }
}
