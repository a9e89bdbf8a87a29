//! A page's metadata → title and day of publication, as a news sitemap wants them.
//!
//! Source: developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap.

use super::json_ld::{objects_of, parsed, text};
use crate::dates::{LastMod, Now, ParsedDate};
use crate::read::Metadata;

/// News sitemaps hold "articles created in the last two days".
const FRESH_SECONDS: i64 = 2 * 86_400;

/// Whether an article belongs into a news sitemap at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It was published in the two days before, at this date.
    Fresh(LastMod),
    /// It is older.
    Old,
    /// Nothing that can be read says when.
    Unknown,
}

/// What a page says of itself as an article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Article {
    /// Its title: the headline, without the name of the site that often stands in `<title>`.
    pub title: Option<String>,
    /// When it was published, as written: the surest first.
    pub published: Vec<String>,
}

/// Reads what a page says of itself as an article: its JSON-LD, else its tags. A page that asks Google News to pass it over
/// is none (developers.google.com/search/docs/crawling-indexing/robots-meta-tag, `googlebot-news`).
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
    // Teasers of other articles may follow the page's own.
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

/// Says whether an article is news at a moment, by the first of its dates that can be read. A day without a time counts to
/// its end.
pub fn freshness<'d>(mut dates: impl Iterator<Item = &'d str>, now: Now) -> Freshness {
    let read = |text: &str| match LastMod::parse(text, now) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
        ParsedDate::False(_) | ParsedDate::Unreadable => None,
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
    use crate::dates::DateFormat;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[test]
    fn news_is_what_was_published_in_the_last_two_days() {
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
