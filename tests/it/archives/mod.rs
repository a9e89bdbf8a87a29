//! Sites in archives, with the commands that run there and what is true after each: the first days of
//! people (`tests/first-days`) and behaviours of small sites (`tests/cases`). The READMEs there describe
//! the format.

mod day;
mod wishes;

use std::fs;
use std::path::Path;

use day::faults_of;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

macro_rules! archives {
    ($($test:ident: $name:literal,)+) => {
        const NAMES: &[&str] = &[$($name),+];

        $(#[test]
        fn $test() {
            assert_as_wanted(&["cases/".to_owned() + $name]);
        })+
    };
}

archives! {
    build: "build",
    build_changes: "build-changes",
    chain: "chain",
    check_dates: "check-dates",
    check_file: "check-file",
    committed_sitemaps: "committed-sitemaps",
    dates: "dates",
    drafts: "drafts",
    edit_links: "edit-links",
    explain: "explain",
    faults: "faults",
    feeds: "feeds",
    first_day: "first-day",
    first_mistakes: "first-mistakes",
    first_output: "first-output",
    generator_output: "generator-output",
    generators: "generators",
    hosts: "hosts",
    hugo: "hugo",
    includes: "includes",
    index: "index",
    init: "init",
    layouts: "layouts",
    list_members: "list-members",
    lists: "lists",
    memory: "memory",
    other_sitemaps: "other-sitemaps",
    page_dates: "page-dates",
    page_settings: "page-settings",
    pages: "pages",
    pages_excluded: "pages-excluded",
    pipelines: "pipelines",
    previews: "previews",
    repeated_keys: "repeated-keys",
    replaced: "replaced",
    replaced_losses: "replaced-losses",
    rules: "rules",
    serving: "serving",
    settings_files: "settings-files",
    shallow: "shallow",
    shared_sources: "shared-sources",
    source_maps: "source-maps",
    unusual_sites: "unusual-sites",
    url_forms: "url-forms",
}

#[test]
fn every_archive_of_cases_is_run() {
    let mut names: Vec<String> = NAMES.iter().map(|name| format!("cases/{name}")).collect();
    names.sort();
    assert_eq!(names, archives_in("cases"));
}

#[test]
#[cfg(target_os = "linux")] // sh
fn first_days_end_as_people_want() {
    let days = archives_in("first-days");
    assert!(days.len() > 30);
    let (some, others) = days.split_at(days.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| assert_as_wanted(some));
        assert_as_wanted(others);
    });
}

/// The archives in a directory of the tests, sorted.
fn archives_in(dir: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(Path::new(TESTS).join(dir)).expect("the directory exists") {
        let name = entry.expect("it can be read").file_name();
        if let Some(name) = name.to_string_lossy().strip_suffix(".txtar") {
            names.push(format!("{dir}/{name}"));
        }
    }
    names.sort();
    names
}

fn assert_as_wanted(names: &[String]) {
    let mut faults = Vec::new();
    for name in names {
        let text = fs::read_to_string(format!("{TESTS}/{name}.txtar")).expect("it is text");
        faults.extend(faults_of(name, &text));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
