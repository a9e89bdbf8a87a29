//! Collects the statements of a page from its tokens, each with its region.
//!
//! The regions are those that a browser's tree builder would find. Only the parts of the tree that
//! decide where a tag is are followed: head or body, template, noscript. Statements are not judged
//! here. Source: HTML standard, 13.2.6 "Tree construction".
//!
//! Three rules that need the whole tree are not followed: content that a table moves in front of
//! itself (it stays in the body), tags that `<select>` drops, and a `<frameset>` that replaces a
//! body begun before it.

use super::attributes::{Tag, is_space, to_text};
use super::facts::{FileContent, PageFacts, Region};
use super::html_token::{HtmlToken, Templates, TokenListener};
use super::refresh::{alias_target, redirects_at_once};
use super::statements::{Statements, stated};
use super::tokens::tokenize;
use std::ops::{ControlFlow, Range};

/// Elements allowed in the head by the standard. Google's documentation lists all but the last
/// three.
const HEAD_ELEMENTS: [&str; 13] = [
    "meta", "link", "script", "style", "title", "head", "html", "base", "noscript", "template",
    "noframes", "basefont", "bgsound",
];

/// Elements that only whole pages have.
const PAGE_ELEMENTS: [&str; 5] = ["html", "head", "body", "frameset", "title"];

/// Scripts longer than this do more than redirect.
const LONGEST_REDIRECT_SCRIPT: usize = 2048;

/// How much of the page to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadExtent {
    /// The page up to the first token of the body.
    Head,
    /// The whole page.
    Whole,
}

/// Part of the document that the parser is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentPart {
    Head,
    /// After `</head>`: elements of the head still belong to it, except `<noscript>`.
    AfterHead,
    Body,
    /// A `<frameset>` instead of a body: tags in it do not count.
    Frameset,
}

/// Element whose text is collected.
enum CollectedText {
    /// A script that may redirect, with the offset where its text starts.
    Script(usize),
    /// A `<noscript>`, with the offset where its text starts.
    Noscript(usize),
}

/// Listener that collects a page's facts.
pub(super) struct Document {
    extent: ReadExtent,
    statements: Statements,
    part: DocumentPart,
    templates: Templates,
    collecting: Option<CollectedText>,
    collected: Vec<u8>,
}

impl Document {
    pub(super) fn new(extent: ReadExtent) -> Self {
        let mut statements = Statements::default();
        statements.facts.content = FileContent::Empty;
        Self {
            extent,
            statements,
            part: DocumentPart::Head,
            templates: Templates::default(),
            collecting: None,
            collected: Vec::new(),
        }
    }

    pub(super) fn statements(&self) -> &Statements {
        &self.statements
    }

    /// Whether the page seems to redirect. Its script may then be in the body, as in the pages of
    /// sphinxext-rediraffe.
    fn has_refresh(&self) -> bool {
        !self.statements.facts.refreshes.is_empty()
    }

    /// Whether the rest of the page, after the head, could matter.
    pub(super) fn body_counts(&self) -> bool {
        self.part == DocumentPart::Body
    }

    /// Finishes parsing and returns the facts.
    pub(super) fn into_facts(mut self) -> PageFacts {
        // A script that the end of the page cuts off does not run; a noscript simply ends there.
        if let Some(CollectedText::Noscript(_)) = self.collecting {
            self.end_gathering();
        }
        let mut facts = self.statements.facts;
        let is_for_search_engines =
            !facts.canonicals.is_empty() || !facts.robots.is_empty() || !facts.refreshes.is_empty();
        if facts.content == FileContent::Fragment && is_for_search_engines {
            facts.content = FileContent::Html;
        }
        facts
    }

    fn start_tag(&mut self, tag: Tag<'_>, at: &Range<usize>) -> ControlFlow<()> {
        if self.ends_head(tag) {
            let part = if tag.is("frameset") {
                DocumentPart::Frameset
            } else {
                DocumentPart::Body
            };
            self.begin(part)?;
        }
        if let Some(region) = self.region() {
            self.collecting = self.wanted_text(tag, region, at.end);
            self.statements.record(tag, region, at);
        }
        ControlFlow::Continue(())
    }

    fn ends_head(&self, tag: Tag<'_>) -> bool {
        match self.part {
            DocumentPart::Head => !tag.is_any(&HEAD_ELEMENTS),
            DocumentPart::AfterHead => tag.is("noscript") || !tag.is_any(&HEAD_ELEMENTS),
            DocumentPart::Body | DocumentPart::Frameset => false,
        }
    }

    /// Region of a tag at this point; `None` where tags do not count.
    fn region(&self) -> Option<Region> {
        match self.part {
            DocumentPart::Head | DocumentPart::AfterHead => Some(Region::Head),
            DocumentPart::Body => Some(Region::Body),
            DocumentPart::Frameset => None,
        }
    }

    fn wanted_text(
        &self,
        tag: Tag<'_>,
        region: Region,
        text_start: usize,
    ) -> Option<CollectedText> {
        if tag.is("noscript") {
            return Some(CollectedText::Noscript(text_start));
        }
        let may_redirect = (region == Region::Head || self.has_refresh())
            && tag.is("script")
            && self.statements.facts.redirect_script.is_none();
        (may_redirect && is_inline_javascript(tag)).then_some(CollectedText::Script(text_start))
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        match self.part {
            DocumentPart::Head if tag.is("head") => {
                self.part = DocumentPart::AfterHead;
                ControlFlow::Continue(())
            }
            DocumentPart::Head | DocumentPart::AfterHead if tag.is_any(&["body", "html", "br"]) => {
                self.begin(DocumentPart::Body)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Notes what a token that is not text says of the kind of the file.
    fn note_content(&mut self, token: &HtmlToken<'_>) {
        let content = &mut self.statements.facts.content;
        if *content == FileContent::Html {
            return;
        }
        let is_of_a_page = match token {
            _ if self.templates.are_open() => false,
            HtmlToken::Doctype => true,
            HtmlToken::Start(tag) | HtmlToken::End(tag) => tag.is_any(&PAGE_ELEMENTS),
            _ => false,
        };
        *content = if is_of_a_page {
            FileContent::Html
        } else {
            FileContent::Fragment
        };
    }

    fn text(&mut self, text: &[u8]) -> ControlFlow<()> {
        if text.iter().all(|&byte| is_space(byte)) {
            return ControlFlow::Continue(());
        }
        if self.statements.facts.content == FileContent::Empty {
            self.statements.facts.content = FileContent::PlainText;
        }
        if self.region() == Some(Region::Head) && !self.templates.are_open() {
            self.begin(DocumentPart::Body)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn begin(&mut self, part: DocumentPart) -> ControlFlow<()> {
        self.part = part;
        if self.extent == ReadExtent::Head && !self.has_refresh() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn gather(&mut self, text: &[u8]) {
        match self.collecting {
            Some(CollectedText::Script(_))
                if self.collected.len() + text.len() > LONGEST_REDIRECT_SCRIPT =>
            {
                self.collecting = None;
                self.collected.clear();
            }
            Some(_) => self.collected.extend_from_slice(text),
            None => {}
        }
    }

    fn end_gathering(&mut self) {
        let text = std::mem::take(&mut self.collected);
        match self.collecting.take() {
            Some(CollectedText::Noscript(start)) => {
                read_noscript(&mut self.statements, start, &text);
            }
            Some(CollectedText::Script(start)) => {
                let script = to_text(&text);
                let facts = &mut self.statements.facts;
                if let Some(target) = alias_target(&script) {
                    let at = start..start + text.len();
                    facts.alias_target = Some(stated(target.to_owned(), &at));
                }
                facts.redirect_script = redirects_at_once(&script).then(|| script.into_owned());
            }
            None => {}
        }
        self.collected = text;
        self.collected.clear();
    }
}

impl TokenListener for Document {
    fn on_token(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> ControlFlow<()> {
        match token {
            HtmlToken::Text(text) => return self.text(text),
            HtmlToken::RawText(text) => {
                self.gather(text);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        self.note_content(&token);
        if self.collecting.is_some() {
            self.end_gathering();
        }
        let was_in_template = self.templates.are_open();
        let start_tag = self.templates.start_tag_outside(&token);
        match token {
            _ if was_in_template => ControlFlow::Continue(()),
            HtmlToken::End(tag) => self.end_tag(tag),
            // `<svg>` itself is one of these.
            HtmlToken::ForeignStart if self.region() == Some(Region::Head) => {
                self.begin(DocumentPart::Body)
            }
            _ => start_tag.map_or(ControlFlow::Continue(()), |tag| self.start_tag(tag, &at)),
        }
    }
}

/// Listener for the text of a noscript, which is markup to readers that run no scripts.
struct Noscript<'s> {
    statements: &'s mut Statements,
    start: usize,
    templates: Templates,
}

fn read_noscript(statements: &mut Statements, start: usize, text: &[u8]) {
    let mut listener = Noscript {
        statements,
        start,
        templates: Templates::default(),
    };
    tokenize(text, &mut listener);
}

impl TokenListener for Noscript<'_> {
    fn on_token(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> ControlFlow<()> {
        if let Some(tag) = self.templates.start_tag_outside(&token) {
            let at = self.start + at.start..self.start + at.end;
            self.statements.record(tag, Region::Noscript, &at);
        }
        ControlFlow::Continue(())
    }
}

fn is_inline_javascript(script: Tag<'_>) -> bool {
    let kind = script.value("type").unwrap_or_default();
    script.value("src").is_none()
        && ["", "text/javascript", "module", "application/javascript"].contains(&kind.trim())
}
