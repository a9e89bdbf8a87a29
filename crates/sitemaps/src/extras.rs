//! Data that only some pages have: videos, news and feed items.
//!
//! It is stored by URL and not in the entries, so that a million other pages cost nothing.

use std::collections::BTreeMap;

use crate::lastmod::LastMod;
use crate::publication::Publication;
use site_paths::PageUrl;

/// Videos, news and feed items of a site. Empty parts are not written.
#[derive(Debug, Default)]
pub struct EntryExtras {
    /// Videos by page.
    pub videos: BTreeMap<PageUrl, Vec<Video>>,
    /// News articles of the last two days.
    pub news: Vec<News>,
    /// Pages for the feeds.
    pub newest: Newest,
}

/// A video on a page (developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
#[derive(Debug, Clone, PartialEq)]
pub struct Video {
    /// Thumbnail image.
    pub thumbnail: PageUrl,
    /// Title, at most 100 characters.
    pub title: String,
    /// Description, at most 2,048 characters.
    pub description: String,
    /// The video file. At least one of this and `player` is set.
    pub content: Option<PageUrl>,
    /// Page with a player for the video.
    pub player: Option<PageUrl>,
    /// Length in seconds, 1 to 28,800.
    pub duration: Option<u32>,
    /// Date of first publication.
    pub published: Option<LastMod>,
}

/// A news article (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    /// URL of the page.
    pub loc: PageUrl,
    /// Name and language of the publication.
    pub publication: Publication,
    /// Date of publication.
    pub published: LastMod,
    /// Title of the article.
    pub title: String,
}

/// The newest pages of a site.
#[derive(Debug, Default)]
pub struct Newest {
    /// Title of the site.
    pub title: String,
    /// Newest first; pages without a date come last.
    pub pages: Vec<NewestPage>,
}

/// A page in a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestPage {
    /// URL of the page.
    pub url: PageUrl,
    /// Title, or the URL if the page has none.
    pub title: String,
    /// Date of the last change, if known.
    pub lastmod: Option<LastMod>,
}
