//! Tests of `build_result`.

use super::*;

#[test]
fn added_and_removed_lines_of_robots_txt_are_reported_together() {
    let check = |added, removed, expected: &str| {
        assert_eq!(
            robots_lines(RobotsLines { added, removed }, WriteMode::Write),
            expected
        );
    };
    check(0, 0, "0 Sitemap lines added");
    check(1, 0, "1 Sitemap line added");
    check(0, 1, "0 Sitemap lines added, 1 removed");
    check(2, 1, "2 Sitemap lines added, 1 removed");
    let lines = RobotsLines {
        added: 1,
        removed: 3,
    };
    assert_eq!(
        robots_lines(lines, WriteMode::DryRun),
        "1 Sitemap line would be added, 3 would be removed"
    );
}

#[test]
fn a_single_item_has_a_singular_noun() {
    assert_eq!([1, 2, 0].map(entries), ["entry  ", "entries", "entries"]);
}

#[test]
fn numbers_are_grouped_and_have_units() {
    assert_eq!(
        [0, 999, 1_000, 1_234_567].map(grouped),
        ["0", "999", "1,000", "1,234,567"]
    );
    assert_eq!(
        [0, 999, 1_250, 123_456, 1_048_576].map(size),
        ["0 B", "999 B", "1.2 kB", "123 kB", "1.0 MB"]
    );
}
