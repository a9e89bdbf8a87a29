//! Collects the links of a page that a visitor can follow, and its redirects.
//!
//! This takes a parse of the whole page, so it is used only for a few pages, and in the search for
//! pages without incoming links. Links in comments, scripts and templates do not count. Link targets
//! are not judged here.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;

use super::attributes::Tag;
use super::html_token::{HtmlToken, ListenerNext, TokenListener};
use super::page_bytes::PageOrigin;
use super::refresh::Refresh;
use super::templates::Templates;
use super::text::PageText;
use super::tokens::tokenize;

/// Links of a page, as written in its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// `href` of the first `<base>` that has one: the base of relative URLs.
    pub base: Option<String>,
    /// `href` of each `<a>` and `<area>`.
    pub links: Vec<String>,
    /// Targets of refreshes and canonical links, to which the page itself sends visitors or search
    /// engines.
    pub redirects: Vec<String>,
    /// `href` of the first `<link rel=sitemap>`.
    pub sitemap: Option<String>,
}

/// Reads the links of the page in a file. A file that cannot be read has none.
pub fn links_of(page: &File) -> PageLinks {
    read(PageOrigin::File(page)).unwrap_or_default()
}

fn read(origin: PageOrigin<'_>) -> io::Result<PageLinks> {
    let mut listener = LinkCollector {
        found: PageLinks::default(),
        templates: Templates::default(),
    };
    tokenize(&mut PageText::of(origin)?, &mut listener)?;
    Ok(listener.found)
}

struct LinkCollector {
    found: PageLinks,
    templates: Templates,
}

impl TokenListener for LinkCollector {
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ListenerNext {
        if let Some(tag) = self.templates.start_tag_outside(&token) {
            self.found.take(tag);
        }
        ListenerNext::Continue
    }
}

impl PageLinks {
    fn take(&mut self, tag: Tag<'_>) {
        if tag.is("a") || tag.is("area") {
            self.links.extend(owned(tag.value("href")));
        } else if tag.is("base") {
            self.base = self.base.take().or_else(|| owned(tag.value("href")));
        } else if tag.is("link") {
            let rel = tag.value("rel").unwrap_or_default();
            let is = |kind| {
                rel.split_whitespace()
                    .any(|word| word.eq_ignore_ascii_case(kind))
            };
            if is("canonical") {
                self.redirects.extend(owned(tag.value("href")));
            } else if is("sitemap") {
                self.sitemap = self.sitemap.take().or_else(|| owned(tag.value("href")));
            }
        } else if tag.is("meta") {
            let is_refresh = tag
                .value("http-equiv")
                .is_some_and(|name| name.eq_ignore_ascii_case("refresh"));
            let content = tag.value("content").filter(|_| is_refresh);
            let refresh = content.as_deref().and_then(Refresh::parse);
            self.redirects.extend(
                refresh
                    .and_then(|refresh| refresh.target)
                    .map(str::to_owned),
            );
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
        let check = |html: &str, base: Option<&str>, links: &[&str], onward: &[&str]| {
            let found = read(PageOrigin::Memory(html.as_bytes()))
                .expect("reading from memory does not fail");
            let texts = |list: &[String]| {
                list.iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            assert_eq!(found.base.as_deref(), base, "{html}");
            assert_eq!(
                (texts(&found.links), texts(&found.redirects)),
                (links.join(" "), onward.join(" ")),
                "{html}"
            );
        };
        check(
            "<a href=/a>x</a><map><AREA HREF='b&amp;c'></map><a name=d>",
            None,
            &["/a", "b&c"],
            &[],
        );
        check(
            "<base href=/x/><base href=/y/><p><a href=z>",
            Some("/x/"),
            &["z"],
            &[],
        );
        check(
            "<!-- <a href=a> --><script>'<a href=b>'</script><template><a href=c></template>",
            None,
            &[],
            &[],
        );
        check(
            "<link rel='next Canonical' href=/a><link rel=icon href=b>",
            None,
            &[],
            &["/a"],
        );
        let refresh = "<meta http-equiv=Refresh content=\"0; URL = '/a b/'\">\
                       <meta http-equiv=refresh content='5;c'>";
        check(refresh, None, &[], &["/a b/", "c"]);
        check(
            "<meta http-equiv=refresh content=5><meta name=refresh content='0;url=a'>",
            None,
            &[],
            &[],
        );
    }
}
