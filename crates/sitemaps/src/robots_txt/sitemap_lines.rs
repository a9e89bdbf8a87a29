//! Adds `Sitemap` lines to a robots.txt and removes stale ones.
//!
//! All other bytes stay unchanged.

use std::collections::BTreeSet;

use url::Url;

use super::MAX_READ;
use super::records::{RobotsField, RobotsRecord, line_end, records, split_bom};
use crate::site_paths::PageUrl;

/// The result of editing a robots.txt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsEdit {
    /// The new content of the file, if it changes.
    pub text: Option<Vec<u8>>,
    /// The lines that it gains and loses.
    pub lines: RobotsLines,
    /// Why the file is not edited, with the remedy, or why crawlers do not read all of it.
    pub problem: Option<(String, Option<&'static str>)>,
}

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Sitemaps that all crawlers find now and did not before.
    pub added: usize,
    /// Those that are gone.
    pub removed: usize,
}

/// Adds a `Sitemap` line for each URL that the file does not name yet, and removes the lines that
/// name a stale one.
///
/// New lines use the line ending of the file. They go at the end, after a line break if the last
/// line lacks one, or at the top if the end is beyond what crawlers read. An empty or missing file
/// becomes these lines alone. A line that names a URL counts whatever the case of its `Sitemap` and
/// even with whitespace or a comment, so a second run changes nothing; one with a misspelt `Sitemap`,
/// which only some crawlers read, does not.
pub fn add_sitemaps(old: Option<&[u8]>, urls: &[PageUrl], stale: &[PageUrl]) -> RobotsEdit {
    let old = old.unwrap_or_default();
    if let Some(refusal) = refusal(old) {
        let message = format!("robots.txt is {refusal}, so sitemaps are not added to it");
        return RobotsEdit {
            problem: Some((message, Some("save it as plain text in UTF-8"))),
            ..RobotsEdit::default()
        };
    }
    let stale: BTreeSet<_> = stale.iter().filter(|url| !urls.contains(url)).collect();
    let new = with_sitemaps(without_sitemaps(old, &stale), urls);
    let [before, after] = [old, &new].map(|text| well_spelt_sitemaps(text, MAX_READ));
    let too_large = (new.len() > MAX_READ).then(|| {
        let bytes = new.len();
        format!("robots.txt has {bytes} bytes; crawlers read only the first {MAX_READ} and ignore the rest")
    });
    RobotsEdit {
        lines: RobotsLines {
            added: after.difference(&before).count(),
            removed: before.difference(&after).count(),
        },
        text: Some(new).filter(|new| new != old),
        problem: too_large.map(|message| (message, None)),
    }
}

/// The sitemaps that a file names by their full URLs.
pub fn sitemaps_in(bytes: &[u8]) -> BTreeSet<PageUrl> {
    sitemap_records(bytes, MAX_READ)
        .filter_map(|(_, url)| url)
        .collect()
}

/// The sitemaps that all crawlers find in the first `read` bytes.
fn well_spelt_sitemaps(bytes: &[u8], read: usize) -> BTreeSet<PageUrl> {
    sitemap_records(bytes, read)
        .filter(|(record, _)| record.field.eq_ignore_ascii_case(b"sitemap"))
        .filter_map(|(_, url)| url)
        .collect()
}

/// The sitemaps that a published file names, also by paths: some crawlers resolve them.
pub fn sitemaps_of(bytes: &[u8], robots_txt: &Url) -> BTreeSet<PageUrl> {
    let mut urls = BTreeSet::new();
    for (record, url) in sitemap_records(bytes, MAX_READ) {
        urls.extend(url.or_else(|| {
            let joined = robots_txt.join(&String::from_utf8_lossy(record.value));
            PageUrl::from_url(&joined.ok()?)
        }));
    }
    urls
}

/// The reason not to edit a file, if there is one.
fn refusal(bytes: &[u8]) -> Option<&'static str> {
    let utf16 =
        bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0);
    let (_, text) = split_bom(bytes);
    match text.trim_ascii_start() {
        // An ASCII line would corrupt it.
        _ if utf16 => Some("UTF-16 or binary"),
        [b'<', ..] => Some("an HTML page"),
        _ => None,
    }
}

/// The `Sitemap` records that end within the first `read` bytes, each with its URL; `None` if the
/// value is not a full URL.
fn sitemap_records(
    bytes: &[u8],
    read: usize,
) -> impl Iterator<Item = (RobotsRecord<'_>, Option<PageUrl>)> {
    records(bytes)
        .take_while(move |record| record.place.end <= read)
        .filter(|record| RobotsField::parse(record.field) == Some(RobotsField::Sitemap))
        .map(|record| {
            let url = Url::parse(&String::from_utf8_lossy(record.value)).ok();
            (record, url.and_then(|url| PageUrl::from_url(&url)))
        })
}

/// The file without the lines that name one of these URLs.
fn without_sitemaps(bytes: &[u8], urls: &BTreeSet<&PageUrl>) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for (record, url) in sitemap_records(bytes, usize::MAX) {
        if url.is_some_and(|url| urls.contains(&url)) {
            kept.extend_from_slice(&bytes[copied..record.whole.start]);
            copied = record.whole.end;
        }
    }
    kept.extend_from_slice(&bytes[copied..]);
    kept
}

/// The file with a line for each URL that it does not name yet.
fn with_sitemaps(bytes: Vec<u8>, urls: &[PageUrl]) -> Vec<u8> {
    let line_end = own_line_end(&bytes);
    let added = lines(&missing(&bytes, urls, MAX_READ), line_end);
    if added.is_empty() {
        return bytes;
    }
    let appended = [&bytes, break_at_end(&bytes, line_end), &added].concat();
    if appended.len() <= MAX_READ {
        return appended;
    }
    // The new lines may push an existing line beyond the limit. Repeat that line at the top, or the
    // next run would find it missing.
    let pushed = line_end.len() + lines(urls, line_end).len();
    let added = lines(
        &missing(&bytes, urls, MAX_READ.saturating_sub(pushed)),
        line_end,
    );
    let (bom, text) = split_bom(&bytes);
    // Some readers lose the first line after a BOM, so leave it empty.
    let first_line = if bom.is_empty() { b"" } else { line_end };
    [bom, first_line, &added, text].concat()
}

/// The line break that the file's last line lacks, if any.
fn break_at_end(bytes: &[u8], line_end: &'static [u8]) -> &'static [u8] {
    let ends = bytes.is_empty() || bytes.last() == line_end.last();
    if ends { b"" } else { line_end }
}

/// The URLs that no line within the first `read` bytes names, without duplicates.
fn missing(bytes: &[u8], urls: &[PageUrl], read: usize) -> Vec<PageUrl> {
    let mut named = well_spelt_sitemaps(bytes, read);
    urls.iter()
        .filter(|url| named.insert((*url).clone()))
        .cloned()
        .collect()
}

fn lines(urls: &[PageUrl], line_end: &[u8]) -> Vec<u8> {
    urls.iter()
        .flat_map(|url| [b"Sitemap: ", url.as_str().as_bytes(), line_end].concat())
        .collect()
}

/// The file's first line break; LF if it has none.
fn own_line_end(bytes: &[u8]) -> &'static [u8] {
    memchr::memchr2(b'\r', b'\n', bytes).map_or(b"\n", |at| line_end(&bytes[at..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::place::Place;
    use crate::robots_txt::RobotsTxt;

    const OURS: &str = "https://example.com/sitemap.xml";
    const LINE: &str = "Sitemap: https://example.com/sitemap.xml";

    fn url(text: &str) -> PageUrl {
        PageUrl::from_url(&Url::parse(text).expect("a valid URL")).expect("an http or https URL")
    }

    fn changed(old: &[u8], stale: &[&str]) -> Option<Vec<u8>> {
        let stale: Vec<_> = stale.iter().map(|text| url(text)).collect();
        add_sitemaps(Some(old), &[url(OURS)], &stale).text
    }

    #[test]
    fn a_line_is_added_and_all_other_bytes_stay() {
        let check = |old: &str, added: &str| {
            let new = changed(old.as_bytes(), &[]).expect("the file changes");
            assert_eq!(String::from_utf8_lossy(&new), format!("{old}{added}"));
        };
        check("", &format!("{LINE}\n"));
        check("User-agent: *\nDisallow: /private/\n", &format!("{LINE}\n"));
        check(
            "User-agent: *\r\nDisallow: /private/\r\n",
            &format!("{LINE}\r\n"),
        );
        check("User-agent: *\rDisallow: /private/\r", &format!("{LINE}\r"));
        check("User-agent: *\nDisallow: /private/", &format!("\n{LINE}\n"));
        check("User-agent: *\r\nDisallow:", &format!("\r\n{LINE}\r\n"));
        check(
            "# Sitemap: https://example.com/sitemap.xml\n",
            &format!("{LINE}\n"),
        );
        check(
            "Sitemap: https://example.com/news.xml\n",
            &format!("{LINE}\n"),
        );
        check(
            "Sitemap: https://example.com/sitemap.xml.gz\n",
            &format!("{LINE}\n"),
        );
        check("Sitemap: /sitemap.xml\n", &format!("{LINE}\n"));
        check(
            "User-agent: a\nSitemap: https://example.com/old.xml\nUser-agent: b\nDisallow: /\n",
            &format!("{LINE}\n"),
        );
        check(
            "\u{feff}User-agent: *\nDisallow: /private/\n",
            &format!("{LINE}\n"),
        );
        check("\u{feff}", &format!("\n{LINE}\n"));
    }

    #[test]
    fn a_file_that_names_the_sitemap_does_not_change() {
        let check = |old: &str| assert_eq!(changed(old.as_bytes(), &[]), None, "{old:?}");
        check("User-agent: *\nSitemap: https://example.com/sitemap.xml\n");
        check("User-agent: *\n  SITEMAP :\thttps://example.com/sitemap.xml   # main\n");
        check("sitemap:HTTPS://EXAMPLE.com:443/sitemap.xml");
        check("\u{feff}Sitemap: https://example.com/sitemap.xml\r\n");
    }

    #[test]
    fn each_sitemap_gets_exactly_one_line() {
        let urls = [url(OURS), url("https://example.com/feed.xml"), url(OURS)];
        let new = add_sitemaps(None, &urls, &[]).text.expect("a change");
        assert_eq!(
            String::from_utf8_lossy(&new),
            format!("{LINE}\nSitemap: https://example.com/feed.xml\n")
        );
        assert_eq!(add_sitemaps(None, &[], &[]), RobotsEdit::default());
    }

    #[test]
    fn only_lines_that_name_a_stale_sitemap_are_removed() {
        let check = |old: &str, stale: &[&str], expected: &str| {
            let new = changed(old.as_bytes(), stale)
                .map(|new| String::from_utf8_lossy(&new).into_owned());
            assert_eq!(new.as_deref().unwrap_or(old), expected);
        };
        let old = "Sitemap: https://example.com/a.xml\n\
                   sitemap: https://example.com/b.xml # b\nAllow: /\n";
        check(
            old,
            &["https://example.com/b.xml"],
            &format!("Sitemap: https://example.com/a.xml\nAllow: /\n{LINE}\n"),
        );
        check(
            "\u{feff}Sitemap: https://example.com/b.xml",
            &["https://example.com/b.xml"],
            &format!("\u{feff}\n{LINE}\n"),
        );
        check(&format!("{LINE}\n"), &[OURS], &format!("{LINE}\n"));
    }

    #[test]
    fn in_a_file_beyond_the_limit_the_line_is_added_at_the_top() {
        let check = |head: &str, expected_head: &str, times: usize| {
            let tail = "# 34567\n".repeat(times);
            let edit = add_sitemaps(Some(format!("{head}{tail}").as_bytes()), &[url(OURS)], &[]);
            assert_eq!(
                edit.text,
                Some(format!("{expected_head}{tail}").into_bytes())
            );
            assert_eq!((edit.lines.added, edit.lines.removed), (1, 0));
            assert!(edit.problem.is_some());
        };
        check("Allow: /\n", &format!("{LINE}\nAllow: /\n"), 64_000);
        check("Allow: /\n", &format!("{LINE}\nAllow: /\n"), 63_998);
        check(
            "\u{feff}Allow: /\n",
            &format!("\u{feff}\n{LINE}\nAllow: /\n"),
            64_000,
        );
    }

    #[test]
    fn a_file_that_is_not_a_robots_txt_is_refused() {
        let check = |old: &[u8], expected| {
            let edit = add_sitemaps(Some(old), &[url(OURS)], &[]);
            assert_eq!(edit.text, None);
            let (message, _) = edit.problem.expect("a problem");
            assert!(message.contains(expected), "{message}");
        };
        check(b"\xff\xfeU\0s\0e\0r\0", "UTF-16 or binary");
        check(b"\xfe\xff\0U\0s", "UTF-16 or binary");
        check(b"U\0s\0e\0r\0", "UTF-16 or binary");
        check(b"\xef\xbb\xbf\n <!DOCTYPE html><p>x", "an HTML page");
    }

    #[test]
    fn a_sitemap_line_without_a_full_url_is_reported_with_its_place() {
        let robots_txt = RobotsTxt::parse(b"Allow: /\nSitemap: /sitemap.xml # x\n");
        let places: Vec<_> = robots_txt
            .deviations
            .iter()
            .map(|line| line.place)
            .collect();
        assert_eq!(places, [Place { start: 9, end: 30 }]);
    }

    #[test]
    fn a_misspelt_line_names_a_sitemap_as_for_google() {
        let names = |text: &str| sitemaps_in(text.as_bytes()).len();
        assert_eq!(names("Site-map: https://example.com/a.xml\n"), 1);
        assert_eq!(names("SITE-MAP: https://example.com/a.xml\n"), 1);
        // The first colon, which is that of the URL, ends the field.
        assert_eq!(names("Site-map https://example.com/a.xml\n"), 0);
        assert_eq!(names("Site map: https://example.com/a.xml\n"), 0);
    }

    #[test]
    fn a_misspelt_line_gets_a_proper_one_beside_it() {
        for field in ["Sitemaps", "Site-map"] {
            let old = format!("{field}: {OURS}\n");
            let new = format!("{old}{LINE}\n");
            let changed = |text: &str| changed(text.as_bytes(), &[]);
            assert_eq!(changed(&old), Some(new.clone().into_bytes()), "{field}");
            assert_eq!(changed(&new), None);
        }
    }

    proptest! {
        #[test]
        fn a_second_run_changes_nothing_and_every_url_is_read(
            lines in prop::collection::vec(("(sitemap|Sitemap|#|Allow| site map)", "(:|: | : |)",
                "(https://example[.]com/[a-d][.]xml|/x|)( # x)?", "(\n|\r\n|\r|)"), 0..20),
            bom in "\u{feff}?",
            padding in prop_oneof![Just(0), Just(600_000), 511_000_usize..512_500],
            padding_at in 0_usize..20,
            urls in prop::collection::vec("https://example[.]com/[a-d][.]xml", 1..4),
            stale in prop::collection::vec("https://example[.]com/[cd][.]xml", 0..2),
        ) {
            let mut old = bom.into_bytes();
            for (index, (field, colon, value, end)) in lines.into_iter().enumerate() {
                if index == padding_at {
                    old.resize(old.len() + padding, b'x');
                }
                old.extend_from_slice([field, colon, value, end].concat().as_bytes());
            }
            let parse = |texts: Vec<String>| -> Vec<PageUrl> {
                texts.iter().map(|text| url(text)).collect()
            };
            let [urls, stale] = [urls, stale].map(parse);
            let new = add_sitemaps(Some(&old), &urls, &stale).text.unwrap_or(old);
            let second = add_sitemaps(Some(&new), &urls, &stale);
            prop_assert_eq!(second.text, None);
            prop_assert!(missing(&new, &urls, MAX_READ).is_empty());
        }

        #[test]
        fn any_bytes_can_be_edited_and_existing_bytes_stay(
            old in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            if let Some(new) = changed(&old, &[]) {
                prop_assert!(new.starts_with(&old));
            }
        }
    }
}
