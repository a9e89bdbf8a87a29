//! A server on the loopback that takes down every request, byte for byte, and answers as a test says.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server; it listens until the test's process ends.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

/// What a server does with a request.
pub(crate) enum Reply {
    /// It sends these bytes and closes.
    Bytes(Vec<u8>),
    /// It sends these bytes, then others again and again until nobody takes them.
    Endless(Vec<u8>, Vec<u8>),
    /// It says nothing until the other side has hung up.
    Silence,
}

impl Reply {
    /// A whole answer with this status, these further header lines, and a body.
    pub(crate) fn of(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut lines = vec![format!("HTTP/1.1 {status} -")];
        lines.extend(headers.iter().map(|&line| line.to_owned()));
        lines.push(format!("Content-Length: {}\r\n\r\n", body.len()));
        let head = lines.join("\r\n");
        Self::Bytes([head.as_bytes(), body].concat())
    }

    /// A page that is there.
    pub(crate) fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::of(200, &[], body)
    }
}

impl Server {
    /// Starts a server that answers each request by its path and query; the paths that it does not know are not there.
    pub(crate) fn start(answer: impl Fn(&str) -> Option<Reply> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
        let address = listener.local_addr().expect("it listens");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let taken_down = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                // One that hangs up in the middle is no concern of a server's.
                let Ok(request) = read_request(&mut stream) else {
                    continue;
                };
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                taken_down
                    .lock()
                    .expect("no thread panics with it")
                    .push(request);
                let reply = answer(&path).unwrap_or_else(|| Reply::of(404, &[], "not here"));
                if reply.send(&mut stream).is_err() {}
            }
        });
        Self { address, requests }
    }

    /// The address of a path on it.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every request so far, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests
            .lock()
            .expect("no thread panics with it")
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
            Self::Silence => stream.read_to_end(&mut Vec::new()).map(|_| ()),
        }
    }
}

/// Reads a head, and a body as long as the head says.
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
