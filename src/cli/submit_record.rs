//! The record of `--record`: a copy of the set, and how much of it is submitted.

use std::fs;
use std::io;
use std::path::Path;

use super::submit_error::SubmitError;
use crate::publish::{DiskError, SurroundingFiles, create_dir, publish, write_file};
use site_paths::display_path;
use sitemaps::Plan;

/// The file with the URLs of the last submission, one per line, in the order of its messages.
const URLS: &str = "submission-urls.txt";

/// The file with the number of those URLs, from the first, that are accepted. It is small, so that it can
/// be written after every message.
const ACCEPTED: &str = "submission-accepted.txt";

/// The directory of `--record`.
pub(super) struct SubmitRecord<'a> {
    dir: &'a Path,
    plan: &'a Plan,
    has_begun: bool,
}

impl<'a> SubmitRecord<'a> {
    /// The record in a directory, which may not exist yet.
    pub(super) fn new(dir: &'a Path, plan: &'a Plan) -> Self {
        Self {
            dir,
            plan,
            has_begun: false,
        }
    }

    /// The URLs that an earlier run did not submit, because it stopped.
    pub(super) fn unsent(&self) -> Result<Vec<String>, SubmitError> {
        let urls = self.read(URLS)?;
        let accepted = self.read(ACCEPTED)?.trim().parse().unwrap_or(0);
        let lines = urls.lines().filter(|line| !line.is_empty());
        Ok(lines.skip(accepted).map(str::to_owned).collect())
    }

    fn read(&self, name: &str) -> Result<String, SubmitError> {
        let file = self.dir.join(name);
        match fs::read_to_string(&file) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(source) => Err(SubmitError::Unsent {
                file: display_path(&file),
                source,
            }),
        }
    }

    /// Records the set, and that the first `accepted` of these URLs are accepted.
    ///
    /// A run that ends in between leaves a record that makes the next run send too many URLs rather than
    /// too few: no URL of the list counts as accepted before the list and the set are written.
    pub(super) fn note(&mut self, urls: &[String], accepted: usize) -> Result<(), DiskError> {
        create_dir(self.dir)?;
        if !self.has_begun {
            self.note_accepted(0)?;
            let mut lines = urls.join("\n");
            lines.push('\n');
            write_file(&self.dir.join(URLS), lines.as_bytes())?;
            let surroundings = SurroundingFiles {
                robots_txt: None,
                key: None,
                is_generators_sitemap: &|_| false,
            };
            publish(self.plan, self.dir, surroundings)?;
            self.has_begun = true;
        }
        self.note_accepted(accepted)
    }

    fn note_accepted(&self, accepted: usize) -> Result<(), DiskError> {
        write_file(&self.dir.join(ACCEPTED), format!("{accepted}\n").as_bytes())
    }
}
