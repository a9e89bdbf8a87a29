//! Reads sitemaps with a real XML reader, and writes small ones. `cases/schema.rs` validates those of
//! the cases.

use std::fs;
use std::path::Path;

use roxmltree::{Document, Node};

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";

/// An element with its content.
#[derive(Debug)]
pub(crate) struct Element {
    namespace: String,
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    text: String,
    pub(crate) children: Vec<Element>,
}

/// A `<url>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) loc: String,
    pub(crate) lastmod: Option<String>,
    pub(crate) changefreq: Option<String>,
    pub(crate) priority: Option<String>,
    /// Language and URL.
    pub(crate) alternates: Vec<(String, String)>,
    pub(crate) images: Vec<String>,
}

/// All entries of a sitemap; for an index, those of the children in the same directory.
pub(crate) fn listed(path: &Path) -> Vec<Entry> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let root = parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if root.name == "urlset" {
        return root.entries();
    }
    let beside = |loc: &str| {
        path.with_file_name(
            loc.rsplit('/')
                .next()
                .expect("split gives at least one part"),
        )
    };
    root.locs()
        .iter()
        .flat_map(|loc| listed(&beside(loc)))
        .collect()
}

/// Parses a document.
pub(crate) fn parse(bytes: &[u8]) -> Result<Element, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    Ok(Element::of(document.root_element()))
}

impl Element {
    fn of(node: Node<'_, '_>) -> Self {
        let texts = node.children().filter(Node::is_text);
        let attributes = node.attributes();
        Self {
            namespace: node.tag_name().namespace().unwrap_or_default().to_owned(),
            name: node.tag_name().name().to_owned(),
            attributes: attributes
                .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
                .collect(),
            text: texts.filter_map(|text| text.text()).collect(),
            children: node
                .children()
                .filter(Node::is_element)
                .map(Self::of)
                .collect(),
        }
    }

    /// The entries of a `<urlset>`.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.children.iter().map(Self::entry).collect()
    }

    /// The URLs of a `<urlset>` or an index.
    pub(crate) fn locs(&self) -> Vec<String> {
        self.children
            .iter()
            .filter_map(|child| child.text_of("loc"))
            .collect()
    }

    fn entry(&self) -> Entry {
        let attribute = |element: &Self, name: &str| {
            let value = element.attributes.iter().find(|(key, _)| key == name);
            value.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let links = self.children.iter().filter(|child| child.is(XHTML, "link"));
        let images = self
            .children
            .iter()
            .filter(|child| child.is(IMAGE, "image"));
        Entry {
            loc: self.text_of("loc").unwrap_or_default(),
            lastmod: self.text_of("lastmod"),
            changefreq: self.text_of("changefreq"),
            priority: self.text_of("priority"),
            alternates: links
                .map(|link| (attribute(link, "hreflang"), attribute(link, "href")))
                .collect(),
            images: images
                .flat_map(|image| image.children.iter().map(|loc| loc.text.clone()))
                .collect(),
        }
    }

    fn is(&self, namespace: &str, name: &str) -> bool {
        self.namespace == namespace && self.name == name
    }

    fn text_of(&self, name: &str) -> Option<String> {
        self.children
            .iter()
            .find(|child| child.is(SITEMAP, name))
            .map(|child| child.text.clone())
    }
}

/// A URL, or the URL of a path below `https://example.com/`.
fn url_of(path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    format!("https://example.com/{}", path.trim_start_matches('/'))
}
/// A `<urlset>` of these pages, each with its date unless that is empty.
pub(crate) fn dated_urlset(entries: &[(&str, &str)]) -> String {
    let entry = |(path, date): &(&str, &str)| {
        let lastmod = format!("<lastmod>{date}</lastmod>");
        let lastmod = if date.is_empty() { "" } else { &lastmod };
        format!("<url><loc>{}</loc>{lastmod}</url>\n", url_of(path))
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("<urlset xmlns=\"{SITEMAP}\">\n{entries}</urlset>\n")
}
