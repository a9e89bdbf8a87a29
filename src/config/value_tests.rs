//! Tests of settings with values of their own syntax: keys, URLs, globs, dates and names.

use super::settings_test::{mistake, read};

#[test]
fn a_key_has_8_to_128_letters_digits_and_hyphens() {
    let written = |key: &str| format!("submit.key = '{key}'");
    for key in ["abcdefgh", "A-1-b-2-", &"k".repeat(128)] {
        assert!(read(written(key)).is_ok(), "{key}");
    }
    for key in [
        "",
        "abcdefg",
        "abcd_efgh",
        "abcd efgh",
        "schlüssel",
        "../../../x",
        &"k".repeat(129),
    ] {
        let shown = mistake(written(key));
        assert!(
            shown.contains("`submit.key` must be 8 to 128 letters, digits and hyphens"),
            "{shown}"
        );
        assert!(key.is_empty() || !shown.contains(key), "{shown}");
    }
}

#[test]
fn a_key_location_is_an_absolute_url() {
    for address in [
        "docs/a.txt",
        "ftp://example.com/a",
        "https://u:p@example.com/a",
        "https://example.com/a?b",
    ] {
        let shown = mistake(format!("submit.key_location = '{address}'"));
        assert!(
            shown.contains("must be an absolute `http:` or `https:` URL")
                && !shown.contains(address),
            "{shown}"
        );
    }
}

#[test]
fn the_hint_for_an_invalid_base_url_has_the_one_that_is_meant() {
    let check = |text: &str, expected: &str| {
        let shown = mistake(format!("base_url = '{text}'"));
        assert!(shown.contains(expected), "{shown}");
    };
    check("example.com", "(did you mean `https://example.com/`?)");
    check(
        "//example.com/docs",
        "(did you mean `https://example.com/docs/`?)",
    );
    check(
        "example.com:8080",
        "(did you mean `https://example.com:8080/`?)",
    );
    check(
        "https://example.com:99999/",
        "has an invalid port: ports go up to 65535\n",
    );
    check("docs", "and a host\n");
    check(
        "https://example.com/docs/index.html",
        "names a file, but the base URL is a directory\n",
    );
}

#[test]
fn a_repository_cannot_name_paths_outside_its_site() {
    for path in [
        "/etc/passwd",
        "..",
        "../x",
        "a/../../x",
        r"..\x",
        r"\\host\share",
        "C:/x",
        r"c:x",
        r"a\..\..\x",
    ] {
        for key in ["output_dir", "lastmod.ignore.revs_file"] {
            let shown = mistake(format!("{key} = '{path}'"));
            assert!(shown.contains("must be inside the site root"), "{shown}");
        }
        let shown = mistake(format!("[[rule]]\nmatch = 'a'\nsource = '{path}'"));
        assert!(shown.contains("must be inside the site root"), "{shown}");
    }
    for path in ["public", "./public", "a/b..c/...", ".hidden"] {
        assert!(read(format!("output_dir = '{path}'")).is_ok(), "{path}");
    }
}

#[test]
fn a_fixed_date_is_complete() {
    let written = |text: &str| format!("[[rule]]\nmatch = 'a'\nlastmod = {text}");
    for text in [
        "2024-05-06",
        "'2024-05-06'",
        "2024-05-06T07:08:09Z",
        "'2024-05-06T07:08+02:00'",
    ] {
        assert!(read(written(text)).is_ok(), "{text}");
    }
    let check = |text: &str, expected: &str| {
        let hint = "write `2024-05-06` or `2024-05-06T07:08:09+02:00`";
        assert_eq!(
            mistake(written(text)),
            format!("waypost.toml:3: `lastmod` {expected} ({hint})\n")
        );
    };
    check("'2024'", "must be a date, not `2024`");
    check(
        "2024-05-06T07:08:09",
        "has no time zone: `2024-05-06T07:08:09`",
    );
    check(
        "1969-12-31",
        "is 1970-01-01 or earlier, which tools write if they do not know the date",
    );
}

#[test]
fn an_invalid_url_or_glob_is_reported_with_the_reason() {
    let check = |text: &str, expected: &str| {
        assert_eq!(mistake(text), format!("waypost.toml:1: {expected}\n"));
    };
    check(
        "base_url = 'ftp://example.com'",
        "`base_url` is invalid: `ftp://example.com` begins with `ftp:`, \
         but sitemaps list only `http:` and `https:` URLs",
    );
    check(
        "exclude = ['a', 'b[']",
        "`exclude` is invalid: `b[` is not a valid glob: unclosed character class; missing ']'",
    );
}

#[test]
fn the_sitemap_is_a_file_name_without_a_directory() {
    let written = |name: &str| format!("sitemap.file = {}", serde_json::json!(name));
    for name in ["sitemap.xml", "map.2.xml", "Pläne.xml"] {
        assert!(read(written(name)).is_ok(), "{name}");
    }
    for name in [
        "a/sitemap.xml",
        "../sitemap.xml",
        r"a\b.xml",
        ".xml",
        "..xml",
        "a\nb.xml",
        "",
        "sitemap.xml.gz",
    ] {
        let shown = mistake(written(name));
        assert!(
            shown.contains("`sitemap.file` must be a file name that ends in `.xml`"),
            "{shown}"
        );
    }
}

#[test]
fn extensions_and_hashes_are_normalized() {
    let settings = read(
        "extensions = ['.HTML', 'Pdf']\n\
         lastmod.ignore.revs = ['ABCDABCDABCDABCDABCDABCDABCDABCDABCDABCD']",
    );
    let settings = settings.expect("no mistake").settings;
    assert_eq!(settings.extensions.0, ["html", "pdf"]);
    assert_eq!(settings.lastmod.ignore.revs, ["abcd".repeat(10)]);
}

#[test]
fn shown_values_have_no_control_characters() {
    let shown = read("output_dir = \"a\\u001b[31m\\u009b\\u007f\\\"\\n\"")
        .expect("no mistake")
        .explained[1]
        .value
        .clone();
    assert_eq!(shown, r#""a\u001b[31m\u{9b}\u{7f}\"\n""#);
}

#[test]
fn invalid_strings_are_rejected() {
    let check = |text: &str, expected: &str| {
        let shown = mistake(text);
        assert!(shown.contains(expected), "{shown}");
    };
    check(
        "lastmod.ignore.revs = ['abc']",
        "must contain full commit hashes, not `abc`",
    );
    check("lastmod.ignore.revs = ['HEAD~1']", "not `HEAD~1`");
    check(
        "rule = [{match = 'a', group = 'a/b'}]",
        "`group` is invalid: `a/b` is not a valid group name",
    );
}

#[test]
fn a_table_is_not_taken_for_a_value_nor_a_value_for_a_table() {
    for (text, expected) in [
        ("sitemap.file = {}", "`sitemap.file` must be a string"),
        ("exclude = {}", "`exclude` must be an array"),
        ("[sitemp]", "unknown key `sitemp`"),
        ("sitemap = 5", "`sitemap` must be a table"),
        ("levels = 5", "`levels` must be a table"),
    ] {
        let shown = mistake(text);
        assert!(shown.contains(expected), "{text}: {shown}");
    }
    assert!(read("[sitemap]").is_ok());
}
