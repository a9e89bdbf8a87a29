//! URLs of Pelican's articles and pages, from its settings and the metadata of a file.
//!
//! A port of Pelican's `contents.py` (`url_format`, `get_url_setting`) and `utils.py` (`slugify`).
//! Pages whose URL depends on a computed setting, on metadata in paths or on the author have no known
//! URL.
//! Metadata is not between fences: lines such as `Title: A page` at the top of Markdown, and the
//! title and field list at the top of reStructuredText.

use std::sync::LazyLock;

use deunicode::deunicode;
use regex::Regex;
use serde_json::{Map, Value};

use crate::files::located_values::SyntaxError;
use crate::generators::front_matter::without_mark;
use crate::generators::url_path::replaced;
use crate::generators::{
    CalendarDate, Conventions, FrontMatter, OwnConfig, PredictionInput, UrlPath,
};

/// Settings that take metadata, such as a slug, from names, or change how a text becomes a slug.
const SLUG_SETTINGS: [&str; 7] = [
    "FILENAME_METADATA",
    "PATH_METADATA",
    "USE_FOLDER_AS_CATEGORY",
    "SLUG_REGEX_SUBSTITUTIONS",
    "SLUG_SUBSTITUTIONS",
    "SLUGIFY_PRESERVE_CASE",
    "SLUGIFY_USE_UNICODE",
];

/// A value in a pattern: `{slug}`, `{date:%Y}`.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{([^}]*)\}").expect("a regular expression"));

pub(super) struct Pelican;

impl Conventions for Pelican {
    fn front_matter(&self, text: &[u8], name: &[u8]) -> Result<FrontMatter, SyntaxError> {
        let text = String::from_utf8_lossy(text);
        let text = without_mark(&text);
        Ok(FrontMatter::from_fields(if name.ends_with(b".rst") {
            rst_fields(text)
        } else {
            markdown_fields(text)
        }))
    }

    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        content
            .stated_paths(|_| None)
            .unwrap_or_else(|| Vec::from_iter(path_of(content)))
    }
}

/// The output file, if it is known.
fn path_of(content: &PredictionInput<'_>) -> Option<UrlPath> {
    let (kind, dir) = match (content.front_matter.text("status"), is_page(content)?) {
        (Some("skip"), _) => return None,
        (Some("draft"), true) => ("DRAFT_PAGE", "drafts/pages/"),
        (Some("draft"), false) => ("DRAFT", "drafts/"),
        (_, true) => ("PAGE", "pages/"),
        (_, false) => ("ARTICLE", ""),
    };
    let lang = content.front_matter.scalar("lang");
    let site_lang = content.config.text("DEFAULT_LANG").unwrap_or("en");
    let (key, default) = if lang.is_some_and(|lang| lang != site_lang.to_lowercase()) {
        let default = format!("{dir}{{slug}}-{{lang}}.html");
        (format!("{kind}_LANG_SAVE_AS"), default)
    } else {
        (format!("{kind}_SAVE_AS"), format!("{dir}{{slug}}.html"))
    };
    let pattern = setting(content.config, &key, &default)?;
    let output = replaced(pattern, &TOKEN, |token| value_of(content, token))?;
    (!output.is_empty()).then_some(UrlPath::File(output))
}

/// Whether the file is in a directory of pages; any other is an article.
fn is_page(content: &PredictionInput<'_>) -> Option<bool> {
    let dirs = match content.config.get("PAGE_PATHS") {
        None => vec!["pages"],
        Some(_) => content.config.texts("PAGE_PATHS"),
    };
    let path = content.name.dirs.join("/") + "/";
    (!dirs.is_empty()).then(|| {
        dirs.iter()
            .any(|dir| path.starts_with(&format!("{}/", dir.trim_matches('/'))))
    })
}

/// The text of a setting; `None` if it is computed.
fn setting<'t>(config: &'t OwnConfig, key: &str, default: &'t str) -> Option<&'t str> {
    match config.get(key) {
        None => Some(default),
        Some(value) => value.as_str(),
    }
}

fn value_of(content: &PredictionInput<'_>, token: &str) -> Option<String> {
    let front_matter = content.front_matter;
    if let Some(format) = token.strip_prefix("date:") {
        let date = front_matter
            .scalar("date")
            .or_else(|| content.name.stem.get(..10).map(str::to_owned));
        return Some(CalendarDate::parse(&date?)?.format(format));
    }
    match token {
        "slug" => front_matter.scalar("slug").or_else(|| own_slug(content)),
        "category" => slugified(
            content.config,
            &front_matter
                .scalar("category")
                .or_else(|| category(content))?,
        ),
        "lang" => front_matter.scalar("lang"),
        _ => None,
    }
}

fn own_slug(content: &PredictionInput<'_>) -> Option<String> {
    match setting(content.config, "SLUGIFY_SOURCE", "title")? {
        "title" => slugified(content.config, &content.front_matter.scalar("title")?),
        "basename" => slugified(content.config, content.name.stem),
        _ => None,
    }
}

fn category(content: &PredictionInput<'_>) -> Option<String> {
    match content.name.dirs.last() {
        Some(dir) => Some((*dir).to_owned()),
        None => setting(content.config, "DEFAULT_CATEGORY", "misc").map(str::to_owned),
    }
}

/// The slug of a text; `None` if it has markup, or if the settings have their own rules.
fn slugified(config: &OwnConfig, text: &str) -> Option<String> {
    let is_default = SLUG_SETTINGS.iter().all(|key| config.get(key).is_none());
    (is_default && !text.contains(['<', '&'])).then(|| slug_of(text))
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

/// The fields at the top of Markdown, by keys in lower case, as the extension `meta` of
/// Python-Markdown reads them. Lines of `---` may enclose them. The first value of a
/// repeated key counts.
fn markdown_fields(text: &str) -> Map<String, Value> {
    let mut lines = text.lines().peekable();
    lines.next_if(|line| line.starts_with("---"));
    // An indented line continues a value, and has no part in a URL.
    by_key(
        lines
            .filter(|line| !line.starts_with("    "))
            .map_while(|line| {
                let (key, value) = line.split_once(':')?;
                let name = key.trim_start();
                let is_key = !name.is_empty()
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
                is_key.then_some((key, value))
            }),
    )
}

/// The title and the field list at the top of reStructuredText, by keys in lower case.
fn rst_fields(text: &str) -> Map<String, Value> {
    let mut lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !is_adornment(line))
        .peekable();
    // The text of a title with markup is not known.
    let title = lines
        .next_if(|line| !line.starts_with(':'))
        .filter(|title| !title.contains(['*', '`', '|', '\\', '_']));
    let fields = lines
        .filter(|line| !line.starts_with(' '))
        .map_while(|line| line.strip_prefix(':')?.split_once(':'));
    by_key(fields.chain(title.map(|title| ("title", title))))
}

/// Whether a line repeats one punctuation character.
fn is_adornment(line: &str) -> bool {
    let first = line.bytes().next().filter(u8::is_ascii_punctuation);
    line.len() > 1 && first.is_some_and(|first| line.bytes().all(|byte| byte == first))
}

fn by_key<'t>(fields: impl Iterator<Item = (&'t str, &'t str)>) -> Map<String, Value> {
    let mut found = Map::new();
    for (key, value) in fields {
        let field = found.entry(key.trim().to_lowercase());
        field.or_insert_with(|| Value::from(value.trim()));
    }
    found
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

    fn check(fields: &Map<String, Value>, expected: &[(&str, &str)]) {
        let expected = expected
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Value::from(*value)));
        assert_eq!(*fields, expected.collect::<Map<_, _>>());
    }

    #[test]
    fn fields_of_markdown_end_at_the_first_other_line() {
        let of = markdown_fields;
        check(
            &of("Title: A: b\nDATE: 2024-01-02\n\nSlug: c\n"),
            &[("title", "A: b"), ("date", "2024-01-02")],
        );
        check(
            &of("---\nTitle: A\nSlug: b\n---\nLang: c\n"),
            &[("title", "A"), ("slug", "b")],
        );
        check(
            &of("Tags: a\n    b\nSlug: c\r\nSlug: d\n"),
            &[("tags", "a"), ("slug", "c")],
        );
        check(&of("A heading: text\nSlug: a\n"), &[]);
        check(&of(""), &[]);
    }

    #[test]
    fn fields_of_restructured_text_follow_its_title() {
        let of = rst_fields;
        check(
            &of("\nA b\n###\n\n:date: 2024-01-02\n:tags: a,\n   b\n:slug: c\n\ntext\n:lang: d\n"),
            &[
                ("date", "2024-01-02"),
                ("tags", "a,"),
                ("slug", "c"),
                ("title", "A b"),
            ],
        );
        check(
            &of("====\n A b\n====\n:slug: c\n"),
            &[("slug", "c"), ("title", "A b")],
        );
        check(&of("A\n==\n\n:title: B\n"), &[("title", "B")]);
        check(&of("The `a` b\n=========\n\n:slug: c\n"), &[("slug", "c")]);
        check(&of("See a_\n======\n"), &[]);
    }
}
