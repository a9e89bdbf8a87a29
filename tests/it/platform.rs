//! Everything in the tests that differs between operating systems: links, pipes, modes, owners and
//! the names that a file may have.
//!
//! Tests of pipes and of names that Windows forbids are left to Unix by an attribute of their own.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use system::{
    HAS_PIPES, allows_name, change_owner, make_pipe, name_of_bytes, set_mode, slashed, symlink,
    temp_dir_path, with_limits,
};

/// Unix. macOS differs from Linux in file names, which are Unicode there.
#[cfg(unix)]
mod system {
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::fs::PermissionsExt;

    use super::{Command, OsString, Path, PathBuf, io};

    pub(crate) fn symlink(target: &str, link: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, link)
    }

    pub(crate) const HAS_PIPES: bool = true;

    /// Creates a named pipe without a writer.
    pub(crate) fn make_pipe(path: &Path) {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo can be run").success());
    }

    pub(crate) fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("we own the file");
    }

    /// Gives a file to another user, which only root may do.
    pub(crate) fn change_owner(path: &Path, user: u32) -> io::Result<()> {
        std::os::unix::fs::chown(path, Some(user), Some(user))
    }

    /// The file name of these bytes, if the system has such names.
    pub(crate) fn name_of_bytes(bytes: &[u8]) -> Option<OsString> {
        let is_allowed = !cfg!(target_vendor = "apple") || str::from_utf8(bytes).is_ok();
        is_allowed.then(|| OsString::from_vec(bytes.to_vec()))
    }

    pub(crate) fn allows_name(_: &str) -> bool {
        true
    }

    /// A path in a text as on Unix.
    pub(crate) fn slashed(text: &str) -> String {
        text.to_owned()
    }

    /// The path of a temporary directory without links, which macOS has in it.
    pub(crate) fn temp_dir_path(dir: &Path) -> PathBuf {
        dir.canonicalize().expect("the directory exists")
    }

    /// A command that runs a program with a limited address space, which macOS does not have, and a
    /// limited CPU time.
    pub(crate) fn with_limits(program: &Command, kib: u32, cpu_seconds: u32) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {kib} 2>/dev/null; ulimit -t {cpu_seconds}; exec \"$@\"");
        command.args(["-c", &script, "sh"]);
        command.arg(program.get_program());
        command
    }
}

/// Windows.
#[cfg(not(unix))]
mod system {
    use super::{Command, OsString, Path, PathBuf, io};

    #[cfg(windows)]
    pub(crate) fn symlink(target: &str, link: &Path) -> io::Result<()> {
        let from = link.parent().unwrap_or(link);
        if from.join(target).is_dir() {
            std::os::windows::fs::symlink_dir(target, link)
        } else {
            std::os::windows::fs::symlink_file(target, link)
        }
    }

    #[cfg(not(windows))]
    pub(crate) fn symlink(_: &str, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) const HAS_PIPES: bool = false;

    pub(crate) fn make_pipe(path: &Path) {
        panic!("`{}`: pipes are not files here", path.display());
    }

    /// Does nothing: a file has no mode here.
    pub(crate) fn set_mode(_: &Path, _: u32) {}

    pub(crate) fn change_owner(_: &Path, _: u32) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn name_of_bytes(bytes: &[u8]) -> Option<OsString> {
        let name = str::from_utf8(bytes).ok()?;
        allows_name(name).then(|| name.into())
    }

    /// Whether a relative path is a valid one (Microsoft, "Naming Files, Paths, and Namespaces").
    pub(crate) fn allows_name(path: &str) -> bool {
        let is_reserved = |char: char| char.is_control() || "<>:\"|?*\\".contains(char);
        !path.contains(is_reserved) && !path.split('/').any(|name| name.ends_with(['.', ' ']))
    }

    pub(crate) fn slashed(text: &str) -> String {
        text.replace('\\', "/")
    }

    /// The path as it is: the canonical one starts with `\\?\`, which git does not accept.
    pub(crate) fn temp_dir_path(dir: &Path) -> PathBuf {
        dir.to_owned()
    }

    /// The program itself: there are no such limits.
    pub(crate) fn with_limits(program: &Command, _: u32, _: u32) -> Command {
        Command::new(program.get_program())
    }
}

/// Begins scripts of `SiteTest::shell_command` that are independent of the machine.
#[cfg(unix)] // sh
pub(crate) const PRELUDE: &str = r#"set -u
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=init.defaultBranch GIT_CONFIG_VALUE_0=main
export GIT_CONFIG_KEY_1=protocol.file.allow GIT_CONFIG_VALUE_1=always
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE=2025-03-01T10:00:00Z
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_COMMITTER_DATE=2025-03-01T10:00:00Z
export GIT_DEFAULT_HASH=sha1
unset WAYPOST_LEVELS_BASE_URL_PLACEHOLDER
program=$1
waypost() { "$program" "$@"; }
"#;
