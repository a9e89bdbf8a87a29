//! The data of a report, as JSON that is safe in a `<script>` element: a row for each page.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::contents::Report;
use super::escaping::escape_for_script;
use crate::findings::Subject;
use crate::pages::Page;
use sitemaps::LastMod;
use sitemaps::site_paths::SitePath;

/// A page: path below the base URL, file, reason, date in seconds, origin of the date, source file,
/// evidence, commit, changed file.
///
/// The origin of a date that is missing is the reason for its absence. A file that follows from the
/// path is omitted, and so is a changed file that is the source.
#[derive(Serialize)]
struct PageRow<'a>(
    &'a str,
    Option<String>,
    Option<&'static str>,
    Option<i64>,
    &'static str,
    Option<String>,
    Option<&'a str>,
    Option<String>,
    Option<String>,
);

/// What follows the rows of the pages.
#[derive(Serialize)]
struct DataTail<'a> {
    base: &'a str,
    /// The number of findings about each file that has any.
    flagged: BTreeMap<String, usize>,
}

/// Writes the data of a report as JSON, page by page, so that they are never in memory a second time.
pub(super) fn write_data(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"pages\":[")?;
    for (at, page) in report.inventory.pages.iter().enumerate() {
        let row = serde_json::to_string(&row(report, page))?;
        out.write_all(if at == 0 { b"" } else { b",\n" })?;
        out.write_all(escape_for_script(&row).as_bytes())?;
    }
    let mut flagged = BTreeMap::new();
    for (_, finding) in report.shown_findings() {
        if let Subject::Page(file, _) = &finding.subject {
            *flagged.entry(file.to_text().into_owned()).or_insert(0) += finding.count;
        }
    }
    let base = report.inventory.base().as_str();
    let tail = serde_json::to_string(&DataTail { base, flagged })?;
    out.write_all(b"],")?;
    out.write_all(escape_for_script(tail.trim_start_matches('{')).as_bytes())
}

fn row<'a>(report: Report<'a>, page: &'a Page) -> PageRow<'a> {
    let base = report.inventory.base();
    let path = base.path_below(&page.url).unwrap_or_default();
    let file = page.file.to_text();
    let exclusion = page.verdict.exclusion();
    let (site, output_dir) = (&report.loaded.site, report.loaded.output_dir());
    let source = page.source_path(site, output_dir);
    let changed = page
        .dated_by(site, output_dir)
        .filter(|changed| Some(changed) != source.as_ref());
    let text = |path: SitePath| path.to_text().into_owned();
    PageRow(
        path,
        (!follows(path, &file)).then(|| file.into_owned()),
        exclusion.map(|exclusion| exclusion.reason.code.name),
        page.lastmod.map(LastMod::seconds),
        page.dated.as_str(),
        source.map(text),
        exclusion.map(|exclusion| exclusion.evidence.as_str()),
        page.dated.commit().map(|change| change.commit.to_string()),
        changed.map(text),
    )
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
