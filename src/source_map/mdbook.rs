//! mdBook's render context: what a book is made of, as mdBook tells it to a renderer.
//!
//! It comes as one JSON object with the text of every chapter in it, tens of megabytes for a large book, so it is read as
//! a stream and the texts are passed over. Chapters stand in `book.sections` up to mdBook 0.4 and in `book.items` since.

use std::io::{BufReader, Read};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use thiserror::Error;

use super::{BuildCertainty, PageName, SourceMapEntry};

/// The name of the renderer that writes the pages, and of its folder.
const HTML: &str = "html";

/// A book as mdBook tells of it.
#[derive(Debug)]
pub struct MdbookBook {
    /// The folder of `book.toml`.
    pub root: PathBuf,
    /// The folder that mdBook made for this renderer; those of the others lie beside it.
    pub destination: PathBuf,
    /// The whole configuration, with what the environment changed in it.
    pub config: Value,
    /// Every page that is made of a chapter, and its source from the root.
    pub chapters: Vec<SourceMapEntry>,
}

/// Why a book has no HTML that could be listed.
#[derive(Debug, Error)]
pub enum BookError {
    /// Nobody tells of a book.
    #[error("what stands on stdin is no render context of mdBook: {0}")]
    NotABook(#[from] serde_json::Error),
    /// As soon as there is one `[output.*]`, mdBook no longer adds `[output.html]` itself.
    #[error("`[output.{0}]` stands without `[output.html]` in book.toml, so mdBook writes no HTML")]
    NoHtml(String),
    /// mdBook runs its renderers in the order of their names.
    #[error(
        "`[output.{0}]` runs before the HTML is written, since mdBook runs its renderers in the order of their names"
    )]
    TooEarly(String),
}

impl BookError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotABook(_) => {
                "`waypost mdbook` is for mdBook to run: write `[output.waypost]` with `command = \"waypost mdbook\"` and \
                 `[output.html]` into book.toml"
            }
            Self::NoHtml(_) => "add the line `[output.html]` to book.toml",
            Self::TooEarly(_) => "call the table `[output.waypost]`",
        }
    }
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
    /// What the page is called, with the chapter's ending; nothing for a draft.
    path: Option<String>,
    /// The file; nothing for what a preprocessor made.
    source_path: Option<String>,
    #[serde(default)]
    sub_items: Vec<Item>,
}

impl MdbookBook {
    /// Reads a render context to its end.
    pub fn read(input: impl Read) -> Result<Self, BookError> {
        let context: RenderContext =
            serde_json::from_reader(BufReader::with_capacity(1 << 16, input))?;
        let folder = context.config["book"]["src"]
            .as_str()
            .unwrap_or("src")
            .trim_matches('/')
            .to_owned();
        let mut written = Vec::new();
        gather(&folder, context.book.items, &mut written);
        copy_first(&mut written);
        let chapters = written
            .into_iter()
            .filter_map(WrittenChapter::told)
            .collect();
        Ok(Self {
            root: context.root,
            destination: context.destination,
            config: context.config,
            chapters,
        })
    }

    /// The name of this renderer: `waypost` of `[output.waypost]`. A renderer that is alone has no folder of its name.
    pub fn renderer(&self) -> String {
        let renderers = self.config["output"].as_object();
        let alone = renderers
            .filter(|renderers| renderers.len() == 1)
            .and_then(|renderers| renderers.keys().next());
        let folder = || {
            self.destination
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        alone.cloned().unwrap_or_else(folder)
    }

    /// The table of this renderer, with what the environment changed in it.
    pub fn settings(&self) -> &Value {
        &self.config["output"][self.renderer()]
    }

    /// Whether the book is built to be looked at, by `mdbook serve`: its pages then are at another address.
    pub fn is_served(&self) -> bool {
        self.config["output"]["html"]["live-reload-endpoint"].is_string()
    }

    /// The folder of the HTML.
    pub fn html(&self) -> Result<PathBuf, BookError> {
        let renderer = self.renderer();
        if !self.config["output"]["html"].is_object() {
            return Err(BookError::NoHtml(renderer));
        }
        if renderer.as_str() < HTML {
            return Err(BookError::TooEarly(renderer));
        }
        Ok(self.destination.with_file_name(HTML))
    }
}

/// A chapter that is written as a page: any but a draft.
#[derive(Clone)]
struct WrittenChapter {
    page: String,
    /// Nothing for what a preprocessor made.
    source: Option<String>,
}

impl WrittenChapter {
    fn told(self) -> Option<SourceMapEntry> {
        Some(SourceMapEntry {
            page: PageName::Below(self.page),
            source: self.source?,
            standing: BuildCertainty::Published,
        })
    }
}

/// mdBook writes the first chapter a second time, as the book's front page, where no chapter has that name.
fn copy_first(chapters: &mut Vec<WrittenChapter>) {
    let front = "index.html".to_owned();
    let first = chapters
        .first()
        .filter(|_| chapters.iter().all(|chapter| chapter.page != front));
    let copy = first.map(|first| WrittenChapter {
        page: front,
        ..first.clone()
    });
    chapters.extend(copy);
}

fn gather(folder: &str, items: Vec<Item>, chapters: &mut Vec<WrittenChapter>) {
    for item in items {
        let Item::Chapter(chapter) = item else {
            continue;
        };
        if let Some(path) = chapter.path {
            let stem = path
                .rsplit_once('.')
                .map_or(path.as_str(), |(stem, _)| stem);
            let source = chapter
                .source_path
                .map(|source| format!("{folder}/{source}"));
            chapters.push(WrittenChapter {
                page: format!("{stem}.html"),
                source,
            });
        }
        gather(folder, chapter.sub_items, chapters);
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
        let line = |told: &SourceMapEntry| format!("{:?} {}", told.page, told.source);
        book.chapters.iter().map(line).collect()
    }

    fn chapter(path: &str, source: &str, sub_items: &str) -> String {
        format!(
            r#"{{"Chapter": {{"name": "N", "content": "\u00e9 {{", "number": [1], "sub_items": [{sub_items}], "path": {path}, "source_path": {source}, "parent_names": []}}}}"#
        )
    }

    #[test]
    fn chapters_are_read_in_the_forms_of_both_versions() {
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
    fn a_chapter_that_a_preprocessor_made_has_no_source_and_gives_the_front_page_none() {
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
    fn a_book_without_html_is_refused() {
        let html = |config: &str| {
            book(r#"{"items": []}"#, config)
                .html()
                .map_err(|error| error.to_string())
        };
        assert_eq!(
            html(r#"{"output": {"html": {}}}"#),
            Ok(PathBuf::from("/b/book/html"))
        );
        assert!(
            html(r#"{"output": {"waypost": {}, "a": {}}}"#)
                .is_err_and(|error| error.contains("`[output.waypost]`"))
        );
        let mut alone = book(r#"{"items": []}"#, r#"{"output": {"waypost": {}}}"#);
        alone.destination = "/b/book".into();
        assert!(matches!(alone.html(), Err(BookError::NoHtml(name)) if name == "waypost"));
        let mut early = book(
            r#"{"items": []}"#,
            r#"{"output": {"dates": {}, "html": {}}}"#,
        );
        early.destination = "/b/book/dates".into();
        assert!(matches!(early.html(), Err(BookError::TooEarly(name)) if name == "dates"));
    }

    #[test]
    fn what_is_no_render_context_is_an_error() {
        for text in ["", "{}", "[]", "{\"root\": \"/b\"", "<html>"] {
            assert!(MdbookBook::read(text.as_bytes()).is_err(), "{text}");
        }
        let deep = "[{\"Chapter\": {\"sub_items\": ".repeat(10_000);
        let context = format!(r#"{{"root": "/", "book": {{"items": {deep}"#);
        assert!(MdbookBook::read(context.as_bytes()).is_err());
    }
}
