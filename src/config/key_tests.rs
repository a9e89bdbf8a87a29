//! Tests of single keys: what they accept, how they are shown, and the message for a mistake.

use proptest::prelude::*;

use super::merged::ExplainedSetting;
use super::settings_test::{mistake, read};

/// A mistake in one line, and below it the message with the hint.
const MISTAKES: &str = r#"
sitemaps.file = 1
    unknown key `sitemaps` (did you mean `sitemap`?)
sitemap.fiel = 1
    unknown key `sitemap.fiel` (did you mean `file`?)
max_urls = 1
    unknown key `max_urls` (did you mean `sitemap.max_urls`?)
robots_txt.x = 1
    unknown key `robots_txt.x` (known keys are `update`, `obey`, `agents`)
rule = [{match = 'a', prioritty = 0.5}]
    unknown key `prioritty` (did you mean `priority`?)
lastmod.ignore.change = 1
    unknown key `lastmod.ignore.change` (did you mean `changes`?)
revs_file = 1
    unknown key `revs_file` (did you mean `lastmod.ignore.revs_file`?)
[sitemp]
    unknown key `sitemp` (did you mean `sitemap`?)
levels.redirekt = 1
    unknown code `redirekt` (codes are those of findings and reasons that waypost prints)
levels.noindex = 'off'
    `levels.noindex` must be one of `allow`, `note`, `warn`, `deny`, not `off`
sitemap.formats = ['xml', 'xlm']
    `sitemap.formats` must be one of `xml`, `txt`, `rss`, `atom`, not `xlm` (did you mean `xml`?)
url_style = 'Clean'
    `url_style` must be one of `host`, `keep`, `clean`, `slash`, not `Clean` (did you mean `clean`?)
url_style = 3
    `url_style` must be a string, not integer `3`
sitemap.hreflang = 'true'
    `sitemap.hreflang` must be a boolean, not string "true"
sitemap = 1
    `sitemap` must be a table
levels = 5
    `levels` must be a table, not integer `5`
lastmod.ignore = []
    `lastmod.ignore` must be a table
rule = [1]
    each `rule` must be a table
rule = {match = 'a'}
    `rule.match` must be an array, not map
exclude = 'drafts/**'
    `exclude` must be an array, not string "drafts/**" (write `["drafts/**"]`)
sitemap.formats = []
    `sitemap.formats` must not be empty
sitemap.max_urls = 0
    `sitemap.max_urls` must be an integer from 1 to 50000 (the sitemaps.org protocol allows 50,000 URLs per file)
sitemap.max_urls = 50_001
    `sitemap.max_urls` must be an integer from 1 to 50000 (the sitemaps.org protocol allows 50,000 URLs per file)
sitemap.max_urls = 2.5
    `sitemap.max_urls` must be an integer, not floating point `2.5`
rule = [{exclude = true}]
    `rule` has no `match`
rule = [{match = []}]
    `match` must not be empty
rule = [{match = 'a', lastmod = 2024-01-02, lastmod_from = []}]
    a rule has both `lastmod` and `lastmod_from` (remove one of the two; a fixed date has no source)
rule = [{match = 'a', lastmod = '2024'}]
    `lastmod` must be a date, not `2024` (write `2024-05-06` or `2024-05-06T07:08:09+02:00`)
rule = [{match = 'a', lastmod = 2024-05-06T07:08:09}]
    `lastmod` has no time zone: `2024-05-06T07:08:09` (write `2024-05-06` or `2024-05-06T07:08:09+02:00`)
rule = [{match = ['a/*/**', 'b/*'], source = '{1}/{2}.md'}]
    `source` refers to wildcard `{2}`, which `match` does not have (`b/*` has 1; each `*`, `**`, `?`, `[…]` and `{…}` counts as one wildcard)
base_url = 'ftp://example.com'
    `base_url` is invalid: `ftp://example.com` begins with `ftp:`, but sitemaps list only `http:` and `https:` URLs
base_url = 'https://example.com:99999/'
    `base_url` is invalid: `https://example.com:99999/` has an invalid port: ports go up to 65535
exclude = ['a', 'b[']
    `exclude` is invalid: `b[` is not a valid glob: unclosed character class; missing ']'
production_branches = ['b[']
    `production_branches` is invalid: `b[` is not a valid glob: unclosed character class; missing ']'
"#;

#[test]
fn each_mistake_is_reported_with_its_remedy() {
    let lines: Vec<&str> = MISTAKES.trim().lines().collect();
    let expected = |message: &str| format!("waypost.toml:1: {}\n", message.trim());
    let found = lines
        .chunks(2)
        .map(|row| (row[0], mistake(row[0]), expected(row[1])));
    let wrong: Vec<_> = found
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_invalid_value_is_reported_with_what_is_valid() {
    for (text, expected) in [
        ("lastmod.ignore.revs = ['abc']", "full commit hashes"),
        ("lastmod.ignore.revs = ['HEAD~1']", "not `HEAD~1`"),
        ("rule = [{match = 'a', group = 'a/b'}]", "not a valid group"),
        ("rule = [{match = 'a', priority = 1.1}]", "must be a number"),
        ("sitemap.file = {}", "`sitemap.file` must be a string"),
        ("exclude = {}", "`exclude` must be an array"),
        (
            "base_url = '//example.com/docs'",
            "`https://example.com/docs/`?",
        ),
        ("base_url = 'docs'", "and a host\n"),
    ] {
        let shown = mistake(text);
        assert!(shown.contains(expected), "{text}: {shown}");
    }
}

#[test]
fn values_at_their_limits_are_accepted() {
    for text in [
        "lastmod.from = []",
        "rule = [{match = 'a'}, {match = ['a', 'b']}]",
        "rule = [{match = ['a/*/**', 'b/?/*'], source = '{1}/{2}.md'}]",
        "rule = [{match = 'a', priority = 1e-7}, {match = 'b', priority = -0.0}]",
        "rule = [{match = 'a', lastmod = '2024-05-06T07:08+02:00'}]",
        "sitemap.formats = ['xml', 'txt', 'xml']",
        "sitemap.file = 'Pläne.2.xml'",
        "output_dir = './a/b..c/...'",
        "[sitemap]",
    ] {
        assert!(read(text).is_ok(), "{text}");
    }
}

#[test]
fn a_key_and_its_location_are_checked_and_not_shown() {
    let key = "`submit.key` must be 8 to 128 letters, digits and hyphens";
    let location = "must be an absolute `http:` or `https:` URL";
    for (name, value, expected) in [
        ("key", "abcd efgh", key),
        ("key", "schlüssel", key),
        ("key", "../../../x", key),
        ("key_location", "docs/a.txt", location),
        ("key_location", "https://u:p@example.com/a", location),
        ("key_location", "https://example.com/a?b", location),
    ] {
        let shown = mistake(format!("submit.{name} = '{value}'"));
        let is_secret = !shown.contains(value);
        assert!(shown.contains(expected) && is_secret, "{value}: {shown}");
    }
}

#[test]
fn a_repository_cannot_name_paths_outside_its_site() {
    let windows = [r"..\x", r"\\host\share", "C:/x", r"c:x", r"a\..\..\x"];
    for path in ["/etc/passwd", "..", "../x", "a/../../x"]
        .into_iter()
        .chain(windows)
    {
        for text in [
            format!("output_dir = '{path}'"),
            format!("lastmod.ignore.revs_file = '{path}'"),
            format!("rule = [{{match = 'a', source = '{path}'}}]"),
        ] {
            let shown = mistake(text);
            assert!(shown.contains("must be inside the site root"), "{shown}");
        }
    }
}

#[test]
fn the_sitemap_is_a_file_name_without_a_directory() {
    for name in ["a/s.xml", "../s.xml", r"a\b.xml", ".xml", "a\nb.xml", ""] {
        let shown = mistake(format!("sitemap.file = {}", serde_json::json!(name)));
        let expected = "`sitemap.file` must be a file name that ends in `.xml`";
        assert!(shown.contains(expected), "{shown}");
    }
}

#[test]
fn extensions_and_hashes_are_normalized_and_shown_without_control_characters() {
    let hash = "ABCD".repeat(10);
    let text = format!("extensions = ['.HTML', 'Pdf']\nlastmod.ignore.revs = ['{hash}']");
    let settings = read(text).expect("no mistake").settings;
    assert_eq!(settings.extensions.0, ["html", "pdf"]);
    assert_eq!(settings.lastmod.ignore.revs, ["abcd".repeat(10)]);
    let loaded = read("output_dir = \"a\\u001b[31m\\u009b\\u007f\\\"\\n\"").expect("no mistake");
    let shown = &loaded.explained[1].value;
    assert_eq!(shown, r#""a\u001b[31m\u{9b}\u{7f}\"\n""#);
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
lastmod.ignore.revs = ["0123456789abcdef0123456789abcdef01234567"]
lastmod.ignore.revs_file = ".git-blame-ignore-revs"
lastmod.ignore.changes = ["whitespace", "front-matter"]
sitemap.file = "pages.xml"
sitemap.formats = ["txt", "rss", "atom", "xml"]
sitemap.gzip = "only"
sitemap.max_urls = 50000
sitemap.hreflang = false
sitemap.omitted = "exclude"
sitemap.keep = ["/app/**"]
sitemap.feeds = true
sitemap.stylesheet = false
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
