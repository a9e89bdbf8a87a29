//! Validates against the schemas of the protocol and its extensions with xmllint, if installed.
//!
//! The test suite needs only Rust and git. Without xmllint, files are not validated, and the
//! output says so. `WAYPOST_REQUIRE_XMLLINT=1` makes a missing xmllint a failure.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Whether xmllint is installed; prints a note once if not.
static XMLLINT: LazyLock<bool> = LazyLock::new(|| {
    let is_there = Command::new("xmllint")
        .arg("--version")
        .output()
        .is_ok_and(|done| done.status.success());
    let is_required = std::env::var_os("WAYPOST_REQUIRE_XMLLINT").is_some_and(|value| value == "1");
    assert!(
        is_there || !is_required,
        "xmllint is not on PATH, but WAYPOST_REQUIRE_XMLLINT requires it"
    );
    if !is_there {
        let message = "note: xmllint is not on PATH; sitemaps were not validated";
        writeln!(std::io::stderr(), "{message}").expect("stderr is writable");
    }
    is_there
});

/// Validates a file against the schemas.
pub(crate) fn check(file: &Path) -> Result<(), String> {
    if !*XMLLINT {
        return Ok(());
    }
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/all.xsd");
    let mut xmllint = Command::new("xmllint");
    let done = xmllint
        .args(["--nonet", "--noout", "--schema", schema])
        .arg(file)
        .output()
        .expect("xmllint can be run");
    if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}
