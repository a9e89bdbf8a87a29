//! Previews by the event file of GitHub, where it cannot be read or the clone decides.

use std::fs;

use crate::previews::site_on;

#[test]
fn an_event_file_that_cannot_be_read_is_reported() {
    let on = "GITHUB_ACTIONS=true GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads";
    let dir = tempfile::tempdir().expect("a directory");
    let event = dir.path().join("event.json");
    let lost = format!("GITHUB_EVENT_PATH={}", event.display());
    let message = "the event file of this build cannot be read";
    let main = site_on("", &format!("{on}/main {lost}"));
    main.build().says(message).says("event-unreadable");
    let settings = "production_branches = [\"main\"]\n";
    let feature = site_on(settings, &format!("{on}/feature {lost}"));
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
        "production_branches = [\"main\"]\n",
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
