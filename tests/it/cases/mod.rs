//! The small sites of tests/cases: a test a group, and all failures of a group at once.

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

/// A case with so many pages takes too long for every run of the suite.
const MANY_PAGES: usize = 10_000;

/// The group whose cases are messages, and no sites.
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
    robots_tags_are_read_as_engines_read_them: "html-robots",
    odd_markup_is_read_as_browsers_read_it: "html-parse",
    canonical_links_decide_as_documented: "html-canonical",
    base_elements_move_what_is_relative: "html-base",
    refreshes_that_send_on_are_told_from_others: "html-refresh",
    encodings_and_broken_bytes_are_survived: "html-bytes",
    language_versions_are_written_where_they_are_returned: "html-hreflang",
    images_are_listed_once: "html-images",
    feeds_are_told_from_all_else: "feeds",
    names_of_files_become_addresses: "names",
    links_pipes_and_folders_are_no_traps: "paths",
    dates_are_true_or_missing: "dates",
    files_have_the_form_of_the_protocol: "format",
    limits_are_kept: "limits",
    settings_are_taken_or_refused: "config",
    robots_txt_is_obeyed: "robots-rules",
    robots_txt_gets_its_line_and_loses_nothing: "robots-update",
}

#[test]
#[ignore = "makes 30,000 to 50,001 pages a case"]
fn limits_are_kept_at_full_size() {
    run_all(|case| case.group == "limits" && is_large(case));
}

#[test]
fn every_case_is_run() {
    for case in cases() {
        let is_run = case.group == MESSAGES || COVERED.contains(&case.group.as_str());
        assert!(is_run, "nobody runs the group `{}`", case.group);
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
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../cases/cases.json"))
        .expect("the file is well-formed");
    assert!(!cases.is_empty());
    cases
}

/// Runs the chosen cases, and fails with all that do not hold.
fn run_all(is_chosen: impl Fn(&Case) -> bool) {
    run_all_by(is_chosen, |case| {
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
        "{} of {} cases do not hold:\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

fn failure(case: &Case, held: Check) -> Option<String> {
    let error = held.err()?;
    let Case {
        id,
        strength,
        title,
        why,
        source,
        ..
    } = case;
    Some(format!(
        "{id} ({strength}): {title}\n  {error}\n  why: {why}\n  source: {source}\n"
    ))
}
