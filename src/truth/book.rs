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

use super::{PageName, Standing, Told};

/// A book as mdBook tells of it.
#[derive(Debug)]
pub struct Book {
    /// The folder of `book.toml`.
    pub root: PathBuf,
    /// The folder that mdBook made for this renderer; those of the others lie beside it.
    pub destination: PathBuf,
    /// The whole configuration, with what the environment changed in it.
    pub config: Value,
    /// Every page that is made of a chapter, and its source from the root.
    pub chapters: Vec<Told>,
}

/// Why a render context cannot be read.
#[derive(Debug, Error)]
#[error("what stands on stdin is no render context of mdBook: {0}")]
pub struct BookError(#[from] serde_json::Error);

#[derive(Deserialize)]
struct Context {
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

impl Book {
    /// Reads a render context to its end.
    pub fn read(input: impl Read) -> Result<Self, BookError> {
        let context: Context = serde_json::from_reader(BufReader::with_capacity(1 << 16, input))?;
        let folder = context.config["book"]["src"].as_str().unwrap_or("src").trim_matches('/').to_owned();
        let mut chapters = Vec::new();
        gather(&folder, context.book.items, &mut chapters);
        Ok(Self { root: context.root, destination: context.destination, config: context.config, chapters })
    }
}

fn gather(folder: &str, items: Vec<Item>, chapters: &mut Vec<Told>) {
    for item in items {
        let Item::Chapter(chapter) = item else { continue };
        if let (Some(path), Some(source)) = (chapter.path, chapter.source_path) {
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            let page = PageName::Below(format!("{stem}.html"));
            chapters.push(Told { page, source: format!("{folder}/{source}"), standing: Standing::Published });
        }
        gather(folder, chapter.sub_items, chapters);
    }
}
