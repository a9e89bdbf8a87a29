//! Parses the rules of a robots.txt (RFC 9309), and adds `Sitemap` lines to it.
//!
//! This module works on bytes and opens no files. Any bytes can be parsed: invalid lines are
//! ignored.

mod access;
mod path_rule;
mod records;
mod sitemap_lines;

pub use access::{AgentRules, PathRules};
pub use path_rule::PathRule;
pub use sitemap_lines::{RobotsEdit, RobotsLines, add_sitemaps, sitemaps_in, sitemaps_of};

use crate::place::Place;
use crate::site_paths::quoted;
use records::{RobotsField, RobotsRecord, Separator, records};
use url::Url;

/// Number of bytes read of a robots.txt. Crawlers must read 500 KiB (RFC 9309 section 2.5), and
/// Google ignores the rest. A line that crosses the limit is ignored too.
pub const MAX_READ: usize = 512_000;

/// A parsed robots.txt.
#[derive(Debug, Clone, Default)]
pub struct RobotsTxt {
    groups: Vec<RobotsGroup>,
    /// Lines that some crawlers read although RFC 9309 does not allow them.
    deviations: Vec<RobotsDeviation>,
}

/// A line that only some crawlers read.
#[derive(Debug, Clone)]
pub struct RobotsDeviation {
    /// The place of the line.
    pub place: Place,
    /// Which crawlers read it, and which do not.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

/// Rules, and the crawlers that they apply to.
#[derive(Debug, Clone)]
struct RobotsGroup {
    /// Product tokens in lower case, or `*`.
    agents: Vec<String>,
    rules: Vec<PathRule>,
}

impl RobotsTxt {
    /// Parses a file, which need not be valid UTF-8.
    ///
    /// A group is one or more `User-agent` lines and the rules after them. Only a `User-agent` line
    /// after a rule starts the next group; other records, such as `Sitemap`, do not end a group
    /// (RFC 9309 section 2.2.4). Rules before the first group are ignored. Misspelt fields and missing
    /// colons are accepted where Google's parser accepts them.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut groups: Vec<RobotsGroup> = Vec::new();
        let mut agents_may_follow = false;
        let mut deviations = Vec::new();
        for record in records(bytes).take_while(|record| record.place.end <= MAX_READ) {
            let Some(field) = RobotsField::parse(record.field) else {
                continue;
            };
            deviations.extend(RobotsDeviation::of(field, &record));
            match (field, groups.last_mut()) {
                (RobotsField::UserAgent, Some(group)) if agents_may_follow => {
                    group.agents.push(agent(record.value));
                }
                (RobotsField::UserAgent, _) => {
                    groups.push(RobotsGroup {
                        agents: vec![agent(record.value)],
                        rules: Vec::new(),
                    });
                    agents_may_follow = true;
                }
                (RobotsField::Allow | RobotsField::Disallow, Some(group)) => {
                    agents_may_follow = false;
                    group.rules.extend(PathRule::of(&record, field));
                }
                _ => {}
            }
        }
        Self { groups, deviations }
    }

    /// The lines that only some crawlers read.
    pub fn deviations(&self) -> &[RobotsDeviation] {
        &self.deviations
    }

    /// The rules for each of these crawlers; `*` is every crawler that no group names.
    pub fn rules_for_agents(&self, agents: &[String]) -> AgentRules<'_> {
        let names = agents.iter().map(|agent| match agent.as_str() {
            "*" => self.everyone().to_owned(),
            name => format!("`{name}`"),
        });
        AgentRules {
            crawlers: names.collect::<Vec<_>>().join(" and "),
            rules: agents.iter().map(|agent| self.rules_for(agent)).collect(),
        }
    }

    /// The crawlers to which the rules for `*` apply: one that has a group of its own does not obey
    /// them.
    fn everyone(&self) -> &'static str {
        let mut agents = self.groups.iter().flat_map(|group| &group.agents);
        if agents.any(|agent| agent != "*") {
            "all crawlers without a group of their own"
        } else {
            "all crawlers"
        }
    }

    /// The rules for one crawler: the merged rules of all groups that name its product token, or
    /// the rules for everyone if no group does (RFC 9309 section 2.2.1).
    pub fn rules_for(&self, agent: &str) -> PathRules<'_> {
        let agent = agent.to_ascii_lowercase();
        let is_named = self.groups_of(&agent).next().is_some();
        let groups = self.groups_of(if is_named { &agent } else { "*" });
        PathRules::new(groups.flat_map(|group| &group.rules))
    }

    fn groups_of(&self, agent: &str) -> impl Iterator<Item = &RobotsGroup> {
        self.groups
            .iter()
            .filter(move |group| group.agents.iter().any(|name| name == agent))
    }
}

impl RobotsDeviation {
    fn of(field: RobotsField, record: &RobotsRecord<'_>) -> Option<Self> {
        let name = field.name();
        let [written, value] = [record.field, record.value].map(String::from_utf8_lossy);
        let is_right = written.eq_ignore_ascii_case(name);
        let place = Place::of(record.place.clone());
        let what = match record.separator {
            Separator::Blanks => format!("a colon is missing after `{}`", quoted(&written)),
            Separator::Colon if !is_right => {
                format!("the field `{}` is not `{name}`", quoted(&written))
            }
            Separator::Colon => {
                let is_ignored = field == RobotsField::Sitemap && Url::parse(&value).is_err();
                return is_ignored.then(|| Self {
                    place,
                    message: format!(
                        "`{}` is not a full URL, so crawlers ignore it",
                        quoted(&value)
                    ),
                    hint: "use the full URL, with scheme and host".to_owned(),
                });
            }
        };
        Some(Self {
            place,
            message: format!("{what}; Google accepts the line, other crawlers may ignore it"),
            hint: format!("begin the line with `{name}:`"),
        })
    }
}

/// The product token at the start of a `User-agent` value, in lower case (`googlebot` for
/// `Googlebot/2.1`), or `*`.
fn agent(value: &[u8]) -> String {
    if matches!(value, [b'*'] | [b'*', b' ' | b'\t', ..]) {
        return "*".to_owned();
    }
    let token = value
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    token
        .map(|byte| byte.to_ascii_lowercase() as char)
        .collect()
}

#[cfg(test)]
mod google_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    /// The line number of the rule that decides: negative if it disallows the page, 0 if no rule
    /// matches.
    fn deciding_line(rules: &PathRules<'_>, file: &[u8]) -> i64 {
        let page = BaseUrl::parse("https://example.com/")
            .expect("a valid base URL")
            .path_url(file);
        let line = |rule: &PathRule| i64::try_from(rule.line).expect("a small file");
        let disallowing = rules.disallowing(&page).map(|rule| -line(rule));
        disallowing.unwrap_or_else(|| rules.deciding(&page).map_or(0, line))
    }

    #[test]
    fn the_longest_rule_for_everyone_decides() {
        let check = |robots_txt: &str, file: &str, expected: i64| {
            let robots_txt = RobotsTxt::parse(robots_txt.as_bytes());
            assert_eq!(
                deciding_line(&robots_txt.rules_for("*"), file.as_bytes()),
                expected,
                "{file}"
            );
        };
        check("User-agent: *\nDisallow: /private/\n", "a.html", 0);
        check("User-agent: *\nDisallow: /private/\n", "private/b.html", -2);
        check("User-agent: *\nDisallow:/\n", "a.html", -2);
        check(
            "User-agent: *\nDisallow: /subdir/subdir/b\n",
            "subdir/subdir/b.html",
            -2,
        );
        check(
            "User-agent: *\nDisallow: /d/\nAllow: /d/pub/\n",
            "d/pub/y.html",
            3,
        );
        check(
            "User-agent: *\nAllow: /d/pub/\nDisallow: /d/\n",
            "d/pub/y.html",
            2,
        );
        check(
            "User-agent: *\nDisallow: /page\nAllow: /page\n",
            "page.html",
            3,
        );
        check(
            "User-agent: *\nDisallow: /*.html$\nAllow: /ok.html\n",
            "ok.html",
            3,
        );
        check(
            "User-agent: *\nDisallow: /*.html$\nAllow: /ok.html\n",
            "no.html",
            -2,
        );
        check(
            "User-agent: *\nDisallow: /*.html$\nAllow: /ok.html\n",
            "no.htm",
            0,
        );
        check("User-agent: *\nDisallow: /*/draft\n", "blog/draft-1/", -2);
        check("User-agent: *\nDisallow: *.pdf\n", "a/b.pdf", -2);
        check("User-agent: *\nDisallow: private\n", "private", 0);
        check("User-agent: *\nDisallow:\n", "a.html", 0);
        check("User-agent: *\nDisallow: /Private/\n", "private/a.html", 0);
        check("User-agent: *\nDisallow: / # all\n", "a.html", -2);
    }

    #[test]
    fn rules_and_paths_are_compared_in_the_same_percent_encoding() {
        let check = |rule: &[u8], file: &[u8], expected: bool| {
            let robots_txt = RobotsTxt::parse(&[b"User-agent: *\nDisallow: ", rule].concat());
            let forbidden = deciding_line(&robots_txt.rules_for("*"), file) == -2;
            assert_eq!(forbidden, expected, "{}", rule.escape_ascii());
        };
        check(b"/caf%C3%A9/", "caf\u{e9}/p.html".as_bytes(), true);
        check(
            "/caf\u{e9}/".as_bytes(),
            "caf\u{e9}/p.html".as_bytes(),
            true,
        );
        check(b"/caf%c3", "caf\u{e9}/p.html".as_bytes(), true);
        check(b"/caf\xe9", b"caf\xe9.html", true);
        check(b"/%7Ejo/", b"~jo/p.html", true);
        check(b"/~jo/", b"~jo/p.html", true);
        check(b"/a%2Fb", b"a/b", false);
        check(b"/50%", b"50%.html", true);
        check(b"/a b[1]", b"a b[1].html", true);
        check(b"/a%2A$", b"a*", true);
        check(b"/a%2A$", b"ab", false);
        check(b"/a%24", b"a$b", true);
        check(b"/a$b", b"a$b", true);
    }

    #[test]
    fn groups_of_an_agent_are_merged_and_other_records_do_not_end_them() {
        let check = |agent: &str, robots_txt: &str, file: &str, expected: i64| {
            let robots_txt = RobotsTxt::parse(robots_txt.as_bytes());
            assert_eq!(
                deciding_line(&robots_txt.rules_for(agent), file.as_bytes()),
                expected,
                "{agent} {file}"
            );
        };
        let two = "User-agent: *\nDisallow: /a/\n\nUser-agent: z\nDisallow: /\n\n\
                   USER-AGENT: *\nDisallow: /b/\n";
        check("*", two, "a/p.html", -2);
        check("*", two, "b/p.html", -8);
        check("*", two, "c/p.html", 0);
        check("z", two, "c/p.html", -5);
        check("other", two, "a/p.html", -2);
        check("*", "User-agent: badbot\nDisallow: /\n", "a.html", 0);
        check(
            "BadBot",
            "User-agent: badbot/2.1 x\nDisallow: /\n",
            "a.html",
            -2,
        );
        check("*", "Disallow: /\nUser-agent: *\nAllow: /\n", "a.html", 3);
        check(
            "b",
            "User-agent: a\nSitemap: https://example.com/s.xml\n\nUser-agent: b\nDisallow: /\n",
            "x",
            -5,
        );
        check(
            "a",
            "User-agent: a\nSitemap: https://example.com/s.xml\n\nUser-agent: b\nDisallow: /\n",
            "x",
            -5,
        );
        check(
            "a",
            "User-agent: a\nDisallow:\nUser-agent: *\nDisallow: /\n",
            "x",
            0,
        );
        check(
            "*",
            "User-agent: Foo\nUser-agent: * # all\nCrawl-delay: 1\nUser-agent: Bar\nDisallow: /\n",
            "x",
            -5,
        );
        check("*", "\u{feff}User-agent: *\rDisallow: /\r", "x", -2);
        check("*", "<!DOCTYPE html>", "x", 0);
    }

    #[test]
    fn a_rule_is_reported_with_its_text_and_place() {
        let robots_txt =
            RobotsTxt::parse(b"\xef\xbb\xbfUser-agent: *\r\n  disallow : /a/*x  # why\r\n");
        let rules = robots_txt.rules_for("*");
        let page = BaseUrl::parse("https://example.com/")
            .expect("a valid base URL")
            .path_url(b"a/x");
        let rule = rules.disallowing(&page).expect("a rule");
        assert_eq!(
            (rule.to_string().as_str(), rule.line),
            ("Disallow: /a/*x", 2)
        );
        assert_eq!((rule.place.start, rule.place.end), (20, 36));
    }

    #[test]
    fn rules_beyond_the_limit_are_ignored() {
        let check = |padding: usize, expected: i64| {
            let head = b"User-agent: *\n#";
            let file = [
                &head[..],
                &vec![b'x'; padding - head.len() - 1],
                b"\nDisallow: /a",
            ]
            .concat();
            assert_eq!(
                deciding_line(&RobotsTxt::parse(&file).rules_for("*"), b"a"),
                expected,
                "{padding}"
            );
        };
        check(MAX_READ - 12, -3);
        check(MAX_READ - 11, 0);
    }

    /// Whether the rule in this line applies to an agent. Scans backwards to the nearest
    /// `User-agent` line, and on to the rule before that group.
    fn is_for(lines: &[String], rule: usize, agent: &str) -> bool {
        let is_agent = |line: &&String| line.starts_with("User-agent");
        let before = lines[..rule]
            .iter()
            .rev()
            .skip_while(|line| !is_agent(line));
        before
            .take_while(|line| !line.starts_with("Disallow"))
            .any(|line| *line == format!("User-agent: {agent}"))
    }

    proptest! {
        #[test]
        fn a_rule_applies_to_the_agents_named_before_it(
            kinds in prop::collection::vec(
                prop_oneof![
                    "User-agent: [ab*]",
                    Just("Disallow: /".to_owned()),
                    "(|# x|Sitemap: /x|Crawl-delay: 1)",
                ],
                0..20,
            ),
        ) {
            let number = |(index, line): (usize, String)| {
                if line == "Disallow: /" { format!("{line}{index}$") } else { line }
            };
            let lines: Vec<_> = kinds.into_iter().enumerate().map(number).collect();
            let robots_txt = RobotsTxt::parse(lines.join("\n").as_bytes());
            for agent in ["a", "b", "c", "*"] {
                let rules = robots_txt.rules_for(agent);
                let named = lines.contains(&format!("User-agent: {agent}"));
                let is_rule = |(_, line): &(usize, &String)| line.starts_with("Disallow");
                for (index, line) in lines.iter().enumerate().filter(is_rule) {
                    let forbids = deciding_line(&rules, index.to_string().as_bytes()) < 0;
                    let expected = is_for(&lines, index, if named { agent } else { "*" });
                    prop_assert_eq!(forbids, expected, "{} {} {:?}", agent, line, lines);
                }
            }
        }
    }
}
