//! Collects the links of a page that a visitor can follow, and the one to its sitemap.
//!
//! This takes a parse of the page beyond its head, so it is used only for a few pages. Links in comments, scripts
//! and templates do not count. Link targets are not judged here.

use std::borrow::Cow;
use std::fs::File;
use std::ops::{ControlFlow, Range};

use super::attributes::Tag;
use super::html_token::{HtmlToken, Templates, TokenListener};
use super::metadata::content_of;
use super::page_text::text_within;
use super::tokens::tokenize;

/// Links of a page, as written in its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// `href` of the first `<base>` that has one: the base of relative URLs.
    pub base: Option<String>,
    /// `href` of each `<a>` and `<area>`.
    pub links: Vec<String>,
    /// `href` of each `<link>`, `src` of each `<script>` and `<img>`: the files that the page is made of.
    pub resources: Vec<String>,
    /// `href` of the first `<link rel=sitemap>`.
    pub sitemap: Option<String>,
    /// Whether it names the program that made it: `<meta name=generator>`.
    pub states_generator: bool,
}

/// How much of a page to search, in bytes: a longer one is an index of names or a list of changes, and has the
/// links of the navigation before these.
const SEARCHED: usize = 64 << 10;

/// Reads the links at the beginning of the page in a file. A file that cannot be read has none.
pub fn links_of(page: &File) -> PageLinks {
    let text = text_within(page, SEARCHED);
    text.map_or_else(|_| PageLinks::default(), |text| links_in(&text))
}

fn links_in(text: &[u8]) -> PageLinks {
    let mut listener = LinkCollector {
        found: PageLinks::default(),
        templates: Templates::default(),
    };
    tokenize(text, &mut listener);
    listener.found
}

struct LinkCollector {
    found: PageLinks,
    templates: Templates,
}

impl TokenListener for LinkCollector {
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ControlFlow<()> {
        if let Some(tag) = self.templates.start_tag_outside(&token) {
            self.found.take(tag);
        }
        ControlFlow::Continue(())
    }
}

impl PageLinks {
    fn take(&mut self, tag: Tag<'_>) {
        if tag.is("a") || tag.is("area") {
            self.links.extend(owned(tag.value("href")));
        } else if tag.is("base") {
            self.base = self.base.take().or_else(|| owned(tag.value("href")));
        } else if tag.is("meta") {
            self.states_generator |= content_of(tag, "name", "generator").is_some();
        } else if tag.is("script") || tag.is("img") {
            self.resources.extend(owned(tag.value("src")));
        } else if tag.is("link") {
            self.resources.extend(owned(tag.value("href")));
            let rel = tag.value("rel").unwrap_or_default();
            let mut words = rel.split_whitespace();
            if words.any(|word| word.eq_ignore_ascii_case("sitemap")) {
                self.sitemap = self.sitemap.take().or_else(|| owned(tag.value("href")));
            }
        }
    }
}

fn owned(value: Option<Cow<'_, str>>) -> Option<String> {
    value.map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_can_be_followed_count() {
        let check = |html: &str, base: Option<&str>, links: &[&str], sitemap: Option<&str>| {
            let found = links_in(html.as_bytes());
            assert_eq!(found.base.as_deref(), base, "{html}");
            assert_eq!(found.links, links, "{html}");
            assert_eq!(found.sitemap.as_deref(), sitemap, "{html}");
        };
        check(
            "<a href=/a>x</a><map><AREA HREF='b&amp;c'></map><a name=d>",
            None,
            &["/a", "b&c"],
            None,
        );
        check(
            "<base href=/x/><base href=/y/><p><a href=z>",
            Some("/x/"),
            &["z"],
            None,
        );
        check(
            "<!-- <a href=a> --><script>'<a href=b>'</script><template><a href=c></template>",
            None,
            &[],
            None,
        );
        check(
            "<link rel=icon href=b><link rel='x Sitemap' href=/s.xml><link rel=sitemap href=c>",
            None,
            &[],
            Some("/s.xml"),
        );
    }

    #[test]
    fn resources_are_the_files_that_a_page_is_made_of() {
        let html =
            "<link rel=icon href=a><script src=b></script><script>x</script><img alt=c src=d>";
        assert_eq!(links_in(html.as_bytes()).resources, ["a", "b", "d"]);
    }
}
