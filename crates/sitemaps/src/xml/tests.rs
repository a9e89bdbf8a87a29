//! Tests the tolerant reader of sitemaps.

use super::*;
use proptest::prelude::*;

fn listed_in(
    text: &str,
    extent: EntryExtent,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    let head = &mut FileHead::default();
    read_listing(text.as_bytes(), 0, extent, head, visit)
}

fn read(text: &str) -> (Vec<(SitemapListing, String, String)>, bool) {
    let mut seen = Vec::new();
    let whole = listed_in(text, EntryExtent::All, &mut |listing, entry| {
        seen.push((listing, entry.loc.clone(), entry.lastmod.clone()));
    });
    (seen, whole.is_ok())
}

#[test]
fn sitemaps_of_any_tool_are_read() {
    let check = |text: &str, expected: &[(&str, &str)], whole: bool| {
        let expected: Vec<_> = expected
            .iter()
            .map(|&(loc, date)| (SitemapListing::Pages, loc.to_owned(), date.to_owned()))
            .collect();
        assert_eq!(read(text), (expected, whole), "{text}");
    };
    check(
        "<urlset><url><loc>https://a.example/?x&amp;y&#38;z</loc></url></urlset>",
        &[("https://a.example/?x&y&z", "")],
        true,
    );
    check(
        "\n<?xml version='1.0'?><s:urlset xmlns:s='x'><s:url>\
         <s:lastmod> 2024-01-02\n</s:lastmod><s:loc>\n a </s:loc></s:url></s:urlset>",
        &[("a", "2024-01-02")],
        true,
    );
    check(
        "<urlset><url><loc><![CDATA[a&b]]></loc>\
         <i:image xmlns:i='i'><i:loc>c</i:loc></i:image></url></urlset>",
        &[("a&b", "")],
        true,
    );
    check(
        "<urlset><url><loc>a</loc></url><url><loc>b</lo",
        &[("a", "")],
        false,
    );
    check("<urlset><url><loc></loc></url><url/></urlset>", &[], true);
    check("<html><url><loc>a</loc></url></html>", &[], true);
}

#[test]
fn a_url_is_read_with_its_place() {
    let text = "<urlset><url>\n<loc>\n a&amp;b </loc><lastmod>2024</lastmod></url></urlset>";
    let mut places = Vec::new();
    let read = listed_in(text, EntryExtent::All, &mut |_, entry| {
        places.push(entry.place);
    });
    assert!(read.is_ok());
    let [Place { start, end }] = places[..] else {
        panic!("{places:?}")
    };
    assert_eq!(&text[start as usize..end as usize], "\n a&amp;b ");
}

#[test]
fn links_and_images_of_an_entry_are_read() {
    let text = "<urlset><url><loc>a</loc>\
                <changefreq>daily</changefreq><priority> 0.8</priority>\
                <x:link rel='alternate' hreflang='de' href='d?a&amp;b'/>\
                <x:link hreflang='fr' href='f'></x:link>\
                <i:image><i:loc>1&amp;2</i:loc><i:title>t</i:title></i:image>\
                <i:image><i:loc>3</i:loc></i:image>\
                <v:video><v:loc>no</v:loc></v:video></url><url><loc>b</loc></url></urlset>";
    let mut seen = Vec::new();
    let read = listed_in(text, EntryExtent::All, &mut |_, entry| {
        let entry = entry.clone();
        seen.push((entry.alternates, entry.images, entry.unread));
    });
    assert!(read.is_ok());
    let alternates = [("de", "d?a&b"), ("fr", "f")]
        .map(|(code, url)| (code.to_owned(), url.to_owned()))
        .into();
    let images = vec!["1&2".to_owned(), "3".to_owned()];
    let unread = UnreadContent {
        priorities: 1,
        changefreqs: 1,
        comments: 0,
        elements: [("video".to_owned(), 1)].into(),
    };
    let first = (alternates, images, unread);
    assert_eq!(seen, [first, Default::default()]);
}

#[test]
fn reading_stops_at_elements_that_are_nested_too_deeply() {
    let (seen, whole) = read(&format!(
        "<urlset><url><loc>a</loc></url>{}",
        "<x>".repeat(1_000_000)
    ));
    assert_eq!((seen.len(), whole), (1, false));
}

#[test]
fn no_pages_are_passed_if_only_an_index_is_requested() {
    let check = |text: &str, expected: usize| {
        let mut seen = 0;
        let read = listed_in(text, EntryExtent::Index, &mut |_, _| {
            seen += 1;
        });
        assert!(read.is_ok());
        assert_eq!(seen, expected, "{text}");
    };
    check(
        "<sitemapindex><sitemap><loc>a</loc></sitemap></sitemapindex>",
        1,
    );
    check("<urlset><url><loc>a</loc></url></urlset>", 0);
}

proptest! {
    #[test]
    fn no_input_makes_the_reader_panic(text in "[<>/&;!?a-z\\[\\]= ]{0,60}") {
        read(&text);
        read(&format!("<urlset><url>{text}"));
    }
}
