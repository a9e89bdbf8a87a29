//! What holds for every input, tried on generated ones: arbitrary bytes, and pages of tags that matter.

use super::text::{Buffers, Sizes, Text, USUAL_SIZES};
use super::tokens::{Listener, Next, Outcome, Token, parse, tokenize};
use super::{Body, Content, Extent, Facts, Fingerprint, Images, Origin, ReadOptions, Reader};
use proptest::prelude::*;
use std::io;
use std::ops::Range;

/// Pieces of pages: tags that say something, and what may hide them.
const PIECES: &[&str] = &[
    "<meta name=robots content=noindex>",
    "<META HTTP-EQUIV=refresh CONTENT='0;/a'>",
    "<meta itemprop=dateModified content=2024-01-01>",
    "<meta name=viewport content=x>",
    "<meta property=article:modified_time content=2024-01-02>",
    "<Link rel=canonical href=/a>",
    "<link rel=alternate hreflang=de href=/de/>",
    "<link rel=stylesheet href=/a.css>",
    "<base href=/b/>",
    "<img src=a.png>",
    "<script>location.replace('/a')</script>",
    "<noscript><meta http-equiv=refresh content=0;/a></noscript>",
    "<head>",
    "</head>",
    "<body>",
    "<title>",
    "</title>",
    "</TITLE ",
    "</titles>",
    "<style>a</style>",
    "<!DOCTYPE html>",
    "<!DOCTYPE html PUBLIC \"a>",
    "<!-->",
    "<!--->",
    "<!-- a --!>",
    "<![CDATA[",
    "]]>",
    "<?xml version='1.0'?>",
    "</ p>",
    "<script>",
    "</script>",
    "<noscript>",
    "</noscript>",
    "<template>",
    "</template>",
    "<frameset>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<plaintext>",
    "<!--",
    "-->",
    "<p title='",
    "'>",
    "<main>",
    "<",
    "<m",
    "<lin",
    "<bas",
    "<imag",
    "<metadata>",
    "<meta ",
    "<meta a='",
    "<img ",
    " ",
    "text",
    "é",
    "\0",
    "\r\n",
];

fn page() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        9 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let body = proptest::sample::select(&[Body::Counts, Body::Ignored][..]);
    let images = proptest::sample::select(&[Images::Unwanted, Images::Wanted][..]);
    let fingerprint = proptest::sample::select(&[Fingerprint::Unwanted, Fingerprint::Wanted][..]);
    (body, images, fingerprint).prop_map(|(body, images, fingerprint)| ReadOptions {
        body,
        images,
        fingerprint,
        ..ReadOptions::default()
    })
}

/// Small enough for blocks to end, and windows to move on, anywhere in a small page. The first block holds what the
/// encoding is told by.
fn sizes() -> impl Strategy<Value = Sizes> {
    (1..64_usize, 1500..3000_usize).prop_map(|(largest_block, kept_whole)| Sizes {
        first_block: 1500,
        largest_block,
        kept_whole,
    })
}

fn facts_of(page: &[u8], options: &ReadOptions) -> Facts {
    Reader::new(options.clone()).facts_of(page)
}

/// What each token is, with its text, and where; pieces of a text that follow each other as one.
#[derive(Default)]
struct Heard(Vec<(&'static str, Vec<u8>, Range<usize>)>);

impl Listener for Heard {
    fn hear(&mut self, token: Token<'_>, at: Range<usize>) -> Next {
        let mut told = |kind: &'static str, text: &[u8]| match self.0.last_mut() {
            Some((before, all, place)) if kind == *before && kind.ends_with("text") => {
                all.extend_from_slice(text);
                place.end = at.end;
            }
            _ => self.0.push((kind, text.to_vec(), at.clone())),
        };
        match token {
            Token::Start(tag) => told("start tag", tag.name()),
            Token::ForeignStart => told("foreign start tag", b""),
            Token::End(tag) => told("end tag", tag.name()),
            Token::Text(text) => told("text", text),
            Token::RawText(text) => told("raw text", text),
            Token::Other => told("other", b""),
        }
        Next::GoOn
    }
}

fn tokens_of(
    page: &[u8],
    sizes: Sizes,
    tokenize: impl Fn(&mut Text<'_>, &mut dyn Listener) -> io::Result<Outcome>,
) -> Heard {
    let text = Text::open(
        Origin::Memory(page),
        Fingerprint::Unwanted,
        Buffers::default(),
        sizes,
    );
    let mut heard = Heard::default();
    let outcome = text.and_then(|mut text| tokenize(&mut text, &mut heard));
    assert!(
        matches!(outcome, Ok(Outcome::Complete)),
        "the listener never stops"
    );
    heard
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..512), options in options()) {
        facts_of(&bytes, &options);
    }

    #[test]
    fn the_shortcut_changes_no_fact(page in page(), options in options()) {
        let parsed = Reader::new(options.clone()).facts(Origin::Memory(&page), Extent::Whole);
        prop_assert_eq!(facts_of(&page, &options), parsed);
    }

    #[test]
    fn ordinary_markup_has_the_tokens_that_the_parser_finds(page in page(), sizes in sizes()) {
        let quick = tokens_of(&page, sizes, tokenize);
        let parsed = tokens_of(&page, sizes, |text, heard| parse(text.markup_start(), text, heard));
        prop_assert_eq!(quick.0, parsed.0);
    }

    #[test]
    fn where_blocks_end_changes_no_fact(page in page(), options in options(), sizes in sizes(), padding in 0..3000_usize) {
        let page = [b"<!DOCTYPE html>", &*vec![b' '; padding], &*page, &*vec![b'x'; padding], &*page].concat();
        let mut in_small_blocks = Reader { sizes, ..Reader::new(options.clone()) };
        prop_assert_eq!(in_small_blocks.facts_of(&page), facts_of(&page, &options));
    }

    #[test]
    fn a_reader_remembers_nothing(page in page(), before in page(), options in options()) {
        let mut reader = Reader::new(options.clone());
        reader.facts_of(&before);
        prop_assert_eq!(reader.facts_of(&page), facts_of(&page, &options));
    }

    #[test]
    fn the_encoding_changes_no_fact(page in page()) {
        let Ok(page) = String::from_utf8(page) else { return Ok(()) };
        let page = format!("\u{feff}{page}");
        let utf_16: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        prop_assert_eq!(facts_of(&utf_16, &ReadOptions::default()), facts_of(page.as_bytes(), &ReadOptions::default()));
    }
}

#[test]
fn long_pages_are_read_with_little_memory() {
    let mut reader = Reader::new(ReadOptions::default());
    let facts = reader.facts_of(&b"<p>padding</p>\n".repeat(4 << 20));
    assert_eq!(
        facts,
        Facts {
            content: Content::Html,
            ..Facts::default()
        }
    );
    assert!(reader.buffers.size() <= 2 * (USUAL_SIZES.kept_whole + USUAL_SIZES.largest_block));
}
