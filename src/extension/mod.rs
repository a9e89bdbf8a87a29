//! Collects the data for Google's news and video extensions of the sitemap protocol.
//!
//! The input is a page's metadata. A required value that the page does not give is reported, never
//! invented. No file is opened here.

mod json_ld;
mod news;
mod video;

pub use news::{Freshness, article_of, freshness};
pub use video::{PageVideos, videos_of};
