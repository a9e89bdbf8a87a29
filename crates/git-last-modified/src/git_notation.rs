//! Converts paths, names and errors from Git's notation and gix's types.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use gix_url::Scheme;

use super::limits::{MAX_FILE_BYTES, read};

/// Returns the directory that a `.git` file refers to.
pub(super) fn git_dir_named_in(file: &Path) -> io::Result<PathBuf> {
    let text = read(file, MAX_FILE_BYTES)?;
    let path = text
        .strip_prefix(b"gitdir: ")
        .ok_or_else(|| io::Error::other("it does not begin with `gitdir: `"))?;
    Ok(file.with_file_name(native(path.trim_ascii_end())?))
}

/// Converts a path in Git's notation to the platform's.
pub(super) fn native(path: &[u8]) -> io::Result<PathBuf> {
    gix_path::from_byte_slice(path)
        .map(Path::to_path_buf)
        .map_err(|error| io_error(&error))
}

/// Parses the path and the URL of each submodule in a `.gitmodules` file.
pub(super) fn submodules(text: &str) -> io::Result<Vec<(PathBuf, String)>> {
    let file = gix_config::File::try_from(text).map_err(io::Error::other)?;
    // A lookup by name takes quadratic time.
    let sections = file.sections();
    let sections =
        sections.filter(|section| section.header().name().eq_ignore_ascii_case(b"submodule"));
    let named = sections.filter_map(|section| {
        let url = section.value("url")?.to_string();
        Some((native(&section.value("path")?).ok()?, url))
    });
    Ok(named.collect())
}

/// The parts of the URL of a repository on a server.
pub(super) struct ServerUrl {
    pub(super) host: String,
    /// The scheme, if it is one of HTTP.
    pub(super) http: Option<&'static str>,
    pub(super) port: Option<u16>,
    /// The path as it is written, with percent-encoded bytes.
    pub(super) path: String,
}

/// Parses the URL of a remote; `None` for a local path and for an unknown protocol.
pub(super) fn server_url(url: &str) -> Option<ServerUrl> {
    let url = gix_url::parse(url).ok()?;
    let http = match url.scheme {
        Scheme::Http => Some("http"),
        Scheme::Https => Some("https"),
        Scheme::Ssh | Scheme::Git => None,
        _ => return None,
    };
    Some(ServerUrl {
        host: url.host()?.to_owned(),
        http,
        port: url.port,
        path: url.original_path().to_string(),
    })
}

/// Returns the URL of the remote `origin` in the text of a configuration.
pub(super) fn origin_url(config: &str) -> Option<String> {
    let file = gix_config::File::try_from(config).ok()?;
    let url = file.string_by("remote", Some("origin".into()), "url")?;
    Some(url.to_string())
}

fn io_error(error: &(dyn Error + 'static)) -> io::Error {
    io::Error::other(error_chain(error))
}

/// Joins an error's message with those of its causes.
pub(super) fn error_chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
