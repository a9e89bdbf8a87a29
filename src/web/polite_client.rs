//! Sends GET requests to a server that serves others at the same time: one after the other, a few per
//! second, and no more once the server is too busy.

use std::cell::{Cell, RefCell};
use std::thread::sleep;
use std::time::Duration;

use url::Url;

use super::Network;
use super::fetch::{Trail, TrailEnd};

/// Pause before every request but the first: at most four per second.
const INTERVAL: Duration = Duration::from_millis(250);

/// An HTTP client that limits the load on the server.
pub struct PoliteClient<'a> {
    network: &'a Network,
    /// Whether a request was sent.
    has_started: Cell<bool>,
    /// Why no more requests are sent.
    stopped: RefCell<Option<String>>,
}

impl<'a> PoliteClient<'a> {
    /// A client that has sent nothing yet.
    pub fn new(network: &'a Network) -> Self {
        Self {
            network,
            has_started: Cell::new(false),
            stopped: RefCell::new(None),
        }
    }

    /// Why no more requests are sent, if so.
    pub fn stop_reason(&self) -> Option<String> {
        self.stopped.borrow().clone()
    }

    /// Requests a URL and follows its redirects on the same site.
    pub fn follow(&self, url: Url) -> Trail {
        Trail::follow(url, |url| self.get(url))
    }

    /// Requests a URL. The response of a server that is too busy is returned, but is the last one.
    fn get(&self, url: &Url) -> TrailEnd {
        if self.stopped.borrow().is_some() {
            return TrailEnd::Stopped;
        }
        if self.has_started.replace(true) {
            sleep(INTERVAL);
        }
        let end = TrailEnd::of(self.network.get(url));
        if let TrailEnd::Response(response) = &end
            && (response.status == 429 || response.status == 503 && response.retry_after.is_some())
        {
            // The server asks for fewer requests (RFC 6585 section 4, RFC 9110 section 15.6.4).
            let reason = format!("the server responds with {}", response.status);
            *self.stopped.borrow_mut() = Some(reason);
        }
        end
    }
}
