//! Submits URLs to search engines and fetches sitemaps from the web. No other module uses the
//! network.
//!
//! Requests are sent only when a command asks for them, and never twice. Responses are not assumed
//! to be short, complete or harmless.

mod changed_urls;
mod engine;
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
mod pings;
mod response;

pub use changed_urls::{ChangedUrls, KeyCoverage};
pub use engine::{DEFAULT_ENGINE, ENGINES, IndexNowEngine, engine_of};
pub use error::{FetchError, NetworkError};
pub use index_now::{CONTENT_TYPE, IndexNowSender, MAX_URLS};
pub use live_sitemap::{LiveSitemapError, SetWriter};
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use outcome::{ReplySummary, RequestOutcome};
pub use ping::{TargetError, ping_url, target_url};
pub use pings::{PINGS, Ping, PingState};
