//! What is said to search engines, and what is read from the web: the only room that touches the network.
//!
//! In come addresses and texts; out go requests, and come answers as they were given. Nothing in here runs before a
//! command asks for it, nothing is sent twice, and no answer is believed to be short, whole or friendly.

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
pub use index_now::{CONTENT_TYPE, IndexNowSender, MOST_URLS};
pub use live_sitemap::LiveSitemapError;
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use outcome::{ReplySummary, RequestOutcome, harmless};
pub use ping::{PLACEHOLDER, TargetError, ping_of, target};
pub use pings::{PINGS, Ping, PingState};
pub use response::{HttpResponse, MOST_BYTES, ResponseBody};
