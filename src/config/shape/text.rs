//! Shapes of strings that are checked by a function.

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::reader::LayerReader;
use located_values::SettingValue;

/// A string that a function checks. Its error follows the key's name in the message.
pub(in crate::config) struct TextShape {
    /// The expected value, as in "must be …": "a commit".
    pub(in crate::config) what: &'static str,
    /// Checks and normalizes the string.
    pub(in crate::config) check: fn(&str) -> Result<String, String>,
    /// The schema's `pattern`, or an empty string.
    pub(in crate::config) pattern: &'static str,
}

impl Shape for TextShape {
    type Checked = String;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<String> {
        let text = text_of(value, reader, self.what)?;
        (self.check)(text)
            .map_err(|why| reader.invalid_value(value.place, why, None))
            .ok()
    }

    fn show(&self, checked: &String) -> String {
        quote(checked)
    }

    fn schema(&self) -> Json {
        if self.pattern.is_empty() {
            return json!({ "type": "string" });
        }
        json!({ "type": "string", "pattern": self.pattern })
    }
}

/// The file name of the sitemap in the output directory.
///
/// It must not be a path: a sitemap may list only URLs in its own directory and below
/// (sitemaps.org, "Sitemap file location"), so it belongs in the output directory itself, and a
/// path could point outside it.
pub(in crate::config) const SITEMAP_FILE: TextShape = TextShape {
    what: "a file name",
    check: sitemap_file,
    pattern: r"^[^./\\][^/\\]*\.xml$",
};

/// A file extension, converted to lower case and without the dot.
pub(in crate::config) const EXTENSION: TextShape = TextShape {
    what: "a file extension",
    check: extension,
    pattern: "",
};

/// A commit hash or a prefix of one.
pub(in crate::config) const COMMIT: TextShape = TextShape {
    what: "a commit",
    check: commit,
    pattern: "^[0-9A-Fa-f]{4,64}$",
};

/// A pattern over a field of a commit.
pub(in crate::config) const COMMIT_PATTERN: TextShape = TextShape {
    what: "a pattern",
    check: commit_pattern,
    pattern: "",
};

/// The name of a robots meta tag, converted to lower case.
pub(in crate::config) const META_NAME: TextShape = TextShape {
    what: "a name",
    check: meta_name,
    pattern: "",
};

/// The product token of a crawler, or `*`.
pub(in crate::config) const AGENT_NAME: TextShape = TextShape {
    what: "a crawler",
    check: agent_name,
    pattern: r"^(\*|[A-Za-z_-]+)$",
};

/// Tokens have only these characters (RFC 9309 section 2.2.1), so that a version or a whole
/// `User-Agent` header would match no group.
fn agent_name(text: &str) -> Result<String, String> {
    let is_token_char = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '-' | '_');
    if text == "*" || (!text.is_empty() && text.chars().all(is_token_char)) {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "must contain product tokens such as `Googlebot`, or `*`, not `{}`",
            text.escape_debug()
        ))
    }
}

fn sitemap_file(text: &str) -> Result<String, String> {
    let is_plain = !text.is_empty()
        && !text.starts_with('.')
        && !text.contains(['/', '\\'])
        && !text.contains(char::is_control);
    if !is_plain {
        return Err(format!(
            "must be a file name without a directory or leading dot, not `{}`",
            text.escape_debug()
        ));
    }
    if text.strip_suffix(".xml").is_none() {
        return Err(format!("must end in `.xml`, not `{text}`"));
    }
    Ok(text.to_owned())
}

fn extension(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('.').unwrap_or(text);
    if bare.is_empty() || bare.contains(['.', '/', '\\']) || bare.contains(char::is_control) {
        return Err(format!(
            "must contain file extensions such as `html` or `pdf`, not `{}`",
            text.escape_debug()
        ));
    }
    Ok(bare.to_lowercase())
}

/// Git accepts abbreviations of at least four digits (`core.abbrev`).
fn commit(text: &str) -> Result<String, String> {
    if !(4..=64).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!(
            "must contain commit hashes of at least 4 digits, not `{}`",
            text.escape_debug()
        ));
    }
    Ok(text.to_ascii_lowercase())
}

fn commit_pattern(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("contains an empty pattern".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn meta_name(text: &str) -> Result<String, String> {
    let name = text.trim().to_lowercase();
    if name.is_empty() {
        Err("contains an empty name".to_owned())
    } else {
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

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
        ] {
            let shown = mistakes(written(name));
            assert!(
                shown.contains("`sitemap.file` must be a file name without a directory"),
                "{shown}"
            );
        }
        let shown = mistakes(written("sitemap.xml.gz"));
        assert_eq!(
            shown,
            "waypost.toml:1: `sitemap.file` must end in `.xml`, not `sitemap.xml.gz`\n"
        );
    }

    #[test]
    fn extensions_names_and_hashes_are_normalized() {
        let settings = read(
            "extensions = ['.HTML', 'Pdf']\nrobots_meta.names = [' GoogleBot ']\n\
             lastmod.ignore.revs = ['ABCD']",
        );
        let settings = settings.expect("no mistake").settings;
        assert_eq!(settings.extensions, ["html", "pdf"]);
        assert_eq!(settings.robots_meta.names, ["googlebot"]);
        assert_eq!(settings.lastmod.ignore.revs, ["abcd"]);
    }

    #[test]
    fn shown_values_have_no_control_characters() {
        let shown = read("output_dir = \"a\\u001b[31m\\u009b\\u007f\\\"\\n\"")
            .expect("no mistake")
            .explained[1]
            .value
            .clone();
        assert_eq!(shown, r#""a\u001b[31m\u009b\u007f\"\n""#);
    }

    #[test]
    fn invalid_strings_are_rejected() {
        let check = |text: &str, expected: &str| {
            let shown = mistakes(text);
            assert!(shown.contains(expected), "{shown}");
        };
        check(
            "extensions = ['']",
            "must contain file extensions such as `html` or `pdf`, not ``",
        );
        check(
            "extensions = ['tar.gz']",
            "must contain file extensions such as `html` or `pdf`, not `tar.gz`",
        );
        check(
            "robots_meta.names = [' ']",
            "`robots_meta.names` contains an empty name",
        );
        check(
            "lastmod.ignore.revs = ['abc']",
            "must contain commit hashes of at least 4 digits, not `abc`",
        );
        check("lastmod.ignore.revs = ['HEAD~1']", "not `HEAD~1`");
        check(
            "lastmod.ignore.authors = ['']",
            "`lastmod.ignore.authors` contains an empty pattern",
        );
        check(
            "rule = [{match = 'a', group = 'a/b'}]",
            "`group` is invalid: `a/b` is not a valid group name",
        );
    }
}
