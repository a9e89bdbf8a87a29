//! URLs of Pelican's articles and pages, from its settings and the metadata of a file.
//!
//! A port of Pelican's `contents.py` (`url_format`, `get_url_setting`) and `utils.py` (`slugify`).
//! Pages whose URL depends on a computed setting, on `PATH_METADATA` or on the author have no known
//! URL.

use std::sync::LazyLock;

use deunicode::deunicode;
use regex::Regex;
use regex::bytes::{Regex as ByteRegex, RegexBuilder};
use serde_json::Value;

use super::calendar::CalendarDate;
use super::content_name::ContentName;
use super::convention_input::ConventionInput;
use super::own_config::OwnConfig;
use super::url_path::UrlPath;
use super::url_pattern::replaced;

/// Default of `FILENAME_METADATA`.
const DATE_IN_NAME: &str = r"(?P<date>\d{4}-\d{2}-\d{2}).*";

/// Settings that change slugs, and the categories of which some are made.
const SLUG_SETTINGS: [&str; 5] = [
    "USE_FOLDER_AS_CATEGORY",
    "SLUG_REGEX_SUBSTITUTIONS",
    "SLUG_SUBSTITUTIONS",
    "SLUGIFY_PRESERVE_CASE",
    "SLUGIFY_USE_UNICODE",
];

/// The URL settings of a site.
#[derive(Debug)]
pub(super) struct PelicanUrls<'a> {
    config: &'a OwnConfig,
    /// The directories of pages; `None` if they are not known.
    page_paths: Option<Vec<&'a str>>,
    /// The expression for metadata in names; `None` if it cannot be read, or if there is one for
    /// paths too.
    name_metadata: Option<ByteRegex>,
}

impl<'a> PelicanUrls<'a> {
    pub(super) fn new(config: &'a OwnConfig) -> Self {
        let page_paths = match config.get("PAGE_PATHS") {
            None => Some(vec!["pages"]),
            Some(Value::Array(paths)) => paths.iter().map(Value::as_str).collect(),
            Some(_) => None,
        };
        let in_paths = config.get("PATH_METADATA").is_some();
        let in_names = config
            .get("FILENAME_METADATA")
            .map_or(Some(DATE_IN_NAME), Value::as_str);
        // Without Unicode, `\d` and `\w` are ASCII, as they are in practice.
        let compiled = |text: &str| {
            let mut expression = RegexBuilder::new(&format!(r"\A(?:{text})"));
            expression.unicode(false).build().ok()
        };
        Self {
            config,
            page_paths,
            name_metadata: in_names.filter(|_| !in_paths).and_then(compiled),
        }
    }

    /// The output file of a content file, if it is known.
    pub(super) fn path_of(&self, file: &ConventionInput<'_>) -> Option<UrlPath> {
        let is_draft = match file.front_matter.text("status") {
            Some("skip") => return None,
            status => status == Some("draft"),
        };
        let (key, dir) = match (self.is_page(file.name)?, is_draft) {
            (false, false) => ("ARTICLE", ""),
            (true, false) => ("PAGE", "pages/"),
            (false, true) => ("DRAFT", "drafts/"),
            (true, true) => ("DRAFT_PAGE", "drafts/pages/"),
        };
        let lang = file.front_matter.scalar("lang");
        let (key, default) = if lang.is_some_and(|lang| lang != self.default_lang()) {
            let default = format!("{dir}{{slug}}-{{lang}}.html");
            (format!("{key}_LANG_SAVE_AS"), default)
        } else {
            (format!("{key}_SAVE_AS"), format!("{dir}{{slug}}.html"))
        };
        let output = self.fill(self.text(&key, &default)?, file)?;
        (!output.is_empty()).then_some(UrlPath::File(output))
    }

    /// Whether a file is in a directory of pages; any other is an article.
    fn is_page(&self, name: &ContentName<'_>) -> Option<bool> {
        let path = name.dirs.join("/");
        let contains = |dir: &&str| {
            let below = path.strip_prefix(dir.trim_matches('/'));
            below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        };
        Some(self.page_paths.as_ref()?.iter().any(contains))
    }

    fn default_lang(&self) -> String {
        let stated = self.config.text("DEFAULT_LANG");
        stated.unwrap_or("en").to_lowercase()
    }

    /// The text of a setting; `None` if it is computed.
    fn text<'t>(&'t self, key: &str, default: &'t str) -> Option<&'t str> {
        self.config.get(key).map_or(Some(default), Value::as_str)
    }

    /// Replaces `{name}` and `{date:%Y}` in a pattern; `None` if a value is not known.
    fn fill(&self, pattern: &str, file: &ConventionInput<'_>) -> Option<String> {
        static TOKEN: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\{([^}]*)\}").expect("a regular expression"));
        replaced(pattern, &TOKEN, |token, _| self.value_of(token, file))
    }

    fn value_of(&self, token: &str, file: &ConventionInput<'_>) -> Option<String> {
        if let Some(format) = token.strip_prefix("date:") {
            let date = self.metadata("date", file)?;
            return Some(CalendarDate::parse(&date)?.format(format));
        }
        match token {
            "slug" => self.slug(file),
            "lang" => {
                let own = file.front_matter.scalar("lang");
                own.or_else(|| Some(self.default_lang()))
            }
            "category" => self.slugified(&self.category(file)?),
            "author" | "path" | "date" => None,
            other => self.metadata(other, file),
        }
    }

    /// Metadata of the file, or else of its name. `None` if it has none, or if the settings for names
    /// cannot be read.
    fn metadata(&self, key: &str, file: &ConventionInput<'_>) -> Option<String> {
        let in_name = || {
            let expression = self.name_metadata.as_ref()?;
            let captures = expression.captures(file.name.stem.as_bytes())?;
            let mut names = expression.capture_names().flatten();
            let value = captures.name(names.find(|name| name.eq_ignore_ascii_case(key))?)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        file.front_matter.scalar(key).or_else(in_name)
    }

    fn slug(&self, file: &ConventionInput<'_>) -> Option<String> {
        let own = self.metadata("slug", file);
        // Metadata in a name that cannot be read may include the slug.
        if own.is_some() || self.name_metadata.is_none() {
            return own;
        }
        match self.text("SLUGIFY_SOURCE", "title")? {
            "title" => self.slugified(&self.metadata("title", file)?),
            "basename" => self.slugified(file.name.stem),
            _ => None,
        }
    }

    fn category(&self, file: &ConventionInput<'_>) -> Option<String> {
        let default = || self.text("DEFAULT_CATEGORY", "misc").map(str::to_owned);
        let dir = || file.name.dirs.last().map(|dir| (*dir).to_owned());
        let own = self.metadata("category", file);
        own.or_else(dir).or_else(default)
    }

    /// The slug of a text; `None` if it has markup, or if the settings have their own rules.
    fn slugified(&self, text: &str) -> Option<String> {
        let is_default = SLUG_SETTINGS
            .iter()
            .all(|key| self.config.get(key).is_none());
        let is_plain = !text.contains(['<', '&']);
        (is_default && is_plain).then(|| slug_of(text))
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
