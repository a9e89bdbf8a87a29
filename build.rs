//! Converts `plugin-manifest.toml` to JSON and parts of the documentation to a table, and records
//! the commit and the target of the build, and whether there is a release.
//!
//! Each run reads the manifest, and JSON takes an eighth of the time of TOML to parse.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script reads the environment and writes a file"
)]

use std::path::Path;
use std::{env, error, fs, io};

/// Name, page and text of a section.
type Section = (String, String, String);

#[path = "build/commit.rs"]
mod commit;

const MANIFEST: &str = "plugin-manifest.toml";
const DOCS: &str = "docs/src";

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={MANIFEST}");
    println!("cargo::rerun-if-changed={DOCS}/findings");
    println!("cargo::rerun-if-changed={DOCS}/reference/settings.md");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let dir = env::var("CARGO_MANIFEST_DIR")?;
    let path = Path::new(&dir).join(MANIFEST);
    let text = fs::read_to_string(&path)?;
    let manifest: serde_json::Value = toml::from_str(&text)?;
    let out_dir = env::var("OUT_DIR")?;
    let out_dir = Path::new(&out_dir);
    fs::write(out_dir.join("manifest.json"), manifest.to_string())?;
    let sections = documented_sections(&Path::new(&dir).join(DOCS))?;
    fs::write(out_dir.join("sections.rs"), format!("&{sections:?}"))?;
    record_origin(Path::new(&dir))
}

/// Returns the name, page and text of each section about a finding, a reason or a setting, by name.
fn documented_sections(dir: &Path) -> Result<Vec<Section>, Box<dyn error::Error>> {
    let mut sections = Vec::new();
    for entry in fs::read_dir(dir.join("findings"))? {
        let name = entry?.file_name();
        let page = format!("findings/{}", name.to_string_lossy());
        sections.extend(sections_of(dir, &page, "\n## ")?);
    }
    sections.extend(sections_of(dir, "reference/settings.md", "\n### ")?);
    sections.sort();
    Ok(sections)
}

/// Returns the sections of a page with these headings.
fn sections_of(dir: &Path, page: &str, heading: &str) -> io::Result<Vec<Section>> {
    let text = fs::read_to_string(dir.join(page))?;
    let lines = text.lines().filter(|line| !line.starts_with("<!--"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let sections = text.split(heading).skip(1);
    let sections = sections.map(|section| {
        let (name, text) = section.split_once('\n').unwrap_or((section, ""));
        // The last section of a group of settings ends at the heading of the next group.
        let text = text.split("\n## ").next().unwrap_or(text).trim();
        (name.replace('`', ""), page.to_owned(), text.to_owned())
    });
    Ok(sections.collect())
}

/// Sets the variables that `--version` shows. Their names do not begin with `WAYPOST_`, since `cargo run`
/// sets them for the program too, which would take them for settings. The commit is recorded in a release
/// only: otherwise each commit would compile the program again.
fn record_origin(dir: &Path) -> Result<(), Box<dyn error::Error>> {
    let is_release = env::var("PROFILE")? == "release";
    let commit = is_release.then(|| commit::commit_of(dir)).flatten();
    let changing = is_release.then(|| commit::changing_files(dir));
    for file in changing.unwrap_or_default() {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!(
        "cargo::rustc-env=BUILD_COMMIT={}",
        commit.as_deref().unwrap_or("unknown")
    );
    record_release(dir, is_release)?;
    println!("cargo::rustc-env=BUILD_TARGET={}", env::var("TARGET")?);
    let features = env::var("CARGO_FEATURE_SUBMIT").map_or("none", |_| "submit");
    println!("cargo::rustc-env=BUILD_FEATURES={features}");
    Ok(())
}

/// Sets `cfg(published)` if there is a release. The rule: Cargo.toml names the owner of the repository.
/// `.ci/owner` fills it in with the commit of the first release, and the release stops without it.
///
/// Before, `waypost init` names the sources by the repository and the commit that they were cloned from. A release
/// is named by its version, so its bytes do not depend on the remote.
fn record_release(dir: &Path, is_release: bool) -> Result<(), Box<dyn error::Error>> {
    let is_published = !env::var("CARGO_PKG_REPOSITORY")?.contains("/OWNER/");
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rustc-check-cfg=cfg(published)");
    if is_published {
        println!("cargo::rustc-cfg=published");
    }
    let mut source = None;
    if is_release && !is_published {
        source = commit::source_on_github(dir);
        // A changed file is not in the commit.
        for name in ["src", "crates", "Cargo.lock"] {
            println!("cargo::rerun-if-changed={name}");
        }
    }
    println!(
        "cargo::rustc-env=BUILD_SOURCE={}",
        source.unwrap_or_default()
    );
    Ok(())
}
