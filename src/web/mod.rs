//! Requests URLs. No other module uses the network.
//!
//! Requests are sent only when a command asks for them, and never twice. Responses are not assumed
//! to be short, complete or harmless.
//!
//! `network.rs` is the only file that knows HTTP and TLS. `response.rs` limits response bodies,
//! `fetch.rs` follows redirects on the same host, and limits the number and rate of requests.

mod fetch;
#[cfg(feature = "submit")]
mod network;
#[cfg(not(feature = "submit"))]
mod no_network;
mod response;
pub mod submit;

pub use fetch::{Hop, PoliteClient, Trail, TrailEnd, parse as parse_address};
#[cfg(feature = "submit")]
pub use network::Network;
#[cfg(not(feature = "submit"))]
pub use no_network::Network;
pub use response::{HttpResponse, MAX_BYTES, harmless};
