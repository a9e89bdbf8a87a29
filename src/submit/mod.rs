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
//! builds the messages, `outcome.rs` interprets responses. The record of the last submission is
//! a copy of the set, written by `publish::publish`. `cli/submit_source.rs` reads the pages of a
//! live sitemap or a file in place of a build.

mod changed_urls;
mod error;
mod fetch;
mod index_now;
mod live_sitemap;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;
mod outcome;
mod ping;
mod polite_client;
mod response;
mod trail;

pub use changed_urls::{ChangedUrls, KeyCoverage};
pub use error::{FetchError, NetworkError};
pub use fetch::parse as parse_address;
pub use index_now::{CONTENT_TYPE, IndexNowSender, MAX_URLS};
pub use live_sitemap::SetWriter;
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use outcome::{ReplySummary, RequestOutcome, harmless};
pub use ping::{ping_url, target_url};
pub use polite_client::PoliteClient;
pub use response::{HttpResponse, MAX_BYTES};
pub use trail::{Hop, Trail, TrailEnd};
