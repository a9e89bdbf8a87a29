//! What each fuzz target does with its bytes, and what must hold for all of them.

use std::path::Path;

use waypost::config::{Flags, Inputs, load};
use waypost::location::BaseUrl;
use waypost::read::{Body, Content, Facts, Fingerprint, Images, ReadOptions, Reader};
use waypost::robots_txt::{Change, RobotsTxt, add_sitemaps};
use waypost::serving::{self, Dialect, FileKind, ServingFile};

/// Reads the bytes as a page, with everything wanted. A reader must be neither brought down nor changed by any page.
pub(super) fn read_page(bytes: &[u8]) {
    let options = ReadOptions {
        body: Body::Counts,
        images: Images::Wanted,
        fingerprint: Fingerprint::Wanted,
        ..ReadOptions::default()
    };
    let mut reader = Reader::new(options);
    let facts = reader.facts_of(bytes);
    assert_eq!(reader.facts_of(bytes), facts, "a page read twice says the same");
    assert!(places(&facts).is_sorted(), "robots tags stand in document order");
    if matches!(facts.content, Content::Empty | Content::Binary | Content::PlainText | Content::Unreadable(_)) {
        let silent = Facts { content: facts.content.clone(), fingerprint: facts.fingerprint, ..Facts::default() };
        assert_eq!(facts, silent, "what is no HTML says nothing");
    }
}

fn places(facts: &Facts) -> Vec<u32> {
    facts.robots.iter().map(|tag| tag.place.start).collect()
}

/// Reads the bytes as robots.txt, and names a sitemap in it. What was added once is not added again.
pub(super) fn read_robots_txt(bytes: &[u8]) {
    let sitemap = BaseUrl::parse("https://example.com/").expect("a constant").of_path(b"sitemap.xml");
    let rules = RobotsTxt::parse(bytes);
    std::hint::black_box(rules.rules_for_everyone().access(&sitemap));
    let sitemaps = std::slice::from_ref(&sitemap);
    if let Change::Changed(first) = add_sitemaps(Some(bytes), sitemaps, &[]).change {
        let again = add_sitemaps(Some(&first), sitemaps, &[]).change;
        assert_eq!(again, Change::Unchanged, "a second run changes nothing");
        let kept = first.len() >= bytes.len();
        assert!(kept, "no byte is lost");
    }
}

/// Reads the bytes as each of the files that tell hosts how to serve a site. No line of them brings the reader down, and
/// every line that is refused or counts is in the file.
pub(super) fn read_serving(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let base = BaseUrl::parse("https://example.com/").expect("a constant");
    for (name, kind) in FileKind::NAMES {
        for dialect in [Dialect::Netlify, Dialect::Cloudflare] {
            let mut findings = Vec::new();
            let file = ServingFile { kind, path: Path::new(name), text: &text };
            let serving = serving::read(&[file], dialect, &base, &mut findings);
            let headers = serving.headers(b"/a/b.html").into_iter().map(|header| &header.origin);
            let redirect = serving.redirect(b"/a/").into_iter().map(|redirect| &redirect.origin);
            for origin in headers.chain(redirect) {
                assert!(text.lines().count() >= origin.line, "{name}: there is no line {}", origin.line);
            }
        }
    }
}

/// Reads the bytes as values of the environment, each line a variable: the way to settings that needs no file.
pub(super) fn read_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let environment: Vec<(String, String)> =
        lines.map(|(name, value)| (format!("WAYPOST_{}", name.trim()), value.to_owned())).collect();
    let loaded = load(&Inputs {
        site_root: Path::new("/nonexistent"),
        homes: &[],
        config: None,
        environment: &environment,
        flags: Flags::default(),
        reasons: &[],
    });
    if let Err(mistakes) = loaded {
        assert!(!mistakes.list.is_empty(), "an error names a mistake");
    }
}
