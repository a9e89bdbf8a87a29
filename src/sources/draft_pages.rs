//! Finds pages whose source is not to be published: a draft, expired, or dated in the future.
//!
//! Generators do not build such pages by default, so one in the output is left from an earlier
//! build or was built for a preview.

use std::collections::BTreeMap;

use super::source_finder::PageSource;
use crate::settings::DraftPages;
use page_sources::generator::{ContentIndex, FrontMatter, Generator, OwnConfig, Site};
use site_paths::SitePath;
use site_paths::finding::{Finding, Subject, code};
use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// A date without a zone may be a day off.
const SECONDS_PER_DAY: i64 = 86_400;

/// Recognizes sources that are not to be published.
pub(crate) struct DraftSources<'s> {
    generator: &'s Generator,
    config: &'s OwnConfig,
    content: &'s ContentIndex,
    now: Now,
}

/// Why a source is not to be published.
struct SourceState {
    /// `has` or `is in`.
    verb: &'static str,
    text: String,
}

impl<'s> DraftSources<'s> {
    /// `None` if such sources are as good as any other, or the site has no generator.
    pub(crate) fn new(
        mode: DraftPages,
        site: &'s Site<'_>,
        content: &'s ContentIndex,
        now: Now,
    ) -> Option<Self> {
        let generator = site.generator.filter(|_| mode != DraftPages::Allow)?;
        Some(Self {
            generator,
            config: &site.config,
            content,
            now,
        })
    }

    /// The state of each page whose source is not to be published, by the page's index.
    pub(crate) fn states<'p>(
        &self,
        sources: impl Iterator<Item = Option<&'p PageSource>>,
    ) -> BTreeMap<usize, String> {
        let sources = sources.enumerate();
        sources
            .filter_map(|(index, source)| Some((index, self.state_of(source?.file()?)?.text)))
            .collect()
    }

    /// Reports the listed pages whose source is not to be published, all in one finding.
    pub(crate) fn finding<'p>(
        &self,
        listed: impl Iterator<Item = (&'p SitePath, &'p SitePath)>,
    ) -> Option<Finding> {
        let mut drafts =
            listed.filter_map(|(page, source)| Some((page, source, self.state_of(source)?)));
        let (page, source, state) = drafts.next()?;
        let others = match drafts.count() {
            0 => String::new(),
            1 => ", and another page is listed likewise".to_owned(),
            count => format!(", and {count} other pages are listed likewise"),
        };
        let SourceState { verb, text } = state;
        let message =
            format!("`{page}` is listed, but its source `{source}` {verb} {text}{others}");
        let hint = "empty the output directory before a production build, or set \
                    `drafts = \"exclude\"` or `\"allow\"`";
        let subject = Subject::Page(page.clone(), None);
        Some(Finding::new(code::DRAFT_BUILT, subject, message).with_hint(hint))
    }

    /// The state of a source that is not to be published, from its front matter or its place.
    fn state_of(&self, source: &SitePath) -> Option<SourceState> {
        let front_matter = &self.content.file(source)?.front_matter;
        let stated = |text| SourceState { verb: "has", text };
        let mark = self.draft_state(source, front_matter);
        mark.map(stated)
            .or_else(|| self.draft_dir(source))
            .or_else(|| self.date_state(source, front_matter).map(stated))
    }

    fn draft_state(&self, source: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let keys = &self.generator.unpublished;
        if self.are_built(&keys.build_drafts) {
            return None;
        }
        let mark = self.generator.draft_mark(source, front_matter)?;
        Some(format!("`{mark}`"))
    }

    fn draft_dir(&self, source: &SitePath) -> Option<SourceState> {
        let dir = self.generator.draft_dir(source)?;
        let keys = &self.generator.unpublished.build_drafts;
        (!self.are_built(keys)).then(|| SourceState {
            verb: "is in",
            text: format!("`{dir}`, the directory of drafts"),
        })
    }

    fn date_state(&self, source: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let keys = &self.generator.unpublished;
        let mut conditions = keys.dates_if.iter();
        if !conditions.all(|condition| self.config.meets(condition)) {
            return None;
        }
        let expiry = front_matter
            .date(&keys.expires)
            .filter(|date| !self.are_built(&keys.build_expired) && is_past(date, self.now));
        if let Some(date) = expiry {
            return Some(format!("expired on {date}"));
        }
        let start = self.generator.start_date(source, front_matter)?;
        let is_future = LastMod::parse(&start, self.now) == ParsedDate::Invalid(DateError::Future);
        (is_future && !self.are_built(&keys.build_future))
            .then(|| format!("the future date {start}"))
    }

    /// Whether the generator's settings build such pages.
    fn are_built<'k>(&self, keys: impl IntoIterator<Item = &'k String>) -> bool {
        let mut keys = keys.into_iter();
        keys.any(|key| self.config.is_on(key))
    }
}

fn is_past(date: &str, now: Now) -> bool {
    match LastMod::parse(date, Now(i64::MAX)) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => {
            date.seconds() < now.0.saturating_sub(SECONDS_PER_DAY)
        }
        ParsedDate::Invalid(_) | ParsedDate::Unreadable => false,
    }
}
