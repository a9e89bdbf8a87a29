//! Tests fetching over HTTP: responses are bounded in size and time, and only the requested host is
//! contacted.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use waypost::internals::Network;

use crate::loopback::{Reply, Server};

/// Longer than any response on the loopback takes, however busy the machine is.
const LONG: Duration = Duration::from_secs(60);

/// Fetches a path from a server as text; errors name the server as `SERVER`.
fn fetch(server: &Server, path: &str, patience: Duration) -> Result<String, String> {
    let network = Network::new(patience).expect("the network is built in");
    let shown =
        |error: &dyn std::fmt::Display| error.to_string().replace(&server.url(""), "SERVER");
    let mut response = network
        .fetch(&server.url(path))
        .map_err(|error| shown(&error))?;
    let mut body = String::new();
    let read = response.read_to_string(&mut body);
    read.map_err(|error| shown(&error)).map(|_| body)
}

#[test]
fn a_page_is_fetched_with_one_simple_request() {
    let server = Server::start(|_| Some(Reply::ok("text")));
    assert_eq!(fetch(&server, "/a?b=c", LONG), Ok("text".to_owned()));
    let host = server.url("").replace("http://", "");
    let version = env!("CARGO_PKG_VERSION");
    let page = if cfg!(published) {
        concat!(" (+", env!("CARGO_PKG_REPOSITORY"), ")")
    } else {
        ""
    };
    let expected = format!(
        "GET /a?b=c HTTP/1.1\r\nuser-agent: waypost/{version}{page}\r\naccept: */*\r\n\
         host: {host}\r\n\r\n"
    );
    assert_eq!(server.requests(), [expected]);
}

#[test]
fn redirects_are_followed_a_few_times_on_the_same_host() {
    let server = Server::start(|path| match path {
        "/a" => Some(Reply::of(301, &["Location: /b"], "")),
        "/b" => Some(Reply::ok("there")),
        "/out" => Some(Reply::of(302, &["Location: http://localhost:1/"], "")),
        "/local" => Some(Reply::of(302, &["Location: file:///etc/passwd"], "")),
        "/round" => Some(Reply::of(308, &["Location: /round"], "")),
        "/no" => Some(Reply::of(302, &[], "")),
        _ => None,
    });
    assert_eq!(fetch(&server, "/a", LONG), Ok("there".to_owned()));
    for (path, expected) in [
        (
            "/out",
            "redirects to `http://localhost:1/`, which is not followed",
        ),
        (
            "/local",
            "redirects to `file:///etc/passwd`, which is not followed",
        ),
        ("/round", "redirects too many times"),
        ("/no", "cannot be fetched: the server responded with 302"),
        ("/gone", "cannot be fetched: the server responded with 404"),
    ] {
        let expected = format!("`SERVER{path}` {expected}");
        assert_eq!(fetch(&server, path, LONG), Err(expected));
    }
}

#[test]
fn a_misbehaving_server_is_an_error() {
    let server = Server::start(|path| {
        Some(match path {
            "/closes" => Reply::Bytes(Vec::new()),
            "/garbage" => Reply::Bytes(b"220 mail.example.com ESMTP\r\n\r\n".to_vec()),
            "/cut" => Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()),
            "/slow" => Reply::Stalled(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()),
            "/endless" => Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 1 << 16]),
            _ => Reply::Stalled(Vec::new()),
        })
    });
    let check = |path: &str, patience: Duration, expected: &str| {
        let error = fetch(&server, path, patience).expect_err("there is no valid response");
        assert!(error.contains(expected), "{path}: {error}");
    };
    check("/closes", LONG, "`SERVER/closes` cannot be fetched: ");
    check("/garbage", LONG, "`SERVER/garbage` cannot be fetched: ");
    check("/cut", LONG, "Peer disconnected");
    check(
        "/silent",
        Duration::from_secs(1),
        "`SERVER/silent` cannot be fetched: no complete response within 1 s",
    );
    let second = Duration::from_secs(1);
    check("/slow", second, "no complete response within 1 s");
    check("/endless", LONG, "is larger than request limit: 67108864");
}

/// The certificate was created by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256
/// -nodes -days 36500` for `127.0.0.1`; its key has no other use.
#[test]
fn an_untrusted_certificate_is_rejected() {
    let certificate = CertificateDer::from(&include_bytes!("certificate/untrusted.crt.der")[..]);
    let key = PrivatePkcs8KeyDer::from(&include_bytes!("certificate/untrusted.key.der")[..]);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("the version is supported")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .expect("the server's configuration is valid");
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
    let address = listener.local_addr().expect("the listener has an address");
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut session = rustls::ServerConnection::new(Arc::new(config)).expect("a session");
        let read = rustls::Stream::new(&mut session, &mut stream).read(&mut [0; 1024]);
        assert!(read.is_err(), "the handshake succeeded");
    });
    let network = Network::new(LONG).expect("the network is built in");
    let error = network.fetch(&format!("https://{address}/"));
    let error = error
        .err()
        .expect("the certificate is not trusted")
        .to_string();
    let expected = "the certificate of the server is not trusted: it is signed by itself";
    assert!(error.contains(expected), "{error}");
    server.join().expect("the handshake fails");
}
