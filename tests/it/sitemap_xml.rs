//! Reads sitemaps with a real XML reader, and validates them without any other program.
//!
//! [`check`] checks the same as tests/schemas/all.xsd: names, order, number and values of elements.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use regex::Regex;

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";

/// An element with its content.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
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
    check(&root).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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
    let mut reader = NsReader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![Element::default()];
    loop {
        let (namespace, event) = reader
            .read_resolved_event()
            .map_err(|error| error.to_string())?;
        let top = open
            .last_mut()
            .ok_or("an element is closed that is not open")?;
        match event {
            Event::Start(start) => open.push(started(namespace, &start)?),
            Event::End(_) => {
                let done = open.pop().expect("the stack has a top");
                open.last_mut()
                    .ok_or("an element is closed that is not open")?
                    .children
                    .push(done);
            }
            Event::Text(text) => top.text += &text,
            Event::GeneralRef(reference) => top.text += &unescaped(&format!("&{};", &*reference))?,
            Event::Eof => break,
            _ => {}
        }
    }
    let document = open
        .pop()
        .filter(|_| open.is_empty())
        .ok_or("an element is not closed")?;
    let [root] = <[Element; 1]>::try_from(document.children).map_err(|_| "not one root element")?;
    Ok(root)
}

fn started(namespace: ResolveResult<'_>, start: &BytesStart<'_>) -> Result<Element, String> {
    let namespace = match namespace {
        ResolveResult::Bound(namespace) => namespace.into_inner().to_owned(),
        ResolveResult::Unbound => String::new(),
        ResolveResult::Unknown(prefix) => {
            return Err(format!("the prefix `{prefix}` is not declared"));
        }
    };
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        attributes.push((
            attribute.key.into_inner().to_owned(),
            unescaped(&attribute.value)?,
        ));
    }
    Ok(Element {
        namespace,
        name: start.local_name().into_inner().to_owned(),
        attributes,
        ..Element::default()
    })
}

/// Resolves the references in a text.
fn unescaped(text: &str) -> Result<String, String> {
    quick_xml::escape::unescape(text)
        .map(std::borrow::Cow::into_owned)
        .map_err(|error| error.to_string())
}

impl Element {
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

/// Reports why a document is not a valid sitemap or sitemap index.
pub(crate) fn check(root: &Element) -> Result<(), String> {
    let (child, may_hold): (&str, &[&str]) = match root.name.as_str() {
        "urlset" => ("url", &["loc", "lastmod", "changefreq", "priority"]),
        "sitemapindex" => ("sitemap", &["loc", "lastmod"]),
        other => return Err(format!("the root is <{other}>")),
    };
    need(root.namespace == SITEMAP, || {
        format!("the root is in the namespace `{}`", root.namespace)
    })?;
    need(!root.children.is_empty(), || {
        format!("<{}> is empty", root.name)
    })?;
    for element in &root.children {
        need(element.is(SITEMAP, child), || {
            format!("<{}> in <{}>", element.name, root.name)
        })?;
        check_entry(element, may_hold)
            .map_err(|error| format!("{error}, at {:?}", element.text_of("loc")))?;
    }
    Ok(())
}

fn check_entry(element: &Element, may_hold: &[&str]) -> Result<(), String> {
    need(element.text.trim().is_empty(), || {
        "text outside of elements".to_owned()
    })?;
    let own: Vec<&str> = element
        .children
        .iter()
        .filter(|child| child.namespace == SITEMAP)
        .map(|child| &*child.name)
        .collect();
    need(own.first() == Some(&"loc"), || {
        "<loc> is not first".to_owned()
    })?;
    let position = |name: &str| may_hold.iter().position(|known| *known == name);
    need(own.iter().all(|name| position(name).is_some()), || {
        format!("unknown elements in {own:?}")
    })?;
    need(
        own.windows(2)
            .all(|pair| position(pair[0]) < position(pair[1])),
        || format!("wrong order: {own:?}"),
    )?;
    let first_extension = element
        .children
        .iter()
        .position(|child| child.namespace != SITEMAP);
    need(first_extension.is_none_or(|at| at == own.len()), || {
        "an extension precedes an element of the protocol".to_owned()
    })?;
    element.children.iter().try_for_each(check_value)
}

fn check_value(element: &Element) -> Result<(), String> {
    let text = &element.text;
    let is_url = |text: &str| {
        (text.starts_with("http://") || text.starts_with("https://")) && text.len() <= 2_048
    };
    let attribute = |name: &str| {
        element
            .attributes
            .iter()
            .any(|(key, value)| key == name && !value.is_empty())
    };
    let holds = match (element.namespace.as_str(), element.name.as_str()) {
        (SITEMAP, "loc") => is_url(text),
        (SITEMAP, "lastmod") => is_w3c_date(text),
        (SITEMAP, "changefreq") => [
            "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
        ]
        .contains(&text.as_str()),
        (SITEMAP, "priority") => {
            text.parse()
                .is_ok_and(|value: f64| (0.0..=1.0).contains(&value))
                && !text.contains('e')
        }
        (XHTML, "link") => attribute("rel") && attribute("hreflang") && attribute("href"),
        (IMAGE, "image") => {
            element.children.len() == 1
                && element.children[0].is(IMAGE, "loc")
                && is_url(&element.children[0].text)
        }
        _ => false,
    };
    need(holds, || {
        format!("<{}>{text}</{}> is not valid", element.name, element.name)
    })
}

/// Whether a text is a date in the ISO 8601 profile of sitemaps, to the day or to the second
/// (www.w3.org/TR/NOTE-datetime).
fn is_w3c_date(text: &str) -> bool {
    static DATE: LazyLock<Regex> = LazyLock::new(|| {
        let date = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])";
        let time = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-](0\d|1[0-4]):[0-5]\d)";
        Regex::new(&format!("(?-u)^{date}(T{time})?$")).expect("the pattern is well-formed")
    });
    DATE.is_match(text)
}

fn need(holds: bool, otherwise: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

#[test]
fn violations_of_the_protocol_are_refused() {
    let holds = |body: &str| {
        let namespaces =
            format!("xmlns=\"{SITEMAP}\" xmlns:xhtml=\"{XHTML}\" xmlns:image=\"{IMAGE}\"");
        let document = format!("<?xml version=\"1.0\"?><urlset {namespaces}>{body}</urlset>");
        parse(document.as_bytes())
            .and_then(|root| check(&root))
            .is_ok()
    };
    let loc = "<loc>https://example.com/</loc>";
    let url = |rest: &str| holds(&format!("<url>{loc}{rest}</url>"));
    assert!(url(
        "<lastmod>2024-05-06</lastmod><changefreq>weekly</changefreq><priority>0.5</priority>"
    ));
    assert!(url("<lastmod>2024-05-06T07:08:09+14:00</lastmod>"));
    assert!(url(
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/\"/>"
    ));
    assert!(url(
        "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>"
    ));
    assert!(!holds(""), "no page");
    assert!(!holds("<url></url>"), "no URL");
    assert!(!holds("<url><loc>/a</loc></url>"), "a relative URL");
    assert!(
        !holds("<sitemap><loc>https://example.com/</loc></sitemap>"),
        "a sitemap in a urlset"
    );
    assert!(
        !url("<priority>0.5</priority><lastmod>2024-05-06</lastmod>"),
        "another order"
    );
    assert!(
        !url("<priority>0.5</priority><priority>0.5</priority>"),
        "twice"
    );
    assert!(!url("<priority>1.1</priority>"), "beyond the range");
    assert!(!url("<changefreq>Weekly</changefreq>"), "an unknown word");
    assert!(!url("<lastmod>2024-13-06</lastmod>"), "no such month");
    assert!(
        !url("<lastmod>2024-05-06T07:08:09</lastmod>"),
        "a time without a zone"
    );
    assert!(
        !url("<lastmod>2024-05-06T07:08:09+15:00</lastmod>"),
        "no such zone"
    );
    assert!(!url("<title>x</title>"), "an unknown element");
    assert!(!url("x"), "text outside of elements");
    assert!(!url("<x:link/>"), "a prefix that is not declared");
    assert!(
        !holds(&format!(
            "<url><xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"/\"/>{loc}</url>"
        )),
        "too early"
    );
}
