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

/// The file that changes with each commit of a clone.
pub(crate) fn changing_file(dir: &Path) -> Option<PathBuf> {
    let path = git(dir, &["rev-parse", "--git-path", "logs/HEAD"])?;
    Some(dir.join(path)).filter(|path| path.exists())
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

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
