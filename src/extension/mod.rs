//! Collects the data for Google's news and video extensions of the sitemap protocol, and the date that
//! a page states about itself in structured data.
//!
//! The input is a page's metadata. A required value that the page does not give is reported, never
//! invented. No file is opened here.

mod json_ld;
mod main_entity;
mod news;
mod page_news;
mod video;

pub(crate) use main_entity::modified_of;
pub(crate) use page_news::{PageNews, news_lacks};
pub(crate) use video::video_lacks;
pub use video::{PageVideos, videos_of};
