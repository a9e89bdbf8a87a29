//! What a page says of itself, each statement with its place.

use crate::finding::Place;

/// A value and the tag that said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated<T> {
    /// What was said: attribute values with their character references decoded.
    pub value: T,
    /// The whole tag, from `<` to `>`, in the page's decoded text.
    pub place: Place,
}

/// In which part of the document a tag stands, as a browser's parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The head: any tag before the first that cannot stand there.
    Head,
    /// The body.
    Body,
    /// Inside `<noscript>`: text to a browser that runs scripts.
    Noscript,
}

/// What the file holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum FileContent {
    /// HTML, as far as can be told.
    #[default]
    Html,
    /// No byte at all, or white space only.
    Empty,
    /// Bytes that no browser would show as a page (a PNG, an executable).
    Binary,
    /// Text without a single tag: a verification token.
    PlainText,
    /// The file could not be read or unpacked; the reason, for people.
    Unreadable(String),
}

/// A `<meta>` that concerns us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaTag {
    /// Its name as it was written (not trimmed, not folded).
    pub name: String,
    /// Its content as it was written.
    pub content: String,
    /// Where it stands.
    pub region: Region,
}

/// A `<link rel=canonical>` with a non-empty href.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalLink {
    /// The href as it was written, not resolved.
    pub href: String,
    /// Where it stands.
    pub region: Region,
    /// Whether it has an hreflang, lang, media or type attribute: search engines do not use such canonicals.
    pub qualified: bool,
}

/// A `<link rel=alternate hreflang=…>` with a non-empty href.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The language code as it was written.
    pub hreflang: String,
    /// The href as it was written, not resolved.
    pub href: String,
    /// Where it stands.
    pub region: Region,
}

/// What a page says of itself. Most pages leave most of this empty, and an empty `Vec` costs no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PageFacts {
    /// What the file holds.
    pub content: FileContent,
    /// The href of the first `<base>` that has one.
    pub base: Option<Stated<String>>,
    /// Robots tags: `<meta name=…>` of the names asked for (compared trimmed and without case), in document order.
    pub robots: Vec<Stated<MetaTag>>,
    /// `<meta property=robots>` and `<meta http-equiv=X-Robots-Tag>`: what looks like a robots tag and is none. The
    /// name field holds `property` or `http-equiv`.
    pub robots_lookalikes: Vec<Stated<MetaTag>>,
    /// Canonical links, in document order.
    pub canonicals: Vec<Stated<CanonicalLink>>,
    /// `<meta http-equiv=refresh>`: the content attribute as written, and the region.
    pub refreshes: Vec<Stated<MetaTag>>,
    /// The address in a script of the head that replaces the page's own location at once, as Zola's redirect pages
    /// have it.
    pub script_redirect: Option<Stated<String>>,
    /// Language alternates, in document order.
    pub alternates: Vec<Stated<Alternate>>,
    /// Feeds that it names in its head: the href of `<link rel=alternate>` with the type of RSS, Atom or JSON Feed, as
    /// written.
    pub feeds: Vec<Stated<String>>,
    /// When the page says it was modified: the content of `<meta property=article:modified_time>`, or of
    /// `<meta property=og:updated_time>`, `<meta name=last-modified>`, `<meta itemprop=dateModified>`; the first in
    /// this order that the page has.
    pub modified: Option<Stated<String>>,
    /// `<meta name="waypost:source">`: the source as the page's template names it.
    pub source_hint: Option<Stated<String>>,
    /// `src` of images in document order, as written, each once; only where asked for.
    pub images: Vec<String>,
    /// Why reading ended before the page did (too large, too deeply nested), for people.
    pub cut_short: Option<String>,
    /// A 64-bit hash of the page's bytes (unpacked), where asked for: equal pages have equal hashes within one run. Not
    /// to be stored: another build of waypost may hash otherwise.
    pub fingerprint: Option<u64>,
}
