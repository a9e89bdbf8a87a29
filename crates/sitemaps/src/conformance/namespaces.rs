//! The namespaces of an XML document: which prefix means which, from element to element.

use super::schema::{CORE, ElementRule, NAMESPACES, extension_of};

const XML_SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A namespace, as far as the reader distinguishes them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Namespace {
    /// That of the protocol, or that of a root element that should be in it.
    Core,
    /// That of an extension, by its only global element.
    Extension(&'static ElementRule),
    /// XML Schema's own, whose attributes are allowed everywhere.
    SchemaInstance,
    /// Any other.
    Other,
    /// None: the element has no prefix, and no default namespace applies to it.
    Absent,
}

impl Namespace {
    /// Whether two namespaces are the same known one.
    pub(super) fn is_same_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::Core, Self::Core) => true,
            (Self::Extension(left), Self::Extension(right)) => std::ptr::eq(left, right),
            _ => false,
        }
    }
}

/// The known namespace that a URL is a misspelling of: by its scheme, its case, a slash at the end or
/// its version.
pub(super) fn near_miss(url: &str) -> Option<&'static str> {
    let key = |url: &str| {
        let url = url.trim().to_ascii_lowercase();
        let rest = url.split_once("://").map_or(&*url, |(_, rest)| rest);
        let rest =
            rest.trim_end_matches(|end: char| end == '/' || end == '.' || end.is_ascii_digit());
        rest.strip_prefix("www.").unwrap_or(rest).to_owned()
    };
    let mut known = NAMESPACES.into_iter();
    known.find(|known| *known != url && key(known) == key(url))
}

/// A declaration, which applies to an element and all in it.
#[derive(Debug)]
struct Binding {
    depth: usize,
    prefix: String,
    url: String,
}

/// The declarations that apply to the current element.
#[derive(Debug)]
pub(super) struct Namespaces {
    bindings: Vec<Binding>,
    /// The namespace whose elements count as those of the protocol.
    core: String,
}

impl Namespaces {
    pub(super) fn new() -> Self {
        Self {
            bindings: Vec::new(),
            core: CORE.to_owned(),
        }
    }

    /// Adds the declaration of an attribute, if it is one; returns whether it is.
    pub(super) fn declare(&mut self, depth: usize, attribute: &str, value: &str) -> bool {
        let prefix = match attribute.strip_prefix("xmlns") {
            Some("") => "",
            Some(rest) => match rest.strip_prefix(':') {
                Some(prefix) => prefix,
                None => return false,
            },
            None => return false,
        };
        self.bindings.push(Binding {
            depth,
            prefix: prefix.to_owned(),
            url: value.to_owned(),
        });
        true
    }

    /// Forgets the declarations of an element that is closed.
    pub(super) fn close(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|last| last.depth >= depth) {
            self.bindings.pop();
        }
    }

    /// Treats the namespace of the root element as that of the protocol; returns whether it is.
    pub(super) fn set_core(&mut self, prefix: &str) -> bool {
        let url = self.url_of(prefix).unwrap_or_default();
        let is_core = url == CORE;
        self.core = url.to_owned();
        is_core
    }

    /// The namespace of an element with this prefix; `None` if the prefix is not declared.
    pub(super) fn of_element(&self, prefix: &str) -> Option<Namespace> {
        let url = self.url_of(prefix);
        match url {
            None if prefix == "xml" => Some(Namespace::Other),
            None if !prefix.is_empty() => None,
            url if url.unwrap_or_default() == self.core => Some(Namespace::Core),
            None | Some("") => Some(Namespace::Absent),
            Some(XML_SCHEMA_INSTANCE) => Some(Namespace::SchemaInstance),
            Some(url) => Some(extension_of(url).map_or(Namespace::Other, Namespace::Extension)),
        }
    }

    fn url_of(&self, prefix: &str) -> Option<&str> {
        let mut found = self.bindings.iter().rev();
        let binding = found.find(|binding| binding.prefix == prefix)?;
        Some(binding.url.as_str())
    }
}
