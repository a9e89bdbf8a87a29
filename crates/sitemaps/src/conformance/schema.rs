//! The schemas of sitemaps as tables: the protocol's own, and those of images and language
//! links.
//!
//! Sources: sitemap.xsd and siteindex.xsd of sitemaps.org, sitemap-image.xsd of Google, and
//! developers.google.com on language links and separate mobile URLs.

use super::value_rule::ValueRule;

/// Namespace of the protocol.
pub(super) const CORE: &str = crate::xml::NAMESPACE;
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// The namespaces that search engines know.
const NAMESPACES: [&str; 5] = [
    CORE,
    IMAGE,
    XHTML,
    "http://www.google.com/schemas/sitemap-news/0.9",
    "http://www.google.com/schemas/sitemap-video/1.1",
];

/// The row of an element within its parent.
#[derive(Debug)]
pub(super) struct ElementRule {
    pub(super) name: &'static str,
    pub(super) occurs: Occurrence,
    pub(super) content: ContentRule,
    pub(super) attributes: &'static [AttributeRule],
}

/// How often an element occurs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occurrence {
    Once,
    Optional,
    Any,
}

/// The content of an element.
#[derive(Debug)]
pub(super) enum ContentRule {
    /// Text only.
    Text(ValueRule),
    /// Elements in this order, no text.
    Sequence(Sequence),
    /// Neither elements nor text.
    Empty,
}

/// Elements in a fixed order.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) children: &'static [ElementRule],
    /// Where elements of other namespaces are allowed.
    pub(super) extensions: ExtensionPlace,
}

/// Where an element may contain elements of other namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtensionPlace {
    Nowhere,
    Before,
    After,
}

/// The attribute without which another is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requirement {
    Always,
    Never,
    Unless(&'static str),
}

/// An attribute of an element.
#[derive(Debug)]
pub(super) struct AttributeRule {
    pub(super) name: &'static str,
    pub(super) required: Requirement,
    pub(super) value: ValueRule,
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

/// The root element with this name.
pub(super) fn root_of(name: &str) -> Option<&'static ElementRule> {
    [&URLSET, &SITEMAPINDEX]
        .into_iter()
        .find(|root| root.name == name)
}

/// The schema of a namespace: the elements that may extend a sitemap. `None` for a namespace that
/// is not known: the protocol allows anyone to define one.
pub(super) fn extension_of(namespace: &str) -> Option<&'static ElementRule> {
    let known = [(IMAGE, &IMAGE_IMAGE), (XHTML, &XHTML_LINK)];
    let found = known.into_iter().find(|(known, _)| *known == namespace);
    found.map(|(_, rule)| rule)
}

const fn text(name: &'static str, occurs: Occurrence, value: ValueRule) -> ElementRule {
    ElementRule {
        name,
        occurs,
        content: ContentRule::Text(value),
        attributes: &[],
    }
}

const fn sequence(
    name: &'static str,
    occurs: Occurrence,
    extensions: ExtensionPlace,
    children: &'static [ElementRule],
) -> ElementRule {
    ElementRule {
        name,
        occurs,
        content: ContentRule::Sequence(Sequence {
            children,
            extensions,
        }),
        attributes: &[],
    }
}

use ExtensionPlace::{After, Before, Nowhere};
use Occurrence::{Any, Once, Optional};

static URLSET: ElementRule = sequence("urlset", Once, Before, &[URL]);

const URL: ElementRule = sequence(
    "url",
    Any,
    After,
    &[
        text("loc", Once, ValueRule::Location),
        text("lastmod", Optional, ValueRule::Date),
        text("changefreq", Optional, ValueRule::ChangeFreq),
        text("priority", Optional, ValueRule::Share),
    ],
);

static SITEMAPINDEX: ElementRule = sequence(
    "sitemapindex",
    Once,
    Before,
    &[sequence(
        "sitemap",
        Any,
        After,
        &[
            text("loc", Once, ValueRule::Location),
            text("lastmod", Optional, ValueRule::Date),
        ],
    )],
);

static IMAGE_IMAGE: ElementRule = sequence(
    "image",
    Any,
    Nowhere,
    &[
        text("loc", Once, ValueRule::Uri),
        // Google has ignored these since 2022.
        text("caption", Optional, ValueRule::Any),
        text("geo_location", Optional, ValueRule::Any),
        text("title", Optional, ValueRule::Any),
        text("license", Optional, ValueRule::Uri),
    ],
);

static XHTML_LINK: ElementRule = ElementRule {
    name: "link",
    occurs: Any,
    content: ContentRule::Empty,
    attributes: &[
        AttributeRule {
            name: "rel",
            required: Requirement::Always,
            value: ValueRule::OneOf(&["alternate"]),
        },
        // Language codes have a finding of their own. Links to a page for phones have none.
        AttributeRule {
            name: "hreflang",
            required: Requirement::Unless("media"),
            value: ValueRule::Any,
        },
        AttributeRule {
            name: "media",
            required: Requirement::Never,
            value: ValueRule::Any,
        },
        AttributeRule {
            name: "href",
            required: Requirement::Always,
            value: ValueRule::FullUrl,
        },
    ],
};
