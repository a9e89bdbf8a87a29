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

/// The rest of the first line that begins with `start`.
fn line_after(path: &str, start: &str) -> String {
    let text = text(path);
    let rest = text.lines().find_map(|line| line.strip_prefix(start));
    let missing = || panic!("{path} has no line `{start}`");
    rest.unwrap_or_else(missing).to_owned()
}

#[test]
fn every_package_has_the_version_of_the_program() {
    for package in ["packaging/npm/package.json", "netlify/package.json"] {
        assert_eq!(json(package)["version"], VERSION, "{package}");
    }
    assert_eq!(line_after("packaging/install.sh", "version="), VERSION);
    let hooks: toml::Table = text("pyproject.toml").parse().expect("TOML");
    assert_eq!(hooks["project"]["version"].as_str(), Some(VERSION));
    let installed = hooks["project"]["dependencies"][0].as_str();
    assert_eq!(
        installed,
        Some(concat!("waypost==", env!("CARGO_PKG_VERSION")))
    );
    let component = text("templates/waypost.yml");
    let default = format!("    version:\n      default: {VERSION}\n");
    assert!(component.contains(&default), "{component}");
    assert!(
        component.contains(&format!("/waypost@{VERSION}\n")),
        "{component}"
    );
}

#[test]
fn the_netlify_plugin_depends_on_the_program_of_every_platform() {
    let package = json("netlify/package.json");
    let dependencies = package["optionalDependencies"]
        .as_object()
        .expect("a table");
    let named: BTreeSet<String> = dependencies.keys().cloned().collect();
    let built = targets();
    let built = built
        .values()
        .filter_map(|target| target.get("npm")?.as_str());
    assert_eq!(named, built.map(|name| format!("waypost-{name}")).collect());
    assert!(
        dependencies.values().all(|version| version == VERSION),
        "{package}"
    );
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
    let targets = targets();
    let images = targets
        .iter()
        .filter_map(|(name, target)| Some((name, target.get("image")?.as_str()?)));
    for (target, processor) in images {
        let copied = format!("COPY waypost-{target}.tar.gz /{processor}.tar.gz\n");
        assert!(dockerfile.contains(&copied), "{copied}");
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
    use crate::site_test::SiteTest;

    /// Runs a script of `.ci` in a directory with some files; returns whether it succeeded, and its output.
    fn run(site: &SiteTest, script: &str, arguments: &str) -> (bool, String) {
        site.write(script, text(script));
        let done = site
            .shell_command(&format!("exec bash {script} {arguments}"), &[])
            .output();
        let done = done.expect("bash can be run");
        let printed = [done.stdout, done.stderr].concat();
        (
            done.status.success(),
            String::from_utf8(printed).expect("UTF-8"),
        )
    }

    fn notes(changelog: &str, version: &str) -> (bool, String) {
        let site = SiteTest::empty();
        site.write("CHANGELOG.md", changelog);
        run(&site, ".ci/release-notes", version)
    }

    #[test]
    fn the_notes_of_a_release_are_its_own_section_of_the_changelog() {
        let changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.10.0 - 2026-01-01\n\n- ten\n\n## 1.1.0 - 2025-01-01\n\n- one\n";
        let check = |version: &str, expected: &str| {
            assert_eq!(
                notes(changelog, version),
                (true, expected.to_owned()),
                "{version}"
            );
        };
        check("1.10.0", "\n- ten\n");
        check("1.1.0", "\n- one\n");
        check("2.0.0-rc.1", "\n- new\n");
        let (succeeded, printed) = notes(changelog, "1.1");
        assert!(
            !succeeded && printed.contains("no section `## 1.1`"),
            "{printed}"
        );
    }

    #[test]
    fn the_owner_is_filled_in_once_in_every_file() {
        let site = SiteTest::empty();
        site.write(
            "Cargo.toml",
            "repository = \"https://github.com/OWNER/waypost\"\n",
        )
        .write("examples/a.yml", "- uses: OWNER/waypost@v1\n");
        site.commit("2024-01-01T00:00:00Z");
        let (succeeded, printed) = run(&site, ".ci/owner", "");
        assert!(
            !succeeded && printed.contains("missing in 2 places"),
            "{printed}"
        );
        let (succeeded, printed) = run(&site, ".ci/owner", "https://example.com/");
        assert!(
            !succeeded && printed.contains("not the URL of a repository"),
            "{printed}"
        );
        let (succeeded, printed) = run(&site, ".ci/owner", "https://github.com/example/maps/");
        assert!(succeeded, "{printed}");
        assert_eq!(
            site.read("Cargo.toml"),
            "repository = \"https://github.com/example/maps\"\n"
        );
        assert_eq!(site.read("examples/a.yml"), "- uses: example/maps@v1\n");
        assert_eq!(run(&site, ".ci/owner", ""), (true, String::new()));
        let again = run(&site, ".ci/owner", "https://github.com/example/maps");
        assert_eq!(again, (true, String::new()));
    }
}
