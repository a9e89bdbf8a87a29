//! Parses mdBook's render context, the description of a book that a renderer receives.
//!
//! The context is one JSON object with the text of every chapter, tens of megabytes for a large
//! book, so it is parsed as a stream and the texts are skipped. Chapters are in `book.sections` up
//! to mdBook 0.4 and in `book.items` since.

use std::io::{BufReader, Read};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{PageName, SourceMapEntry, SourceMapError};

/// The name of mdBook's HTML renderer and of its output directory.
const HTML: &str = "html";

/// The page at the top of a book.
const FRONT: &str = "index.html";

/// A book as described by mdBook.
#[derive(Debug)]
pub struct MdbookBook {
    /// The directory of `book.toml`.
    pub root: PathBuf,
    /// The directory that mdBook made for this renderer, next to the directories of other
    /// renderers.
    pub destination: PathBuf,
    /// The whole configuration, including overrides from the environment.
    pub config: Value,
    /// Every page made from a chapter, and its source relative to the root.
    pub chapters: Vec<SourceMapEntry>,
}

#[derive(Deserialize)]
struct RenderContext {
    root: PathBuf,
    book: Chapters,
    config: Value,
    destination: PathBuf,
}

#[derive(Deserialize)]
struct Chapters {
    #[serde(alias = "sections")]
    items: Vec<Item>,
}

#[derive(Deserialize)]
enum Item {
    Chapter(Chapter),
    Separator,
    PartTitle(IgnoredAny),
}

#[derive(Deserialize)]
struct Chapter {
    /// Path of the page, with the extension of the chapter; `None` for a draft.
    path: Option<String>,
    /// The source file; `None` for a chapter made by a preprocessor.
    source_path: Option<String>,
    #[serde(default)]
    sub_items: Vec<Item>,
}

impl MdbookBook {
    /// Parses a render context.
    pub fn read(input: impl Read) -> Result<Self, SourceMapError> {
        let context: RenderContext =
            serde_json::from_reader(BufReader::with_capacity(1 << 16, input))
                .map_err(SourceMapError::NotABook)?;
        let dir = context.config["book"]["src"]
            .as_str()
            .unwrap_or("src")
            .trim_matches('/')
            .to_owned();
        let mut written = Vec::new();
        gather(&dir, context.book.items, &mut written);
        // mdBook writes the first chapter also as `index.html`, if no chapter has that name.
        let has_front = written.iter().any(|(page, _)| page == FRONT);
        if let Some((_, source)) = written.first().filter(|_| !has_front).cloned() {
            written.push((FRONT.to_owned(), source));
        }
        let chapters = written.into_iter().filter_map(|(page, source)| {
            let (page, source) = (PageName::Below(page), source?);
            Some(SourceMapEntry { page, source })
        });
        Ok(Self {
            root: context.root,
            destination: context.destination,
            config: context.config,
            chapters: chapters.collect(),
        })
    }

    /// The name of this renderer: `waypost` for `[output.waypost]`. A single renderer has no
    /// subdirectory.
    pub fn renderer(&self) -> String {
        let renderers = self.config["output"].as_object();
        let alone = renderers
            .filter(|renderers| renderers.len() == 1)
            .and_then(|renderers| renderers.keys().next());
        let dir = self.destination.file_name().unwrap_or_default();
        alone.map_or_else(|| dir.to_string_lossy().into_owned(), Clone::clone)
    }

    /// The configuration table of this renderer, including overrides from the environment.
    pub fn settings(&self) -> &Value {
        &self.config["output"][self.renderer()]
    }

    /// Whether `mdbook serve` builds the book. Its pages then have a different URL.
    pub fn is_served(&self) -> bool {
        self.config["output"]["html"]["live-reload-endpoint"].is_string()
    }

    /// The directory of the HTML.
    pub fn html(&self) -> Result<PathBuf, SourceMapError> {
        let renderer = self.renderer();
        if !self.config["output"]["html"].is_object() {
            return Err(SourceMapError::NoHtml(renderer));
        }
        if renderer.as_str() < HTML {
            return Err(SourceMapError::TooEarly(renderer));
        }
        Ok(self.destination.with_file_name(HTML))
    }
}

/// Collects the pages of chapters that are not drafts, each with its source; a chapter made by a
/// preprocessor has none.
fn gather(dir: &str, items: Vec<Item>, pages: &mut Vec<(String, Option<String>)>) {
    for item in items {
        let Item::Chapter(chapter) = item else {
            continue;
        };
        if let Some(path) = chapter.path {
            let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
            let source = chapter.source_path.map(|source| format!("{dir}/{source}"));
            pages.push((format!("{stem}.html"), source));
        }
        gather(dir, chapter.sub_items, pages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(chapters: &str, config: &str) -> MdbookBook {
        let context = format!(
            r#"{{"version": "0.5.4", "root": "/b", "book": {chapters}, "config": {config}, "destination": "/b/book/waypost"}}"#
        );
        MdbookBook::read(context.as_bytes()).expect("a render context")
    }

    fn chapters_of(book: &MdbookBook) -> Vec<String> {
        let line = |entry: &SourceMapEntry| format!("{:?} {}", entry.page, entry.source);
        book.chapters.iter().map(line).collect()
    }

    fn chapter(path: &str, source: &str, sub_items: &str) -> String {
        format!(
            r#"{{"Chapter": {{"name": "N", "content": "\u00e9 {{", "number": [1], "sub_items": [{sub_items}], "path": {path}, "source_path": {source}, "parent_names": []}}}}"#
        )
    }

    #[test]
    fn chapters_are_read_in_the_formats_of_both_versions() {
        let draft = chapter("null", "null", "");
        let moved = chapter(
            "\"a/b.md\"",
            "\"b.md\"",
            &chapter("\"c.md\"", "\"c.md\"", ""),
        );
        let items = format!(r#"["Separator", {{"PartTitle": "P"}}, {draft}, {moved}]"#);
        let expected = [
            r#"Below("a/b.html") text/b.md"#,
            r#"Below("c.html") text/c.md"#,
            r#"Below("index.html") text/b.md"#,
        ];
        let config = r#"{"book": {"src": "text/"}}"#;
        assert_eq!(
            chapters_of(&book(&format!(r#"{{"items": {items}}}"#), config)),
            expected
        );
        let older = format!(r#"{{"sections": {items}, "__non_exhaustive": null}}"#);
        assert_eq!(chapters_of(&book(&older, config)), expected);
        let front = chapter("\"index.md\"", "\"README.md\"", "");
        let book = book(&format!(r#"{{"items": [{front}]}}"#), "{}");
        assert_eq!(chapters_of(&book), [r#"Below("index.html") src/README.md"#]);
    }

    #[test]
    fn a_chapter_made_by_a_preprocessor_has_no_source() {
        let sources_of = |items: [String; 2]| {
            chapters_of(&book(
                &format!(r#"{{"items": [{}]}}"#, items.join(",")),
                "{}",
            ))
        };
        let made = chapter("\"made.md\"", "null", "");
        let one = || chapter("\"one.md\"", "\"one.md\"", "");
        assert_eq!(
            sources_of([made.clone(), one()]),
            [r#"Below("one.html") src/one.md"#]
        );
        let copied = [
            r#"Below("one.html") src/one.md"#,
            r#"Below("index.html") src/one.md"#,
        ];
        assert_eq!(sources_of([one(), made]), copied);
        let made_front = chapter("\"index.md\"", "null", "");
        assert_eq!(
            sources_of([one(), made_front]),
            [r#"Below("one.html") src/one.md"#]
        );
    }

    #[test]
    fn other_input_is_an_error() {
        for text in ["", "{}", "[]", "{\"root\": \"/b\"", "<html>"] {
            assert!(MdbookBook::read(text.as_bytes()).is_err(), "{text}");
        }
        let deep = "[{\"Chapter\": {\"sub_items\": ".repeat(10_000);
        let context = format!(r#"{{"root": "/", "book": {{"items": {deep}"#);
        assert!(MdbookBook::read(context.as_bytes()).is_err());
    }
}
