//! Checks the links of the site's `llms.txt` (llmstxt.org) as entries of a sitemap: whether they lead to
//! pages that exist and may be indexed. Nothing else of the file is judged.

use super::file_source::FileSource;
use super::listed_pages::{KnownPages, check_page};
use crate::findings::{Finding, Findings, Subject, code};
use sitemaps::site_paths::{PageUrl, SitePath};
use sitemaps::{ListedEntry, Place};

/// The name of the file.
pub(super) const LLMS_TXT: &str = "llms.txt";

/// Reports the links to pages that do not exist or may not be indexed, at their places.
pub(super) fn check(known: &KnownPages<'_>) -> Vec<Finding> {
    let (dir, file) = (&known.loaded.output, SitePath::from(LLMS_TXT));
    let mut found = Vec::new();
    if !dir.has_file(&file) {
        return found;
    }
    let text = dir.text(&file.below_dir(dir.path())).unwrap_or_default();
    let own = known.inventory.base().file_url(&file);
    let findings = Findings::default();
    let source = FileSource::in_dir(dir, &file, Subject::for_page(&file), &findings);
    for (listed, url) in linked_entries(&text, &own) {
        check_page(known, &source, &listed, &url);
        for finding in findings.take_sorted() {
            if [code::LOC_WITHOUT_FILE, code::LOC_CONTRADICTED].contains(&finding.code) {
                found.push(Finding {
                    subject: source.subject.at(listed.place),
                    hint: Some("remove the link, or correct it or the page".to_owned()),
                    ..finding
                });
            }
        }
    }
    found
}

/// Whether a finding is about a link, which is not an entry of a sitemap.
pub fn is_about_link(finding: &Finding) -> bool {
    match &finding.subject {
        Subject::Page(file, _) => file.as_bytes() == LLMS_TXT.as_bytes(),
        Subject::Url(url, _) => url.rsplit('/').next() == Some(LLMS_TXT),
        Subject::Site | Subject::File(..) => false,
    }
}

/// The links of the text of a file at this URL, as entries of a sitemap.
pub(super) fn linked_entries(
    text: &str,
    own: &PageUrl,
) -> impl Iterator<Item = (ListedEntry, PageUrl)> {
    links(text).filter_map(|(at, link)| {
        let url = own.resolve(link.split('#').next().unwrap_or_default())?;
        let listed = ListedEntry {
            loc: url.to_string(),
            place: Place::of(at..at + link.len()),
            ..ListedEntry::default()
        };
        Some((listed, url))
    })
}

/// The targets of inline links of Markdown, with their offsets. Parentheses in them are balanced
/// (CommonMark, "Links").
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("](").map(|(at, open)| {
        let rest = &text[at + open.len()..];
        let mut depth = 0;
        let end = rest.find(|letter: char| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth < 0 || letter.is_whitespace()
        });
        (at + open.len(), &rest[..end.unwrap_or(rest.len())])
    })
}
