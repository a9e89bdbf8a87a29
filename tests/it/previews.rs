//! Which builds are previews: pull requests and branches in the environments of build services, as
//! the services document their variables.

use std::fmt::Write;
use std::fs;

use crate::dates_repositories::clone_of;
use crate::site_test::{Outcome, SiteTest};

/// A site of one page, in the environment of a service.
fn site_on(settings: &str, variables: &str) -> SiteTest {
    let mut site = SiteTest::of_pages(&["index.html"]);
    site.settings(settings);
    site.variables(variables);
    site
}

/// The effect of a build, as tests/cases/environments.txt names it.
fn result_of(outcome: &Outcome, site: &SiteTest) -> &'static str {
    let has = |code: &str| outcome.stderr.contains(&format!("note[{code}]"));
    let has_sitemap = site.root().join("sitemap.xml").exists();
    match (has("preview-skipped"), has("branch-unknown"), has_sitemap) {
        (false, false, true) => "written",
        (false, true, true) => "noted",
        (true, false, false) => "skipped",
        _ => panic!("{}", outcome.stderr),
    }
}

#[test]
fn builds_in_the_environments_of_services_are_previews_as_documented() {
    let mut always = "";
    let mut different = Vec::new();
    for line in include_str!("../cases/environments.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(section) = line.strip_prefix('[') {
            always = section.split_once(']').expect("the end of a name").1;
            continue;
        }
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, expected, variables] = columns[..] else {
            panic!("{line}");
        };
        let event = tempfile::NamedTempFile::new().expect("a file");
        let mut settings = String::new();
        let mut environment = always.to_owned();
        for variable in variables.split_whitespace() {
            match variable.split_once('=').expect("NAME=VALUE") {
                ("branches", globs) => {
                    let globs: Vec<&str> = globs.split(',').collect();
                    settings = format!("production_branches = {globs:?}\n");
                }
                ("event", payload) => {
                    fs::write(event.path(), payload).expect("the file can be written");
                    write!(environment, " GITHUB_EVENT_PATH={}", event.path().display())
                        .expect("writing to a string cannot fail");
                }
                _ => environment.extend([" ", variable]),
            }
        }
        let site = site_on(&settings, &environment);
        let found = result_of(&site.build(), &site);
        if found != expected {
            different.push(format!("{found}, not {expected}: {line}"));
        }
    }
    assert_eq!(different, Vec::<String>::new());
}

#[test]
fn the_default_branch_of_the_remote_is_production() {
    let origin = SiteTest::of_pages(&["index.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin.git(&["branch", "-m", "trunk"]);
    let clone = |branch: &str| {
        let mut site = clone_of(&origin, &[]);
        site.variables(&format!("CF_PAGES=1 CF_PAGES_BRANCH={branch}"));
        result_of(&site.build(), &site)
    };
    assert_eq!(clone("trunk"), "written");
    assert_eq!(clone("main"), "noted");
}
