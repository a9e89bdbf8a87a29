//! Converts `plugin-manifest.toml` to JSON, and records what the program is built from.
//!
//! Each run reads the manifest, and JSON takes an eighth of the time of TOML to parse.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script reads the environment and writes a file"
)]

use std::path::Path;
use std::{env, error, fs};

#[path = "build/commit.rs"]
mod commit;

const MANIFEST: &str = "plugin-manifest.toml";

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={MANIFEST}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let dir = env::var("CARGO_MANIFEST_DIR")?;
    let path = Path::new(&dir).join(MANIFEST);
    let text = fs::read_to_string(&path)?;
    let manifest: serde_json::Value = toml::from_str(&text)?;
    let json = Path::new(&env::var("OUT_DIR")?).join("manifest.json");
    fs::write(json, manifest.to_string())?;
    record_origin(Path::new(&dir))
}

/// Sets the variables that `--version` shows. Their names do not begin with `WAYPOST_`, since `cargo run`
/// sets them for the program too, which would take them for settings. The commit is recorded in a release
/// only: otherwise each commit would compile the program again.
fn record_origin(dir: &Path) -> Result<(), Box<dyn error::Error>> {
    let is_release = env::var("PROFILE")? == "release";
    let commit = is_release.then(|| commit::commit_of(dir)).flatten();
    if let Some(file) = commit::changing_file(dir).filter(|_| is_release) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!(
        "cargo::rustc-env=BUILD_COMMIT={}",
        commit.as_deref().unwrap_or("unknown")
    );
    println!("cargo::rustc-env=BUILD_TARGET={}", env::var("TARGET")?);
    Ok(())
}
