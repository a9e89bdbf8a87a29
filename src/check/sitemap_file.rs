//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file_form::{FileSource, check_form};
use super::tally::FindingTally;
use site_paths::containment::{self, SitemapDir};
use site_paths::finding::{Finding, Subject, code};
use site_paths::{SitePath, display_path};
use sitemaps::Now;
use sitemaps::set::{
    FileRead, SetFile, SetPlace, SetProblem, SetWalk, SitemapFileKind, Tolerances, WalkedFile,
};

/// A file and those that it names, with their findings.
#[derive(Debug)]
pub struct CheckedSet {
    /// The files that were read, the named one first.
    pub files: Vec<CheckedFile>,
    /// URLs of sitemaps that the index names, but that are not in its directory.
    pub absent: Vec<String>,
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
}

/// A file of a set.
#[derive(Debug)]
pub struct CheckedFile {
    /// Its path.
    pub path: PathBuf,
    /// Its kind by its content.
    pub kind: SitemapFileKind,
    /// The number of entries.
    pub entries: usize,
}

/// Checks a file and those that it names in its directory.
///
/// A child that is not there is not a finding: an index may have been copied alone. Returns an
/// error if the file itself cannot be opened, or if the machine fails.
pub fn check_file(path: &Path, now: Now) -> io::Result<CheckedSet> {
    containment::open(path)?;
    let dir = SitemapDir::named_by_user(path.parent().unwrap_or(Path::new("")));
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let case = FileCheck {
        root: path,
        name: SitePath::new(name),
        dir: &dir,
        now,
    };
    let root = [SetPlace::Below(case.name.clone())];
    let walk = SetWalk::new(Tolerances::of_file(dir.path()));
    let walked = walk.in_parallel(root, |walk, file| case.read(walk, file));
    let walked = walked.map_err(io::Error::other)?;
    dir.check_failures().map_err(io::Error::other)?;
    let mut tally = FindingTally::default();
    let mut set = CheckedSet {
        files: Vec::new(),
        absent: Vec::new(),
        findings: Vec::new(),
    };
    for WalkedFile { file, read, value } in walked {
        let path = case.path_of(&file);
        tally.absorb(value);
        let absent = read
            .children
            .into_iter()
            .filter(|child| child.file.is_err());
        if file.parent.is_none() {
            set.absent.extend(absent.map(|child| child.loc));
        }
        set.files.push(CheckedFile {
            path,
            kind: read.kind,
            entries: read.entries,
        });
    }
    set.findings = tally.into_findings();
    Ok(set)
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

    fn read(
        &self,
        walk: &SetWalk<'_>,
        file: &SetFile,
    ) -> Result<(FindingTally, FileRead), SetProblem> {
        let path = self.path_of(file);
        let source = FileSource {
            name: &display_path(&path),
            subject: &|place| Subject::File(path.clone(), place),
            open: &|| self.open(file),
        };
        let (mut tally, read) = check_form(walk, file, &source, self.now, &mut |_| ())?;
        if file.parent.is_some() && read.kind == SitemapFileKind::Index {
            tally.add(nested(&path));
        }
        Ok((tally, read))
    }
}

fn nested(path: &Path) -> Finding {
    let message = format!(
        "`{}` is an index itself, and an index may not name another",
        display_path(path)
    );
    let subject = Subject::File(path.to_owned(), None);
    Finding::new(code::SITEMAP_MISSING, subject, message)
        .with_hint("name the sitemaps of that index instead")
}
