//! Reads the files that configure the host.

use std::io;
use std::path::PathBuf;

use super::survey::Survey;
use crate::hosts::{self, HostFile, HostRules};
use page_sources::generator::HostFileKind;
use site_paths::BaseUrl;
use site_paths::containment::Containment;
use site_paths::finding::{Finding, Subject, code};

/// Reads the host's configuration files. If the host is unknown, every known file counts, as
/// someone wrote it for the host of this site.
pub(super) fn read(survey: &Survey<'_>, base: &BaseUrl, findings: &mut Vec<Finding>) -> HostRules {
    let host = survey.pipelines().host();
    let is_heeded = |kind: &HostFileKind| host.is_none_or(|host| host.reads.contains(kind));
    let mut texts: Vec<(HostFileKind, PathBuf, String)> = Vec::new();
    for (name, kind) in HostFileKind::NAMES
        .into_iter()
        .filter(|(_, kind)| is_heeded(kind))
    {
        let dir = if kind.is_published() {
            &survey.output_dir
        } else {
            &survey.site.root
        };
        let path = dir.join(name);
        match text_of(&survey.containment, &path) {
            Ok(text) => texts.push((kind, path, text)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) => {}
            Err(error) => {
                let message = format!("`{name}` cannot be read: {error}; it is treated as empty");
                findings.push(Finding::new(
                    code::SERVING_UNREADABLE,
                    Subject::File(path, None),
                    message,
                ));
            }
        }
    }
    let dialect = host.map(|host| host.dialect).unwrap_or_default();
    let files: Vec<HostFile<'_>> = texts
        .iter()
        .map(|(kind, path, text)| HostFile {
            kind: *kind,
            path,
            text,
        })
        .collect();
    hosts::read(&files, dialect, base, findings)
}

fn text_of(reach: &Containment, path: &std::path::Path) -> io::Result<String> {
    let mut text = reach.read_text(path)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
