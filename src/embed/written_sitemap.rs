//! What writing a sitemap changed.

use std::borrow::Cow;

use super::site_finding::SiteFinding;
use crate::pipeline::PlacedFiles;
use crate::publish::WriteMode;
use crate::site::LoadedSite;

/// What [`Sitemap::write`](super::Sitemap::write) changed in the output directory.
#[derive(Debug)]
#[non_exhaustive]
pub struct WrittenSitemap<'s> {
    files: PlacedFiles,
    mode: WriteMode,
    loaded: &'s LoadedSite<'static>,
}

impl<'s> WrittenSitemap<'s> {
    pub(super) fn new(
        files: PlacedFiles,
        mode: WriteMode,
        loaded: &'s LoadedSite<'static>,
    ) -> Self {
        Self {
            files,
            mode,
            loaded,
        }
    }

    /// Returns the names of the written files, robots.txt last. A file that already had the same
    /// bytes is not written again.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        let placed = &self.files.placed;
        let files = placed.files.iter().chain(&placed.robots_txt);
        files
            .filter(|file| file.changed && self.mode == WriteMode::Write)
            .map(|file| file.path.as_str())
    }

    /// Returns the removed files of an earlier sitemap, sorted.
    pub fn removed(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let removed = self.files.placed.removed.iter();
        removed
            .filter(|_| self.mode == WriteMode::Write)
            .map(|file| file.to_text())
    }

    /// Returns the problems with robots.txt and with files of an earlier sitemap.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = SiteFinding<'_>> {
        let findings = self.files.findings.iter();
        findings.map(|finding| SiteFinding::new(finding, self.loaded))
    }
}
