//! `waypost --version`, and the commit that the build script records.

#[cfg(unix)]
use std::process::Command;

use crate::site_test::SiteTest;
#[cfg(unix)]
use crate::table::rows;

#[cfg(unix)]
#[path = "../../build/commit.rs"]
mod commit;

#[cfg(unix)]
use commit::{changing_files, commit_of, source_on_github};

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
    let changing = changing_files(site.root());
    assert!(
        changing.iter().any(|file| file.ends_with("logs/HEAD")),
        "{changing:?}"
    );

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

#[test]
#[cfg(unix)]
fn a_clean_clone_of_a_repository_on_github_names_the_commit_that_github_has() {
    let site = SiteTest::empty();
    site.write("a.rs", "");
    let commit = site.commit("2024-05-06T07:08:09Z");
    let source = || source_on_github(site.root());
    let here = Some(format!("ada/waypost@{commit}"));
    assert_eq!(source(), None, "no remote");
    site.git(&[
        "remote",
        "add",
        "origin",
        "https://github.com/ada/waypost.git",
    ]);
    assert_eq!(source(), None, "a commit that was not pushed");
    site.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    for [url, expected] in rows(
        "https://github.com/ada/waypost.git         | yes
         https://github.com/ada/waypost/            | yes
         https://token@github.com/ada/waypost       | yes
         git@github.com:ada/waypost.git             | yes
         ssh://git@github.com/ada/waypost.git       | yes
         https://gitlab.com/ada/waypost.git         | no
         https://notgithub.com/ada/waypost.git      | no
         https://github.com.example.org/ada/waypost | no
         https://github.com/ada                     | no
         https://github.com/ada/way'post            | no
         /srv/github.com/ada/waypost                | no",
    ) {
        site.git(&["config", "remote.origin.url", url]);
        let expected = here.clone().filter(|_| expected == "yes");
        assert_eq!(source(), expected, "{url}");
    }
    site.git(&[
        "config",
        "remote.origin.url",
        "https://github.com/ada/waypost",
    ]);
    site.write("a.rs", "fn main() {}");
    assert_eq!(source(), None, "a changed file");
}
