//! Collects the facts stated by start tags.
//!
//! The same code reads tags from the tokenizer and decides whether a tag found by byte search could
//! matter. It knows nothing of a tag's position but its region.

use super::attributes::{Attribute, Tag};
use super::facts::{
    Alternate, CanonicalLink, MetaTag, PageFacts, ROBOTS_NAMES, Region, Stated, TagPlace,
};
use std::borrow::Cow;
use std::ops::Range;

/// Attributes of `<meta>` and their values that mark the modification date, best first.
const MODIFIED: [(&str, &str); 4] = [
    ("property", "article:modified_time"),
    ("property", "og:updated_time"),
    ("name", "last-modified"),
    ("itemprop", "datemodified"),
];

/// Media types of feeds (RSS Advisory Board, RFC 4287 section 8.2, jsonfeed.org).
const FEEDS: [&str; 3] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
];

/// Name of the `<meta>` in which a template names the source of a page.
const SOURCE_HINT: &str = "waypost:source";

/// Name and content of the `<meta>` with which Quarto marks a draft.
const DRAFT: (&str, &str) = ("quarto:status", "draft");

/// Collector of a page's facts.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) facts: PageFacts,
    settled: OnceOnly,
}

/// Facts of which only one counts, and how far they are known.
#[derive(Clone, Copy, Default)]
struct OnceOnly {
    base: bool,
    source_hint: bool,
    /// Index in [`MODIFIED`] of the page's date.
    modified_rank: Option<usize>,
}

/// Attributes of a `<meta>` that can matter.
#[derive(Default)]
pub(super) struct MetaAttributes<'t> {
    pub(super) charset: Option<Cow<'t, str>>,
    name: Option<Cow<'t, str>>,
    property: Option<Cow<'t, str>>,
    itemprop: Option<Cow<'t, str>>,
    pub(super) http_equiv: Option<Cow<'t, str>>,
    /// Decoded where it matters: descriptions are long, and say nothing.
    pub(super) content: Option<Attribute<'t>>,
}

/// Attributes of a `<link>` that can matter.
#[derive(Default)]
struct LinkAttributes<'t> {
    rel: Option<Attribute<'t>>,
    href: Option<Attribute<'t>>,
    hreflang: Option<Attribute<'t>>,
    kind: Option<Attribute<'t>>,
    qualified: bool,
}

impl Statements {
    /// Records the facts stated by a start tag of an HTML element.
    pub(super) fn record(&mut self, tag: Tag<'_>, region: Region, at: &Range<usize>) {
        if tag.is("meta") {
            self.meta(&MetaAttributes::of(tag), region, at);
        } else if tag.is("link") {
            self.link(&LinkAttributes::of(tag), region, at);
        } else if tag.is("base") {
            self.base(tag, region, at);
        }
    }

    /// Whether the tag, if it is one, would add a fact.
    pub(super) fn would_record(&self, tag: Tag<'_>, region: Region) -> bool {
        let mut trial = Self {
            settled: self.settled,
            ..Self::default()
        };
        trial.record(tag, region, &(0..0));
        trial.facts != PageFacts::default()
    }

    fn meta(&mut self, meta: &MetaAttributes<'_>, region: Region, at: &Range<usize>) {
        // As in `<meta charset=utf-8>`.
        if !meta.has_a_name() {
            return;
        }
        self.robots(meta, region, at);
        self.refresh(meta, region, at);
        if region == Region::Noscript {
            return;
        }
        self.facts.states_generator |=
            meta.has_value("name", "generator") && !meta.content().trim().is_empty();
        if meta.has_value("name", DRAFT.0) && meta.content().trim() == DRAFT.1 {
            self.facts.draft = Some(place_of(at));
        }
        let rank = MODIFIED
            .iter()
            .position(|(attribute, value)| meta.has_value(attribute, value))
            .filter(|&rank| self.settled.modified_rank.is_none_or(|known| rank < known));
        let is_source_hint = !self.settled.source_hint && meta.has_value("name", SOURCE_HINT);
        if rank.is_none() && !is_source_hint {
            return;
        }
        let content = meta.content();
        if content.trim().is_empty() {
            return;
        }
        let stated = stated(content.into_owned(), at);
        if is_source_hint {
            self.settled.source_hint = true;
            self.facts.source_hint = Some(stated.clone());
        }
        if rank.is_some() {
            self.settled.modified_rank = rank;
            self.facts.modified = Some(stated);
        }
    }

    fn robots(&mut self, meta: &MetaAttributes<'_>, region: Region, at: &Range<usize>) {
        let is_robots = |attribute: &str| {
            ROBOTS_NAMES
                .iter()
                .any(|name| meta.has_value(attribute, name))
        };
        let tag = |name: &str| stated(meta.tag(name, region), at);
        if is_robots("name") {
            let name = meta.name.as_deref().unwrap_or_default();
            self.facts.robots.push(tag(name));
        } else if is_robots("property") {
            self.facts.robots_lookalikes.push(tag("property"));
        }
        if meta.has_value("http-equiv", "x-robots-tag") {
            self.facts.robots_lookalikes.push(tag("http-equiv"));
        }
    }

    fn refresh(&mut self, meta: &MetaAttributes<'_>, region: Region, at: &Range<usize>) {
        // An enumerated attribute is compared without case, but not trimmed.
        if let Some(name) = meta.http_equiv.as_deref()
            && name.eq_ignore_ascii_case("refresh")
            && !meta.content().is_empty()
        {
            let tag = stated(meta.tag(name, region), at);
            self.facts.refreshes.push(tag);
        }
    }

    fn link(&mut self, link: &LinkAttributes<'_>, region: Region, at: &Range<usize>) {
        let Some(rel) = link.rel.map(|rel| rel.value()) else {
            return;
        };
        let has_word = |word: &str| {
            rel.split_ascii_whitespace()
                .any(|one| one.eq_ignore_ascii_case(word))
        };
        let (is_canonical, is_alternate) = (has_word("canonical"), has_word("alternate"));
        if !is_canonical && !is_alternate {
            return;
        }
        let Some(href) = link.href.map(|href| href.value()) else {
            return;
        };
        if href.is_empty() {
            return;
        }
        if is_canonical {
            let value = CanonicalLink {
                href: href.clone().into_owned(),
                region,
                qualified: link.qualified,
            };
            self.facts.canonicals.push(stated(value, at));
        }
        let is_feed = link
            .kind
            .as_ref()
            .is_some_and(|kind| FEEDS.iter().any(|feed| kind.has_value(feed)));
        if is_alternate && region == Region::Head && is_feed {
            let feed = stated(href.clone().into_owned(), at);
            self.facts.feeds.push(feed);
        }
        // The `hreflang` of a feed is the feed's language.
        if let Some(hreflang) = link.hreflang.filter(|_| is_alternate && !is_feed) {
            let value = Alternate {
                hreflang: hreflang.value().into_owned(),
                href: href.into_owned(),
                region,
            };
            self.facts.alternates.push(stated(value, at));
        }
    }

    fn base(&mut self, tag: Tag<'_>, region: Region, at: &Range<usize>) {
        if self.settled.base || region == Region::Noscript {
            return;
        }
        if let Some(href) = tag.value("href") {
            self.settled.base = true;
            self.facts.base = Some(stated(href.into_owned(), at));
        }
    }
}

impl<'t> MetaAttributes<'t> {
    pub(super) fn of(tag: Tag<'t>) -> Self {
        let mut meta = Self::default();
        for &attribute in tag.attributes() {
            let value = match attribute {
                it if it.is("name") => &mut meta.name,
                it if it.is("property") => &mut meta.property,
                it if it.is("content") => {
                    meta.content.get_or_insert(attribute);
                    continue;
                }
                it if it.is("charset") => &mut meta.charset,
                it if it.is("itemprop") => &mut meta.itemprop,
                it if it.is("http-equiv") => &mut meta.http_equiv,
                _ => continue,
            };
            value.get_or_insert_with(|| attribute.value());
        }
        meta
    }

    /// Text of `content`; empty without one.
    fn content(&self) -> Cow<'t, str> {
        self.content
            .map(|content| content.value())
            .unwrap_or_default()
    }

    /// Whether an attribute names what the tag states.
    fn has_a_name(&self) -> bool {
        let names = [&self.name, &self.property, &self.itemprop, &self.http_equiv];
        names.iter().any(|name| name.is_some())
    }

    /// Whether the attribute has the value, trimmed and compared without case.
    fn has_value(&self, attribute: &str, value: &str) -> bool {
        let attribute = match attribute {
            "name" => &self.name,
            "property" => &self.property,
            "itemprop" => &self.itemprop,
            _ => &self.http_equiv,
        };
        attribute.as_ref().is_some_and(|attribute| {
            // Most are too short, and to trim them takes longer than the comparison.
            attribute.len() >= value.len() && attribute.trim().eq_ignore_ascii_case(value)
        })
    }

    fn tag(&self, name: &str, region: Region) -> MetaTag {
        MetaTag {
            name: name.to_owned(),
            content: self.content().into_owned(),
            region,
        }
    }
}

impl<'t> LinkAttributes<'t> {
    fn of(tag: Tag<'t>) -> Self {
        let mut link = Self::default();
        for &attribute in tag.attributes() {
            link.qualified |= ["hreflang", "lang", "media", "type"]
                .iter()
                .any(|name| attribute.is(name));
            let field = match attribute {
                it if it.is("rel") => &mut link.rel,
                it if it.is("href") => &mut link.href,
                it if it.is("hreflang") => &mut link.hreflang,
                it if it.is("type") => &mut link.kind,
                _ => continue,
            };
            field.get_or_insert(attribute);
        }
        link
    }
}

/// Adds the byte range of the tag that states a value.
pub(super) fn stated<T>(value: T, at: &Range<usize>) -> Stated<T> {
    let place = place_of(at);
    Stated { value, place }
}

fn place_of(at: &Range<usize>) -> TagPlace {
    let offset = |offset| u32::try_from(offset).expect("a page is much shorter than 4 GiB");
    TagPlace {
        start: offset(at.start),
        end: offset(at.end),
    }
}
