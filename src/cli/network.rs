//! Creates the HTTP client of a command.

use std::fs;
use std::time::Duration;

use super::environment::environment;
use crate::submit::{Network, NetworkError};
use sitemaps::site_paths::escaped;

/// The variable that names a file of root certificates, as in OpenSSL and curl.
const CERTIFICATES: &str = "SSL_CERT_FILE";

/// Creates a client with the certificates of `SSL_CERT_FILE`, or Mozilla's.
pub(super) fn network(timeout: Duration) -> Result<Network, NetworkError> {
    let environment = environment();
    let file = environment
        .get(CERTIFICATES)
        .filter(|file| !file.is_empty());
    let read = |file: &String| {
        fs::read(file).map_err(|source| NetworkError::CertificateFile {
            file: escaped(file).into_owned(),
            source,
        })
    };
    Network::new(timeout, file.map(read).transpose()?.as_deref())
}
