//! Which builds are previews: pull requests and branches in the environments of build services, as
//! the services document their variables.

use std::fmt::Write;
use std::fs;

use crate::dates_repositories::clone_of;
use crate::site_test::{Outcome, SiteTest};

/// A site of one page, in the environment of a service.
pub(crate) fn site_on(settings: &str, variables: &str) -> SiteTest {
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
fn a_machine_without_a_service_builds_production_from_any_branch() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "feature"]);
    site.settings("production_branches = [\"live\"]\n").build();
    assert!(site.root().join("sitemap.xml").exists());
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

const FEATURE: &str = "NETLIFY=true CONTEXT=branch-deploy BRANCH=feature";

#[test]
fn a_preview_names_its_reason_and_how_to_write_nevertheless() {
    let reason = "a preview build on Netlify (`CONTEXT` is `branch-deploy`), so nothing is written";
    site_on("", FEATURE)
        .build()
        .says(&format!("note[preview-skipped]: this is {reason}"))
        .says("`preview = \"production-urls\"` writes the production site's sitemap here too");
    site_on("", FEATURE)
        .waypost(&["explain", "--settings"])
        .shows("Netlify, a preview (`CONTEXT` is `branch-deploy`)");
}

const UNKNOWN: &str = "CF_PAGES=1 CF_PAGES_BRANCH=feature";

#[test]
fn a_branch_that_may_be_a_preview_is_written_with_a_note_that_names_the_setting() {
    let note = "note[branch-unknown]: this build on Cloudflare Pages is of the branch `feature`, \
                which may not be production";
    let site = site_on("", UNKNOWN);
    site.waypost(&["--strict"])
        .succeeded()
        .says(note)
        .says("if it is, set `production_branches = [\"feature\"]`");
    site.waypost(&["check", "--strict"]).succeeded().says(note);
    site.waypost(&["--quiet"])
        .succeeded()
        .says_nothing_of("note");
    let site = site_on("preview = \"production-urls\"\n", UNKNOWN);
    site.build().says_nothing_of("branch-unknown");
    site_on("", UNKNOWN)
        .waypost(&["explain", "--settings"])
        .shows("Cloudflare Pages, perhaps production (branch `feature`)");
}

#[test]
fn notes_are_notices_on_github_and_never_fail_a_run() {
    let site = site_on("", UNKNOWN);
    site.waypost(&["--github", "--strict"])
        .succeeded()
        .shows("::notice title=branch-unknown::this build on Cloudflare Pages");
    let finding = &site.build_json()["findings"][0];
    assert_eq!(finding["code"], "branch-unknown");
    assert_eq!(finding["level"], "note");
}

#[test]
fn check_judges_only_the_plan_of_a_preview() {
    let site = site_on("", FEATURE);
    site.page(
        "a.html",
        "<link rel=canonical href=https://preview.example.net/a.html>",
    )
    .write("sitemap.xml", "not a sitemap");
    for arguments in [&["check"][..], &["check", "--strict"]] {
        let outcome = site.waypost(arguments).succeeded();
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        outcome.says_nothing_of("warning[");
    }
    let outcome = site.waypost(&["check", "--json"]).succeeded();
    assert_eq!(outcome.codes(), ["preview-skipped"]);
    assert_eq!(outcome.json()["pages"]["found"], 2);
}

#[test]
fn a_skipped_preview_can_be_denied() {
    let mut site = site_on("[levels]\npreview-skipped = \"deny\"\n", FEATURE);
    for arguments in [&[][..], &["-q"], &["check"]] {
        site.waypost(arguments)
            .ended_with(1)
            .says("error[preview-skipped]: this is a preview build on Netlify");
    }
    site.variable("CONTEXT", "production").build();
}

#[test]
fn the_json_of_a_preview_has_no_changed_file() {
    let site = site_on("", FEATURE);
    site.write("robots.txt", "User-agent: *\n");
    let result = site.build_json();
    assert_eq!(result["preview"], "Netlify");
    let files = result["files"].as_array().expect("an array");
    assert!(!files.is_empty());
    for file in files {
        assert_eq!(file["changed"], false, "{file}");
    }
    assert_eq!(result["removed"], serde_json::json!([]));
}
