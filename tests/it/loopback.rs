//! HTTP server on the loopback that records every request byte for byte, and responds as the test
//! defines.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server that listens until the test process ends.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

/// Response of a server to a request.
pub(crate) enum Reply {
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
    /// Sends the first bytes, then the second repeatedly until the client hangs up.
    Endless(Vec<u8>, Vec<u8>),
    /// Sends these bytes, and then nothing until the client hangs up.
    Stalled(Vec<u8>),
}

impl Reply {
    /// A complete response with this status, these additional header lines, and a body.
    pub(crate) fn of(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut lines = vec![format!("HTTP/1.1 {status} -")];
        lines.extend(headers.iter().map(|&line| line.to_owned()));
        lines.push(format!("Content-Length: {}\r\n\r\n", body.len()));
        let head = lines.join("\r\n");
        Self::Bytes([head.as_bytes(), body].concat())
    }

    /// A response with status 200.
    pub(crate) fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::of(200, &[], body)
    }
}

impl Server {
    /// Starts a server that responds by path and query; `None` is a response with status 404.
    pub(crate) fn start(answer: impl Fn(&str) -> Option<Reply> + Send + 'static) -> Self {
        Self::start_with_url(move |_, path| answer(path))
    }

    /// The same for answers that contain the URL of the server, which comes without a slash at its end.
    pub(crate) fn start_with_url(
        answer: impl Fn(&str, &str) -> Option<Reply> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
        let address = listener.local_addr().expect("the listener has an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let taken_down = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                // A client may hang up in the middle of a request.
                let Ok(request) = read_request(&mut stream) else {
                    continue;
                };
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                taken_down
                    .lock()
                    .expect("no thread panics while it holds the lock")
                    .push(request);
                let reply = answer(&format!("http://{address}"), &path)
                    .unwrap_or_else(|| Reply::of(404, &[], "not here"));
                if reply.send(&mut stream).is_err() {}
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All requests so far, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests
            .lock()
            .expect("no thread panics while it holds the lock")
            .clone()
    }
}

impl Reply {
    fn send(self, stream: &mut TcpStream) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => stream.write_all(&bytes),
            Self::Endless(head, body) => {
                stream.write_all(&head)?;
                loop {
                    stream.write_all(&body)?;
                }
            }
            Self::Stalled(bytes) => {
                stream.write_all(&bytes)?;
                stream.read_to_end(&mut Vec::new()).map(|_| ())
            }
        }
    }
}

/// Reads a request head, and a body of the length that the head declares.
fn read_request(stream: &mut TcpStream) -> io::Result<String> {
    let mut request = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_lowercase()
                    .strip_prefix("content-length:")?
                    .trim()
                    .parse()
                    .ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return Ok(text.into_owned());
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => request.extend_from_slice(&buffer[..read]),
        }
    }
}
