//! What a few pages have beside their entries: videos, news, a place among the newest. By address, so that the million
//! other pages carry nothing for it.

use std::collections::BTreeMap;

use crate::dates::LastMod;
use crate::rules::Publication;
use crate::site_paths::PageUrl;

/// All of it. What is empty is not written.
#[derive(Debug, Default)]
pub struct EntryExtras {
    /// The videos of pages that have any.
    pub videos: BTreeMap<PageUrl, Vec<Video>>,
    /// The news of the last days.
    pub news: Vec<News>,
    /// What goes into the feeds of the newest pages.
    pub newest: Newest,
}

/// A video of a page (developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
#[derive(Debug, Clone, PartialEq)]
pub struct Video {
    /// A picture of it.
    pub thumbnail: PageUrl,
    /// At most 100 characters.
    pub title: String,
    /// At most 2,048 characters.
    pub description: String,
    /// The file itself; this or the player is there.
    pub content: Option<PageUrl>,
    /// A page that plays it.
    pub player: Option<PageUrl>,
    /// In seconds, 1 to 28,800.
    pub duration: Option<u32>,
    /// When it was first published.
    pub published: Option<LastMod>,
}

/// A page as news (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    /// The page.
    pub loc: PageUrl,
    /// Who publishes it, and in which language.
    pub publication: Publication,
    /// When it was published.
    pub published: LastMod,
    /// Its title.
    pub title: String,
}

/// The newest pages.
#[derive(Debug, Default)]
pub struct Newest {
    /// The title of the site.
    pub title: String,
    /// The newest first; those without a date after all others.
    pub pages: Vec<NewestPage>,
}

/// A page in a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestPage {
    /// Its address.
    pub url: PageUrl,
    /// Its title, or its address where it has none.
    pub title: String,
    /// When it last changed.
    pub lastmod: Option<LastMod>,
}
