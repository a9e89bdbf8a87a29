//! Extracts the title and the publication date for a news sitemap from a page's metadata.
//!
//! Source: developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap.

use super::json_ld::{objects_of, parsed, text};
use page_signals::Metadata;
use sitemaps::{LastMod, Now, ParsedDate};

/// Maximum age in a news sitemap: "articles created in the last two days".
const FRESH_SECONDS: i64 = 2 * 86_400;

/// Whether an article belongs in a news sitemap now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Published at this date, within the last two days.
    Fresh(LastMod),
    /// Published earlier.
    Old,
    /// No readable publication date.
    Unknown,
}

/// Title and publication date of an article, as stated by its page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Article {
    /// Title: the headline, without the site name that often is in `<title>`.
    pub title: Option<String>,
    /// Publication dates as written, most reliable first.
    pub published: Vec<String>,
}

/// Reads a page's article from its JSON-LD, else from its tags. A page that opts out of Google News
/// has none (developers.google.com/search/docs/crawling-indexing/robots-meta-tag,
/// `googlebot-news`).
pub fn article_of(metadata: &Metadata) -> Option<Article> {
    let rules = metadata.meta(&["googlebot-news"]).unwrap_or_default();
    if rules.split(',').any(|rule| {
        ["noindex", "none"]
            .iter()
            .any(|no| rule.trim().eq_ignore_ascii_case(no))
    }) {
        return None;
    }
    let values = parsed(&metadata.json_ld);
    let articles = objects_of(&values, &|name| {
        name.ends_with("Article") || name.ends_with("Posting")
    });
    // The page's own article comes first; teasers of others may follow.
    let article = articles.first();
    let of_json = |key: &str| article.and_then(|article| text(article, key));
    let title = of_json("headline").or_else(|| metadata.meta(&["og:title"]).map(str::to_owned));
    let tags = ["article:published_time", "datepublished"];
    let by_tag = tags
        .iter()
        .filter_map(|tag| metadata.meta(&[tag]))
        .map(str::to_owned);
    Some(Article {
        title: title.or_else(|| metadata.title.clone()),
        published: of_json("datePublished").into_iter().chain(by_tag).collect(),
    })
}

/// Decides whether an article is news at `now`, by the first of its dates that can be read. A day
/// without a time counts until its end.
pub fn freshness<'d>(mut dates: impl Iterator<Item = &'d str>, now: Now) -> Freshness {
    let read = |text: &str| match LastMod::parse(text, now) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
        ParsedDate::Invalid(_) | ParsedDate::Unreadable => None,
    };
    let Some(date) = dates.find_map(read) else {
        return Freshness::Unknown;
    };
    if now.0.saturating_sub(date.last_second()) <= FRESH_SECONDS {
        Freshness::Fresh(date)
    } else {
        Freshness::Old
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitemaps::DateFormat;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[test]
    fn news_is_at_most_two_days_old() {
        let check = |dates: &[&str], expected: &str| {
            let found = match freshness(dates.iter().copied(), NOW) {
                Freshness::Fresh(date) => date.to_text(DateFormat::Datetime),
                other => format!("{other:?}"),
            };
            assert_eq!(found, expected, "{dates:?}");
        };
        check(&["2026-01-13T12:00:00Z"], "2026-01-13T12:00:00Z");
        check(&["2026-01-13T13:59:59+02:00"], "Old");
        check(&["2026-01-13"], "2026-01-13");
        check(&["2026-01-12"], "Old");
        check(&["yesterday", "2026-01-15"], "2026-01-15");
        check(&["2026-01-15T11:00"], "2026-01-15T11:00:00Z");
        check(&["2027-01-01"], "Unknown");
        check(&["2026"], "Unknown");
        check(&[], "Unknown");
    }
}
