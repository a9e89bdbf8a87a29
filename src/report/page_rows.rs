//! The rows of a report's data: one per page, written one after the other.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use serde::Serialize;

use super::contents::Report;
use super::escaping::escape_for_script;
use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use git_last_modified::ObjectId;
use site_paths::SitePath;
use sitemaps::LastMod;

/// A page: path below the base URL, file, reason, date in seconds, origin of the date, source file,
/// evidence, commit, changed file.
///
/// The reason, the origin and the commit are indices into tables, `-1` for none. The origin of a
/// date that is missing is the reason for its absence. For text, `0` means none, or that it follows
/// from the path or the source.
#[derive(Serialize)]
struct PageRow<'a>(
    &'a str,
    TextOrZero<'a>,
    i64,
    Option<i64>,
    i64,
    TextOrZero<'a>,
    TextOrZero<'a>,
    i64,
    TextOrZero<'a>,
);

/// A text, or `0` for none.
#[derive(Serialize)]
#[serde(untagged)]
enum TextOrZero<'a> {
    None(u8),
    Some(Cow<'a, str>),
}

impl<'a> From<Option<Cow<'a, str>>> for TextOrZero<'a> {
    fn from(text: Option<Cow<'a, str>>) -> Self {
        text.map_or(Self::None(0), Self::Some)
    }
}

/// The tables that rows refer to.
#[derive(Default)]
pub(super) struct RowTables {
    pub(super) reasons: NumberedNames,
    pub(super) origins: NumberedNames,
    pub(super) commits: NumberedCommits,
}

/// A table of names, referred to by index.
#[derive(Default)]
pub(super) struct NumberedNames {
    pub(super) names: Vec<&'static str>,
    numbers: BTreeMap<&'static str, i64>,
}

impl NumberedNames {
    fn number(&mut self, name: &'static str) -> i64 {
        let next = index(self.names.len());
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        })
    }
}

/// A table of commits, referred to by index: pages that one commit changed share it.
#[derive(Default)]
pub(super) struct NumberedCommits {
    pub(super) commits: Vec<ObjectId>,
    numbers: HashMap<ObjectId, i64>,
}

impl NumberedCommits {
    fn number(&mut self, commit: ObjectId) -> i64 {
        let next = index(self.commits.len());
        *self.numbers.entry(commit).or_insert_with(|| {
            self.commits.push(commit);
            next
        })
    }
}

fn index(at: usize) -> i64 {
    i64::try_from(at).expect("a table fits into memory")
}

/// Writes the rows of all pages as a JSON array, and returns the tables that they refer to.
pub(super) fn write_rows(report: Report<'_>, out: &mut dyn Write) -> io::Result<RowTables> {
    let mut tables = RowTables::default();
    out.write_all(b"[")?;
    for (at, page) in report.inventory.pages.iter().enumerate() {
        let row = serde_json::to_string(&row(report, page, &mut tables))?;
        out.write_all(if at == 0 { b"" } else { b",\n" })?;
        out.write_all(escape_for_script(&row).as_bytes())?;
    }
    out.write_all(b"]")?;
    Ok(tables)
}

fn row<'a>(report: Report<'a>, page: &'a InventoryPage, tables: &mut RowTables) -> PageRow<'a> {
    let path = report.inventory.base.path_below(&page.url);
    let path = path.unwrap_or_default();
    let file = page.file.to_text();
    let (reason, evidence) = match &page.verdict {
        Verdict::Listed => (-1, None),
        Verdict::Excluded(exclusion) => (
            tables.reasons.number(exclusion.reason.code.name),
            Some(report.local_paths.relative(&exclusion.evidence)),
        ),
    };
    let (site, output_dir) = (&report.loaded.site, report.loaded.output_dir());
    let source = page.source_path(site, output_dir);
    let changed = page.dated_by(site, output_dir);
    let changed = changed.filter(|changed| Some(changed) != source.as_ref());
    let commit = page.dated.commit().map(|change| change.commit);
    PageRow(
        path,
        (!follows(path, &file)).then_some(file).into(),
        reason,
        page.lastmod.map(LastMod::seconds),
        tables.origins.number(page.dated.as_str()),
        source.as_ref().map(owned_text).into(),
        evidence.into(),
        commit.map_or(-1, |commit| tables.commits.number(commit)),
        changed.as_ref().map(owned_text).into(),
    )
}

fn owned_text(path: &SitePath) -> Cow<'static, str> {
    path.to_text().into_owned().into()
}

/// Whether the file of a page is the one that its path names.
fn follows(path: &str, file: &str) -> bool {
    file.strip_prefix(path).is_some_and(|rest| {
        if path.is_empty() || path.ends_with('/') {
            rest == "index.html"
        } else {
            rest.is_empty()
        }
    })
}
