//! The data of a report, as JSON that is safe in a `<script>` element.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::contents::Report;
use super::escaping::escape_for_script;
use super::page_rows::write_rows;
use sitemaps::site_paths::finding::Subject;

/// What follows the rows of the pages.
#[derive(Serialize)]
struct DataTail<'a> {
    base: &'a str,
    /// The number of findings about each file that has any.
    flagged: BTreeMap<String, usize>,
}

/// Writes the data of a report. Its pages are never in memory a second time.
pub(super) fn write_data(report: Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"pages\":")?;
    write_rows(report, out)?;
    let tail = DataTail {
        base: report.inventory.base.as_str(),
        flagged: flagged_files(report),
    };
    let tail = serde_json::to_string(&tail)?;
    out.write_all(b",")?;
    out.write_all(escape_for_script(tail.trim_start_matches('{')).as_bytes())
}

/// Counts the findings of each file of the output.
fn flagged_files(report: Report<'_>) -> BTreeMap<String, usize> {
    let mut files = BTreeMap::new();
    for (_, finding) in report.shown_findings() {
        if let Subject::Page(file, _) = &finding.subject {
            *files.entry(file.to_text().into_owned()).or_insert(0) += finding.count;
        }
    }
    files
}
