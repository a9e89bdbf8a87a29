//! The files that tell the host at hand how to serve the site, as they are on disk.

use std::io;
use std::path::PathBuf;

use super::survey::Survey;
use crate::bounds::Reach;
use crate::finding::{Finding, Subject, code};
use crate::location::BaseUrl;
use crate::serving::{self, FileKind, Serving, ServingFile};

/// Reads the files that the host heeds. Where no host can be told, every file that is there counts: it was written for
/// the host that this site goes to.
pub(super) fn read(survey: &Survey<'_>, base: &BaseUrl, findings: &mut Vec<Finding>) -> Serving {
    let host = survey.pipelines().host();
    let is_heeded = |kind: &FileKind| host.is_none_or(|host| host.reads.contains(kind));
    let mut texts: Vec<(FileKind, PathBuf, String)> = Vec::new();
    for (name, kind) in FileKind::NAMES
        .into_iter()
        .filter(|(_, kind)| is_heeded(kind))
    {
        let folder = if kind.is_published() {
            &survey.output_dir
        } else {
            &survey.site.root
        };
        let path = folder.join(name);
        match text_of(&survey.reach, &path) {
            Ok(text) => texts.push((kind, path, text)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) => {}
            Err(error) => {
                let message = format!("`{name}` cannot be read: {error}; it counts as empty");
                findings.push(Finding::new(
                    code::SERVING_UNREADABLE,
                    Subject::File(path, None),
                    message,
                ));
            }
        }
    }
    let dialect = host.map(|host| host.dialect).unwrap_or_default();
    let files: Vec<ServingFile<'_>> = texts
        .iter()
        .map(|(kind, path, text)| ServingFile {
            kind: *kind,
            path,
            text,
        })
        .collect();
    serving::read(&files, dialect, base, findings)
}

fn text_of(reach: &Reach, path: &std::path::Path) -> io::Result<String> {
    let mut text = reach.read_text(path)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
