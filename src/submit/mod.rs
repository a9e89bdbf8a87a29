//! What is said to search engines, and what is read from the web: the only room that touches the network.
//!
//! In come addresses and texts; out go requests, and come answers as they were given. Nothing in here runs before a
//! command asks for it, nothing is sent twice, and no answer is believed to be short, whole or friendly.

mod answer;
mod error;
mod fetch;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;

pub use answer::{Answer, MOST_BYTES, Text};
pub use error::{FetchError, NetworkError};
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
