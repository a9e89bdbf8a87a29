//! Submits URLs to search engines and fetches sitemaps from the web. No other module uses the
//! network.
//!
//! Requests are sent only when a command asks for them, and never twice. Responses are not assumed
//! to be short, complete or harmless.

mod changed_urls;
mod error;
mod fetch;
mod index_now;
mod live_sitemap;
#[cfg(feature = "submit")]
mod network;
mod network_options;
#[cfg(not(feature = "submit"))]
mod no_network;
mod outcome;
mod ping;
mod polite_client;
mod reach;
mod response;
mod trail;

pub use changed_urls::{ChangedUrls, KeyCoverage};
pub use error::{FetchError, NetworkError};
pub use fetch::parse as parse_address;
pub use index_now::{CONTENT_TYPE, IndexNowSender, MAX_URLS};
pub use live_sitemap::{LiveSitemapError, SetWriter};
#[cfg(feature = "submit")]
pub use network::Network;
pub use network_options::NetworkOptions;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use outcome::{ReplySummary, RequestOutcome, harmless};
pub use ping::{TargetError, ping_url, target_url};
pub use polite_client::PoliteClient;
pub use reach::NetworkReach;
pub use response::{HttpResponse, MAX_BYTES};
pub use trail::{Hop, Trail, TrailEnd};
