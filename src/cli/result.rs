//! What `build --json` prints: one object.

use std::collections::BTreeMap;

use serde::Serialize;

use super::findings::pointer;
use crate::finding::Level;
use crate::road::{Delivered, Ledger, Survey};

/// The result of a build.
#[derive(Debug, Serialize)]
pub(super) struct BuildResult<'a> {
    generator: Option<&'a str>,
    base_url: &'a str,
    output_dir: String,
    /// The pipeline whose preview this is, where nothing is written for that.
    preview: Option<&'a str>,
    pages: Pages,
    dates: BTreeMap<&'static str, usize>,
    files: Vec<FileResult>,
    removed: Vec<String>,
    changes: ChangeCounts,
    findings: Vec<FindingResult<'a>>,
}

#[derive(Debug, Serialize)]
struct Pages {
    found: usize,
    listed: usize,
    left_out: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Serialize)]
struct FileResult {
    path: String,
    urls: usize,
    bytes: usize,
    changed: bool,
}

#[derive(Debug, Serialize)]
struct ChangeCounts {
    added: usize,
    removed: usize,
    redated: usize,
}

#[derive(Debug, Serialize)]
struct FindingResult<'a> {
    code: &'static str,
    level: &'static str,
    message: &'a str,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> BuildResult<'a> {
    pub(super) fn new(survey: &'a Survey<'_>, ledger: &'a Ledger, delivered: &Delivered) -> Self {
        let files = delivered.placed.files.iter().chain(&delivered.placed.robots_txt).map(|file| FileResult {
            path: file.path.clone(),
            urls: file.urls,
            bytes: file.bytes,
            changed: file.changed,
        });
        let changes = &delivered.changes;
        Self {
            generator: survey.site.generator.map(|(name, _)| name),
            base_url: ledger.base.as_str(),
            output_dir: Survey::shown(&survey.output_dir),
            preview: survey.skipped_preview().map(|pipeline| pipeline.title.as_str()),
            pages: Pages { found: ledger.lines.len(), listed: ledger.listed(), left_out: ledger.left_out() },
            dates: ledger.dates(),
            files: files.collect(),
            removed: delivered.placed.removed.iter().map(ToString::to_string).collect(),
            changes: ChangeCounts {
                added: changes.added.len(),
                removed: changes.removed.len(),
                redated: changes.redated.len(),
            },
            findings: findings_of(survey, ledger),
        }
    }
}

fn findings_of<'a>(survey: &Survey<'_>, ledger: &'a Ledger) -> Vec<FindingResult<'a>> {
    let result = |finding: &'a crate::finding::Finding| {
        let level = survey.settings().levels.of(finding.code);
        let (file, line_column) = pointer(survey, finding);
        FindingResult {
            code: finding.code.name,
            level: Level::WORDS.iter().find(|(_, known)| *known == level).map_or("warn", |(word, _)| word),
            message: &finding.message,
            file,
            line: line_column.map(|(line, _)| line),
            column: line_column.map(|(_, column)| column),
        }
    };
    ledger.findings.iter().map(result).collect()
}
