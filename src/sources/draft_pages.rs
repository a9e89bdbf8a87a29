//! Finds pages whose source is a draft.
//!
//! Generators do not build such pages by default, so one in the output is left from an earlier
//! build or was built for a preview.

use std::collections::BTreeMap;

use super::source_finder::PageSource;
use crate::settings::DraftPages;
use page_sources::generator::{ContentIndex, Generator, Site};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::finding::{Finding, Subject, code};

/// The end of a finding about one page and this many others.
pub(super) fn likewise(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => ", and another page is listed likewise".to_owned(),
        count => format!(", and {count} other pages are listed likewise"),
    }
}

/// Recognizes sources that are drafts.
pub(crate) struct DraftSources<'s> {
    generator: &'s Generator,
    content: &'s ContentIndex,
}

impl<'s> DraftSources<'s> {
    /// `None` if drafts are as good as any other source, or the site has no generator.
    pub(crate) fn new(
        mode: DraftPages,
        site: &'s Site<'_>,
        content: &'s ContentIndex,
    ) -> Option<Self> {
        let is_wanted = mode != DraftPages::Allow && !site.builds_drafts();
        let generator = site.generator.filter(|_| is_wanted)?;
        Some(Self { generator, content })
    }

    /// What makes the source of each page a draft, by the index of the page.
    pub(crate) fn marks<'p>(
        &self,
        sources: impl Iterator<Item = Option<&'p PageSource>>,
    ) -> BTreeMap<usize, String> {
        let sources = sources.enumerate();
        sources
            .filter_map(|(index, source)| Some((index, self.mark_of(source?.file()?)?)))
            .collect()
    }

    /// Reports the listed pages whose source is a draft, all in one finding.
    pub(crate) fn finding<'p>(
        &self,
        listed: impl Iterator<Item = (&'p SitePath, &'p SitePath)>,
    ) -> Option<Finding> {
        let mut drafts =
            listed.filter_map(|(page, source)| Some((page, source, self.mark_of(source)?)));
        let (page, source, mark) = drafts.next()?;
        let others = likewise(drafts.count());
        let message =
            format!("`{page}` is listed, but its source `{source}` is a draft: {mark}{others}");
        let hint = "empty the output directory before a production build, or set \
                    `drafts = \"exclude\"` or `\"allow\"`";
        let subject = Subject::Page(page.clone(), None);
        Some(Finding::new(code::DRAFT_BUILT, subject, message).with_hint(hint))
    }

    /// What makes a source a draft: its front matter or its directory.
    fn mark_of(&self, source: &SitePath) -> Option<String> {
        let front_matter = &self.content.file(source)?.front_matter;
        let mark = self.generator.draft_mark(source, front_matter)?;
        Some(format!("`{mark}`"))
    }
}
