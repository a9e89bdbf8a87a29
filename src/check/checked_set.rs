//! A set that is checked without a site: one sitemap, index or feed on disk, with the files that an index
//! names in its directory, or what a server publishes; and the texts of fetched files, to show the lines of
//! findings.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::entry_facts::{EntryRules, KeptPages, SetHome};
use super::existing::path_of;
use super::file_form::{CheckedFile, check_files};
use super::file_source::FileSource;
use super::live::LiveReport;
use super::set_facts::check_set;
use crate::files::tree::{self, Tree};
use crate::findings::{Finding, Findings, Subject};
use crate::survey::{ChildRule, SetFile};
use page_signals::readable_text;
use sitemaps::Now;
use sitemaps::gzip::decompressed;
use sitemaps::site_paths::SitePath;

/// Maximum number of bytes kept of all files together. The findings about further files have no lines.
const MAX_KEPT: usize = 128 << 20;

/// A set that was checked without a site.
#[derive(Debug)]
pub struct CheckedSet {
    /// The files that were read, roots first.
    pub files: Vec<CheckedFile>,
    /// URLs of sitemaps that were not read: they are elsewhere.
    pub absent: Vec<String>,
    /// Findings, ordered by file and place; those about links of `llms.txt` last.
    pub findings: Vec<Finding>,
    /// The result for the listed pages that were requested, if any should be.
    pub live: Option<LiveReport>,
    /// The texts of fetched files, which the places of findings refer to.
    pub texts: PublishedTexts,
}

/// Checks a file and those that it names in its directory.
///
/// A child that is not there is not a finding: an index may have been copied alone. Returns an
/// error if the file itself cannot be opened, or if the machine fails.
pub fn check_file(path: &Path, now: Now, pages: KeptPages) -> io::Result<CheckedSet> {
    tree::open(path)?;
    let (dir, findings) = (Tree::containing(path), Findings::default());
    let named_dir = path.parent().unwrap_or(Path::new(""));
    let source = |file: &SetFile| {
        let below = path_of(&file.place);
        // The path, as the user would name it.
        let subject = Subject::File(below.below_dir(named_dir), None);
        FileSource::in_dir(&dir, below, subject, &findings)
    };
    let name = path.file_name().unwrap_or_default();
    let root = SitePath::new(name.as_encoded_bytes());
    let children = ChildRule::InDirectory(dir.path());
    let mut files = check_files(
        children,
        [root],
        source,
        |_| EntryRules {
            home: SetHome::FirstUrl,
            dir: None,
            now,
            pages,
        },
        |_, _, _| (),
    );
    dir.check().map_err(io::Error::other)?;
    check_set(&mut files, &source, None);
    Ok(CheckedSet {
        absent: unread_children(&files[..1]).collect(),
        files,
        findings: findings.take_sorted(),
        live: None,
        texts: PublishedTexts::default(),
    })
}

/// The URLs of the sitemaps that indexes name and that were not read.
pub(super) fn unread_children(files: &[CheckedFile]) -> impl Iterator<Item = String> {
    files
        .iter()
        .flat_map(|file| &file.read.children)
        .filter(|child| child.file.is_none())
        .map(|child| child.loc.clone())
}

/// The texts of fetched files, by URL.
#[derive(Debug, Default)]
pub struct PublishedTexts {
    texts: BTreeMap<String, String>,
    kept: usize,
}

impl PublishedTexts {
    /// Keeps the text of a file, decompressed, if there is room for it.
    pub(in crate::check) fn keep(&mut self, url: &str, bytes: &[u8]) {
        let room = MAX_KEPT - self.kept;
        let mut unpacked = Vec::new();
        let Ok(input) = decompressed(bytes) else {
            return;
        };
        // The reader of sets reports an error of decompression; the text before it is kept.
        let complete = input.take(room as u64 + 1).read_to_end(&mut unpacked);
        if complete.is_ok() && unpacked.len() > room {
            self.kept = MAX_KEPT;
            return;
        }
        self.kept += unpacked.len().min(room);
        self.texts.insert(url.to_owned(), readable_text(unpacked));
    }

    /// The text of a file.
    pub fn of(&self, url: &str) -> Option<&str> {
        self.texts.get(url).map(String::as_str)
    }
}
