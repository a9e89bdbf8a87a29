//! Tests of single keys: what they accept, how they are shown, and the message for a mistake.

use proptest::prelude::*;

use super::explained::ExplainedSetting;
use super::settings_test::{mistake, read};

#[test]
fn an_unknown_key_is_reported_with_the_nearest_known_one() {
    let check = |text: &str, expected: &str| {
        assert_eq!(mistake(text), format!("waypost.toml:1: {expected}\n"));
    };
    check(
        "sitemaps.file = 1",
        "unknown key `sitemaps.file` (did you mean `sitemap`?)",
    );
    check(
        "sitemap.fiel = 1",
        "unknown key `sitemap.fiel` (did you mean `file`?)",
    );
    check(
        "max_urls = 1",
        "unknown key `max_urls` (did you mean `sitemap.max_urls`?)",
    );
    check(
        "robots_txt.x = 1",
        "unknown key `robots_txt.x` (known keys are `update`, `obey`, `agents`)",
    );
    check(
        "rule = [{match = 'a', prioritty = 0.5}]",
        "unknown key `prioritty` (did you mean `priority`?)",
    );
    check(
        "lastmod.ignore.author = 1",
        "unknown key `lastmod.ignore.author` (did you mean `authors`?)",
    );
    check(
        "lastmod.ignored = 1",
        "unknown key `lastmod.ignored` (did you mean `ignore`?)",
    );
    check(
        "revs_file = 1",
        "unknown key `revs_file` (did you mean `lastmod.ignore.revs_file`?)",
    );
    check("sitemap = 1", "`sitemap` must be a table");
    check("lastmod.ignore = []", "`lastmod.ignore` must be a table");
    check(
        "levels.redirekt = 1",
        "unknown code `redirekt` \
         (codes are those of findings and reasons that waypost prints)",
    );
    check(
        "levels.noindex = 'off'",
        "`levels.noindex` must be one of `allow`, `note`, `warn`, `deny`, not `off`",
    );
    check("rule = [1]", "each `rule` must be a table");
    check(
        "rule = {match = 'a'}",
        "`rule.match` must be an array, not map",
    );
}

#[test]
fn a_source_refers_only_to_wildcards_that_every_glob_has() {
    let check = |text: &str| {
        mistake(format!(
            "[[rule]]\nmatch = ['a/*/**', 'b/*']\nsource = '{text}'"
        ))
    };
    let expected = "waypost.toml:2: \
        `source` refers to wildcard `{2}`, which `match` does not have \
        (`b/*` has 1; each `*`, `**`, `?`, `[…]` and `{…}` counts as one wildcard)\n";
    assert_eq!(check("{1}/{2}.md"), expected);
    assert!(read("[[rule]]\nmatch = ['a/*/**', 'b/?/*']\nsource = '{1}/{2}.md'").is_ok());
}

#[test]
fn a_contradictory_rule_is_a_mistake() {
    let check = |text: &str, expected: &str| {
        assert_eq!(
            mistake(format!("[[rule]]\n{text}")),
            format!("waypost.toml:{expected}\n")
        );
    };
    check("exclude = true", "1: `rule` has no `match`");
    check("match = []", "2: `match` must not be empty");
    check(
        "match = 'a'\nlastmod = 2024-01-02\nlastmod_from = []",
        "2: a rule has both `lastmod` and `lastmod_from` \
         (remove one of the two; a fixed date has no source)",
    );
}

const WRITTEN: &str = r#"base_url = "https://example.com/docs/"
output_dir = "out/html"
extensions = ["html", "pdf"]
host = "static"
url_style = "clean"
production_branches = ["main", "release/*"]
preview = "production-urls"
drafts = "exclude"
source_map = ["sources.csv", "pages.tsv"]
exclude = ["drafts/**"]
lastmod.from = ["mtime", "page", "front_matter", "git"]
lastmod.date = "landed"
lastmod.format = "date"
lastmod.lists = "own"
lastmod.memory = "memory.jsonl"
lastmod.ignore.authors = ["renovate[bot] *"]
lastmod.ignore.messages = ["style: *", "*prettier*"]
lastmod.ignore.revs = ["0123456789abcdef0123456789abcdef01234567"]
lastmod.ignore.revs_file = ".git-blame-ignore-revs"
lastmod.ignore.changes = ["whitespace", "front-matter"]
sitemap.file = "pages.xml"
sitemap.formats = ["txt", "rss", "atom", "xml"]
sitemap.gzip = "only"
sitemap.max_urls = 50000
sitemap.hreflang = false
sitemap.images = true
sitemap.omitted = "exclude"
sitemap.feeds = true
sitemap.stylesheet = true
robots_txt.update = false
robots_txt.obey = false
robots_txt.agents = ["Googlebot"]
submit.key = "a1b2c3d4"
submit.key_location = "https://example.com/docs/a1b2c3d4.txt"
levels.noindex = "deny"
"#;

const RULE: &str = concat!(
    r#"match = ["blog/**", "/news/*.html"], priority = 0.8, changefreq = "weekly", "#,
    r#"lastmod_from = ["front_matter"], source = "content/blog/{1}.md", "#,
    r#"group = "blog", exclude = false"#,
);

/// Keys and values, one per line, as shown by `explain --settings`.
fn shown(explained: &[ExplainedSetting]) -> String {
    explained
        .iter()
        .map(|key| format!("{} = {}", key.key, key.value))
        .collect::<Vec<_>>()
        .join("\n")
        + "\n"
}

/// The shown values are TOML, so they are compared with the input and can be read again.
#[test]
fn every_key_is_read_and_shown_as_it_was_written() {
    let loaded = read(format!("rule = [{{ {RULE} }}]\n{WRITTEN}")).expect("no mistake");
    let (rule, keys) = loaded
        .explained
        .split_last()
        .expect("settings are explained");
    assert_eq!(shown(keys), WRITTEN);
    assert_eq!(
        (rule.key.as_str(), rule.value.as_str()),
        ("rule[1]", format!("{{ {RULE} }}").as_str())
    );
    assert_eq!(
        shown(&read(WRITTEN).expect("no mistake").explained),
        WRITTEN
    );
}

proptest! {
    #[test]
    fn damaged_settings_never_panic_and_every_mistake_has_a_place(
        at in 0..WRITTEN.len(),
        length in 0..30_usize,
        damage in r#"[\[\]{}=."', \na-z0-9é]{0,12}"#,
    ) {
        let mut text = format!("{WRITTEN}[[rule]]\nmatch = \"a\"\n");
        text.replace_range(at..(at + length).min(text.len()), &damage);
        if let Err(error) = read(&text) {
            let place = error.mistake.origin.place();
            let place = place.expect("every mistake in TOML has a place");
            let bytes = text.get(place.start as usize..place.end as usize);
            prop_assert!(bytes.is_some(), "{:?} in {text}", error.mistake);
        }
    }
}

#[test]
fn an_invalid_element_is_reported_with_the_nearest_known_one() {
    let check = |element: &str, expected: &str| {
        let shown = mistake(format!("[sitemap]\nformats = [\n'xml',\n{element},\n]"));
        let words = "waypost.toml:2: `sitemap.formats` must be one of `xml`, `txt`, `rss`, `atom`";
        assert_eq!(shown, format!("{words}, {expected}\n"));
    };
    check("'xlm'", "not `xlm` (did you mean `xml`?)");
}

#[test]
fn a_list_is_not_empty_if_nothing_would_be_written() {
    let check = |text: &str, expected: &str| {
        assert_eq!(mistake(text), format!("waypost.toml:1: {expected}\n"));
    };
    check(
        "sitemap.formats = []",
        "`sitemap.formats` must not be empty",
    );
    check(
        "exclude = 'drafts/**'",
        "`exclude` must be an array, not string \"drafts/**\"",
    );
    let twice = read("sitemap.formats = ['xml', 'txt', 'xml']").expect("no mistake");
    assert_eq!(twice.settings.sitemap.formats.len(), 2);
    assert!(read("lastmod.from = []").is_ok());
    assert!(read("rule = [{match = 'a'}, {match = ['a', 'b']}]").is_ok());
}

#[test]
fn a_number_outside_its_limits_is_rejected() {
    let check = |text: &str, expected: &str| {
        assert_eq!(
            mistake(format!("[sitemap]\n{text}")),
            format!("waypost.toml:2: {expected}\n")
        );
    };
    let urls = "`sitemap.max_urls` must be an integer from 1 to 50000 \
                (the sitemaps.org protocol allows 50,000 URLs per file)";
    check("max_urls = 0", urls);
    check("max_urls = 50_001", urls);
    check("max_urls = -1", urls);
    let integer = "`sitemap.max_urls` must be an integer, not";
    check("max_urls = 2.5", &format!("{integer} floating point `2.5`"));
    check("max_urls = '7'", &format!("{integer} string \"7\""));
}

#[test]
fn a_priority_is_a_number_from_zero_to_one() {
    let written = |text: &str| format!("[[rule]]\nmatch = 'a'\npriority = {text}\n");
    for text in ["0", "1", "0.5", "1e-7", "-0.0"] {
        assert!(read(written(text)).is_ok(), "{text}");
    }
    for text in ["1.1", "-0.1", "nan", "inf", "2", "'0.5'", "true"] {
        let shown = mistake(written(text));
        assert!(
            shown.starts_with("waypost.toml:3: `priority` must be a number"),
            "{shown}"
        );
    }
}

#[test]
fn a_word_must_match_exactly() {
    let check = |text: &str, expected: &str| {
        assert_eq!(mistake(text), format!("waypost.toml:1: {expected}\n"));
    };
    check(
        "url_style = 'Clean'",
        "`url_style` must be one of `host`, `keep`, `clean`, `slash`, not `Clean` \
         (did you mean `clean`?)",
    );
    check(
        "url_style = 3",
        "`url_style` must be a string, not integer `3`",
    );
    check(
        "sitemap.hreflang = 'true'",
        "`sitemap.hreflang` must be a boolean, not string \"true\"",
    );
}
