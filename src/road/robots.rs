//! The site's robots.txt as it is on disk.

use std::io;
use std::path::PathBuf;

use super::survey::Survey;
use crate::finding::{Finding, Subject, code};
use crate::location::BaseUrl;
use crate::robots_txt::RobotsTxt;

/// The file, its bytes and its rules.
#[derive(Debug, Clone)]
pub struct RobotsFile {
    /// Where it stands or would stand.
    pub path: PathBuf,
    /// Its bytes; `None` where there is none.
    pub bytes: Option<Vec<u8>>,
    /// Whether it could be read, if it is there.
    pub readable: bool,
}

impl RobotsFile {
    /// Reads the robots.txt of the output folder. One that cannot be read is reported, and left as it is.
    pub fn read(survey: &Survey<'_>, findings: &mut Vec<Finding>) -> Self {
        let path = survey.output_dir.join("robots.txt");
        match survey.reach().read(&path) {
            Ok(bytes) => Self { path, bytes: Some(bytes), readable: true },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self { path, bytes: None, readable: true },
            Err(error) => {
                let subject = Subject::File(path.clone(), None);
                let message = format!("cannot read robots.txt: {error}; it is left as it is");
                findings.push(Finding::new(code::ROBOTS_TXT_REFUSED, subject, message));
                Self { path, bytes: None, readable: false }
            }
        }
    }

    /// The file as it is now: another program may have edited it since.
    pub(super) fn again(&self, survey: &Survey<'_>, findings: &mut Vec<Finding>) -> Self {
        if self.readable { Self::read(survey, findings) } else { self.clone() }
    }

    /// Its rules, where they count: only at a host's root is it the host's (RFC 9309 section 2.3), and only where the
    /// settings say so are they obeyed.
    pub fn rules(&self, survey: &Survey<'_>, base: &BaseUrl) -> Option<RobotsTxt> {
        let counts = survey.settings().robots_txt.obey && base.is_host_root();
        self.bytes.as_ref().filter(|_| counts).map(|bytes| RobotsTxt::parse(bytes))
    }
}
