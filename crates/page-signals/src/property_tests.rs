//! Property tests of the page reader, on arbitrary bytes and on pages of relevant tags.

use super::html_token::{HtmlToken, TokenListener};
use super::ordinary_markup::markup_start;
use super::tokens::{TokenizeOutcome, parse, tokenize};
use super::{FileContent, PageFacts, PageReader, ReadExtent, ReadOptions, facts_in};
use proptest::prelude::*;
use std::ops::{ControlFlow, Range};

/// Parts of pages, separated by `|` and new lines: tags that state facts, and constructs that may
/// hide them.
const PIECES: &str = "
<meta name=robots content=noindex> | <META HTTP-EQUIV=refresh CONTENT='0;/a'>
<meta itemprop=dateModified content=2024-01-01> | <meta name=viewport content=x>
<meta property=article:modified_time content=2024-01-02>
<time itemprop=dateModified datetime=2024-01-03> | dateMod | ified
<Link rel=canonical href=/a> | <link rel=alternate hreflang=de href=/de/>
<link rel=stylesheet href=/a.css> | <base href=/b/> | <img src=a.png>
<img alt=a srcset='b.png 1x, c.png 2x'> | <picture> | <source srcset=d.png> | <img alt=b>
<meta property=og:image content=e.png> | <script>location.replace('/a')</script>
<noscript><meta http-equiv=refresh content=0;/a></noscript> | <head> | </head> | <body>
<title> | </title> | </titles> | <style>a</style> | <!DOCTYPE html> | <!DocTypeX> | <!DOC>
<!--> | <!---> | <!-- a --!> | <![CDATA[ | ]]> | <?xml version='1.0'?> | </ p> | <script>
</script> | <noscript> | </noscript> | <template> | </template> | <frameset> | <svg>
</svg> | <svg/> | <plaintext> | <!-- | --> | <p title=' | '> | <main> | <P/CLASS=a> | </p>
<textarea> | </textarea> | <math> | </math> | <xmp> | </xmp> | <select> | <table> | < | <1>
</ | <m | <lin | <bas | <imag | <metadata> | <meta a=' | text
";

/// Parts that begin or end with white space, or are not tags.
const OTHER_PIECES: &[&str] = &[
    "</TITLE ",
    "<!DOCTYPE html PUBLIC \"a>",
    "< ",
    "<meta ",
    "<img ",
    " ",
    "é",
    "\0",
    "\r\n",
];

fn page() -> impl Strategy<Value = Vec<u8>> {
    let tags = PIECES.trim().split(['\n', '|']).map(str::trim);
    let pieces: Vec<&str> = tags.chain(OTHER_PIECES.iter().copied()).collect();
    let piece = prop_oneof![
        9 => proptest::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = ReadOptions> {
    any::<bool>().prop_map(|fingerprint| ReadOptions { fingerprint })
}

fn facts_of(page: &[u8], options: &ReadOptions) -> PageFacts {
    PageReader::new(options.clone()).facts_of(page)
}

/// Kind, text and range of each token; adjacent text tokens are merged.
#[derive(Default)]
struct RecordedTokens(Vec<(&'static str, Vec<u8>, Range<usize>)>);

impl TokenListener for RecordedTokens {
    fn on_token(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> ControlFlow<()> {
        let mut reported = |kind: &'static str, text: &[u8]| match self.0.last_mut() {
            Some((before, all, place)) if kind == *before && kind.ends_with("text") => {
                all.extend_from_slice(text);
                place.end = at.end;
            }
            _ => self.0.push((kind, text.to_vec(), at.clone())),
        };
        match token {
            HtmlToken::Start(tag) => reported("start tag", tag.name()),
            HtmlToken::ForeignStart => reported("foreign start tag", b""),
            HtmlToken::End(tag) => reported("end tag", tag.name()),
            HtmlToken::Text(text) => reported("text", text),
            HtmlToken::RawText(text) => reported("raw text", text),
            HtmlToken::Comment => reported("comment", b""),
            HtmlToken::Doctype => reported("doctype", b""),
        }
        ControlFlow::Continue(())
    }
}

fn tokens_of(
    page: &[u8],
    tokenize: impl Fn(&[u8], &mut dyn TokenListener) -> TokenizeOutcome,
) -> RecordedTokens {
    let mut recorded = RecordedTokens::default();
    let outcome = tokenize(page, &mut recorded);
    assert!(
        matches!(outcome, TokenizeOutcome::Complete),
        "the listener never stops the tokenizer"
    );
    recorded
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1024,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_shortcut_changes_no_fact(page in page(), options in options()) {
        let parsed = facts_in(&page, &options, ReadExtent::Whole);
        let parsed = parsed.unwrap_or_else(|error| PageFacts::unreadable(&error));
        prop_assert_eq!(facts_of(&page, &options), parsed);
    }

    #[test]
    fn ordinary_markup_has_the_same_tokens_as_in_the_parser(page in page()) {
        let quick = tokens_of(&page, tokenize);
        let parsed = tokens_of(&page, |text, recorded| parse(markup_start(text), text, recorded));
        prop_assert_eq!(quick.0, parsed.0);
    }

    #[test]
    fn structured_data_with_a_date_is_noticed_in_every_page(
        page in page(),
        options in options(),
    ) {
        let script = b"<script type=application/ld+json>{\"dateModified\": \"2024\"}</script>";
        // A doctype keeps random bytes from being a byte order mark.
        let page = [b"<!DOCTYPE html>", &*page, script].concat();
        let facts = facts_of(&page, &options);
        let is_page = !matches!(facts.content, FileContent::Unreadable(_));
        prop_assert_eq!(facts.may_state_modified, is_page);
    }
}
