//! Combines a page's metadata into its news entry, and reports what an entry lacks.

use super::news::{Freshness, article_of, freshness};
use page_signals::Metadata;
use site_paths::finding::{Finding, Subject, code};
use site_paths::{PageUrl, SitePath};
use sitemaps::{News, Now, Publication};

/// A page as news.
pub(crate) enum PageNews {
    /// It is not news, or too old.
    No,
    /// Its entry.
    Complete(News),
    /// It lacks this property.
    Lacks(&'static str),
}

impl PageNews {
    /// Combines the metadata of a page at `loc` with the publication that a rule sets. `of_source` is
    /// the date of publication in its source.
    pub(crate) fn of(
        metadata: &Metadata,
        publication: &Publication,
        loc: &PageUrl,
        of_source: Option<&String>,
        now: Now,
    ) -> Self {
        let Some(article) = article_of(metadata) else {
            return Self::No;
        };
        let dates = article
            .published
            .iter()
            .chain(of_source)
            .map(String::as_str);
        match (freshness(dates, now), article.title) {
            (Freshness::Old, _) => Self::No,
            (Freshness::Unknown, _) => Self::Lacks("date of publication"),
            (Freshness::Fresh(_), None) => Self::Lacks("title"),
            (Freshness::Fresh(published), Some(title)) => Self::Complete(News {
                loc: loc.clone(),
                publication: publication.clone(),
                published,
                title,
            }),
        }
    }
}

/// Reports a page that a rule marks as news but that lacks a property.
pub(crate) fn news_lacks(file: &SitePath, lacking: &str) -> Finding {
    let message = format!("`{file}` is marked as news by a rule but has no valid {lacking}");
    Finding::new(
        code::NEWS_INCOMPLETE,
        Subject::Page(file.clone(), None),
        message,
    )
    .with_hint("add JSON-LD with `headline` and `datePublished`, or limit the rule to articles")
}
