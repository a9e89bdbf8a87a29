//! The small sites of tests/cases: one test for each group, which reports all its failures at once.

mod case;
mod checks;
mod ran;
mod robots;
pub(crate) mod schema;
#[cfg(feature = "submit")]
mod submit;

use case::Case;
use checks::Check;
use ran::Ran;

/// Cases with more pages than this are too slow for every run.
const MANY_PAGES: usize = 10_000;

/// The group of cases about IndexNow messages.
const MESSAGES: &str = "submit";

macro_rules! groups {
    ($($test:ident: $group:literal,)+) => {
        /// Every group that is run.
        const COVERED: &[&str] = &[$($group),+];

        $(#[test]
        fn $test() {
            run_all(|case| case.group == $group && !is_large(case));
        })+
    };
}

groups! {
    robots_tags_are_read_as_search_engines_read_them: "html-robots",
    unusual_markup_is_parsed_as_in_browsers: "html-parse",
    canonical_links_decide_as_documented: "html-canonical",
    base_elements_affect_relative_links: "html-base",
    refreshes_that_redirect_are_distinguished_from_others: "html-refresh",
    encodings_and_invalid_bytes_are_handled: "html-bytes",
    language_versions_are_written_if_they_link_back: "html-hreflang",
    feeds_are_distinguished_from_other_files: "feeds",
    file_names_become_urls: "names",
    links_pipes_and_directories_are_handled: "paths",
    dates_are_correct_or_missing: "dates",
    files_conform_to_the_protocol: "format",
    limits_are_respected: "limits",
    settings_are_accepted_or_rejected: "config",
    robots_txt_is_obeyed: "robots-rules",
    robots_txt_gets_its_line_and_keeps_its_content: "robots-update",
}

#[test]
#[ignore = "creates 30,000 to 50,001 pages per case"]
fn limits_are_respected_at_full_size() {
    run_all(|case| case.group == "limits" && is_large(case));
}

#[test]
fn every_case_is_run() {
    for case in cases() {
        let is_run = case.group == MESSAGES || COVERED.contains(&case.group.as_str());
        assert!(is_run, "the group `{}` is not run", case.group);
    }
}

#[test]
#[cfg(feature = "submit")]
fn messages_to_engines_follow_their_protocol() {
    run_all_by(|case| case.group == MESSAGES, submit::hold);
}

fn is_large(case: &Case) -> bool {
    case.input().count.is_some_and(|count| count > MANY_PAGES)
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../cases/cases.json")).expect("cases.json is valid");
    assert!(!cases.is_empty());
    cases
}

/// Runs the chosen cases and fails with all failures at once.
fn run_all(is_chosen: impl Fn(&Case) -> bool) {
    let can_run = |case: &Case| is_chosen(case) && case.input().can_exist();
    run_all_by(can_run, |case| {
        Ran::new(case).and_then(|ran| checks::hold(&ran, &case.expected))
    });
}

fn run_all_by(is_chosen: impl Fn(&Case) -> bool, hold: impl Fn(&Case) -> Check) {
    let cases: Vec<Case> = cases().into_iter().filter(is_chosen).collect();
    assert!(!cases.is_empty(), "no case is chosen");
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| failure(case, hold(case)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases failed:\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

fn failure(case: &Case, held: Check) -> Option<String> {
    let error = held.err()?;
    let (id, strength, title) = (&case.id, &case.strength, &case.title);
    let (why, source) = (&case.why, &case.source);
    Some(format!(
        "{id} ({strength}): {title}\n  {error}\n  why: {why}\n  source: {source}\n"
    ))
}
