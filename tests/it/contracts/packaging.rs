//! Checks that the packages of a release agree with each other: their versions, platforms and file names.

use std::collections::BTreeSet;

use serde_json::Value;

use super::integrations::{text, yaml};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn targets() -> toml::Table {
    text("packaging/targets.toml").parse().expect("TOML")
}

#[test]
fn every_package_has_the_version_of_the_program() {
    for package in ["packaging/npm/package.json", "netlify/package.json"] {
        assert_eq!(json(package)["version"], VERSION, "{package}");
    }
    let hooks: toml::Table = text("pyproject.toml").parse().expect("TOML");
    assert_eq!(hooks["project"]["version"].as_str(), Some(VERSION));
    let installed = hooks["project"]["dependencies"][0].as_str();
    let expected = concat!("waypost==", env!("CARGO_PKG_VERSION"));
    assert_eq!(installed, Some(expected));
    for (file, line) in [
        ("packaging/install.sh", format!("version={VERSION}\n")),
        (
            "templates/waypost.yml",
            format!("    version:\n      default: {VERSION}\n"),
        ),
        ("templates/waypost.yml", format!("/waypost@{VERSION}\n")),
    ] {
        assert!(text(file).contains(&line), "{file}: {line}");
    }
}

#[test]
fn the_netlify_plugin_depends_on_the_program_of_every_platform() {
    let package = json("netlify/package.json");
    let dependencies = package["optionalDependencies"].as_object();
    let dependencies = dependencies.expect("a table");
    let targets = targets();
    let built = targets
        .values()
        .filter_map(|target| target.get("npm")?.as_str());
    let built: BTreeSet<String> = built.map(|name| format!("waypost-{name}")).collect();
    assert!(
        dependencies
            .keys()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .eq(&built)
    );
    assert!(dependencies.values().all(|version| version == VERSION));
}

#[test]
fn the_release_builds_every_target_and_the_installers_name_no_other() {
    let targets = targets();
    let targets: BTreeSet<&str> = targets.keys().map(String::as_str).collect();
    let workflow = yaml(".github/workflows/release.yml");
    let matrix = &workflow["jobs"]["build"]["strategy"]["matrix"]["include"];
    let built = matrix.as_array().expect("an array").iter();
    let built: BTreeSet<&str> = built.filter_map(|row| row["target"].as_str()).collect();
    assert_eq!(built, targets);
    for (script, before) in [
        ("action/install.sh", ") target="),
        ("packaging/install.sh", ") echo "),
    ] {
        let script = text(script);
        let named = script
            .lines()
            .filter_map(|line| line.split_once(before)?.1.strip_suffix(" ;;"));
        let named: BTreeSet<&str> = named.filter(|name| name.contains('-')).collect();
        assert!(named.len() >= 4 && named.is_subset(&targets), "{named:?}");
    }
}

#[test]
fn the_container_image_has_the_archives_of_its_processors() {
    let dockerfile = text("packaging/Dockerfile");
    for (name, target) in targets() {
        if let Some(processor) = target.get("image").and_then(toml::Value::as_str) {
            let copied = format!("COPY waypost-{name}.tar.gz /{processor}.tar.gz\n");
            assert!(dockerfile.contains(&copied), "{copied}");
        }
    }
}

#[test]
fn cargo_binstall_finds_the_archives_under_the_names_that_the_release_gives_them() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("TOML");
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let url = binstall["pkg-url"].as_str().expect("a string");
    let filled = url
        .replace("{ repo }", "REPO")
        .replace("{ version }", VERSION);
    let downloads = format!("REPO/releases/download/v{VERSION}");
    assert_eq!(filled, format!("{downloads}/waypost-{{ target }}.tar.gz"));
    // `action/install.sh` and `packaging/install.sh` build the same URL.
    assert!(text("action/install.sh").contains(
        "archive=waypost-$target.tar.gz from=$server/$repository/releases/download/v$version"
    ));
    assert!(text("packaging/install.sh").contains("$repository/releases/download/v$version"));
    // The program is at the top of the archive, without a directory of the target's name.
    assert_eq!(binstall["bin-dir"].as_str(), Some("{ bin }{ binary-ext }"));
    assert_eq!(binstall["pkg-fmt"].as_str(), Some("tgz"));
}

#[cfg(unix)] // sh
mod scripts {
    use super::text;
    use crate::site_test::{Outcome, SiteTest};

    /// Runs a script of `.ci` in a directory with some files; returns whether it succeeded, and its output.
    fn run(site: &SiteTest, script: &str, arguments: &str) -> (bool, String) {
        site.write(script, text(script));
        let command = format!("exec bash {script} {arguments} 2>&1");
        let done = site.shell_command(&command, &[]).output();
        let outcome = Outcome::of(done.expect("bash can be run"));
        (outcome.code == 0, outcome.stdout)
    }

    #[test]
    fn the_notes_of_a_release_are_its_own_section_of_the_changelog() {
        let changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.10.0 - 2026-01-01\n\n- ten\n\n## 1.1.0 - 2025-01-01\n\n- one\n";
        let site = SiteTest::empty();
        site.write("CHANGELOG.md", changelog);
        for (version, expected) in [
            ("1.10.0", "\n- ten\n"),
            ("1.1.0", "\n- one\n"),
            ("2.0.0-rc.1", "\n- new\n"),
        ] {
            let notes = run(&site, ".ci/release-notes", version);
            assert_eq!(notes, (true, expected.to_owned()), "{version}");
        }
        let (succeeded, printed) = run(&site, ".ci/release-notes", "1.1");
        let is_named = printed.contains("no section `## 1.1`");
        assert!(!succeeded && is_named, "{printed}");
    }
}
