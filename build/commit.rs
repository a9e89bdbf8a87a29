//! The commit that the program is built from. A package from a registry, an archive and a clone of the
//! same commit give the same answer, so they give the same program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The full name of the commit of the sources in `dir`; `None` if nothing records it.
pub(crate) fn commit_of(dir: &Path) -> Option<String> {
    of_package(dir)
        .or_else(|| of_archive(dir))
        .or_else(|| git(dir, &["rev-parse", "HEAD"]))
        .filter(|commit| is_commit(commit))
}

/// The repository on GitHub and the commit of a clone, as `OWNER/NAME@COMMIT`, by which others get the same
/// sources; `None` if files differ from the commit, or if the remote `origin` is not known to have it.
pub(crate) fn source_on_github(dir: &Path) -> Option<String> {
    let url = git(dir, &["config", "remote.origin.url"])?;
    let repository = repository_on_github(&url)?;
    let changes = git(dir, &["--no-optional-locks", "status", "--porcelain"])?;
    let branches = ["for-each-ref", "--contains=HEAD", "refs/remotes/origin"];
    let has_commit = !git(dir, &branches)?.is_empty();
    let commit = commit_of(dir).filter(|_| changes.is_empty() && has_commit)?;
    Some(format!("{repository}@{commit}"))
}

/// The files of a clone that change with its commit and with what is known of its remote.
pub(crate) fn changing_files(dir: &Path) -> Vec<PathBuf> {
    ["logs/HEAD", "logs/refs/remotes/origin", "config"]
        .iter()
        .filter_map(|name| git(dir, &["rev-parse", "--git-path", name]))
        .map(|path| dir.join(path))
        .filter(|path| path.exists())
        .collect()
}

/// `cargo package` adds a file with the commit, and whether files differed from it.
fn of_package(dir: &Path) -> Option<String> {
    let text = fs::read_to_string(dir.join(".cargo_vcs_info.json")).ok()?;
    let info: serde_json::Value = serde_json::from_str(&text).ok()?;
    let is_clean = info["git"]["dirty"] != true;
    let commit = info["git"]["sha1"].as_str()?;
    is_clean.then(|| commit.to_owned())
}

/// `git archive` fills in this file, because .gitattributes says so.
fn of_archive(dir: &Path) -> Option<String> {
    let text = fs::read_to_string(dir.join("build/commit.txt")).ok()?;
    Some(text.trim().to_owned()).filter(|text| is_commit(text))
}

/// Runs git in a clone of waypost, but not in a repository around its sources.
fn git(dir: &Path, arguments: &[&str]) -> Option<String> {
    if !dir.join(".git").exists() {
        return None;
    }
    // In a container, the files often belong to another user.
    let mut git = Command::new("git");
    let done = git.args(["-c", "safe.directory=*"]).args(arguments);
    let done = done.current_dir(dir).output().ok()?;
    let text = String::from_utf8(done.stdout).ok()?;
    done.status.success().then(|| text.trim().to_owned())
}

/// `OWNER/NAME` in the URL of a remote.
fn repository_on_github(url: &str) -> Option<&str> {
    let (before, path) = url.split_once("github.com")?;
    let is_host = before.is_empty() || before.ends_with("://") || before.ends_with('@');
    let path = path.strip_prefix(['/', ':'])?.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let (owner, name) = path.split_once('/')?;
    let is_plain = |part: &str| {
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        !part.is_empty() && part.bytes().all(is_known)
    };
    (is_host && is_plain(owner) && is_plain(name)).then_some(path)
}

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
