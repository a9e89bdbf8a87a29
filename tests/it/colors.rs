//! Colours: `--color`, and the variables of users and CI services.

use crate::site_test::SiteTest;

#[test]
fn the_option_precedes_the_variables() {
    let check = |option: &[&str], (name, value): (&str, &str), is_coloured: bool| {
        let mut site = SiteTest::of_pages(&["index.html"]);
        site.variable("NO_COLOR", "").variable(name, value);
        let outcome = site.waypost(&[&["build"], option].concat()).succeeded();
        let found = outcome.stderr.contains("\u{1b}[");
        assert_eq!(found, is_coloured, "{option:?} {name}={value}");
    };
    check(&[], ("LANG", "C"), false);
    check(&[], ("CLICOLOR_FORCE", "1"), true);
    check(&["--color", "never"], ("CLICOLOR_FORCE", "1"), false);
    check(&["--color", "always"], ("NO_COLOR", "1"), true);
    check(&["--color", "auto"], ("NO_COLOR", "1"), false);
}

#[test]
fn the_variables_also_count_for_the_help() {
    let mut site = SiteTest::empty();
    for (value, is_coloured) in [("", true), ("1", false)] {
        site.variable("CLICOLOR_FORCE", "1")
            .variable("NO_COLOR", value);
        let help = site.waypost(&["--help"]).succeeded().stdout;
        assert_eq!(help.contains("\u{1b}["), is_coloured, "NO_COLOR={value}");
    }
}

#[test]
fn the_code_of_a_finding_is_a_link_in_a_terminal_once_the_documentation_has_a_site() {
    let mut site = SiteTest::of_pages(&["index.html"]);
    site.settings("exclude = [\"missing/**\"]\n");
    site.variable("NO_COLOR", "")
        .variable("CLICOLOR_FORCE", "1");
    let stderr = site.build().stderr;
    let url = "/findings/settings.html#setting-unused\u{1b}";
    assert_eq!(stderr.contains(url), cfg!(published), "{stderr}");
    assert_eq!(stderr.contains("\u{1b}]8;;"), cfg!(published), "{stderr}");
    assert!(stderr.contains("setting-unused"), "{stderr}");
}
