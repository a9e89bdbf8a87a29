//! `waypost --version`, and the commit that the build script records.

#[cfg(unix)]
use std::process::Command;

use crate::site_test::SiteTest;

#[cfg(unix)]
#[path = "../../build/commit.rs"]
mod commit;

#[cfg(unix)]
use commit::{changing_file, commit_of};

#[test]
fn the_short_version_is_one_line_and_the_long_one_describes_the_build() {
    let site = SiteTest::empty();
    let version = concat!("waypost ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(site.waypost(&["-V"]).succeeded().stdout, version);
    let long = site.waypost(&["--version"]).succeeded().stdout;
    let names = long.lines().filter_map(|line| line.split_once(": "));
    let names: Vec<&str> = names.map(|(name, _)| name).collect();
    assert!(long.starts_with(version), "{long}");
    assert_eq!(names, ["commit", "features", "target"]);
}

#[test]
#[cfg(unix)] // tar
fn a_clone_an_archive_and_a_package_of_a_commit_record_the_same_commit() {
    let site = SiteTest::empty();
    site.write("build/commit.txt", "$Format:%H$\n")
        .write(".gitattributes", "build/commit.txt export-subst\n");
    assert_eq!(commit_of(site.root()), None);
    let commit = site.commit("2024-05-06T07:08:09Z");
    assert_eq!(commit_of(site.root()), Some(commit.clone()));
    assert!(changing_file(site.root()).is_some_and(|file| file.ends_with("logs/HEAD")));

    site.git(&["archive", "--format=tar", "--output=../archive.tar", "HEAD"]);
    let archive = SiteTest::empty();
    let tar = site.root().join("../archive.tar");
    archive.git(&["init", "--quiet", ".."]); // a repository around the sources is not theirs
    let mut unpack = Command::new("tar");
    unpack.arg("-xf").arg(tar).current_dir(archive.root());
    assert!(unpack.status().expect("tar can be run").success());
    assert_eq!(commit_of(archive.root()), Some(commit.clone()));

    let package = |dirty: &str| {
        let info = format!(r#"{{"git": {{"sha1": "{commit}"{dirty}}}, "path_in_vcs": ""}}"#);
        let site = SiteTest::empty();
        site.write(".cargo_vcs_info.json", info);
        commit_of(site.root())
    };
    assert_eq!(package(""), Some(commit.clone()));
    assert_eq!(package(r#", "dirty": true"#), None);
}
