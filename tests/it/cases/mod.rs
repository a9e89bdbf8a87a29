//! The small sites of tests/cases: a test a group, and all failures of a group at once.

mod case;
mod checks;
mod ran;
mod robots;
mod schema;

use std::collections::BTreeMap;
use std::io::Write;

use case::Case;
use ran::Ran;

/// A case with so many pages takes too long for every run of the suite.
const MANY_PAGES: usize = 10_000;

/// Groups of what waypost does not do yet: they are counted, and said.
const NOT_COVERED: &[&str] = &["feeds", "submit"];

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
    robots_tags: "html-robots",
    odd_markup: "html-parse",
    canonical_links: "html-canonical",
    base_elements: "html-base",
    refreshes: "html-refresh",
    encodings_and_broken_bytes: "html-bytes",
    language_versions: "html-hreflang",
    images: "html-images",
    names_of_files: "names",
    links_pipes_and_folders: "paths",
    dates: "dates",
    bytes_of_the_files: "format",
    limits: "limits",
    settings: "config",
    rules_of_robots_txt: "robots-rules",
    lines_added_to_robots_txt: "robots-update",
}

#[test]
#[ignore = "makes 30,000 to 50,001 pages a case"]
fn limits_at_full_size() {
    run_all(|case| case.group == "limits" && is_large(case));
}

#[test]
fn every_case_is_run_or_counted_as_not_covered() {
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let cases = cases();
    for case in cases.iter().filter(|case| !COVERED.contains(&case.group.as_str())) {
        assert!(NOT_COVERED.contains(&case.group.as_str()), "nobody runs the group `{}`", case.group);
        *missing.entry(&case.group).or_insert(0) += 1;
    }
    let count: usize = missing.values().sum();
    let message = format!("note: {count} of {} cases are not covered yet: {missing:?}", cases.len());
    writeln!(std::io::stderr(), "{message}").expect("stderr is open");
}

fn is_large(case: &Case) -> bool {
    case.input().count.is_some_and(|count| count > MANY_PAGES)
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../cases/cases.json")).expect("the file is well-formed");
    assert!(!cases.is_empty());
    cases
}

/// Runs the chosen cases, and fails with all that do not hold.
fn run_all(is_chosen: impl Fn(&Case) -> bool) {
    let cases: Vec<Case> = cases().into_iter().filter(is_chosen).collect();
    assert!(!cases.is_empty(), "no case is chosen");
    let failures: Vec<String> = cases.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{} of {} cases do not hold:\n\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn failure(case: &Case) -> Option<String> {
    let error = Ran::new(case).and_then(|ran| checks::hold(&ran, &case.expected)).err()?;
    let Case { id, strength, title, why, source, .. } = case;
    Some(format!("{id} ({strength}): {title}\n  {error}\n  why: {why}\n  source: {source}\n"))
}
