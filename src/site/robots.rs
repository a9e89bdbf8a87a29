//! Reads the site's robots.txt from disk.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use crate::settings::RobotsTxtSettings;
use sitemaps::robots_txt::{RobotsDeviation, RobotsTxt, sitemaps_in};
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::{BaseUrl, PageUrl};

/// The robots.txt file.
#[derive(Debug, Clone)]
pub struct RobotsFile {
    /// Its path, whether or not it exists.
    pub path: PathBuf,
    /// Its content.
    pub text: RobotsText,
}

/// Content of a robots.txt.
#[derive(Debug, Clone)]
pub enum RobotsText {
    /// The file does not exist.
    Missing,
    /// The bytes of the file.
    Read(Vec<u8>),
    /// The file exists but cannot be read.
    Unreadable,
}

impl RobotsFile {
    /// Reads the robots.txt of the output directory. An unreadable file is reported and never
    /// modified.
    pub fn read(output: &SitemapDir) -> WithFindings<Self> {
        let path = output.path().join("robots.txt");
        let mut findings = Vec::new();
        // A program that writes the file may have removed it for a moment.
        let read = || output.containment().read(&path);
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let text = match read().or_else(|error| if is_gone(&error) { read() } else { Err(error) }) {
            Ok(bytes) => RobotsText::Read(bytes),
            Err(error) if is_gone(&error) => RobotsText::Missing,
            Err(error) => {
                let subject = Subject::File(path.clone(), None);
                let message = format!("cannot read robots.txt: {error}; it is not modified");
                findings.push(Finding::new(code::ROBOTS_TXT_REFUSED, subject, message));
                RobotsText::Unreadable
            }
        };
        WithFindings::new(Self { path, text }, findings)
    }

    /// Reads the file again, because another program may have changed it. A file that has
    /// disappeared since then is not written again, because its rules would be lost.
    pub(crate) fn again(&self, output: &SitemapDir) -> WithFindings<Self> {
        if !self.is_readable() {
            return self.clone().into();
        }
        let again = Self::read(output);
        match (&self.text, &again.value.text) {
            (RobotsText::Read(_), RobotsText::Missing) => {
                let subject = Subject::File(self.path.clone(), None);
                let message = "robots.txt disappeared during the run; it is not written again";
                let finding = Finding::new(code::ROBOTS_TXT_REFUSED, subject, message)
                    .with_hint("run waypost after the program that writes robots.txt");
                let gone = Self {
                    path: self.path.clone(),
                    text: RobotsText::Unreadable,
                };
                WithFindings::new(gone, vec![finding])
            }
            _ => again,
        }
    }

    /// Whether the file is missing or was read successfully.
    pub fn is_readable(&self) -> bool {
        !matches!(self.text, RobotsText::Unreadable)
    }

    /// Returns its bytes; `None` if it is missing or unreadable.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.text {
            RobotsText::Read(bytes) => Some(bytes),
            RobotsText::Missing | RobotsText::Unreadable => None,
        }
    }

    /// Returns the sitemaps that it names.
    pub fn sitemaps(&self) -> BTreeSet<PageUrl> {
        self.bytes().map(sitemaps_in).unwrap_or_default()
    }

    /// Findings about the lines that only some crawlers read.
    pub(super) fn deviations(&self, rules: Option<&RobotsTxt>) -> Vec<Finding> {
        let deviations = rules.into_iter().flat_map(|rules| &rules.deviations);
        let finding = |deviation: &RobotsDeviation| {
            let subject = Subject::File(self.path.clone(), Some(deviation.place));
            Finding::new(
                code::ROBOTS_TXT_LINE_IGNORED,
                subject,
                deviation.message.clone(),
            )
            .with_hint(deviation.hint.clone())
        };
        deviations.map(finding).collect()
    }

    /// Returns its rules if they apply: robots.txt counts only at the root of a host (RFC 9309
    /// section 2.3), and only if the settings obey it.
    pub fn rules(&self, settings: &RobotsTxtSettings, base: &BaseUrl) -> Option<RobotsTxt> {
        let counts = settings.obey && base.is_host_root();
        self.bytes().filter(|_| counts).map(RobotsTxt::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_robots_txt_that_disappears_during_the_run_is_not_written_again() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let output = SitemapDir::named_by_user(dir.path());
        let first = RobotsFile::read(&output).value;
        assert!(matches!(first.text, RobotsText::Missing));
        let file = dir.path().join("robots.txt");
        fs::write(&file, "User-agent: *\n").expect("a file");
        let written = first.again(&output).value;
        assert_eq!(written.bytes(), Some(&b"User-agent: *\n"[..]));
        fs::remove_file(&file).expect("it is removed");
        let WithFindings { value, findings } = written.again(&output);
        assert!(!value.is_readable());
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].code.name, "robots-txt-refused");
    }
}
