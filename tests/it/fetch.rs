//! What is read from the web: bounded, patient, and never from another host.

use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use waypost::submit::{FetchError, Network};

use crate::loopback::{Reply, Server};

/// More than anything on the loopback takes, however busy the machine is.
const LONG: Duration = Duration::from_secs(60);

/// Fetches a path of a server as text; the error names the server as `SERVER`.
fn fetch(server: &Server, path: &str, patience: Duration) -> Result<String, String> {
    let network = Network::new(patience).expect("the network is built in");
    let shown = |text: String| text.replace(&server.url(""), "SERVER");
    let mut text = network
        .fetch(&server.url(path))
        .map_err(|error: FetchError| shown(error.to_string()))?;
    let mut body = String::new();
    text.read_to_string(&mut body)
        .map_err(|error| shown(error.to_string()))?;
    Ok(body)
}

#[test]
fn a_page_is_fetched_with_one_plain_request() {
    let server = Server::start(|_| Some(Reply::ok("text")));
    assert_eq!(fetch(&server, "/a?b=c", LONG), Ok("text".to_owned()));
    let host = server.url("").replace("http://", "");
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "GET /a?b=c HTTP/1.1\r\nuser-agent: waypost/{version}\r\naccept: */*\r\nhost: {host}\r\n\r\n"
    );
    assert_eq!(server.requests(), [expected]);
}

#[test]
fn redirects_are_followed_on_their_own_host_and_not_for_ever() {
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
    let check = |path: &str, expected: &str| {
        assert_eq!(fetch(&server, path, LONG), Err(expected.to_owned()))
    };
    check(
        "/out",
        "`SERVER/out` is redirected to `http://localhost:1/`, where it is not followed",
    );
    check(
        "/local",
        "`SERVER/local` is redirected to `file:///etc/passwd`, where it is not followed",
    );
    check("/round", "`SERVER/round` is redirected again and again");
    check("/no", "`SERVER/no` cannot be fetched: the answer is 302");
    check(
        "/missing",
        "`SERVER/missing` cannot be fetched: the answer is 404",
    );
}

#[test]
fn a_server_that_does_not_play_along_is_left() {
    let server = Server::start(|path| {
        Some(match path {
            "/closes" => Reply::Bytes(Vec::new()),
            "/garbage" => Reply::Bytes(b"220 mail.example.com ESMTP\r\n\r\n".to_vec()),
            "/cut" => Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_vec()),
            "/endless" => Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 1 << 16]),
            _ => Reply::Silence,
        })
    });
    let check = |path: &str, patience: Duration, expected: &str| {
        let error = fetch(&server, path, patience).expect_err("it is no answer");
        assert!(error.contains(expected), "{path}: {error}");
    };
    check("/closes", LONG, "`SERVER/closes` cannot be fetched: ");
    check(
        "/garbage",
        LONG,
        "`SERVER/garbage` cannot be fetched: it does not answer in HTTP",
    );
    check("/cut", LONG, "Peer disconnected");
    check(
        "/silent",
        Duration::from_secs(1),
        "`SERVER/silent` cannot be fetched: there was no whole answer within 1 s",
    );
    check("/endless", LONG, "there is no end after 67108864 bytes");
}

/// The certificate is one that `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500` made for
/// `127.0.0.1`; its key serves nothing else.
#[test]
fn a_certificate_that_nobody_vouches_for_is_not_taken() {
    let address = "127.0.0.1";
    let certificate = CertificateDer::from(&include_bytes!("certificate/nobody.crt.der")[..]);
    let key = PrivatePkcs8KeyDer::from(&include_bytes!("certificate/nobody.key.der")[..]);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .and_then(|config| {
            config
                .with_no_client_auth()
                .with_single_cert(vec![certificate], key.into())
        })
        .expect("a server's settings");
    let listener = TcpListener::bind((address, 0)).expect("the loopback has a free port");
    let port = listener.local_addr().expect("it listens").port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut session = rustls::ServerConnection::new(Arc::new(config)).expect("a session");
        rustls::Stream::new(&mut session, &mut stream)
            .read(&mut [0; 1024])
            .map_err(|error| error.to_string())
    });
    let network = Network::new(LONG).expect("the network is built in");
    let error = network
        .fetch(&format!("https://{address}:{port}/"))
        .expect_err("it is not trusted")
        .to_string();
    assert!(error.contains("invalid peer certificate"), "{error}");
    server
        .join()
        .expect("it does not panic")
        .expect_err("nothing is sent to it");
}
