//! Submits URLs to search engines and fetches sitemaps from the web. No other module uses the
//! network.
//!
//! Requests are sent only when a command asks for them, and never twice. Responses are not assumed
//! to be short, complete or harmless.
//!
//! `submit/network.rs` is the only file that knows HTTP and TLS. `response.rs` limits response
//! bodies, `fetch.rs` follows redirects on the same host, `live_sitemap.rs` fetches the files of
//! a published set for `sitemaps::set`, so a live sitemap is compared by the same
//! `SitemapChanges` as one on disk. `changed_urls.rs` lists the URLs to send, `index_now.rs`
//! builds the messages, `reply.rs` interprets responses. The record of the last submission is
//! a copy of the set, written by `publish::publish`.

mod changed_urls;
mod fetch;
mod index_now;
mod live_sitemap;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;
mod polite_client;
mod reply;
mod response;

pub use changed_urls::ChangedUrls;
pub use fetch::{Hop, Trail, TrailEnd, parse as parse_address};
pub use index_now::{CONTENT_TYPE, IndexNowSender, MAX_URLS, target_url};
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use polite_client::PoliteClient;
pub use reply::{Reply, RequestOutcome, harmless};
pub use response::{HttpResponse, MAX_BYTES};
