//! A file of a sitemap and its contents.

use sitemaps::gzip::FileCompression;
use sitemaps::{Plan, PlannedFile};

/// A file of a sitemap: the sitemap itself, an index, one of its parts, a text file or a feed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SitemapFile<'s> {
    plan: &'s Plan,
    file: &'s PlannedFile,
    name: String,
}

impl<'s> SitemapFile<'s> {
    pub(super) fn new(plan: &'s Plan, file: &'s PlannedFile, name: String) -> Self {
        Self { plan, file, name }
    }

    /// Returns its name in the output directory: `sitemap.xml`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of its URLs; for an index, of its sitemaps.
    pub fn url_count(&self) -> usize {
        self.file.urls
    }

    /// Returns its contents, compressed if its name ends in `.gz`. Each call renders them anew, so
    /// that a large site needs the memory of one file at a time.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.plan.render(self.file);
        FileCompression::of_name(&self.name)
            .encode(&text)
            .into_owned()
    }
}
