//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::collections::HashSet;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::conformance::{ParsedSitemap, check_conformance};
use super::dates::DateProblem;
use super::tally::FindingTally;
use site_paths::containment::{self, SitemapDir};
use site_paths::finding::{Finding, Subject, code, quoted};
use site_paths::{MAX_URL_CHARS, PageUrl, SitePath, display_path};
use sitemaps::feed_form::detect_format;
use sitemaps::gzip::decompressed;
use sitemaps::set::{
    FileRead, SetFile, SetPlace, SetWalk, SitemapFileKind, Tolerances, WalkedFile,
};
use sitemaps::{EntryExtent, ListedEntry, Now, SitemapListing};

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
    /// The number of entries; those of a feed are not counted.
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
    ) -> Result<(FindingTally, FileRead), sitemaps::set::SetProblem> {
        let path = self.path_of(file);
        let mut entries = EntryForms::new(&path, self.now);
        let mut listing = SitemapListing::Pages;
        let read = walk.read(
            file,
            self.open(file),
            EntryExtent::Urls,
            &mut |kind, listed| {
                listing = kind;
                entries.see(listed);
            },
        )?;
        let mut tally = entries.tally;
        if file.parent.is_some() && listing == SitemapListing::Sitemaps {
            tally.add(nested(&path));
        }
        let findings = if matches!(read.kind, SitemapFileKind::Feed(_)) {
            self.broken_feed(file, &path).into_iter().collect()
        } else {
            let seen = ParsedSitemap {
                name: &display_path(&path),
                subject: &|place| Subject::File(path.clone(), place),
                listing,
                entries: read.entries,
                is_complete: read.error.is_none(),
            };
            check_conformance(self.open(file), &seen)
        };
        for finding in findings {
            tally.add(finding);
        }
        Ok((tally, read))
    }

    /// The finding about a feed that feed readers cannot read to its end.
    fn broken_feed(&self, file: &SetFile, path: &Path) -> Option<Finding> {
        let unpacked = self.open(file).and_then(decompressed);
        let error = match unpacked {
            Ok(input) => detect_format(BufReader::new(input)).err()?.to_string(),
            Err(error) => error.to_string(),
        };
        let message = format!("the feed `{}`: {error}", display_path(path));
        let subject = Subject::File(path.to_owned(), None);
        Some(Finding::new(code::FEED_BROKEN, subject, message))
    }
}

fn nested(path: &Path) -> Finding {
    let message = format!(
        "`{}` is an index itself, and an index may not name another",
        display_path(path)
    );
    let subject = Subject::File(path.to_owned(), None);
    Finding::new(code::SITEMAP_NESTED_INDEX, subject, message)
        .with_hint("name the sitemaps of that index instead")
}

/// Checks the entries of one file.
struct EntryForms<'a> {
    path: &'a Path,
    now: Now,
    seen: HashSet<Box<str>>,
    last_date: String,
    tally: FindingTally,
}

impl<'a> EntryForms<'a> {
    fn new(path: &'a Path, now: Now) -> Self {
        Self {
            path,
            now,
            seen: HashSet::new(),
            last_date: String::new(),
            tally: FindingTally::default(),
        }
    }

    fn see(&mut self, listed: &ListedEntry) {
        let subject = || Subject::File(self.path.to_owned(), Some(listed.place));
        let loc = listed.loc.as_str();
        let is_web = |url: &url::Url| PageUrl::from_url(url).is_ok();
        if !url::Url::parse(loc).as_ref().is_ok_and(is_web) {
            let message = || format!("`{}` is not an absolute http or https URL", quoted(loc));
            let hint = "use the full URL, with scheme and host";
            self.tally
                .report(code::LOC_INVALID, subject(), message, hint);
        } else if !self.seen.insert(loc.into()) {
            let message = || format!("`{}` is listed twice", quoted(loc));
            let hint = "list each URL once";
            self.tally.report(code::LOC_TWICE, subject(), message, hint);
        }
        let chars = loc.chars().count();
        if chars > MAX_URL_CHARS {
            let message = || format!("a URL has {chars} characters; the limit is 2,047");
            let hint = "shorten the URL of the page";
            self.tally
                .report(code::LOC_TOO_LONG, subject(), message, hint);
        }
        let date = listed.lastmod.as_str();
        if date.is_empty() || date == self.last_date {
            return;
        }
        if let Some(problem) = DateProblem::of(date, self.now) {
            let message = || problem.message(date);
            self.tally
                .report(problem.code(), subject(), message, problem.hint());
        }
        date.clone_into(&mut self.last_date);
    }
}
