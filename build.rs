//! Splits `plugin-manifest.toml` into parts, as JSON, and records what the program is built from.
//!
//! Each run reads the manifest. JSON takes an eighth of the time of TOML to parse, and a part that is
//! not needed takes none.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script reads the environment and writes a file"
)]

use std::fmt::Write;
use std::path::Path;
use std::{env, error, fs};

use serde_json::{Map, Value};

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
    let code = texts(&toml::from_str(&text)?)?;
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("manifest_texts.rs"),
        code,
    )?;
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

/// The constant with all texts, as Rust code.
fn texts(manifest: &Map<String, Value>) -> Result<String, Box<dyn error::Error>> {
    let mut parts = String::new();
    let mut generators = String::new();
    for (name, value) in manifest {
        let tables = value.as_object().filter(|_| name == "generator");
        let Some(tables) = tables else {
            writeln!(parts, "({name:?}, {:?}),", value.to_string())?;
            continue;
        };
        for (name, table) in tables {
            let detect = table
                .get("detect")
                .map_or("[]".to_owned(), Value::to_string);
            let (config, profile) = (table["config"].to_string(), table.to_string());
            let fields = format!(
                "name: {name:?}, detect: {detect:?}, config: {config:?}, profile: {profile:?}"
            );
            writeln!(generators, "GeneratorTexts {{ {fields} }},")?;
        }
    }
    Ok(format!(
        "const TEXTS: ManifestTexts = ManifestTexts {{\n\
         parts: &[\n{parts}],\ngenerators: &[\n{generators}],\n}};\n"
    ))
}
