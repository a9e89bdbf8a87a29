//! Recognizes pages whose source is a draft, which generators do not build by default.

use crate::decide::rules::ExcludedBy;
use crate::findings::{Finding, code};
use crate::generators::{ContentIndex, Generator, Site};
use crate::pages::{Page, Pages};
use crate::settings::DraftPages;
use sitemaps::site_paths::SitePath;

/// Recognizes sources that are drafts.
pub(crate) struct DraftSources<'s> {
    generator: &'s Generator,
    content: &'s ContentIndex,
}

impl<'s> DraftSources<'s> {
    /// `None` if drafts are as good as any other source, or the site has no generator.
    pub(crate) fn new(mode: DraftPages, site: &'s Site, content: &'s ContentIndex) -> Option<Self> {
        let is_wanted = mode != DraftPages::Allow && !site.builds_drafts();
        let generator = site.generator.filter(|_| is_wanted)?;
        Some(Self { generator, content })
    }

    /// Excludes the pages whose source is a draft.
    pub(crate) fn exclude(&self, pages: &mut Pages) {
        for page in pages.iter_mut() {
            if let Some((_, mark)) = self.draft_of(page) {
                page.exclude(ExcludedBy::Draft(mark));
            }
        }
    }

    /// Reports the listed pages whose source is a draft, all in one finding.
    pub(crate) fn finding(&self, pages: &Pages) -> Option<Finding> {
        let mut drafts = pages.listed().filter_map(|page| {
            Some((
                &page.file,
                self.draft_of(page).or_else(|| self.draft_named(page))?,
            ))
        });
        let (page, (source, mark)) = drafts.next()?;
        let others = match drafts.count() {
            0 => String::new(),
            1 => ", and another page is listed likewise".to_owned(),
            count => format!(", and {count} other pages are listed likewise"),
        };
        let message =
            format!("`{page}` is listed, but its source `{source}` is a draft: {mark}{others}");
        let hint = "empty the output directory before a production build, or set \
                    `drafts = \"exclude\"` or `\"allow\"`";
        Some(Finding::new(code::DRAFT_BUILT, page, message).with_hint(hint))
    }

    /// The source of a page and what makes it a draft, unless the page is wanted.
    fn draft_of<'p>(&self, page: &'p Page) -> Option<(&'p SitePath, String)>
    where
        's: 'p,
    {
        let source = page.source.as_ref().filter(|_| !page.is_wanted())?.file()?;
        Some((source, self.mark_of(source)?))
    }

    /// The draft of the name of a page without a source among the files that templates read.
    fn draft_named(&self, page: &Page) -> Option<(&'s SitePath, String)> {
        let is_open = page.source.is_none() && !page.is_wanted();
        let source = self.content.draft_named(&page.file).filter(|_| is_open)?;
        Some((source, self.mark_of(source)?))
    }

    /// What makes a source a draft: its front matter or its directory.
    fn mark_of(&self, source: &SitePath) -> Option<String> {
        let front_matter = &self.content.file(source)?.front_matter;
        let mark = self.generator.draft_mark(source, front_matter)?;
        Some(format!("`{mark}`"))
    }
}
