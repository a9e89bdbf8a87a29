//! The schemas of sitemaps as tables: the protocol's own, and those of images and language
//! links.
//!
//! Sources: sitemap.xsd and siteindex.xsd of sitemaps.org, sitemap-image.xsd of Google, and
//! developers.google.com on language links and separate mobile URLs.

use roxmltree::ExpandedName;

use super::value_rule::ValueRule;
use crate::site_paths::without_scheme;

/// Namespace of the protocol.
pub(super) const CORE: &str = crate::xml::NAMESPACE;
pub(super) const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// The namespaces that search engines know, with their usual prefixes.
const NAMESPACES: [(&str, &str); 5] = [
    ("", CORE),
    ("image", IMAGE),
    ("xhtml", XHTML),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
];

/// The known namespace with this prefix.
pub(super) fn namespace_of(prefix: &str) -> Option<&'static str> {
    let known = NAMESPACES.into_iter().find(|(known, _)| *known == prefix);
    known.map(|(_, url)| url)
}

/// An element: its text, or its children in this order. Of a root, each child may occur any number of
/// times; elsewhere the first occurs once, and the others at most once.
#[derive(Debug)]
pub(super) struct ElementRule {
    pub(super) name: &'static str,
    /// Its text, if it has no children.
    pub(super) value: ValueRule,
    pub(super) attributes: &'static [AttributeRule],
    pub(super) children: &'static [ElementRule],
}

/// An attribute, of which one of the names is required.
#[derive(Debug)]
pub(super) struct AttributeRule {
    pub(super) names: &'static [&'static str],
    pub(super) value: ValueRule,
}

/// The known namespace that is meant by another one: that of its prefix, or a misspelling by its scheme, its
/// case, a slash at the end or its version. The schemas of XHTML are often taken for its namespace.
pub(super) fn meant_namespace(prefix: &str, url: &str) -> Option<&'static str> {
    if NAMESPACES.iter().any(|(_, known)| *known == url) {
        return None;
    }
    let meant = NAMESPACES.into_iter().find(|(usual, known)| {
        !prefix.is_empty() && *usual == prefix || spelling_key(known) == spelling_key(url)
    });
    meant.map(|(_, known)| known)
}

/// The part of a namespace that its misspellings share.
fn spelling_key(url: &str) -> String {
    let url = url.trim().to_ascii_lowercase();
    let rest = without_scheme(&url)
        .trim_end_matches(|end: char| end == '/' || end == '.' || end.is_ascii_digit());
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let is_xhtml = rest.starts_with("w3.org/") && rest.contains("xhtml");
    if is_xhtml { XHTML } else { rest }.to_owned()
}

/// The root element with this name.
pub(super) fn root_of(name: &str) -> Option<&'static ElementRule> {
    [&URLSET, &SITEMAPINDEX]
        .into_iter()
        .find(|root| root.name == name)
}

/// An element of another namespace than the protocol's.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extension {
    /// Of images or language links.
    Known(&'static ElementRule),
    /// Their schemas lack it.
    Unknown,
    /// Anyone may define a namespace (sitemaps.org protocol, "Extending").
    Foreign,
}

/// Looks up an element of another namespace.
pub(super) fn extension_of(name: ExpandedName<'_, '_>) -> Extension {
    let known = [(IMAGE, &IMAGE_IMAGE), (XHTML, &XHTML_LINK)];
    match known
        .into_iter()
        .find(|(known, _)| Some(*known) == name.namespace())
    {
        Some((_, rule)) if rule.name == name.name() => Extension::Known(rule),
        Some(_) => Extension::Unknown,
        None if name.namespace().is_none_or(str::is_empty) => Extension::Unknown,
        None => Extension::Foreign,
    }
}

const fn text(name: &'static str, value: ValueRule) -> ElementRule {
    ElementRule {
        name,
        value,
        attributes: &[],
        children: &[],
    }
}

const fn parent(name: &'static str, children: &'static [ElementRule]) -> ElementRule {
    ElementRule {
        children,
        ..text(name, ValueRule::Any)
    }
}

const fn attribute(names: &'static [&'static str], value: ValueRule) -> AttributeRule {
    AttributeRule { names, value }
}

const LOC: ElementRule = text("loc", ValueRule::Location);
const LASTMOD: ElementRule = text("lastmod", ValueRule::Date);
const CHANGEFREQ: ElementRule = text("changefreq", ValueRule::ChangeFreq);
const PRIORITY: ElementRule = text("priority", ValueRule::Share);
const URL: ElementRule = parent("url", &[LOC, LASTMOD, CHANGEFREQ, PRIORITY]);

static URLSET: ElementRule = parent("urlset", &[URL]);
static SITEMAPINDEX: ElementRule = parent("sitemapindex", &[parent("sitemap", &[LOC, LASTMOD])]);

static IMAGE_IMAGE: ElementRule = parent(
    "image",
    &[
        text("loc", ValueRule::Uri),
        // Google has ignored these since 2022.
        text("caption", ValueRule::Any),
        text("geo_location", ValueRule::Any),
        text("title", ValueRule::Any),
        text("license", ValueRule::Uri),
    ],
);

static XHTML_LINK: ElementRule = ElementRule {
    attributes: &[
        attribute(&["rel"], ValueRule::Alternate),
        // Language codes have a finding of their own. Links to a page for phones have none.
        attribute(&["hreflang", "media"], ValueRule::Any),
        attribute(&["href"], ValueRule::FullUrl),
    ],
    ..text("link", ValueRule::Nothing)
};
