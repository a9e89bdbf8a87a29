//! What is said to search engines, and what is read from the web: the only room that touches the network.
//!
//! In come addresses and texts; out go requests, and come answers as they were given. Nothing in here runs before a
//! command asks for it, nothing is sent twice, and no answer is believed to be short, whole or friendly.

mod answer;
mod due;
mod engine;
mod error;
mod fetch;
mod index_now;
mod live;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;
mod outcome;
mod ping;
mod pings;

pub use answer::{Answer, MOST_BYTES, Text};
pub use due::{Cover, Due};
pub use engine::{DEFAULT_ENGINE, ENGINES, Engine, engine_of};
pub use error::{FetchError, NetworkError};
pub use index_now::{CONTENT_TYPE, MOST_URLS, Sender};
pub use live::LiveError;
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use outcome::{Outcome, Reply, harmless};
pub use ping::{PLACEHOLDER, TargetError, ping_of, target};
pub use pings::{PINGS, Ping, State};
