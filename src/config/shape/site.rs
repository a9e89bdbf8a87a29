//! Shapes of URLs, paths, globs, group names and dates.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::reader::{LayerReader, ValueAuthor};
use located_values::SettingValue;
use site_paths::BaseUrl;
use site_paths::glob::GlobPattern;
use sitemaps::GroupName;
use sitemaps::{LastMod, Now, ParsedDate};

/// The URL of the output directory.
pub(in crate::config) struct BaseUrlShape;

impl Shape for BaseUrlShape {
    type Checked = BaseUrl;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<BaseUrl> {
        let text = text_of(value, reader, "a URL")?;
        BaseUrl::parse(text)
            .map_err(|error| {
                let meant = with_scheme(text).or_else(|| dir_of_file(text));
                let hint = meant.map(|url| format!("did you mean `{url}`?"));
                reader.invalid_value(value.place, format_args!("is invalid: {error}"), hint);
            })
            .ok()
    }

    fn show(&self, checked: &BaseUrl) -> String {
        quote(checked.as_str())
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://" })
    }
}

/// The URL that a text without a scheme means: `example.com`, `localhost:8080/docs`.
fn with_scheme(text: &str) -> Option<BaseUrl> {
    let rest = text.trim().trim_start_matches('/');
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let is_host = host == "localhost" || (host.contains('.') && !host.starts_with('.'));
    let url = format!("https://{rest}");
    (is_host && !text.contains("://"))
        .then(|| BaseUrl::parse(&url).ok())
        .flatten()
}

/// The directory of the file that a URL names: `https://example.com/index.html`.
fn dir_of_file(text: &str) -> Option<BaseUrl> {
    let (dir, _) = text.trim().rsplit_once('/')?;
    let url = format!("{dir}/");
    (!text.contains(['?', '#']))
        .then(|| BaseUrl::parse(&url).ok())
        .flatten()
}

/// The name of a group of pages, which becomes part of a file name.
pub(in crate::config) struct GroupShape;

impl Shape for GroupShape {
    type Checked = GroupName;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<GroupName> {
        let text = text_of(value, reader, "a name")?;
        GroupName::new(text)
            .map_err(|error| {
                reader.invalid_value(value.place, format_args!("is invalid: {error}"), None);
            })
            .ok()
    }

    fn show(&self, checked: &GroupName) -> String {
        quote(checked.as_str())
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64 })
    }
}

/// A path relative to the site root.
///
/// A path set by the repository must stay below the root. Otherwise anyone who can change the
/// repository's settings could make waypost read or write other files of the machine. The user who
/// runs waypost may set any path.
pub(in crate::config) struct SiteFileShape;

impl Shape for SiteFileShape {
    type Checked = PathBuf;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<PathBuf> {
        let text = text_of(value, reader, "a path")?;
        if text.is_empty() || text.contains('\0') {
            reader.invalid_value(value.place, "must be a path", None);
            return None;
        }
        if reader.author() == ValueAuthor::Repository && is_outside_site(text) {
            let hint = "only flags and environment variables may name paths outside the site root";
            reader.invalid_value(
                value.place,
                format_args!("must be inside the site root, not `{text}`"),
                Some(hint.to_owned()),
            );
            return None;
        }
        Some(PathBuf::from(text))
    }

    fn show(&self, checked: &PathBuf) -> String {
        quote(&checked.to_string_lossy())
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "minLength": 1 })
    }
}

/// Whether a path is absolute or contains `..`, in the notation of any platform.
fn is_outside_site(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    has_drive || path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|part| part == "..")
}

/// A path relative to the site root that may contain `{n}`.
pub(in crate::config) struct SourcePathShape;

impl Shape for SourcePathShape {
    type Checked = String;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<String> {
        SiteFileShape
            .read(value, reader)
            .map(|path| path.to_string_lossy().into_owned())
    }

    fn show(&self, checked: &String) -> String {
        quote(checked)
    }

    fn schema(&self) -> Json {
        SiteFileShape.schema()
    }
}

/// A fixed date: a day, or a date and time with an offset.
pub(in crate::config) struct FixedDateShape;

impl Shape for FixedDateShape {
    type Checked = String;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<String> {
        let text = text_of(value, reader, "a date")?;
        let hint = Some("write `2024-05-06` or `2024-05-06T07:08:09+02:00`".to_owned());
        // The run checks for dates in the future, because it knows the current time.
        match LastMod::parse(text, Now(i64::MAX)) {
            ParsedDate::Exact(_) => return Some(text.trim().to_owned()),
            ParsedDate::ZoneAssumed(_) => reader.invalid_value(
                value.place,
                format_args!("has no time zone: `{text}`"),
                hint,
            ),
            ParsedDate::Invalid(why) => reader.invalid_value(value.place, why, hint),
            ParsedDate::Unreadable => reader.invalid_value(
                value.place,
                format_args!("must be a date, not `{text}`"),
                hint,
            ),
        }
        None
    }

    fn show(&self, checked: &String) -> String {
        quote(checked)
    }

    fn schema(&self) -> Json {
        json!({ "type": "string" })
    }
}

/// A glob.
pub(in crate::config) struct GlobShape;

impl Shape for GlobShape {
    type Checked = GlobPattern;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<GlobPattern> {
        let text = text_of(value, reader, "a glob")?;
        if let Some((problem, hint)) = not_a_path(text) {
            reader.mistake(value.place, format!("`{text}` {problem}"), Some(hint));
            return None;
        }
        // Paths in the output never begin with `./`.
        GlobPattern::new(text.strip_prefix("./").unwrap_or(text))
            .map_err(|error| reader.mistake(value.place, error.to_string(), None))
            .ok()
    }

    fn show(&self, checked: &GlobPattern) -> String {
        quote(checked.as_str())
    }

    fn schema(&self) -> Json {
        json!({ "type": "string" })
    }
}

/// A glob that matches names of branches.
pub(in crate::config) struct BranchShape;

impl Shape for BranchShape {
    type Checked = GlobPattern;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<GlobPattern> {
        let text = text_of(value, reader, "a glob")?;
        GlobPattern::new(text.strip_prefix("refs/heads/").unwrap_or(text))
            .map_err(|error| reader.mistake(value.place, error.to_string(), None))
            .ok()
    }

    fn show(&self, checked: &GlobPattern) -> String {
        GlobShape.show(checked)
    }

    fn schema(&self) -> Json {
        GlobShape.schema()
    }
}

/// The problem of a pattern that cannot match a path, and the remedy.
fn not_a_path(text: &str) -> Option<(&'static str, String)> {
    if let Some(rest) = text.strip_prefix('!') {
        let hint = format!(
            "add a rule with `match = {}` and `exclude = false`",
            quote(rest)
        );
        return Some(("is negated, which patterns do not support", hint));
    }
    let (scheme, rest) = text.split_once("://")?;
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    let is_url = matches!(scheme, "http" | "https");
    is_url.then(|| {
        (
            "is a URL, but patterns match paths",
            format!("write `{path}`"),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{SettingsTest, mistakes, read};

    #[test]
    fn a_pattern_that_is_not_a_path_is_rejected_with_the_right_one() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                mistakes(format!("exclude = ['{text}']")),
                format!("waypost.toml:1: {expected}\n")
            );
        };
        check(
            "https://example.com/a.html",
            "`https://example.com/a.html` is a URL, but patterns match paths (write `/a.html`)",
        );
        check(
            "!a.html",
            "`!a.html` is negated, which patterns do not support \
             (add a rule with `match = \"a.html\"` and `exclude = false`)",
        );
        let loaded = read("exclude = ['./a.html']").expect("no mistake");
        assert_eq!(loaded.settings.rules[0].patterns[0].as_str(), "a.html");
    }

    #[test]
    fn the_hint_for_an_invalid_base_url_has_the_one_that_is_meant() {
        let check = |text: &str, expected: &str| {
            let shown = mistakes(format!("base_url = '{text}'"));
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
            "names a file, but the base URL is a directory \
             (did you mean `https://example.com/docs/`?)",
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
                let shown = mistakes(format!("{key} = '{path}'"));
                assert!(shown.contains("must be inside the site root"), "{shown}");
            }
            for key in [
                format!("source = '{path}'"),
                format!("also = ['a', '{path}']"),
            ] {
                let shown = mistakes(format!("[[rule]]\nmatch = 'a'\n{key}"));
                assert!(shown.contains("must be inside the site root"), "{shown}");
            }
        }
        for path in ["public", "./public", "a/b..c/...", ".hidden"] {
            assert!(read(format!("output_dir = '{path}'")).is_ok(), "{path}");
        }
    }

    #[test]
    fn the_user_may_name_any_directory() {
        assert!(
            SettingsTest::new()
                .variable("WAYPOST_OUTPUT_DIR", "../public")
                .load()
                .is_ok()
        );
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
                mistakes(written(text)),
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
            assert_eq!(mistakes(text), format!("waypost.toml:1: {expected}\n"));
        };
        check(
            "base_url = 'ftp://example.com'",
            "`base_url` is invalid: `ftp://example.com` begins with `ftp:`, \
             but sitemaps list only `http:` and `https:` URLs",
        );
        check(
            "exclude = ['a', 'b[']",
            "`b[` is not a valid glob: unclosed character class; missing ']'",
        );
    }
}
