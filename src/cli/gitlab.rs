//! Findings as a GitLab Code Quality report, which merge requests show.
//!
//! The format is the part of Code Climate's that GitLab documents ("Code Quality report format"):
//! an array of objects, each with `description`, `check_name`, `fingerprint`, `severity`,
//! `location.path` and `location.lines.begin`. All of them are required, and paths are relative to
//! the repository without `./`.

use std::path::Path;

use serde::Serialize;

use super::findings::PlaceResolver;
use super::fingerprints::Fingerprints;
use super::github_step::StepFindings;
use super::sarif::message;
use super::workspace_paths::workspace_path;
use site_paths::finding::{Finding, Level};

/// A finding as GitLab reads it.
#[derive(Debug, Serialize)]
pub(super) struct QualityIssue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: usize,
}

/// Returns the findings that are not allowed. One about the whole site or a directory is located in
/// `settings`, the file in which the site is configured, because GitLab requires a file.
pub(super) fn issues(
    reported: &StepFindings<'_>,
    settings: &str,
    pointers: &mut PlaceResolver<'_>,
) -> Vec<QualityIssue> {
    let mut fingerprints = Fingerprints::default();
    let shown = reported.findings.iter().filter_map(|finding| {
        let severity = match reported.levels.level_of(finding.code) {
            Level::Allow => return None,
            Level::Note => "info",
            Level::Warn => "minor",
            Level::Deny => "major",
        };
        Some((severity, finding))
    });
    shown
        .map(|(severity, finding)| {
            let location = locate(reported, finding, settings, pointers);
            QualityIssue {
                description: message(finding),
                check_name: finding.code.name,
                fingerprint: fingerprints.of(finding, &location.path),
                severity,
                location,
            }
        })
        .collect()
}

/// The source of the page that a finding is about, because only the source is in the repository;
/// otherwise the file itself.
fn locate(
    reported: &StepFindings<'_>,
    finding: &Finding,
    settings: &str,
    pointers: &mut PlaceResolver<'_>,
) -> Location {
    let source = reported
        .inventory
        .and_then(|inventory| pointers.source_of(inventory, finding));
    let (path, begin) = match source {
        Some(source) => (source, 1),
        None => match pointers.resolve(finding) {
            (Some(file), place) if !Path::new(&file).is_dir() => {
                (file, place.map_or(1, |(line, _)| line))
            }
            _ => (settings.to_owned(), 1),
        },
    };
    let path = workspace_path(reported.environment, Path::new(&path));
    let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
    Location {
        path,
        lines: Lines { begin },
    }
}
