//! Decides whether the file of the IndexNow key may be written.

use std::fs;
use std::path::Path;

use crate::files::tree;
use crate::findings::{Finding, Findings, Subject, code};
use crate::settings::{SubmitKey, SubmitSettings};
use sitemaps::Plan;

/// Maximum size of a key file: a key has up to 128 characters.
const MAX_KEY_FILE: u64 = 1_024;

/// Returns the IndexNow key if its file may be written: the file never replaces another file.
pub(crate) fn key_to_write<'s>(
    submit: &'s SubmitSettings,
    output_dir: &Path,
    plan: &Plan,
    findings: &Findings,
) -> Option<&'s SubmitKey> {
    let written = submit.key.as_ref();
    let key = written.filter(|_| submit.key_location.is_none())?;
    let name = key.file_name();
    let path = output_dir.join(&name);
    let what = if plan.has_name_of_set(&name) {
        "has the name of a sitemap"
    } else if path.symlink_metadata().is_ok()
        && !tree::read_text(&path, tree::MAX_FILE_BYTES)
            .is_ok_and(|text| text.trim() == key.as_str())
    {
        "has the name of another file of the site"
    } else {
        return Some(key);
    };
    let message = format!("the key file for `submit.key` {what}, so it is not written");
    let finding = Finding::new(code::SUBMIT_KEY_UNUSABLE, Subject::Site, message);
    findings.add(finding.with_hint("use another key"));
    None
}

/// The key whose file is in a directory: `KEY.txt` with the key as its only text.
pub fn published_key(dir: &Path) -> Option<SubmitKey> {
    let mut names: Vec<_> = fs::read_dir(dir).ok()?.flatten().collect();
    names.sort_by_key(fs::DirEntry::file_name);
    names.iter().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let key = SubmitKey::parse(name.strip_suffix(".txt")?)?;
        let text = tree::read_text(&entry.path(), MAX_KEY_FILE).ok()?;
        (text.trim() == key.as_str()).then_some(key)
    })
}
