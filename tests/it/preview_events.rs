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
