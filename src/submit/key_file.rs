//! Looks for the published key file, without which engines reject every message.

use std::io::Read;

use super::Network;
use crate::settings::SubmitKey;

/// Maximum number of bytes read of a key file.
const MOST_READ: u64 = 4_096;

/// The fault of the key file at a URL, to be shown after its name; `None` if it contains the key
/// (indexnow.org, "Documentation": a UTF-8 file with the key).
pub fn key_file_fault(network: &Network, url: &str, key: &SubmitKey) -> Option<String> {
    let body = match network.fetch(url) {
        Ok(body) => body,
        Err(error) => return Some(format!("is not available ({error})")),
    };
    let mut text = Vec::new();
    if let Err(error) = body.take(MOST_READ).read_to_end(&mut text) {
        return Some(format!("cannot be read ({error})"));
    }
    let text = String::from_utf8_lossy(&text);
    let is_right = text.trim_start_matches('\u{feff}').trim() == key.reveal();
    (!is_right).then(|| "does not contain the key".to_owned())
}
