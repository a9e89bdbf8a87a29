//! The cases of `robots_test.cc` of google/robotstxt, by the name of their test there.
//!
//! Omitted are those about the API (`IsValidUserAgentToObey`, empty arguments), about the cut of
//! lines after 16,664 bytes, and those in which the caller passes a URL that is not percent-encoded
//! or writes ASCII letters as `%62`: here, URLs and rules have one normal form.

use super::RobotsTxt;
use crate::site_paths::BaseUrl;

const ALLOWED: bool = true;
const DISALLOWED: bool = false;

fn check(robots_txt: &str, agent: &str, path: &str, expected: bool) {
    let robots_txt = RobotsTxt::parse(robots_txt.as_bytes());
    let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
    let url = base.path_url(b"").resolve(path).expect("a valid path");
    let rules = robots_txt.rules_for(agent);
    let is_allowed = rules.disallowing(&url).is_none();
    assert_eq!(is_allowed, expected, "{agent} {path} {robots_txt:?}");
}

#[test]
fn line_syntax_line() {
    for (text, expected) in [
        ("user-agent: FooBot\ndisallow: /\n", DISALLOWED),
        ("foo: FooBot\nbar: /\n", ALLOWED),
        ("user-agent FooBot\ndisallow /\n", DISALLOWED),
    ] {
        check(text, "FooBot", "/x/y", expected);
    }
}

#[test]
fn line_syntax_groups() {
    let text = "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\n\
                user-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/\n\
                user-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n";
    check(text, "FooBot", "/x/b", ALLOWED);
    check(text, "FooBot", "/z/d", ALLOWED);
    check(text, "FooBot", "/y/c", DISALLOWED);
    check(text, "BarBot", "/y/c", ALLOWED);
    check(text, "BarBot", "/w/a", ALLOWED);
    check(text, "BarBot", "/z/d", DISALLOWED);
    check(text, "BazBot", "/z/d", ALLOWED);
    for agent in ["FooBot", "BarBot", "BazBot"] {
        check(text, agent, "/foo/bar/", DISALLOWED);
    }
}

#[test]
fn line_syntax_groups_other_rules() {
    for other in [
        "Sitemap: https://example.com/sitemap",
        "Invalid-Unknown-Line: unknown",
    ] {
        let text = format!("User-agent: BarBot\n{other}\nUser-agent: *\nDisallow: /\n");
        check(&text, "FooBot", "/", DISALLOWED);
        check(&text, "BarBot", "/", DISALLOWED);
    }
}

#[test]
fn names_and_agents_are_case_insensitive_and_paths_are_not() {
    for names in [
        "USER-AGENT: FOO BAR\nALLOW: /x/\nDISALLOW: /\n",
        "user-agent: foo bar\nallow: /x/\ndisallow: /\n",
        "uSeR-aGeNt: FoO bAr\nAlLoW: /x/\ndIsAlLoW: /\n",
    ] {
        for agent in ["Foo", "foo"] {
            check(names, agent, "/x/y", ALLOWED);
            check(names, agent, "/a/b", DISALLOWED);
        }
    }
    check_rules("disallow: /x/\n", "", "/x/y");
    check_rules("disallow: /X/\n", "/x/y", "");
}

#[test]
fn an_agent_ends_at_the_first_space() {
    let text = "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n";
    check(text, "Foo", "/x/y", ALLOWED);
    check(text, "Foo Bar", "/x/y", DISALLOWED);
}

#[test]
fn global_groups_secondary() {
    let global = "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n";
    let specific = "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\n\
                    user-agent: BazBot\ndisallow: /\n";
    check("", "FooBot", "/x/y", ALLOWED);
    check(global, "FooBot", "/x/y", DISALLOWED);
    check(global, "BarBot", "/x/y", ALLOWED);
    check(specific, "QuxBot", "/x/y", ALLOWED);
}

/// Checks rules of a group, with the paths that they allow and those that they disallow.
fn check_rules(rules: &str, allowed: &str, disallowed: &str) {
    let text = format!("user-agent: FooBot\n{rules}");
    for path in allowed.split_whitespace() {
        check(&text, "FooBot", path, ALLOWED);
    }
    for path in disallowed.split_whitespace() {
        check(&text, "FooBot", path, DISALLOWED);
    }
}

#[test]
fn longest_match_and_special_characters() {
    let (page, html) = ("/x/page.html", "disallow: /*.html\n");
    check_rules("disallow: /x/page.html\nallow: /x/\n", "", page);
    check_rules("allow: /x/page.html\ndisallow: /x/\n", page, "/x/");
    check_rules("disallow: \nallow: \n", page, "");
    check_rules("disallow: /\nallow: /\n", page, "");
    check_rules("disallow: /x\nallow: /x/\n", "/x/", "/x");
    check_rules("disallow: /x/page.html\nallow: /x/page.html\n", page, "");
    check_rules(&format!("allow: /page\n{html}"), "/page", "/page.html");
    check_rules(&format!("allow: /x/page.\n{html}"), page, "/x/y.html");
    let rules = "Disallow: /foo/bar/quz\nAllow: /foo/*/qux\n";
    check_rules(rules, "/foo/bax/quz", "/foo/bar/quz");
    let rules = "Disallow: /foo/bar$\nAllow: /foo/bar/qux\n";
    check_rules(rules, "/foo/bar/qux /foo/bar/", "/foo/bar");
    let rules = "# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n";
    check_rules(rules, "/foo/bar", "/foo/quz");
    let query = "/foo/bar?qux=taz&baz=http://foo.bar?tar&par";
    check_rules(&format!("Disallow: /\nAllow: {query}\n"), query, "");
    for letter in ["\u{30c4}", "%E3%83%84"] {
        let rules = format!("Disallow: /\nAllow: /foo/bar/{letter}\n");
        check_rules(&rules, "/foo/bar/%E3%83%84", "");
    }
}

#[test]
fn index_html_is_the_directory() {
    let text = "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n";
    check(text, "foobot", "/allowed-slash/", ALLOWED);
    check(text, "foobot", "/allowed-slash/index.htm", DISALLOWED);
    check(text, "foobot", "/allowed-slash/index.html", ALLOWED);
    check(text, "foobot", "/anyother-url", DISALLOWED);
}

#[test]
fn documentation_checks() {
    let allow = |rule: &str| format!("disallow: /\nallow: {rule}\n");
    let fish = "/fish /fish.html /fish/salmon.html /fishheads /fish.html?id=anything";
    for rule in ["/fish", "/fish*"] {
        check_rules(&allow(rule), fish, "/bar /Fish.asp /catfish /?id=fish");
    }
    check_rules(
        &allow("/fish/"),
        "/fish/ /fish/salmon /fish/?salmon /fish/salmon.html /fish/?id=anything",
        "/bar /fish /fish.html /Fish/Salmon.html",
    );
    check_rules(
        &allow("/*.php"),
        "/filename.php /folder/filename.php?parameters /filename.php/ /index?f=filename.php/",
        "/bar /php/ /index?php /windows.PHP",
    );
    check_rules(
        &allow("/*.php$"),
        "/filename.php /folder/filename.php",
        "/bar /filename.php?parameters /filename.php/",
    );
}

/// From `robots.cc`: the spellings that its parser accepts.
#[test]
fn frequent_typos_are_accepted_and_reported() {
    let check_typo = |line: &str, expected: Option<&str>| {
        let text = format!("User-agent: FooBot\n{line}\n");
        let parsed = RobotsTxt::parse(text.as_bytes());
        let messages: Vec<&str> = parsed
            .deviations
            .iter()
            .filter_map(|deviation| deviation.message.split(';').next())
            .collect();
        assert_eq!(messages, expected.as_slice(), "{line}");
    };
    let typos = "Dissallow Dissalow Disalow Diasllow Disallaw Disallowed";
    for name in typos.split(' ') {
        check(&format!("User-agent: a\n{name}: /"), "a", "/", DISALLOWED);
        let message = format!("the field `{name}` is not `Disallow`");
        check_typo(&format!("{name}: /"), Some(&message));
    }
    for name in ["Useragent", "User agent", "User-agents"] {
        check(&format!("{name}: a\nDisallow: /"), "a", "/", DISALLOWED);
        let message = format!("the field `{name}` is not `User-agent`");
        check_typo(&format!("{name}: b"), Some(&message));
    }
    check_typo(
        "Site-map: https://example.com/s.xml",
        Some("the field `Site-map` is not `Sitemap`"),
    );
    check_typo("disallow /", Some("a colon is missing after `disallow`"));
    check_typo("DISALLOW : /", None);
    check_typo("Diallow: /", None);
    check_typo("disallow / x", None);
}
