//! The schemas of the protocol and its extensions, by xmllint where there is one.
//!
//! The suite needs nothing but Rust and git: where xmllint is missing, the structure is checked without it, and the
//! output says so. `WAYPOST_REQUIRE_XMLLINT=1` makes its absence a failure.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Whether xmllint is there; says so, once, where it is not.
static XMLLINT: LazyLock<bool> = LazyLock::new(|| {
    let is_there = Command::new("xmllint")
        .arg("--version")
        .output()
        .is_ok_and(|done| done.status.success());
    let is_required = std::env::var_os("WAYPOST_REQUIRE_XMLLINT").is_some_and(|value| value == "1");
    assert!(
        is_there || !is_required,
        "xmllint is not on PATH, and WAYPOST_REQUIRE_XMLLINT asks for it"
    );
    if !is_there {
        let message = "note: xmllint is not on PATH; sitemaps were held against the protocol without the schemas";
        writeln!(std::io::stderr(), "{message}").expect("stderr is open");
    }
    is_there
});

/// Says where a file breaks the schemas.
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
        .expect("xmllint runs");
    if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}
