//! The data of a report, as JSON that is safe in a `<script>` element.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::contents::Report;
use super::data_format::DATA_VERSION;
use super::escaping::escape_for_script;
use super::finding_groups::FindingGroup;
use super::page_rows::write_rows;
use crate::site::ForgePages;
use site_paths::finding::Subject;

/// What precedes the rows of the pages.
#[derive(Serialize)]
struct DataHead<'a> {
    version: u32,
    base: &'a str,
    /// The time of the report, in seconds.
    made: i64,
}

/// What follows the rows of the pages: among others, the tables that they refer to.
#[derive(Serialize)]
struct DataTail<'a> {
    reasons: &'a [&'static str],
    about: BTreeMap<&'static str, String>,
    origins: &'a [&'static str],
    commits: Vec<String>,
    forge: Option<&'a ForgePages>,
    findings: Vec<FindingCount>,
    /// The number of findings about each file that has any.
    flagged: BTreeMap<String, usize>,
}

/// The number of findings of a code.
#[derive(Serialize)]
struct FindingCount {
    code: &'static str,
    level: &'static str,
    count: usize,
}

/// Writes the data of a report. Its pages are never in memory a second time.
pub(super) fn write_data(
    report: Report<'_>,
    groups: &[FindingGroup],
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = DataHead {
        version: DATA_VERSION,
        base: report.inventory.base.as_str(),
        made: report.loaded.now.0,
    };
    let head = serde_json::to_string(&head)?;
    out.write_all(escape_for_script(head.trim_end_matches('}')).as_bytes())?;
    out.write_all(b",\"pages\":")?;
    let tables = write_rows(report, out)?;
    let commits = tables.commits.commits.iter();
    let tail = DataTail {
        reasons: &tables.reasons.names,
        about: reason_descriptions(),
        origins: &tables.origins.names,
        commits: commits.map(ToString::to_string).collect(),
        forge: report.forge,
        findings: groups.iter().map(count_of).collect(),
        flagged: flagged_files(report),
    };
    let tail = serde_json::to_string(&tail)?;
    out.write_all(b",")?;
    out.write_all(escape_for_script(tail.trim_start_matches('{')).as_bytes())
}

fn count_of(group: &FindingGroup) -> FindingCount {
    FindingCount {
        code: group.code.name,
        level: group.level.as_str(),
        count: group.count,
    }
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

/// The description of each reason.
fn reason_descriptions() -> BTreeMap<&'static str, String> {
    crate::decide::REASONS
        .iter()
        .map(|reason| (reason.code.name, reason.code.description()))
        .collect()
}
