//! Checks `.ci/major-tag`, which moves the tag of the major version to a release.

use std::process::Output;

use crate::site_test::SiteTest;

/// A repository with three commits, and its origin.
struct Releases {
    origin: SiteTest,
    clone: SiteTest,
    commits: Vec<String>,
}

impl Releases {
    fn new() -> Self {
        let (origin, clone) = (SiteTest::empty(), SiteTest::of_pages(&["a.html"]));
        origin.git(&["init", "-q", "--bare", "."]);
        let commits = (1..=3).map(|nth| {
            clone.write("nth", nth.to_string());
            clone.commit("2024-01-01T00:00:00Z")
        });
        let commits = commits.collect();
        let url = origin.root().display().to_string();
        clone.git(&["remote", "add", "origin", &url]);
        Self {
            origin,
            clone,
            commits,
        }
    }

    /// Tags the commit at an index.
    fn tag(&self, name: &str, commit: usize) {
        let clone = &self.clone;
        clone.git(&["tag", "-a", "-m", name, name, &self.commits[commit]]);
        clone.git(&["push", "-q", "origin", name]);
    }

    /// Runs the script, and returns the index of the commit that the tag `v1` of the origin has.
    fn moved_for(&self, release: &str) -> Option<usize> {
        let done = self.run(release);
        assert!(done.status.success(), "{done:?}");
        let format = ["for-each-ref", "--format=%(objectname)", "refs/tags/v1"];
        let tags = self.origin.git(&format);
        self.commits.iter().position(|commit| *commit == tags)
    }

    fn run(&self, release: &str) -> Output {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/major-tag");
        let script = format!("exec {script} {release}");
        let done = self.clone.shell_command(&script, &[]).output();
        done.expect("sh can be run")
    }
}

#[test]
fn the_major_tag_moves_to_the_newest_release_and_never_back() {
    let releases = Releases::new();
    releases.tag("v1.9.0", 0);
    assert_eq!(releases.moved_for("v1.9.0"), Some(0));
    releases.tag("v1.10.0", 1);
    assert_eq!(releases.moved_for("v1.10.0"), Some(1));
    assert_eq!(releases.moved_for("v1.10.0"), Some(1), "a second run");
    for (later, why) in [
        ("v1.9.1", "a fix of an earlier version"),
        ("v1.11.0-rc.1", "a pre-release"),
        ("v10.0.0", "another major version"),
    ] {
        releases.tag(later, 2);
        assert_eq!(releases.moved_for(later), Some(1), "{why}");
    }
}

#[test]
fn a_tag_that_is_not_on_the_origin_moves_nothing() {
    let done = Releases::new().run("v1.0.0");
    let error = String::from_utf8_lossy(&done.stderr);
    let is_refused = error.contains("`origin` has no tag `v1.0.0`");
    assert!(!done.status.success() && is_refused, "{error}");
}
