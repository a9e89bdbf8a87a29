//! A page with its outcome.

use std::borrow::Cow;

use crate::decide::Verdict;
use crate::inventory::InventoryPage;
use crate::site::LoadedSite;
use crate::sources::DateOrigin;

/// A page of the site: its URL, whether it is listed, and its date.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SitePage<'s> {
    page: &'s InventoryPage,
    loaded: &'s LoadedSite<'static>,
}

/// Whether a page is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageStatus<'s> {
    /// The sitemap lists it.
    Listed,
    /// The sitemap does not list it.
    Excluded {
        /// The code of the reason, such as `noindex`. The documentation has a page on each code.
        reason: &'static str,
        /// The evidence: the content of a tag, a URL, a rule.
        evidence: &'s str,
    },
}

/// Where the date of a page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LastmodOrigin<'s> {
    /// The commit that last changed its sources, by its full hash.
    Commit(String),
    /// The most recently changed page below it, by its file. This dates list pages.
    NewestBelow(Cow<'s, str>),
    /// The front matter of its source.
    FrontMatter,
    /// The page's own metadata.
    Metadata,
    /// The modification time of its source.
    Mtime,
    /// A rule of the settings.
    Rule,
    /// It has no date, for this reason in words.
    Missing(&'static str),
}

impl<'s> SitePage<'s> {
    pub(super) fn new(page: &'s InventoryPage, loaded: &'s LoadedSite<'static>) -> Self {
        Self { page, loaded }
    }

    /// Returns its path in the output directory: `blog/a/index.html`.
    pub fn file(&self) -> Cow<'s, str> {
        self.page.file.to_text()
    }

    /// Returns the URL under which it is or would be listed.
    pub fn url(&self) -> &'s str {
        self.page.url.as_str()
    }

    /// Returns whether it is listed, or else the reason.
    pub fn status(&self) -> PageStatus<'s> {
        match &self.page.verdict {
            Verdict::Listed => PageStatus::Listed,
            Verdict::Excluded(exclusion) => PageStatus::Excluded {
                reason: exclusion.reason.code.name,
                evidence: &exclusion.evidence,
            },
        }
    }

    /// Whether it is listed.
    pub fn is_listed(&self) -> bool {
        self.page.verdict == Verdict::Listed
    }

    /// Returns the date of its last change, as the sitemap has it: `2024-05-06T07:08:09+02:00`.
    pub fn lastmod(&self) -> Option<String> {
        let format = self.loaded.settings().lastmod.format;
        self.page.lastmod.map(|date| date.to_text(format))
    }

    /// Returns where its date comes from, or why it has none.
    pub fn date_origin(&self) -> LastmodOrigin<'s> {
        match &self.page.dated {
            DateOrigin::Commit(change) => LastmodOrigin::Commit(change.commit.to_string()),
            DateOrigin::CommitOfFile(dating) => {
                LastmodOrigin::Commit(dating.change.commit.to_string())
            }
            DateOrigin::PageBelow(file) => LastmodOrigin::NewestBelow(file.to_text()),
            DateOrigin::FrontMatter => LastmodOrigin::FrontMatter,
            DateOrigin::Page => LastmodOrigin::Metadata,
            DateOrigin::Mtime => LastmodOrigin::Mtime,
            DateOrigin::Rule => LastmodOrigin::Rule,
            missing => LastmodOrigin::Missing(missing.as_str()),
        }
    }

    /// Returns its source, relative to the root of the site, if it is known and inside.
    pub fn source(&self) -> Option<String> {
        let source = self
            .page
            .source_path(&self.loaded.site, self.loaded.output_dir())?;
        Some(source.to_text().into_owned())
    }
}
