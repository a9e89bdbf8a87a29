//! Options of the HTTP client.

use std::time::Duration;

use super::reach::NetworkReach;

/// Options of the HTTP client.
#[derive(Debug, Clone)]
pub struct NetworkOptions {
    /// The time limit for each request, including the whole response.
    pub timeout: Duration,
    /// The root certificates to trust, in PEM; `None` for Mozilla's.
    pub certificates: Option<Vec<u8>>,
    /// The addresses that requests may go to.
    pub reach: NetworkReach,
}

impl NetworkOptions {
    /// Mozilla's certificates and any address.
    pub fn with_timeout(timeout: Duration) -> Self {
        Self {
            timeout,
            certificates: None,
            reach: NetworkReach::Any,
        }
    }
}
