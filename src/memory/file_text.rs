//! The text of the file: a header, one line per source, and a checksum.
//!
//! ```text
//! waypost-dates 1
//! # Written by `waypost build`: …
//! settings 0123456789abcdef
//! repository sha1 .
//! first 7fd1a60b01f91b314f59955a4e4d4e80d8edf11d
//! commit 553c2077f0edc3d5dc5d17262f6aa498e69d6f8e
//! 1700000000 +0100 553c2077f0edc3d5dc5d17262f6aa498e69d6f8e 100644 980a0d5f19a64b4b30a87d4206aade58726b60e3 content/a.md
//! - 100644 980a0d5f19a64b4b30a87d4206aade58726b60e3 content/b.md
//! checksum fedcba9876543210
//! ```
//!
//! Sources are sorted by path, so a change of one source changes its line, and those of the commit
//! and the checksum.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::error::MemoryError;
use super::settings_digest::digest;
use git_last_modified::{FileEntry, KnownFile, LastChange, ObjectId, RepositoryDates, Snapshot};

/// The version of this format.
const VERSION: u32 = 1;

const MAGIC: &str = "waypost-dates ";

const COMMENT: &str =
    "# Written by `waypost build`: do not edit or merge it, remove it to start again.";

/// The content of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MemoryText {
    /// The digest of the settings.
    pub(super) settings: String,
    pub(super) repositories: Vec<RepositorySection>,
}

/// The dates of one repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepositorySection {
    /// The root, relative to the site root, with `/` between names.
    pub(super) path: String,
    /// The dates; their root is `path`.
    pub(super) dates: RepositoryDates,
}

impl MemoryText {
    /// Parses the text of a file.
    pub(super) fn parse(text: &str, path: &Path) -> Result<Self, MemoryError> {
        let mut parser = LineParser {
            path,
            settings: None,
            repositories: Vec::new(),
            hash: "sha1",
        };
        let body = parser.checked_body(text)?;
        for (line, number) in body.lines().zip(1..) {
            parser
                .line(line, number)
                .map_err(|problem| parser.invalid(number, problem))?;
        }
        let Some(settings) = parser.settings.take() else {
            return Err(parser.invalid(1, "the line `settings` is missing"));
        };
        Ok(Self {
            settings,
            repositories: parser.repositories,
        })
    }

    /// Formats the text of a file. Equal dates give equal texts.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{MAGIC}{VERSION}\n{COMMENT}\nsettings {}\n", self.settings);
        for section in &self.repositories {
            section.write(&mut text);
        }
        let checksum = digest(text.as_bytes());
        push(&mut text, format_args!("checksum {checksum}\n"));
        text
    }
}

impl RepositorySection {
    fn write(&self, text: &mut String) {
        let dates = &self.dates;
        let Some(newest) = dates.snapshots.first() else {
            return;
        };
        let hash = match newest.commit.to_string().len() {
            64 => "sha256",
            _ => "sha1",
        };
        let path = escaped(self.path.as_bytes());
        push(text, format_args!("repository {hash} {path}\n"));
        if let Some(first) = dates.first_commit {
            push(text, format_args!("first {first}\n"));
        }
        for snapshot in &dates.snapshots {
            push(text, format_args!("commit {}\n", snapshot.commit));
            for (path, KnownFile { entry, change }) in &snapshot.files {
                match change {
                    Some(change) => {
                        let zone = zone(change.offset_minutes);
                        let (seconds, commit) = (change.seconds, change.commit);
                        push(text, format_args!("{seconds} {zone} {commit} "));
                    }
                    None => text.push_str("- "),
                }
                push(text, format_args!("{entry} {}\n", escaped(path)));
            }
        }
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line)
        .expect("writing to a string never fails");
}

/// Formats a UTC offset as Git does: `+0530`.
fn zone(minutes: i16) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}

fn parse_zone(text: &str) -> Option<i16> {
    let number: i16 = text
        .strip_prefix('+')
        .or(text.strip_prefix('-'))?
        .parse()
        .ok()?;
    let minutes = number / 100 * 60 + number % 100;
    Some(if text.starts_with('-') {
        -minutes
    } else {
        minutes
    })
}

/// Escapes the bytes of a path that are not plain UTF-8 text, and `%`.
fn escaped(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if letter.is_control() || letter == '%' {
                let mut bytes = [0; 4];
                letter.encode_utf8(&mut bytes);
                bytes[..letter.len_utf8()]
                    .iter()
                    .for_each(|byte| escape(*byte, &mut text));
            } else {
                text.push(letter);
            }
        }
        chunk
            .invalid()
            .iter()
            .for_each(|byte| escape(*byte, &mut text));
    }
    text
}

fn escape(byte: u8, text: &mut String) {
    push(text, format_args!("%{byte:02X}"));
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut path = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        path.push(u8::from_str_radix(digits, 16).ok()?);
        path.extend_from_slice(rest.as_bytes());
    }
    Some(path)
}

/// A parser that collects the sections.
struct LineParser<'p> {
    path: &'p Path,
    settings: Option<String>,
    repositories: Vec<RepositorySection>,
    /// The hash of the current repository's object ids.
    hash: &'static str,
}

impl LineParser<'_> {
    fn invalid(&self, line: usize, problem: &str) -> MemoryError {
        MemoryError::Invalid {
            path: self.path.to_owned(),
            line,
            problem: problem.to_owned(),
        }
    }

    /// Checks version and checksum; returns the text before the checksum.
    fn checked_body<'t>(&self, text: &'t str) -> Result<&'t str, MemoryError> {
        let version = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix(MAGIC));
        let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
        let is_marker = |line: &str| markers.iter().any(|marker| line.starts_with(marker));
        if let Some(at) = text.lines().position(is_marker) {
            return Err(self.invalid(at + 1, "a merge has left a conflict here"));
        }
        match version.and_then(|version| version.parse().ok()) {
            Some(VERSION) => {}
            Some(version) if version > VERSION => {
                let path = self.path.to_owned();
                return Err(MemoryError::Newer { path, version });
            }
            _ => return Err(self.invalid(1, "not a file of dates")),
        }
        let lines = text.lines().count();
        let last = text
            .strip_suffix('\n')
            .and_then(|text| text.rsplit_once('\n'));
        let Some((body, checksum)) =
            last.and_then(|(body, last)| Some((body, last.strip_prefix("checksum ")?)))
        else {
            return Err(self.invalid(lines, "the file ends early"));
        };
        let body = &text[..=body.len()];
        if digest(body.as_bytes()) != checksum {
            return Err(self.invalid(lines, "the file was changed after `build` wrote it"));
        }
        Ok(body)
    }

    fn line(&mut self, line: &str, number: usize) -> Result<(), &'static str> {
        if number == 1 || line.starts_with('#') {
            return Ok(());
        }
        let (key, rest) = line.split_once(' ').ok_or("an unknown line")?;
        match key {
            "settings" => self.settings = Some(rest.to_owned()),
            "repository" => self.repository(rest)?,
            "first" => self.section()?.first_commit = Some(self.id(rest)?),
            "commit" => {
                let commit = self.id(rest)?;
                self.section()?.snapshots.push(Snapshot {
                    commit,
                    files: BTreeMap::new(),
                });
            }
            _ => {
                let (path, file) = self.file(key, rest).ok_or("not a date of a source")?;
                let snapshots = &mut self.section()?.snapshots;
                let snapshot = snapshots.last_mut().ok_or("a source without a commit")?;
                snapshot.files.insert(path, file);
            }
        }
        Ok(())
    }

    fn repository(&mut self, rest: &str) -> Result<(), &'static str> {
        let (hash, path) = rest.split_once(' ').ok_or("a repository without a path")?;
        self.hash = match hash {
            "sha1" => "sha1",
            "sha256" => "sha256",
            _ => return Err("an unknown object format"),
        };
        let path = unescaped(path).and_then(|path| String::from_utf8(path).ok());
        let path = path.ok_or("not a path")?;
        self.repositories.push(RepositorySection {
            dates: RepositoryDates {
                root: PathBuf::from(&path),
                first_commit: None,
                snapshots: Vec::new(),
            },
            path,
        });
        Ok(())
    }

    fn section(&mut self) -> Result<&mut RepositoryDates, &'static str> {
        let section = self.repositories.last_mut();
        let section = section.ok_or("a line before the first repository")?;
        Ok(&mut section.dates)
    }

    fn id(&self, hex: &str) -> Result<ObjectId, &'static str> {
        let digits = if self.hash == "sha1" { 40 } else { 64 };
        let id = ObjectId::from_hex(hex.as_bytes()).filter(|_| hex.len() == digits);
        id.ok_or("not a commit hash")
    }

    /// Parses a source: the date and commit of its last change or `-`, mode, blob and path.
    fn file(&self, key: &str, rest: &str) -> Option<(Vec<u8>, KnownFile)> {
        let (change, rest) = if key == "-" {
            (None, rest)
        } else {
            let mut words = rest.splitn(3, ' ');
            let change = LastChange {
                seconds: key.parse().ok()?,
                offset_minutes: parse_zone(words.next()?)?,
                commit: self.id(words.next()?).ok()?,
                known_since: None,
            };
            (Some(change), words.next()?)
        };
        let (at, _) = rest.match_indices(' ').nth(1)?;
        let entry = FileEntry::parse(&rest[..at])?;
        Some((unescaped(&rest[at + 1..])?, KnownFile { entry, change }))
    }
}
