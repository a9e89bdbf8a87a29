//! Tests of `rules`.

use proptest::prelude::*;

use super::*;
use crate::config::PageOverrides;
use crate::files::glob::GlobPattern;
use crate::findings::Subject;
use sitemaps::{ChangeFreq, GroupName, Place, Priority, RuleValues};

fn rule(pattern: &str) -> Rule {
    Rule {
        patterns: vec![GlobPattern::new(pattern).expect("a glob")],
        ..Rule::default()
    }
}

fn outcome(rules: &[Rule], file: &str) -> RuleOutcome {
    let found = RuleSet::new(rules).evaluate(&SitePath::from(file), file.as_bytes());
    let (page, site) = (PageOverrides::default(), RuleValues::default());
    RuleOutcome::of(rules, &found.matched, &page, &site)
}

#[test]
fn a_pattern_matches_the_file_or_the_url_path() {
    let check = |pattern: &str, file: &str, url_path: &[u8], expected: bool| {
        let rules = [rule(pattern)];
        let outcome = RuleSet::new(&rules).evaluate(&SitePath::from(file), url_path);
        assert_eq!(outcome.matched == [0], expected, "{pattern} {file}");
    };
    check("blog/a/index.html", "blog/a/index.html", b"blog/a/", true);
    check("blog/", "blog/index.html", b"blog/", true);
    check("/blog/*/", "blog/a/index.html", b"blog/a/", true);
    check("blog/*", "blog/a.html", b"blog/a", true);
    check("folder/*", "folder/sub/x.html", b"folder/sub/x.html", false);
    check("folder/*", "subfolder/x.html", b"subfolder/x.html", false);
    check("folder/**", "folder/sub/x.html", b"folder/sub/x.html", true);
    check("*index*.html", "genindex.html", b"genindex.html", true);
    check("*.html", "a/b.html", b"a/b.html", false);
    check("**/*.{jpg,png}", "a/cats.jpg", b"a/cats.jpg", true);
    check("**", "index.html", b"", true);
    check("/", "index.html", b"", true);
    check("/", "a/index.html", b"a/", false);
    check(
        "caf\u{e9}/*",
        "caf\u{e9}/p.html",
        "caf\u{e9}/p.html".as_bytes(),
        true,
    );
}

#[test]
fn a_file_name_that_is_not_utf8_is_matched_by_its_bytes() {
    let rules = [Rule {
        source: Some("content/{1}.md".to_owned()),
        ..rule("blog/*.html")
    }];
    let file = SitePath::new(&b"blog/caf\xe9.html"[..]);
    let outcome = RuleSet::new(&rules).evaluate(&file, b"blog/caf\xe9.html");
    assert_eq!(
        outcome.source,
        RuleSource::File(SitePath::new(&b"content/caf\xe9.md"[..]))
    );
}

#[test]
fn the_last_matching_rule_that_sets_a_key_wins() {
    let rules = [
        Rule {
            priority: Priority::new(0.0),
            group: GroupName::new("blog").ok(),
            ..rule("blog/**")
        },
        Rule {
            priority: Priority::new(0.9),
            changefreq: Some(ChangeFreq::Weekly),
            ..rule("blog/news/**")
        },
        Rule {
            priority: Priority::new(0.1),
            ..rule("other/**")
        },
        rule("**"),
    ];
    let news = outcome(&rules, "blog/news/a.html");
    assert_eq!(news.rules, [0, 1, 3]);
    let expected = RuleValues {
        priority: Priority::new(0.9),
        changefreq: Some(ChangeFreq::Weekly),
        group: GroupName::new("blog").ok(),
    };
    assert_eq!(*news.entry, expected);
    let rest = outcome(&rules, "blog/a.html").entry;
    assert_eq!((rest.priority, rest.changefreq), (Priority::new(0.0), None));
}

#[test]
fn a_later_rule_includes_an_excluded_page_again() {
    let exclude = |pattern: &str, exclude| Rule {
        exclude: Some(exclude),
        ..rule(pattern)
    };
    let rules = [
        exclude("drafts/**", true),
        exclude("drafts/ok.html", false),
        exclude("**/x.html", true),
    ];
    let check = |file: &str, expected: Option<usize>| {
        let excluded_by = outcome(&rules, file).excluded_by;
        assert_eq!(excluded_by, expected.map(ExcludedBy::Rule), "{file}");
    };
    check("drafts/a.html", Some(0));
    check("drafts/ok.html", None);
    check("drafts/x.html", Some(2));
    check("a.html", None);
}

#[test]
fn wildcards_of_an_index_page_are_taken_from_its_directory() {
    let check = |pattern: &str, source: &str, (file, url_path): (&str, &str), expected: &str| {
        let rules = [Rule {
            source: Some(source.to_owned()),
            ..rule(pattern)
        }];
        let set = RuleSet::new(&rules);
        let outcome = set.evaluate(&SitePath::from(file), url_path.as_bytes());
        assert_eq!(
            outcome.source,
            RuleSource::File(SitePath::from(expected)),
            "{pattern} {file}"
        );
    };
    let folder_page = ("blog/a/index.html", "blog/a/");
    check(
        "blog/**",
        "content/blog/{1}.md",
        folder_page,
        "content/blog/a.md",
    );
    check(
        "blog/*/",
        "content/blog/{1}.md",
        folder_page,
        "content/blog/a.md",
    );
    check("**", "content/{1}.md", folder_page, "content/blog/a.md");
    check(
        "**/index.html",
        "content/{1}.md",
        folder_page,
        "content/blog/a.md",
    );
    check(
        "blog/**",
        "content/_index.md",
        folder_page,
        "content/_index.md",
    );
    check(
        "blog/**",
        "content/blog/{1}.md",
        ("blog/a/index.html", "blog/a"),
        "content/blog/a.md",
    );
    check(
        "docs/**/*.html",
        "src/{1}/{2}.md",
        ("docs/intro.html", "docs/intro.html"),
        "src/intro.md",
    );
    check(
        "docs/intr?",
        "src/intr{1}.md",
        ("docs/intro.html", "docs/intro"),
        "src/intro.md",
    );
    check(
        "static/**",
        "static/{1}",
        ("static/x.html", "static/x"),
        "static/x.html",
    );
}

#[test]
fn an_unused_rule_is_reported_at_its_place() {
    let place = Place { start: 3, end: 9 };
    let rules = [
        rule("a/**"),
        Rule {
            written_in: Some(("waypost.toml".into(), place)),
            ..rule("b/**")
        },
    ];
    let findings = unused_rules(&rules, [0, 0]);
    assert_eq!(findings.len(), 1);
    assert_eq!(
        findings[0].subject,
        Subject::File("waypost.toml".into(), Some(place))
    );
    assert_eq!(findings[0].message, "no page matches `b/**`");
}

proptest! {
    #[test]
    fn the_rule_set_agrees_with_each_rule_on_its_own(
        patterns in prop::collection::vec(
            prop::collection::vec("(a|b|[*]|[*][*]|[?])(/(a|b|[*]|[*][*]))?/?", 1..3), 0..8,
        ),
        file in "[ab](/[ab])?",
        url_path in "[ab](/[ab])?/?",
    ) {
        let glob = |text: &String| GlobPattern::new(text).expect("a glob");
        let rules: Vec<_> = patterns
            .iter()
            .map(|patterns| Rule {
                patterns: patterns.iter().map(glob).collect(),
                ..Rule::default()
            })
            .collect();
        let (file, url_path) = (SitePath::from(file.as_str()), url_path.as_bytes());
        let matches_alone = |pattern: &GlobPattern| {
            let captures = pattern.captures();
            captures.of(file.as_bytes()).is_some() || captures.of(url_path).is_some()
        };
        let matched: Vec<_> = (0..rules.len())
            .filter(|&index| rules[index].patterns.iter().any(matches_alone))
            .collect();
        prop_assert_eq!(RuleSet::new(&rules).evaluate(&file, url_path).matched, matched);
    }
}
