//! What each fuzz target does with its bytes, and what must hold for all of them.

use waypost::read::{Body, Content, Facts, Fingerprint, Images, ReadOptions, Reader};

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
