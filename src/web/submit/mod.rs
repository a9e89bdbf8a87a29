//! Submits URLs to search engines.
//!
//! `live_sitemap.rs` fetches the files of a published set for `survey::SetWalk`, so a live sitemap is
//! compared by the same `SitemapChanges` as one on disk. `index_now.rs` lists the URLs to send and
//! builds the messages, `reply.rs` interprets responses. The record of the last
//! submission is a copy of the set, written by `publish::publish`.

mod index_now;
mod live_sitemap;
mod reply;

pub use index_now::{CONTENT_TYPE, ChangedUrls, IndexNowSender, MAX_URLS, target_url};
pub use reply::{Reply, RequestOutcome};
