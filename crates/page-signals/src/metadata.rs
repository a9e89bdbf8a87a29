//! Reads a page's metadata for reuse elsewhere: its title, its generator and JSON-LD.
//!
//! Only a few pages need it, such as those in a feed. So it is a separate pass, which costs nothing otherwise. JSON-LD is
//! returned unparsed. A file that has disappeared since it was read has no metadata.

use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};

use super::attributes::Tag;
use super::html_token::{HtmlToken, Templates, TokenListener};
use super::main_item::OpenItems;
use super::page_text::page_text;
use super::tokens::tokenize;

/// Size limit of a title, in bytes; no engine shows a tenth of it.
const LONGEST_TITLE: usize = 4 << 10;

/// Size limit of all JSON-LD of a page, in bytes.
const MOST_JSON_LD: usize = 1 << 20;

/// Which metadata to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataRequest {
    /// The title alone, which is in the head.
    Title,
    /// The title, and the generator.
    Generator,
    /// What can state the page's modification date besides `<meta>`: JSON-LD and `<time>`.
    Modified,
    /// What can state the page's URL besides the canonical link: `og:url` and JSON-LD.
    Url,
}

/// Metadata of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Text of `<title>`, with white space collapsed as in a browser.
    pub title: Option<String>,
    /// Scripts of type `application/ld+json`, as written, if modification dates or URLs were requested.
    pub json_ld: Vec<String>,
    /// `datetime` of each `<time itemprop=dateModified>` that is about the page itself, if
    /// modification dates were requested.
    pub modified_times: Vec<String>,
    /// Content of the first `<meta name=generator>` that is not empty, if it was requested.
    pub generator: Option<String>,
    /// `lang` of `<html>`.
    pub language: Option<String>,
    /// Content of the first `<meta property=og:url>`, if URLs were requested.
    pub og_url: Option<String>,
}

/// Reads the metadata of the page in a file.
pub fn metadata_of(page: &File, sought: MetadataRequest) -> io::Result<Metadata> {
    Ok(metadata_in(&page_text(page)?, sought))
}

fn metadata_in(text: &[u8], sought: MetadataRequest) -> Metadata {
    let mut collector = MetadataCollector {
        request: sought,
        found: Metadata::default(),
        templates: Templates::default(),
        items: OpenItems::default(),
        open: None,
        room_for_json_ld: MOST_JSON_LD,
        gathered: Vec::new(),
    };
    tokenize(text, &mut collector);
    collector.found
}

/// Element whose text is collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WantedText {
    Title,
    JsonLd,
}

/// Listener that collects the metadata.
struct MetadataCollector {
    request: MetadataRequest,
    found: Metadata,
    templates: Templates,
    items: OpenItems,
    open: Option<WantedText>,
    room_for_json_ld: usize,
    gathered: Vec<u8>,
}

impl MetadataCollector {
    fn start_tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        if tag.is("html") && self.found.language.is_none() {
            self.found.language = tag.value("lang").map(|language| language.trim().to_owned());
        } else if tag.is("title") && self.found.title.is_none() {
            self.open = Some(WantedText::Title);
        } else if tag.is("body") && self.request == MetadataRequest::Title {
            return ControlFlow::Break(());
        } else if self.request == MetadataRequest::Generator && tag.is("meta") {
            let generator = self.found.generator.take();
            self.found.generator = generator.or_else(|| content_of(tag, "name", "generator"));
        } else if self.request == MetadataRequest::Url && tag.is("meta") {
            let og_url = self.found.og_url.take();
            self.found.og_url = og_url.or_else(|| content_of(tag, "property", "og:url"));
        } else if matches!(
            self.request,
            MetadataRequest::Modified | MetadataRequest::Url
        ) && tag.is("script")
            && is_json_ld(tag)
        {
            self.open = Some(WantedText::JsonLd);
        }
        if self.request == MetadataRequest::Modified {
            self.found.modified_times.extend(self.items.start_tag(tag));
        }
        ControlFlow::Continue(())
    }

    fn gather(&mut self, text: &[u8]) {
        let limit = match self.open {
            None => return,
            Some(WantedText::Title) => LONGEST_TITLE,
            Some(WantedText::JsonLd) => self.room_for_json_ld,
        };
        let room = limit.saturating_sub(self.gathered.len());
        self.gathered
            .extend_from_slice(&text[..text.len().min(room)]);
    }

    /// Stores the collected text when its element ends.
    fn end_gathering(&mut self) {
        let text = String::from_utf8_lossy(&self.gathered);
        match self.open.take() {
            Some(WantedText::Title) => {
                self.found.title =
                    Some(plain(&htmlize::unescape(text))).filter(|title| !title.is_empty());
            }
            Some(WantedText::JsonLd) if !text.is_empty() => {
                self.room_for_json_ld -= self.gathered.len();
                self.found.json_ld.push(text.into_owned());
            }
            Some(WantedText::JsonLd) | None => {}
        }
        self.gathered.clear();
    }
}

impl TokenListener for MetadataCollector {
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ControlFlow<()> {
        if let HtmlToken::RawText(text) = token {
            self.gather(text);
            return ControlFlow::Continue(());
        }
        self.end_gathering();
        if self.request == MetadataRequest::Title && self.found.title.is_some() {
            return ControlFlow::Break(());
        }
        if let HtmlToken::End(tag) = token
            && !self.templates.are_open()
        {
            self.items.end_tag(tag);
        }
        self.templates
            .start_tag_outside(&token)
            .map_or(ControlFlow::Continue(()), |tag| self.start_tag(tag))
    }
}

/// Returns the content of a `<meta>` whose attribute has this value, if it is not empty.
pub(super) fn content_of(meta: Tag<'_>, attribute: &str, value: &str) -> Option<String> {
    let name = meta.value(attribute)?;
    let content = plain(&meta.value("content")?);
    let is_named = name.trim().eq_ignore_ascii_case(value) && !content.is_empty();
    is_named.then_some(content)
}

fn is_json_ld(script: Tag<'_>) -> bool {
    script.value("type").is_some_and(|kind| {
        let essence = kind.split(';').next().unwrap_or(&kind);
        essence.trim().eq_ignore_ascii_case("application/ld+json")
    })
}

/// Collapses white space as a browser does: one space between words, none at the ends.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(html: &str, sought: MetadataRequest) -> Metadata {
        metadata_in(html.as_bytes(), sought)
    }

    #[test]
    fn a_title_is_the_text_that_a_browser_shows() {
        let check = |html: &str, expected: Option<&str>| {
            for sought in [MetadataRequest::Title, MetadataRequest::Generator] {
                assert_eq!(metadata(html, sought).title.as_deref(), expected, "{html}");
            }
        };
        check(
            "<title>\n Caf&eacute; &amp; <b>bar</b>\n</title><title>x</title>",
            Some("Café & <b>bar</b>"),
        );
        check(
            "<head><template><title>x</title></template><title>a</title>",
            Some("a"),
        );
        check("<title> </title><title>a</title>", Some("a"));
        check(
            "<head><!-- <title>x</title> --><noscript><title>x</title></noscript></head><body>",
            None,
        );
        check("<head><body><svg><title>x</title></svg></body>", None);
        check("<title>cut", None);
        check("", None);
        check(
            &format!("<title>{}</title>", "a".repeat(9_000)),
            Some(&"a".repeat(LONGEST_TITLE)),
        );
    }

    #[test]
    fn tags_and_json_ld_are_read_anywhere_in_the_page() {
        let html = "<meta name=generator><meta name=keywords content=x><body><template>\
             <meta name=generator content=x></template>\
             <meta name='Generator' content=' a  b '><meta name=generator content=c>\
             <script type=\"application/LD+json; charset=utf-8\">{\"a\": \"</b>\"}</script>\
             <script>x</script>dateModified";
        let page = metadata(html, MetadataRequest::Generator);
        assert_eq!(page.generator.as_deref(), Some("a b"));
        assert_eq!(page.json_ld, [""; 0]);
        let page = metadata(html, MetadataRequest::Modified);
        assert_eq!(page.json_ld, ["{\"a\": \"</b>\"}"]);
    }

    #[test]
    fn only_times_of_the_page_itself_are_read() {
        let check = |html: &str, expected: &[&str]| {
            let page = metadata(html, MetadataRequest::Modified);
            assert_eq!(page.modified_times, expected, "{html}");
        };
        let time = "<time itemprop=dateModified datetime=2024-05-06>May</time>";
        let article = "<article itemscope itemtype='https://schema.org/BlogPosting'>";
        let comment = "<div itemprop=comment itemscope itemtype=https://schema.org/Comment>";
        check(&format!("{article}<p>{time}"), &["2024-05-06"]);
        check(
            &format!("{article}<article>a</article>{time}"),
            &["2024-05-06"],
        );
        check(&format!("{article}{comment}{time}</div></article>"), &[]);
        check(
            &format!("{article}{comment}<div>{time}</div></div>{time}"),
            &["2024-05-06"],
        );
        check(&format!("{article}</article>{time}"), &[]);
        check(time, &[]);
        check(
            &format!("<div itemscope itemtype=https://schema.org/Comment>{time}"),
            &[],
        );
        check(
            &format!("<div itemscope itemtype=https://schema.org/Blog>{article}{time}"),
            &["2024-05-06"][..0],
        );
        let page = "<body itemscope itemtype=https://schema.org/WebPage>";
        let main = article.replace("itemscope", "itemscope itemprop=mainEntity");
        check(&format!("{page}{main}{time}"), &["2024-05-06"]);
        check(
            &format!(
                "{page}{}{time}",
                article.replace("itemscope", "itemscope itemprop=hasPart")
            ),
            &[],
        );
        check(
            &format!("{article}<template>{time}</article></template>{time}"),
            &["2024-05-06"],
        );
        check(
            &format!("{article}<time itemprop=dateModified>May</time>"),
            &[],
        );
        check(
            &format!("{article}<meta itemprop=image itemscope>{time}"),
            &["2024-05-06"],
        );
    }

    #[test]
    fn endless_json_ld_is_cut() {
        let script = format!(
            "<script type=application/ld+json>{}</script>",
            "x".repeat(3 << 18)
        );
        let page = script.repeat(3) + "dateModified";
        let page = metadata(&page, MetadataRequest::Modified);
        assert_eq!(
            page.json_ld.iter().map(String::len).collect::<Vec<_>>(),
            [3 << 18, 1 << 18]
        );
    }
}
