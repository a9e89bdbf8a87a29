//! Finds the rules that match a page.

use crate::files::glob::{GlobCaptures, PatternSet};
use crate::findings::{Finding, code};
use crate::settings::{Rule, SourceError, SourceTemplate};
use sitemaps::site_paths::SitePath;

/// The rules of a run.
#[derive(Debug)]
pub struct RuleSet {
    patterns: PatternSet,
    /// The rule and captures of each pattern, in the order of the rules.
    purposes: Vec<PatternPurpose>,
    /// The source of each rule.
    sources: Vec<Option<SourceTemplate>>,
}

/// The rule that a pattern belongs to, and its captures.
#[derive(Debug)]
struct PatternPurpose {
    /// The index of the rule.
    rule: usize,
    /// Captures of its wildcards, if the rule's source uses them.
    captures: Option<GlobCaptures>,
}

/// Source that the rules set for a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RuleSource {
    /// None.
    #[default]
    Unset,
    /// This file.
    File(SitePath),
    /// A path that is not a file of the site.
    Invalid(SourceError),
}

/// The rules that match a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchedRules {
    /// Their indexes, in order.
    pub matched: Vec<usize>,
    /// The source file that the last of them with a source names, with wildcards expanded.
    pub source: RuleSource,
}

impl RuleSet {
    /// Prepares the rules.
    pub fn new(rules: &[Rule]) -> Self {
        let sources: Vec<_> = rules
            .iter()
            .map(|rule| rule.source.as_deref().map(SourceTemplate::new))
            .collect();
        let mut purposes = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let wanted = sources[index]
                .as_ref()
                .is_some_and(|source| source.highest_wildcard() > 0);
            for pattern in &rule.patterns {
                let captures = wanted.then(|| pattern.captures());
                purposes.push(PatternPurpose {
                    rule: index,
                    captures,
                });
            }
        }
        let patterns = PatternSet::new(rules.iter().flat_map(|rule| &rule.patterns));
        Self {
            patterns,
            purposes,
            sources,
        }
    }

    /// Finds the rules that match a page.
    ///
    /// `file` is its path in the output (`blog/a/index.html`), `url_path` the decoded path of its
    /// URL below the base URL (`blog/a/`). A pattern may match either. Does not allocate for a page
    /// that no rule matches.
    pub fn evaluate(&self, file: &SitePath, url_path: &[u8]) -> MatchedRules {
        let mut patterns = self.patterns.matching(file.as_bytes());
        if url_path != file.as_bytes() {
            patterns.extend(self.patterns.matching(url_path));
            patterns.sort_unstable();
        }

        let mut outcome = MatchedRules::default();
        let mut source_pattern = None;
        for pattern in patterns {
            let index = self.purposes[pattern].rule;
            if outcome.matched.last() == Some(&index) {
                continue;
            }
            outcome.matched.push(index);
            if self.sources[index].is_some() {
                source_pattern = Some(pattern);
            }
        }
        outcome.source = match source_pattern {
            Some(pattern) => self.source(pattern, file, url_path),
            None => RuleSource::Unset,
        };
        outcome
    }

    /// The source of a page, from the rule of a matching pattern.
    ///
    /// The page `blog/a/index.html` is tried as `blog/a` first, so that the `{1}` of `blog/**` is
    /// `a` and not `a/index.html`. If the pattern does not match that, the file path is used, and
    /// then the URL path, which depends on the host (`docs/intro.html` may be served as
    /// `docs/intro`).
    fn source(&self, pattern: usize, file: &SitePath, url_path: &[u8]) -> RuleSource {
        let purpose = &self.purposes[pattern];
        let Some(template) = &self.sources[purpose.rule] else {
            return RuleSource::Unset;
        };
        let Some(captures) = &purpose.captures else {
            return template.expand(&[], file).into();
        };
        let dir = file
            .index_of()
            .map(|dir| dir.strip_suffix(b"/").unwrap_or_default());
        for name in dir.into_iter().chain([file.as_bytes(), url_path]) {
            if let Some(wildcards) = captures.of(name) {
                return template.expand(&wildcards, file).into();
            }
        }
        RuleSource::Unset
    }
}

impl From<Result<SitePath, SourceError>> for RuleSource {
    fn from(expanded: Result<SitePath, SourceError>) -> Self {
        match expanded {
            Ok(path) => Self::File(path),
            Err(error) => Self::Invalid(error),
        }
    }
}

/// Returns the index of the rule that excludes a page, unless a later rule includes it again.
pub(crate) fn excluding_rule(rules: &[Rule], matched: &[usize]) -> Option<usize> {
    let deciding = matched
        .iter()
        .rfind(|&&index| rules[index].exclude.is_some())?;
    (rules[*deciding].exclude == Some(true)).then_some(*deciding)
}

/// Reports the rules that match no page. `matched` contains the [`MatchedRules::matched`] of every
/// page.
pub fn unused_rules(rules: &[Rule], matched: impl IntoIterator<Item = usize>) -> Vec<Finding> {
    let mut used = vec![false; rules.len()];
    for index in matched {
        used[index] = true;
    }
    rules
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(rule, _)| unused_rule(rule))
        .collect()
}

fn unused_rule(rule: &Rule) -> Finding {
    let patterns: Vec<_> = rule
        .patterns
        .iter()
        .map(|pattern| format!("`{}`", pattern.as_str()))
        .collect();
    Finding::new(
        code::SETTING_UNUSED,
        rule.subject(),
        format!("no page matches {}", patterns.join(" or ")),
    )
    .with_hint(
        "patterns begin in the output directory, and `dir/**` matches the files of a directory; \
         `waypost explain` lists what they can match",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PageOverrides;
    use crate::decide::rules::{ExcludedBy, RuleOutcome};
    use crate::files::glob::GlobPattern;
    use crate::findings::Subject;
    use proptest::prelude::*;
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
        let check =
            |pattern: &str, source: &str, (file, url_path): (&str, &str), expected: &str| {
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
}
