//! The sitemap of a site, before it is written.

use std::path::Path;

use super::error::{Error, Failure};
use super::site_finding::SiteFinding;
use super::site_page::SitePage;
use super::sitemap_file::SitemapFile;
use super::written_sitemap::WrittenSitemap;
use crate::pipeline::{
    InventoryDetail, PlannedSite, SiteInventory, WritePermission, build_inventory, plan_site,
    publish_files,
};
use crate::publish::WriteMode;
use crate::reading::RunProgress;
use crate::site::LoadedSite;

/// The sitemap of a site: every page with its outcome, the problems of the site, and the files to
/// write.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sitemap {
    loaded: LoadedSite<'static>,
    site: SiteInventory,
    planned: PlannedSite,
}

impl Sitemap {
    pub(super) fn of(loaded: LoadedSite<'static>) -> Result<Self, Error> {
        let progress = RunProgress::default();
        let mut site =
            build_inventory(&loaded, InventoryDetail::Usual, &progress).map_err(Failure::from)?;
        let findings = std::mem::take(&mut site.findings);
        let planned = plan_site(&loaded, &site.inventory, findings);
        Ok(Self {
            loaded,
            site,
            planned,
        })
    }

    /// Returns the URL at which the output directory is served.
    pub fn base_url(&self) -> &str {
        self.site.inventory.base.as_str()
    }

    /// Returns where the base URL comes from, in words.
    pub fn base_url_origin(&self) -> String {
        self.site.base.origin.to_string()
    }

    /// Returns the directory of the rendered pages, into which [`write`](Self::write) writes.
    pub fn output_dir(&self) -> &Path {
        self.loaded.output_dir()
    }

    /// Returns the name of the site's generator, if it is known.
    pub fn generator(&self) -> Option<&str> {
        self.loaded
            .site
            .generator
            .map(|generator| generator.name.as_str())
    }

    /// Returns every page, listed or excluded, sorted by file.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = SitePage<'_>> {
        let pages = self.site.inventory.pages.iter();
        pages.map(|page| SitePage::new(page, &self.loaded))
    }

    /// Returns the page of a file, by its path in the output directory: `blog/a/index.html`.
    pub fn page(&self, file: &str) -> Option<SitePage<'_>> {
        let page = self.site.inventory.page_of(&file.into())?;
        Some(SitePage::new(page, &self.loaded))
    }

    /// Returns the problems of the site, the most severe first where they refuse the sitemap.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = SiteFinding<'_>> {
        let findings = self.planned.findings.iter();
        findings.map(|finding| SiteFinding::new(finding, &self.loaded))
    }

    /// Returns the finding that keeps this sitemap from being written, because it cannot be right.
    /// [`Site::accept`](super::Site::accept) accepts it.
    pub fn refusal(&self) -> Option<SiteFinding<'_>> {
        match self.planned.permission {
            WritePermission::Granted => None,
            WritePermission::Refused => self
                .findings()
                .find(|finding| finding.level() == super::FindingLevel::Deny),
        }
    }

    /// Returns the files of the sitemap with their contents. robots.txt, which names them, is not
    /// among them, because [`write`](Self::write) edits it in place.
    pub fn files(&self) -> impl Iterator<Item = SitemapFile<'_>> {
        let plan = &self.planned.plan;
        plan.files().iter().flat_map(move |file| {
            let names = plan.disk_names(file).into_iter();
            names.map(move |name| SitemapFile::new(plan, file, name))
        })
    }

    /// Writes the files that differ from those on disk, adds them to robots.txt, and removes files
    /// of an earlier sitemap. Readers never see an incomplete sitemap.
    ///
    /// In a preview build that must write nothing, nothing is written. A build is known as a preview
    /// only by its [`environment`](super::Site::environment).
    ///
    /// # Errors
    ///
    /// A finding [refuses](Self::refusal) the sitemap, or a file cannot be written.
    pub fn write(&self) -> Result<WrittenSitemap<'_>, Error> {
        if let Some(finding) = self.refusal() {
            return Err(Error::refused(finding.message(), finding.hint()));
        }
        let mode = match self.loaded.skipped_preview() {
            Some(_) => WriteMode::DryRun,
            None => WriteMode::Write,
        };
        let files = publish_files(
            &self.loaded,
            &self.site.robots,
            &self.planned.plan,
            &self.planned.changes,
            &self.site.inventory,
            mode,
        )
        .map_err(Failure::from)?;
        Ok(WrittenSitemap::new(files, mode, &self.loaded))
    }
}
