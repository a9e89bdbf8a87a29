//! Checks one sitemap, index or feed, and the files that an index names in its directory, without a
//! site: their form, their URLs and their dates.

use std::io;
use std::path::Path;

use super::entry_facts::{EntryRules, KeptPages, SetHome};
use super::existing::path_of;
use super::file_form::check_files;
use super::file_source::FileSource;
use super::published_texts::PublishedTexts;
use super::set_facts::{CheckedSet, check_set, unread_children};
use crate::files::tree::{self, Tree};
use crate::findings::{Findings, Subject};
use crate::survey::{ChildRule, SetFile};
use sitemaps::Now;
use sitemaps::site_paths::SitePath;

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
    let rules = |_: &SetFile| EntryRules {
        home: SetHome::FirstUrl,
        dir: None,
        now,
        pages,
    };
    let mut files = check_files(children, [root], source, rules, |_, _, _| ());
    dir.check().map_err(io::Error::other)?;
    check_set(&mut files, &source, None);
    Ok(CheckedSet {
        absent: unread_children(&files[..1]).collect(),
        files,
        findings: findings.take_sorted(),
        texts: PublishedTexts::default(),
    })
}
