//! The site's robots.txt as it is on disk.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use super::survey::Survey;
use crate::finding::{Finding, Subject, code};
use crate::robots_txt::{RobotsTxt, sitemaps_in};
use crate::site_paths::{BaseUrl, PageUrl};

/// The file and what is known of it.
#[derive(Debug, Clone)]
pub struct RobotsFile {
    /// Where it stands or would stand.
    pub path: PathBuf,
    /// What it holds.
    pub text: RobotsText,
}

/// What a robots.txt holds.
#[derive(Debug, Clone)]
pub enum RobotsText {
    /// It is not there.
    Missing,
    /// These bytes.
    Read(Vec<u8>),
    /// It is there, and nobody knows.
    Unreadable,
}

impl RobotsFile {
    /// Reads the robots.txt of the output folder. One that cannot be read is reported, and left as it is.
    pub fn read(survey: &Survey<'_>, findings: &mut Vec<Finding>) -> Self {
        let path = survey.output_dir.join("robots.txt");
        match survey.reach.read(&path) {
            Ok(bytes) => Self {
                path,
                text: RobotsText::Read(bytes),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self {
                path,
                text: RobotsText::Missing,
            },
            Err(error) => {
                let subject = Subject::File(path.clone(), None);
                let message = format!("cannot read robots.txt: {error}; it is left as it is");
                findings.push(Finding::new(code::ROBOTS_TXT_REFUSED, subject, message));
                Self {
                    path,
                    text: RobotsText::Unreadable,
                }
            }
        }
    }

    /// The file as it is now: another program may have edited it since.
    pub(super) fn again(&self, survey: &Survey<'_>, findings: &mut Vec<Finding>) -> Self {
        if self.is_readable() {
            Self::read(survey, findings)
        } else {
            self.clone()
        }
    }

    /// Whether it could be read, if it is there.
    pub fn is_readable(&self) -> bool {
        !matches!(self.text, RobotsText::Unreadable)
    }

    /// Its bytes; `None` where there are none that could be read.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.text {
            RobotsText::Read(bytes) => Some(bytes),
            RobotsText::Missing | RobotsText::Unreadable => None,
        }
    }

    /// The sitemaps that it names.
    pub fn sitemaps(&self) -> BTreeSet<PageUrl> {
        self.bytes().map(sitemaps_in).unwrap_or_default()
    }

    /// Its rules, where they count: only at a host's root is it the host's (RFC 9309 section 2.3), and only where the
    /// settings say so are they obeyed.
    pub fn rules(&self, survey: &Survey<'_>, base: &BaseUrl) -> Option<RobotsTxt> {
        let counts = survey.settings().robots_txt.obey && base.is_host_root();
        self.bytes().filter(|_| counts).map(RobotsTxt::parse)
    }
}
