//! The memory of contents: what each page contained in the last build, and its date then.
//!
//! A file of JSON Lines. The first line has the version of the format, the version of the rules by
//! which contents are hashed, the base URL and the number of pages; each further line is a page. A build in
//! which no content and no date changes writes the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::io_failure::reading_hint;
use crate::files::tree;
use crate::findings::HintedError;
use sitemaps::site_paths::{SitePath, display_path};
use sitemaps::{LastMod, Now, ParsedDate};

/// The version of the file format.
const FORMAT: u32 = 1;

/// The version of the rules by which contents are hashed. Hashes of other rules say nothing.
const RULES: u32 = 1;

/// The contents of the pages in the last build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// The base URL of the site.
    pub(crate) base_url: String,
    /// Whether the hashes were made by the present rules.
    pub(crate) has_current_hashes: bool,
    /// The listed pages, by file.
    pub(crate) pages: BTreeMap<SitePath, RememberedPage>,
}

/// The content of a page, and its date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RememberedPage {
    pub(crate) content: ContentHash,
    pub(crate) lastmod: Option<LastMod>,
}

/// A hash of what a page is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentHash {
    /// Of its source and the files that this includes.
    Source(u64),
    /// Of its main text, for a page without a source.
    Text(u64),
}

/// The first line, of any version.
#[derive(Deserialize)]
struct HeadVersion {
    waypost_memory: u32,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct HeadLine {
    waypost_memory: u32,
    rules: u32,
    base_url: String,
    pages: usize,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PageLine<'t> {
    #[serde(borrow)]
    file: Cow<'t, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<HexHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<HexHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lastmod: Option<Cow<'t, str>>,
}

/// A hash as 16 digits.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
struct HexHash(u64);

impl TryFrom<String> for HexHash {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

impl From<HexHash> for String {
    fn from(hash: HexHash) -> Self {
        format!("{:016x}", hash.0)
    }
}

impl PageLine<'_> {
    /// Returns the content and the date of the page, or the mistake in the line.
    fn remembered(&self, now: Now) -> Result<RememberedPage, &'static str> {
        let content = match (&self.source, &self.text) {
            (Some(HexHash(hash)), None) => ContentHash::Source(*hash),
            (None, Some(HexHash(hash))) => ContentHash::Text(*hash),
            _ => return Err("it needs either `source` or `text`"),
        };
        let parsed = self.lastmod.as_ref().map(|text| LastMod::parse(text, now));
        if parsed == Some(ParsedDate::Unreadable) {
            return Err("`lastmod` is not a date");
        }
        // A date that cannot be true is that of a clock that was wrong in the last build.
        let lastmod = parsed.and_then(ParsedDate::date);
        Ok(RememberedPage { content, lastmod })
    }
}

impl Memory {
    /// Reads a memory; `None` if the file does not exist yet.
    pub(crate) fn read(path: &Path, now: Now) -> Result<Option<Self>, HintedError> {
        let read = tree::open(path).and_then(|mut file| {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut file, &mut bytes).map(|_| bytes)
        });
        let shown = display_path(path);
        match read {
            Ok(bytes) => Self::parse(&bytes, &shown, now).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(HintedError::new(
                format!("cannot read the memory of contents `{shown}`: {error}"),
                reading_hint(&error).unwrap_or("name another file"),
            )),
        }
    }

    /// Parses the content of a file, which errors call by its name.
    fn parse(bytes: &[u8], name: &str, now: Now) -> Result<Self, HintedError> {
        let damaged = |line: usize, reason: &dyn fmt::Display| {
            HintedError::new(
                format!("`{name}`, line {line}: not a line of a memory of contents: {reason}"),
                "restore the file, name another one, or remove it to begin anew without its dates",
            )
        };
        let mut lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
        let (_, first) = lines.next().expect("splitting gives at least one part");
        let version: HeadVersion =
            serde_json::from_slice(first).map_err(|error| damaged(1, &error))?;
        if version.waypost_memory > FORMAT {
            return Err(HintedError::new(
                format!("a newer version of waypost has written the memory of contents `{name}`"),
                "update waypost, or name another file",
            ));
        }
        let head: HeadLine = serde_json::from_slice(first).map_err(|error| damaged(1, &error))?;
        let mut pages = BTreeMap::new();
        let mut is_complete = false;
        for (number, line) in lines {
            // The last line ends with a line break, so what follows it is empty.
            is_complete = line.is_empty();
            if is_complete {
                continue;
            }
            let line: PageLine<'_> =
                serde_json::from_slice(line).map_err(|error| damaged(number, &error))?;
            let page = line.remembered(now).map_err(|why| damaged(number, &why))?;
            pages.insert(SitePath::from(&*line.file), page);
        }
        if !is_complete || pages.len() != head.pages {
            return Err(damaged(pages.len() + 1, &"the file is cut off"));
        }
        Ok(Self {
            base_url: head.base_url,
            has_current_hashes: head.rules == RULES,
            pages,
        })
    }

    /// The file of this memory.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let head = HeadLine {
            waypost_memory: FORMAT,
            rules: RULES,
            base_url: self.base_url.clone(),
            pages: self.pages.len(),
        };
        let mut bytes = json_line(&head);
        for (file, page) in &self.pages {
            let (source, text) = match page.content {
                ContentHash::Source(hash) => (Some(HexHash(hash)), None),
                ContentHash::Text(hash) => (None, Some(HexHash(hash))),
            };
            bytes.extend(json_line(&PageLine {
                file: file.to_text(),
                source,
                text,
                lastmod: page.lastmod.map(|date| date.to_string().into()),
            }));
        }
        bytes
    }
}

fn json_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("the lines have only texts and numbers");
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Now = Now(1_768_478_400);

    fn read(text: &str) -> Result<Option<Memory>, HintedError> {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("memory");
        std::fs::write(&file, text).expect("the file can be written");
        Memory::read(&file, NOW)
    }

    #[test]
    fn what_is_written_is_read() {
        let lastmod = match LastMod::parse("2024-05-06T07:08:09+02:00", NOW) {
            ParsedDate::Exact(date) => Some(date),
            _ => None,
        };
        let page = |content, lastmod| RememberedPage { content, lastmod };
        let memory = Memory {
            base_url: "https://example.com/".to_owned(),
            has_current_hashes: true,
            pages: BTreeMap::from([
                (
                    SitePath::from("a \"b\".html"),
                    page(ContentHash::Source(7), lastmod),
                ),
                (
                    SitePath::from("ü.html"),
                    page(ContentHash::Text(u64::MAX), None),
                ),
            ]),
        };
        let bytes = memory.to_bytes();
        let text = String::from_utf8(bytes).expect("JSON is UTF-8");
        assert_eq!(read(&text).expect("it can be read"), Some(memory));
        let cut_off = read(&text[..text.len() - 1]).expect_err("the last line is cut off");
        assert!(cut_off.to_string().contains("line 3"), "{cut_off}");
    }

    #[test]
    fn a_foreign_damaged_or_newer_file_is_an_error() {
        let check = |text: &str, expected: &str| {
            let error = read(text).expect_err("the file is wrong").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("", "line 1: not a line of a memory of contents");
        check("{\"name\":\"package\"}\n", "line 1");
        check(
            "{\"waypost_memory\":2,\"anything\":1}\n",
            "a newer version of waypost",
        );
        let head = "{\"waypost_memory\":1,\"rules\":1,\"base_url\":\"https://example.com/\",\"pages\":0}\n";
        check(
            &format!("{head}{{\"file\":\"a\"}}\n"),
            "line 2: not a line of a memory of contents: it needs either",
        );
        check(
            &format!("{head}{{\"file\":\"a\",\"text\":\"1\",\"source\":\"1\"}}\n"),
            "it needs either",
        );
        check(
            &format!("{head}{{\"file\":\"a\",\"text\":\"1\",\"lastmd\":\"2024-05-06\"}}\n"),
            "unknown field `lastmd`",
        );
        check(
            &format!("{head}{{\"file\":\"a\",\"text\":\"x\"}}\n"),
            "line 2",
        );
        check(
            &format!("{head}{{\"file\":\"a\",\"text\":\"1\",\"lastmod\":\"soon\"}}\n"),
            "is not a date",
        );
        let older = head.replace("\"rules\":1", "\"rules\":0");
        let memory = read(&older).expect("it can be read").expect("it exists");
        assert!(!memory.has_current_hashes);
    }
}
