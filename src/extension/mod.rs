//! What a page says of itself → what Google's extensions of the protocol want of it: as news, and of its videos.
//!
//! A required value that the page does not give is named, and never made up. No file is opened here.

mod json_ld;
mod news;
mod video;

pub use news::{Article, Freshness, article_of, freshness};
pub use video::{PageVideos, videos_of};
