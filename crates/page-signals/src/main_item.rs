//! Finds the modification dates that a page states in microdata about itself.
//!
//! A `<time itemprop="dateModified">` belongs to the innermost item around it. It is the page's own
//! date only if that item is a page or an article and is not part of another item, or is the
//! `mainEntity` of such an item: comments and related articles are items of their own. Source: HTML
//! standard, 5.2 "Encoding microdata".

use super::attributes::Tag;

/// Names of schema.org's types of pages and articles end with one of these.
const PAGE_SUFFIXES: [&str; 3] = ["Page", "Article", "Posting"];

/// schema.org's other types of pages and articles, and of documents that fill a page.
const PAGE_TYPES: [&str; 8] = [
    "APIReference",
    "Course",
    "CreativeWork",
    "HowTo",
    "LearningResource",
    "RealEstateListing",
    "Recipe",
    "Report",
];

/// Elements without content.
const VOID_ELEMENTS: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// How deep items may be nested; deeper ones end the search.
const MAX_ITEMS: usize = 64;

/// Whether a type of schema.org, with or without its prefix, is that of a page or an article.
pub fn is_page_type(name: &str) -> bool {
    let name = name.trim().rsplit(['/', '#', ':']).next().unwrap_or(name);
    PAGE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) || PAGE_TYPES.contains(&name)
}

/// Tracks the items around a tag.
#[derive(Default)]
pub(super) struct OpenItems {
    open: Vec<OpenItem>,
    is_too_deep: bool,
}

struct OpenItem {
    /// The element of the item.
    element: Vec<u8>,
    /// How many elements of this name are open in it.
    nested: usize,
    is_main: bool,
}

impl OpenItems {
    /// Processes a start tag; returns the date that it states about the page.
    pub(super) fn start_tag(&mut self, tag: Tag<'_>) -> Option<String> {
        let is_item = tag.value("itemscope").is_some();
        let date = (!is_item && tag.is("time") && self.is_in_main())
            .then(|| modified_of(tag))
            .flatten();
        if tag.is_any(&VOID_ELEMENTS) {
            return date;
        }
        if is_item {
            self.is_too_deep |= self.open.len() == MAX_ITEMS;
            if !self.is_too_deep {
                self.open.push(OpenItem {
                    element: tag.name().to_vec(),
                    nested: 0,
                    is_main: self.would_be_main(tag),
                });
            }
        } else if let Some(item) = self
            .open
            .last_mut()
            .filter(|item| tag.has_name(&item.element))
        {
            item.nested += 1;
        }
        date
    }

    /// Processes an end tag.
    pub(super) fn end_tag(&mut self, tag: Tag<'_>) {
        let Some(item) = self
            .open
            .last_mut()
            .filter(|item| tag.has_name(&item.element))
        else {
            return;
        };
        match item.nested.checked_sub(1) {
            Some(nested) => item.nested = nested,
            None => {
                self.open.pop();
            }
        }
    }

    fn is_in_main(&self) -> bool {
        !self.is_too_deep && self.open.last().is_some_and(|item| item.is_main)
    }

    fn would_be_main(&self, tag: Tag<'_>) -> bool {
        let types = tag.value("itemtype").unwrap_or_default();
        let property = tag.value("itemprop");
        let is_allowed = match (self.open.last(), property) {
            (None, None) => true,
            (Some(outer), Some(property)) => outer.is_main && has_word(&property, "mainEntity"),
            _ => false,
        };
        is_allowed && types.split_ascii_whitespace().any(is_page_type)
    }
}

fn modified_of(time: Tag<'_>) -> Option<String> {
    let property = time.value("itemprop")?;
    let date = time
        .value("datetime")
        .filter(|_| has_word(&property, "dateModified"))?;
    Some(date.trim().to_owned()).filter(|date| !date.is_empty())
}

fn has_word(words: &str, wanted: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == wanted)
}
