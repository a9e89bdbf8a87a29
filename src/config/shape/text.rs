//! The texts of the settings that are neither words of a list nor paths: what each may hold.

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::reader::LayerReader;
use crate::config::value::SettingValue;

/// A text that a function checks; its error says why it is none, as what follows the key's name.
pub(in crate::config) struct TextShape {
    /// What it is, as it follows "is": "a hash".
    pub(in crate::config) what: &'static str,
    /// Checks and normalizes it.
    pub(in crate::config) check: fn(&str) -> Result<String, String>,
    /// What matches it in the schema, or nothing.
    pub(in crate::config) pattern: &'static str,
}

impl Shape for TextShape {
    type Checked = String;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<String> {
        let text = text_of(value, reader, self.what)?;
        (self.check)(text)
            .map_err(|why| reader.wrong(value.place, why, None))
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

/// The name of the sitemap in the output folder.
///
/// It is a name, not a path: a sitemap speaks for the folder it lies in and what is below (sitemaps.org, "Sitemap file
/// location"), so only the output folder itself will do; and a path could lead out of it.
pub(in crate::config) const SITEMAP_FILE: TextShape = TextShape {
    what: "a file name",
    check: sitemap_file,
    pattern: r"^[^./\\][^/\\]*\.xml$",
};

/// An ending of a file's name, brought to lower case and bared of its dot.
pub(in crate::config) const EXTENSION: TextShape = TextShape {
    what: "an ending",
    check: extension,
    pattern: "",
};

/// A commit's hash or the beginning of one.
pub(in crate::config) const COMMIT: TextShape = TextShape {
    what: "a commit",
    check: commit,
    pattern: "^[0-9A-Fa-f]{4,64}$",
};

/// The name of a robots tag, brought to lower case.
pub(in crate::config) const META_NAME: TextShape = TextShape {
    what: "a name",
    check: meta_name,
    pattern: "",
};

fn sitemap_file(text: &str) -> Result<String, String> {
    let is_plain = !text.is_empty()
        && !text.starts_with('.')
        && !text.contains(['/', '\\'])
        && !text.contains(char::is_control);
    if !is_plain {
        return Err(format!(
            "must be the name of a file in the output folder, not `{}`",
            text.escape_debug()
        ));
    }
    if text.strip_suffix(".xml").is_none() {
        return Err(format!("must end in `.xml`, and `{text}` does not"));
    }
    Ok(text.to_owned())
}

fn extension(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('.').unwrap_or(text);
    if bare.is_empty() || bare.contains(['.', '/', '\\']) || bare.contains(char::is_control) {
        return Err(format!(
            "must hold endings as `html` or `pdf`, not `{}`",
            text.escape_debug()
        ));
    }
    Ok(bare.to_lowercase())
}

/// Git takes no abbreviation of fewer than four digits (`core.abbrev`).
fn commit(text: &str) -> Result<String, String> {
    if !(4..=64).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!(
            "must hold commits by at least 4 digits of their hash, not `{}`",
            text.escape_debug()
        ));
    }
    Ok(text.to_ascii_lowercase())
}

fn meta_name(text: &str) -> Result<String, String> {
    let name = text.trim().to_lowercase();
    if name.is_empty() {
        Err("holds an empty name".to_owned())
    } else {
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

    #[test]
    fn the_sitemap_is_a_plain_file_of_the_output_folder() {
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
                shown.contains("`sitemap.file` must be the name of a file in the output folder"),
                "{shown}"
            );
        }
        let shown = mistakes(written("sitemap.xml.gz"));
        assert_eq!(
            shown,
            "waypost.toml:1: `sitemap.file` must end in `.xml`, and `sitemap.xml.gz` does not\n"
        );
    }

    #[test]
    fn endings_and_names_are_brought_to_one_spelling() {
        let settings = read(
            "extensions = ['.HTML', 'Pdf']\nrobots_meta.names = [' GoogleBot ']\nlastmod.ignore_revs = ['ABCD']",
        );
        let settings = settings.expect("no mistake").settings;
        assert_eq!(settings.extensions, ["html", "pdf"]);
        assert_eq!(settings.robots_meta.names, ["googlebot"]);
        assert_eq!(settings.lastmod.ignore_revs, ["abcd"]);
    }

    #[test]
    fn what_is_shown_cannot_steer_a_terminal() {
        let shown = read("output_dir = \"a\\u001b[31m\\u009b\\u007f\\\"\\n\"")
            .expect("no mistake")
            .explained[1]
            .value
            .clone();
        assert_eq!(shown, r#""a\u001b[31m\u009b\u007f\"\n""#);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let check = |text: &str, expected: &str| {
            let shown = mistakes(text);
            assert!(shown.contains(expected), "{shown}");
        };
        check(
            "extensions = ['']",
            "must hold endings as `html` or `pdf`, not ``",
        );
        check(
            "extensions = ['tar.gz']",
            "must hold endings as `html` or `pdf`, not `tar.gz`",
        );
        check(
            "robots_meta.names = [' ']",
            "`robots_meta.names` holds an empty name",
        );
        check(
            "lastmod.ignore_revs = ['abc']",
            "must hold commits by at least 4 digits of their hash, not `abc`",
        );
        check("lastmod.ignore_revs = ['HEAD~1']", "not `HEAD~1`");
        check(
            "rule = [{match = 'a', group = 'a/b'}]",
            "`group` is wrong: `a/b` is no group",
        );
    }
}
