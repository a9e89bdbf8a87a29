//! Facts stated by a page, each with its place, and the options for reading them.

use std::io;

/// Names of the robots tags that count, in lower case: the one for all crawlers, and Google's.
pub const ROBOTS_NAMES: [&str; 2] = ["robots", "googlebot"];

/// Options for reading pages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Whether the page's bytes are hashed.
    pub fingerprint: bool,
}

/// Value together with the place of the tag that states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated<T> {
    /// The value; character references in attributes are decoded.
    pub value: T,
    /// Position of the whole tag, from `<` to `>`, in the page's decoded text.
    pub place: TagPlace,
}

/// The byte range of a tag in a page's text, after decompression and decoding to UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct TagPlace {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// Part of the document that a tag is in, as a browser's parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The head: all tags before the first that is not allowed there.
    Head,
    /// The body.
    Body,
    /// Inside `<noscript>`: text to a browser that runs scripts.
    Noscript,
}

/// Kind of content in a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum FileContent {
    /// HTML, or what a browser would parse as HTML.
    #[default]
    Html,
    /// No bytes, or white space only.
    Empty,
    /// Binary data, which no browser would show as a page (a PNG, an executable).
    Binary,
    /// Text without a single tag, such as a verification token.
    PlainText,
    /// Markup without a doctype or an `<html>`, `<head>`, `<body>` or `<title>` tag, and without a
    /// robots tag, a refresh or a canonical link: a part of a page, which scripts insert into pages (htmx).
    Fragment,
    /// The page that a generator writes in place of a template that it did not find: Zola's.
    NoTemplate,
    /// A page that is a program, or about one, and the same in each site: the editor of Decap CMS, rustdoc's
    /// settings and help, Doxygen's search.
    Program,
    /// A file that could not be read, with the reason as text.
    Unreadable(String),
}

/// A robots tag or refresh in a `<meta>`, or a lookalike of a robots tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaTag {
    /// Name as written (not trimmed, case kept).
    pub name: String,
    /// Content as written.
    pub content: String,
    /// Region of the document.
    pub region: Region,
}

/// A `<link rel=canonical>` with a non-empty `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalLink {
    /// The `href` as written, not resolved.
    pub href: String,
    /// Region of the document.
    pub region: Region,
    /// Whether it has an `hreflang`, `lang`, `media` or `type` attribute: search engines ignore
    /// such canonical links.
    pub qualified: bool,
}

/// A `<link rel=alternate hreflang=…>` with a non-empty `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// Language code as written.
    pub hreflang: String,
    /// The `href` as written, not resolved.
    pub href: String,
    /// Region of the document.
    pub region: Region,
}

/// Facts stated by a page. Most are empty for most pages, and an empty `Vec` does not allocate.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PageFacts {
    /// Kind of content in a file.
    pub content: FileContent,
    /// `href` of the first `<base>` that has one.
    pub base: Option<Stated<String>>,
    /// Robots tags: `<meta name=…>` with one of the requested names (trimmed, any case), in
    /// document order.
    pub robots: Vec<Stated<MetaTag>>,
    /// Tags that only look like robots tags: `<meta property=robots>` and `<meta
    /// http-equiv=X-Robots-Tag>`. The name field is `property` or `http-equiv`.
    pub robots_lookalikes: Vec<Stated<MetaTag>>,
    /// Canonical links, in document order.
    pub canonicals: Vec<Stated<CanonicalLink>>,
    /// `<meta http-equiv=refresh>`: the content as written, and the region.
    pub refreshes: Vec<Stated<MetaTag>>,
    /// Text of the first script that does little but replace the page's location at once, as in Zola's
    /// redirect pages: one in the head, or after a refresh. It is not parsed.
    pub redirect_script: Option<String>,
    /// Target of a page that Quarto writes for an alias, without a refresh: that of its script.
    pub alias_target: Option<Stated<String>>,
    /// Language alternates, in document order.
    pub alternates: Vec<Stated<Alternate>>,
    /// Feeds linked from the head: the `href` of `<link rel=alternate>` with the type of RSS, Atom
    /// or JSON Feed, as written.
    pub feeds: Vec<Stated<String>>,
    /// Modification date: the content of `<meta property=article:modified_time>`, `<meta
    /// property=og:updated_time>`, `<meta name=last-modified>` or `<meta itemprop=dateModified>`;
    /// the first of these that the page has.
    pub modified: Option<Stated<String>>,
    /// Whether the page may state a modification date elsewhere, in JSON-LD or microdata: it contains
    /// the name of that property. [`metadata_of`](crate::metadata_of) reads such dates.
    pub may_state_modified: bool,
    /// `<meta name="waypost:source">`: the source, as written by the page's template.
    pub source_hint: Option<Stated<String>>,
    /// Whether it names the program that made it: `<meta name=generator>`.
    pub states_generator: bool,
    /// `<meta name="quarto:status" content="draft">`, which Quarto writes into drafts.
    pub draft: Option<TagPlace>,
    /// Reason why only a part of the page was read (too long, too deeply nested), as text.
    pub cut_short: Option<String>,
    /// 64-bit hash of the page's bytes, if requested and read completely. Equal pages have equal hashes
    /// within one run. Do not store it: another build may hash differently.
    pub fingerprint: Option<u64>,
}

impl PageFacts {
    /// The facts of a page that cannot be read.
    pub fn unreadable(error: &io::Error) -> Self {
        Self {
            content: FileContent::Unreadable(error.to_string()),
            ..Self::default()
        }
    }
}
