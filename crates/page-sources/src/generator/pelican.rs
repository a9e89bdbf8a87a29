//! URLs of Pelican's articles and pages, from its settings and the metadata of a file.
//!
//! A port of Pelican's `contents.py` (`url_format`, `get_url_setting`) and `utils.py` (`slugify`).
//! Pages whose URL depends on a computed setting, on metadata in paths or on the author have no known
//! URL.

use std::sync::LazyLock;

use deunicode::deunicode;
use regex::Regex;

use super::calendar::CalendarDate;
use super::convention_input::ConventionInput;
use super::own_config::OwnConfig;
use super::url_path::UrlPath;
use super::url_pattern::replaced;

/// Settings that take metadata, such as a slug, from names.
const NAME_SETTINGS: [&str; 3] = [
    "FILENAME_METADATA",
    "PATH_METADATA",
    "USE_FOLDER_AS_CATEGORY",
];

/// Settings that change how a text becomes a slug.
const SLUG_SETTINGS: [&str; 4] = [
    "SLUG_REGEX_SUBSTITUTIONS",
    "SLUG_SUBSTITUTIONS",
    "SLUGIFY_PRESERVE_CASE",
    "SLUGIFY_USE_UNICODE",
];

/// A value in a pattern: `{slug}`, `{date:%Y}`.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{([^}]*)\}").expect("a regular expression"));

/// A content file, with the settings of its site.
pub(super) struct PelicanFile<'f> {
    pub(super) config: &'f OwnConfig,
    pub(super) file: &'f ConventionInput<'f>,
}

impl PelicanFile<'_> {
    /// The output file, if it is known.
    pub(super) fn path(&self) -> Option<UrlPath> {
        let status = self.file.front_matter.text("status");
        if matches!(status, Some("draft" | "skip")) {
            return None;
        }
        let (kind, dir) = if self.is_page()? {
            ("PAGE", "pages/")
        } else {
            ("ARTICLE", "")
        };
        let lang = self.file.front_matter.scalar("lang");
        let (key, default) = if lang.is_some_and(|lang| lang != self.default_lang()) {
            let default = format!("{dir}{{slug}}-{{lang}}.html");
            (format!("{kind}_LANG_SAVE_AS"), default)
        } else {
            (format!("{kind}_SAVE_AS"), format!("{dir}{{slug}}.html"))
        };
        let pattern = self.setting(&key, &default)?;
        let output = replaced(pattern, &TOKEN, |token| self.value_of(token))?;
        (!output.is_empty()).then_some(UrlPath::File(output))
    }

    /// Whether the file is in a directory of pages; any other is an article.
    fn is_page(&self) -> Option<bool> {
        let dirs = match self.config.get("PAGE_PATHS") {
            None => vec!["pages"],
            Some(_) => self.config.texts("PAGE_PATHS"),
        };
        let path = self.file.name.dirs.join("/") + "/";
        let mut dirs_of_pages = dirs.iter().map(|dir| format!("{}/", dir.trim_matches('/')));
        (!dirs.is_empty()).then(|| dirs_of_pages.any(|dir| path.starts_with(&dir)))
    }

    fn default_lang(&self) -> String {
        let stated = self.config.text("DEFAULT_LANG");
        stated.unwrap_or("en").to_lowercase()
    }

    /// The text of a setting; `None` if it is computed.
    fn setting<'t>(&'t self, key: &str, default: &'t str) -> Option<&'t str> {
        match self.config.get(key) {
            None => Some(default),
            Some(value) => value.as_str(),
        }
    }

    fn value_of(&self, token: &str) -> Option<String> {
        let own = |key: &str| self.file.front_matter.scalar(key);
        if let Some(format) = token.strip_prefix("date:") {
            let date = own("date").or_else(|| self.file.name.stem.get(..10).map(str::to_owned));
            return Some(CalendarDate::parse(&date?)?.format(format));
        }
        match token {
            "slug" => own("slug").or_else(|| self.slug()),
            "category" => self.slugified(&own("category").or_else(|| self.category())?),
            "lang" => own("lang"),
            _ => None,
        }
    }

    fn slug(&self) -> Option<String> {
        match self.setting("SLUGIFY_SOURCE", "title")? {
            "title" => self.slugified(&self.file.front_matter.scalar("title")?),
            "basename" => self.slugified(self.file.name.stem),
            _ => None,
        }
    }

    fn category(&self) -> Option<String> {
        let default = || self.setting("DEFAULT_CATEGORY", "misc").map(str::to_owned);
        let dir = self.file.name.dirs.last().map(|dir| (*dir).to_owned());
        dir.or_else(default)
    }

    /// The slug of a text; `None` if it has markup, or if the settings have their own rules.
    fn slugified(&self, text: &str) -> Option<String> {
        let mut settings = NAME_SETTINGS.iter().chain(&SLUG_SETTINGS);
        let is_default = settings.all(|key| self.config.get(key).is_none());
        (is_default && !text.contains(['<', '&'])).then(|| slug_of(text))
    }
}

/// Pelican's `slugify` of a text.
fn slug_of(text: &str) -> String {
    static REMOVED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("[^0-9A-Za-z_ \t-]").expect("a regular expression"));
    static RUNS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("[- \t]+").expect("a regular expression"));
    let ascii = deunicode(text);
    let kept = REMOVED.replace_all(&ascii, "");
    RUNS.replace_all(kept.trim(), "-").to_lowercase()
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn slugs_are_those_of_pelican() {
        let check = |text: &str, expected: &str| assert_eq!(slug_of(text), expected, "{text}");
        check("This Week In Rust 1", "this-week-in-rust-1");
        check("Pelican 3.0 released!", "pelican-30-released");
        check("  A -- b_c ", "a-b_c");
        check("Café “Ü” — ß", "cafe-u-ss");
    }
}
