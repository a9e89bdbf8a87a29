//! Reads the site's robots.txt from disk.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, Subject, code};
use crate::settings::RobotsTxtSettings;
use sitemaps::robots_txt::{RobotsTxt, sitemaps_in};
use sitemaps::site_paths::{BaseUrl, PageUrl};

/// The robots.txt file.
#[derive(Debug, Clone)]
pub struct RobotsFile {
    /// Its path, whether or not it exists.
    pub path: PathBuf,
    /// Its bytes, if it exists and can be read.
    bytes: Option<Vec<u8>>,
    /// Why it exists and cannot be read.
    fault: Option<String>,
    /// The file that was read.
    version: Option<FileVersion>,
}

/// Time of the last change, size and, where there is one, the number of a file.
type FileVersion = (SystemTime, u64, u64);

/// What changes when another run replaces a file, or a program edits it.
fn file_version(path: &Path) -> Option<FileVersion> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    Some((metadata.modified().ok()?, metadata.len(), number))
}

/// Reports the lines of this file that only some crawlers read.
pub(crate) fn report_deviations(rules: &RobotsTxt, file: &Subject, findings: &Findings) {
    for line in rules.deviations() {
        let subject = file.at(line.place);
        let finding = Finding::new(code::ROBOTS_TXT_LINE_IGNORED, subject, &*line.message);
        findings.add(finding.with_hint(&*line.hint));
    }
}

impl RobotsFile {
    /// Reads the robots.txt of the output directory. An unreadable file is never modified.
    pub fn read(output: &Tree) -> Self {
        let path = output.path().join("robots.txt");
        let version = file_version(&path);
        let (bytes, fault) = match output.read(&path) {
            Ok(bytes) => (Some(bytes), None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
            Err(error) => (None, Some(error.to_string())),
        };
        Self {
            path,
            bytes,
            fault,
            version,
        }
    }

    /// The finding about a file that cannot be read.
    pub(crate) fn unreadable(&self) -> Option<Finding> {
        let error = self.fault.as_ref()?;
        let message = format!("cannot read robots.txt: {error}; it is not modified");
        Some(Finding::new(code::ROBOTS_TXT_REFUSED, &*self.path, message))
    }

    /// Reads the file again, because another program may have changed it.
    pub(crate) fn again(&self, output: &Tree) -> Self {
        let is_same = self.version.is_some() && self.version == file_version(&self.path);
        if is_same || !self.is_readable() {
            self.clone()
        } else {
            Self::read(output)
        }
    }

    /// The file with another text.
    pub(crate) fn with_text(&self, text: Vec<u8>) -> Self {
        Self {
            path: self.path.clone(),
            bytes: Some(text),
            fault: None,
            version: None,
        }
    }

    /// Whether the file is missing or was read successfully.
    pub fn is_readable(&self) -> bool {
        self.fault.is_none()
    }

    /// Returns its bytes; `None` if it is missing or unreadable.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// Returns the sitemaps that it names.
    pub fn sitemaps(&self) -> BTreeSet<PageUrl> {
        self.bytes().map(sitemaps_in).unwrap_or_default()
    }

    /// Reports a file that crawlers do not read, because it is below a path (RFC 9309 section 2.3).
    pub(crate) fn unread_at(&self, base: &BaseUrl) -> Option<Finding> {
        self.bytes().filter(|_| !base.is_host_root())?;
        let message = format!(
            "crawlers do not read this robots.txt at `{base}robots.txt`, but only `{}/robots.txt`",
            base.origin()
        );
        let finding = Finding::new(code::ROBOTS_TXT_LINE_IGNORED, &*self.path, message);
        Some(finding.with_hint("move its lines there, with the one that names the sitemap"))
    }

    /// Returns its rules if they apply: robots.txt counts only at the root of a host (RFC 9309
    /// section 2.3), and only if the settings obey it.
    pub fn rules(&self, settings: &RobotsTxtSettings, base: &BaseUrl) -> Option<RobotsTxt> {
        let counts = settings.obey && base.is_host_root();
        self.bytes().filter(|_| counts).map(RobotsTxt::parse)
    }
}
