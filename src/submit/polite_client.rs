//! Sends GET requests to a server that serves others at the same time: one after the other, a few per
//! second, and no more once the server is too busy.

use std::cell::{Cell, RefCell};
use std::thread::sleep;
use std::time::Duration;

use url::Url;

use super::Network;
use super::error::NetworkError;
use super::response::HttpResponse;

/// Time between the starts of two requests: at most four per second.
const INTERVAL: Duration = Duration::from_millis(250);

/// Maximum time between two requests, if robots.txt wants a longer one.
const MAX_INTERVAL: Duration = Duration::from_secs(5);

/// Maximum number of requests of one run.
const MAX_REQUESTS: usize = 20_000;

/// Maximum time from the start of a run to the start of its last request.
const MAX_TIME: Duration = Duration::from_secs(3_600);

/// An HTTP client that limits the load on the server.
pub struct PoliteClient<'a> {
    network: &'a Network,
    /// The time since the start of the run.
    elapsed: &'a dyn Fn() -> Duration,
    /// When the last request started.
    last: Cell<Option<Duration>>,
    requests: Cell<usize>,
    interval: Cell<Duration>,
    /// Why no more requests are sent.
    stopped: RefCell<Option<String>>,
}

/// Reason for a missing response.
#[derive(Debug)]
pub enum RequestFailure {
    /// The request failed.
    NoAnswer(NetworkError),
    /// No more requests are sent: a limit is reached, or the server is too busy.
    Stopped,
}

impl<'a> PoliteClient<'a> {
    /// A client that has sent nothing yet. `elapsed` is the time since the start of the run.
    pub fn new(network: &'a Network, elapsed: &'a dyn Fn() -> Duration) -> Self {
        Self {
            network,
            elapsed,
            last: Cell::new(None),
            requests: Cell::new(0),
            interval: Cell::new(INTERVAL),
            stopped: RefCell::new(None),
        }
    }

    /// Waits for this time between two requests, within bounds.
    pub fn set_crawl_delay(&self, delay: Duration) {
        self.interval.set(delay.clamp(INTERVAL, MAX_INTERVAL));
    }

    /// Why no more requests are sent, if so.
    pub fn stop_reason(&self) -> Option<String> {
        self.stopped.borrow().clone()
    }

    /// Requests a URL. The response of a server that is too busy is returned, but is the last one.
    pub fn get(&self, url: &Url) -> Result<HttpResponse, RequestFailure> {
        if self.stopped.borrow().is_some() {
            return Err(RequestFailure::Stopped);
        }
        if self.requests.get() >= MAX_REQUESTS {
            self.stop(format!("the limit of {MAX_REQUESTS} requests is reached"));
            return Err(RequestFailure::Stopped);
        }
        let elapsed = (self.elapsed)();
        if elapsed >= MAX_TIME {
            self.stop(format!("the limit of {} s is reached", MAX_TIME.as_secs()));
            return Err(RequestFailure::Stopped);
        }
        if let Some(last) = self.last.get() {
            sleep((last + self.interval.get()).saturating_sub(elapsed));
        }
        self.last.set(Some((self.elapsed)()));
        self.requests.set(self.requests.get() + 1);
        let response = self.network.get(url).map_err(RequestFailure::NoAnswer)?;
        if is_too_busy(&response) {
            self.stop(format!("the server responds with {}", response.status));
        }
        Ok(response)
    }

    fn stop(&self, reason: String) {
        *self.stopped.borrow_mut() = Some(reason);
    }
}

/// Whether the server asks for fewer requests (RFC 6585 section 4, RFC 9110 section 15.6.4).
fn is_too_busy(response: &HttpResponse) -> bool {
    response.status == 429 || (response.status == 503 && response.retry_after.is_some())
}
