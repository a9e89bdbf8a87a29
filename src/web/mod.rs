//! Requests URLs. No other module uses the network.
//!
//! Requests are sent only when a command asks for them, and never twice. Responses are not assumed
//! to be short, complete or harmless.
//!
//! `network.rs` is the only file that knows HTTP and TLS. `response.rs` limits response bodies and says what
//! they mean for a submission, `fetch.rs` follows redirects on the same host, and limits the number and rate
//! of requests.
//!
//! `live_sitemap.rs` fetches the files of a published set for `survey::SetWalk`, so a live sitemap is
//! compared by the same `SitemapChanges` as one on disk. `index_now.rs` lists the URLs to send to search
//! engines and builds the messages. The record of the last submission is a copy of the set, written by
//! `publish::publish`.

mod fetch;
mod index_now;
mod live_sitemap;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;
mod response;

pub use fetch::{Hop, PoliteClient, Trail, TrailEnd, parse_address};
pub use index_now::{CONTENT_TYPE, ChangedUrls, IndexNowSender, MAX_URLS, target_url};
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use response::{MAX_BYTES, Reply, RequestOutcome, harmless};
