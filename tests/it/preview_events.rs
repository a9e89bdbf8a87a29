//! Previews by the event file of GitHub: merged pull requests, default branches, and workflows that
//! others start.

use std::fs;

use crate::previews::{site_on, writes};

#[test]
fn the_event_file_of_github_names_merged_pull_requests_and_default_branches() {
    let check = |name: &str, git_ref: &str, payload: &str, is_production: bool| {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), payload).expect("the file can be written");
        let path = file.path().to_str().expect("a plain path");
        let variables = format!(
            "GITHUB_ACTIONS=true GITHUB_EVENT_NAME={name} GITHUB_REF={git_ref} \
             GITHUB_EVENT_PATH={path}"
        );
        assert_eq!(writes("", &variables), is_production, "{name} {payload}");
    };
    let pull = |action: &str, merged: bool, base: &str| {
        format!(
            r#"{{"action": "{action}", "repository": {{"default_branch": "trunk"}},
                "pull_request": {{"merged": {merged}, "base": {{"ref": "{base}"}}}}}}"#
        )
    };
    let merge = "refs/pull/7/merge";
    check("pull_request", merge, &pull("closed", true, "trunk"), true);
    check("pull_request", merge, &pull("closed", true, "next"), false);
    check(
        "pull_request",
        merge,
        &pull("closed", false, "trunk"),
        false,
    );
    check(
        "pull_request",
        merge,
        &pull("opened", false, "trunk"),
        false,
    );
    let repository = r#"{"repository": {"default_branch": "trunk"}}"#;
    check("push", "refs/heads/trunk", repository, true);
    check("push", "refs/heads/next", repository, false);
    let run = |event: &str, branch: &str| {
        format!(r#"{{"workflow_run": {{"event": "{event}", "head_branch": "{branch}"}}}}"#)
    };
    check(
        "workflow_run",
        "refs/heads/main",
        &run("push", "main"),
        true,
    );
    check(
        "workflow_run",
        "refs/heads/main",
        &run("push", "next"),
        false,
    );
    check(
        "workflow_run",
        "refs/heads/main",
        &run("pull_request", "main"),
        false,
    );
    let release = |target: &str| {
        format!(
            r#"{{"release": {{"target_commitish": "{target}"}},
                "repository": {{"default_branch": "trunk"}}}}"#
        )
    };
    check("release", "refs/tags/v1", &release("trunk"), true);
    check("release", "refs/tags/v1", &release("maintenance-1"), false);
    check("push", "refs/heads/main", "not JSON", true);
}

#[test]
fn an_event_file_that_cannot_be_read_is_reported() {
    let on = "GITHUB_ACTIONS=true GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads";
    let dir = tempfile::tempdir().expect("a directory");
    let event = dir.path().join("event.json");
    let lost = format!("GITHUB_EVENT_PATH={}", event.display());
    let message = "the event file of this build cannot be read";
    let main = site_on("", &format!("{on}/main {lost}"));
    main.build().says(message).says("event-unreadable");
    let feature = site_on("", &format!("{on}/feature {lost}"));
    feature.waypost(&["check"]).succeeded().says(message);
    fs::write(&event, "not JSON").expect("the file can be written");
    main.build().says(message);
    fs::write(&event, "{}").expect("the file can be written");
    main.build().says_nothing_of("event file");
    site_on("", &format!("{on}/main"))
        .build()
        .says_nothing_of("event file");
}

#[test]
fn a_workflow_after_the_push_of_a_tag_is_production() {
    let event = tempfile::NamedTempFile::new().expect("a file");
    let site = site_on(
        "",
        &format!(
            "GITHUB_ACTIONS=true GITHUB_EVENT_NAME=workflow_run GITHUB_REF=refs/heads/main \
             GITHUB_EVENT_PATH={}",
            event.path().display()
        ),
    );
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["tag", "v1"]);
    site.git(&["tag", "both"]);
    site.git(&["branch", "both"]);
    let check = |name: &str, is_production: bool| {
        let payload =
            format!(r#"{{"workflow_run": {{"event": "push", "head_branch": "{name}"}}}}"#);
        fs::write(event.path(), payload).expect("the file can be written");
        let build = site.build();
        if is_production {
            build.says_nothing_of("this is a preview build");
        } else {
            build.says(&format!("`{name}` is not a production branch"));
        }
    };
    for _ in 0..2 {
        check("v1", true);
        check("both", false);
        check("unknown", false);
        check("../tags/v1", false);
        site.git(&["pack-refs", "--all"]);
    }
}
