//! The main text of a page, to tell whether its content changed.
//!
//! That is the text of `<main>`, else of `<article>`, else of the body without `<header>`, `<nav>`,
//! `<footer>` and `<aside>`. Scripts and styles never count. Words are what is between white space
//! and tags, so a page that was only formatted anew has the same text.

use std::fs::File;
use std::hash::Hasher;
use std::io;
use std::ops::{ControlFlow, Range};

use twox_hash::XxHash3_64;

use super::PageLinks;
use super::html_token::{HtmlToken, Templates, TokenListener};
use super::page_text::{decode, page_text};
use super::tokens::tokenize;

/// Elements around the main text that are the same on many pages.
const AROUND: [&str; 2] = ["header", "footer"];

/// Elements of menus, also of one in the main text: their links do not belong to it.
const MENUS: [&str; 2] = ["nav", "aside"];

/// Returns a hash of the main text of the page in a file: equal for equal texts, also by later
/// versions.
pub fn main_text_hash(page: &File) -> io::Result<u64> {
    Ok(hash(&page_text(page)?))
}

/// Returns the links in the main text of the page in a file, without those of menus in it.
pub fn main_text_links(page: &File) -> io::Result<PageLinks> {
    let mut collector = MainText::default();
    tokenize(&page_text(page)?, &mut collector);
    Ok(PageLinks {
        base: collector.base.take(),
        links: collector.into_main().links,
        ..PageLinks::default()
    })
}

/// Whether two versions of a page have the same main text.
pub fn have_same_main_text(one: &[u8], other: &[u8]) -> bool {
    let [one, other] = [one, other].map(|page| Some(hash(&decode(page).ok()?)));
    one.is_some() && one == other
}

fn hash(text: &[u8]) -> u64 {
    let mut collector = MainText::default();
    tokenize(text, &mut collector);
    collector.into_main().hasher.finish()
}

/// The texts that may be the main one, as far as they were read.
#[derive(Default)]
struct MainText {
    main: TextHash,
    article: TextHash,
    rest: TextHash,
    open_mains: usize,
    open_articles: usize,
    open_around: usize,
    open_menus: usize,
    templates: Templates,
    base: Option<String>,
}

/// A text as the hash of its words, and its links.
#[derive(Default)]
struct TextHash {
    links: Vec<String>,
    hasher: XxHash3_64,
    has_words: bool,
    /// Whether the last word is complete.
    is_between_words: bool,
}

impl MainText {
    /// The main one of the texts.
    fn into_main(self) -> TextHash {
        if self.main.has_words {
            self.main
        } else if self.article.has_words {
            self.article
        } else {
            self.rest
        }
    }

    fn link(&mut self, href: &str) {
        let texts = [
            (self.open_mains > 0, &mut self.main),
            (self.open_articles > 0, &mut self.article),
            (self.open_around == 0, &mut self.rest),
        ];
        for (is_open, text) in texts {
            if is_open && self.open_menus == 0 {
                text.links.push(href.to_owned());
            }
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.open_mains > 0 {
            self.main.add(text);
        }
        if self.open_articles > 0 {
            self.article.add(text);
        }
        if self.open_around == 0 && self.open_menus == 0 {
            self.rest.add(text);
        }
    }
}

impl TokenListener for MainText {
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ControlFlow<()> {
        self.templates.start_tag_outside(&token);
        let (tag, is_start) = match token {
            HtmlToken::Text(text) => {
                if !self.templates.are_open() {
                    self.text(text);
                }
                return ControlFlow::Continue(());
            }
            HtmlToken::Start(tag) => (tag, true),
            HtmlToken::End(tag) => (tag, false),
            _ => return ControlFlow::Continue(()),
        };
        // A word ends at a tag.
        self.text(b" ");
        let open = if tag.is("main") {
            &mut self.open_mains
        } else if tag.is("article") {
            &mut self.open_articles
        } else if tag.is_any(&AROUND) {
            &mut self.open_around
        } else if tag.is_any(&MENUS) {
            &mut self.open_menus
        } else {
            if let Some(href) = tag
                .value("href")
                .filter(|_| is_start && !self.templates.are_open())
            {
                if tag.is("a") {
                    self.link(&href);
                } else if tag.is("base") {
                    self.base = self.base.take().or_else(|| Some(href.into_owned()));
                }
            }
            return ControlFlow::Continue(());
        };
        *open = if is_start {
            *open + 1
        } else {
            open.saturating_sub(1)
        };
        ControlFlow::Continue(())
    }
}

impl TextHash {
    fn add(&mut self, text: &[u8]) {
        for part in text.split_inclusive(u8::is_ascii_whitespace) {
            let word = part.trim_ascii_end();
            if !word.is_empty() {
                if self.has_words && self.is_between_words {
                    self.hasher.write(b" ");
                }
                self.hasher.write(word);
                self.has_words = true;
                self.is_between_words = false;
            }
            if word.len() < part.len() {
                self.is_between_words = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let same = have_same_main_text(one.as_bytes(), other.as_bytes());
        assert_eq!(same, expected, "{one}\n{other}");
    }

    #[test]
    fn only_the_words_of_the_main_element_count() {
        let page = "<!DOCTYPE html><title>A</title><nav>Menu</nav><main><h1>A</h1><p>Text</main>";
        check(page, "<main>\n<h1>A</h1>\n<p>Text\n</p></main>", true);
        check(
            page,
            "<main><h1>A</h1><p>Text<script>1</script></main><footer>New</footer>",
            true,
        );
        check(
            page,
            "<main><h1>A</h1><p>Text</main><article>More</article>",
            true,
        );
        check(page, "<main><h1>A</h1><p>Te xt</main>", false);
        check(
            page,
            "<main><h1>A</h1><p>Text<nav>On this page</nav></main>",
            false,
        );
        check(page, "<p>A Text</p>", true);
    }

    #[test]
    fn without_it_an_article_counts_and_else_the_body_without_what_is_around() {
        let page = "<header>Site</header><article>Text</article><footer>2024</footer>";
        check(page, "<article>Text</article><footer>2025</footer>", true);
        check(page, "<article>Other</article>", false);
        let page = "<header>Site</header><aside>Ad</aside><p>Text</p><footer>2024</footer>";
        check(
            page,
            "<p>Text</p><footer>2025</footer><template>x</template>",
            true,
        );
        check(page, "<p>Text</p>2025", false);
        check("", "<main></main>", true);
        check("<main></main><p>Text", "<p>Text", true);
    }
}
