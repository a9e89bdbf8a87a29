//! Checks each URL that a sitemap lists against the pages of the site: a page must exist, the URL must
//! be the page's own, the page must be indexable, and the date that of its last change.

use super::false_date::false_date;
use super::file_source::FileSource;
use super::known_pages::KnownPages;
use crate::decide::{DecidedBy, Verdict};
use crate::hosts::candidate_files;
use sitemaps::ListedEntry;
use sitemaps::findings::{Finding, Subject, code, quoted};
use sitemaps::site_paths::PageUrl;

/// Checks an entry of a sitemap whose URL is this one.
pub(super) fn check_page(
    known: &KnownPages<'_>,
    source: &FileSource<'_>,
    listed: &ListedEntry,
    url: &PageUrl,
) {
    if let Some(number) = known.plan.number_of(url.as_str()) {
        if let Some(message) = false_date(known, number, &listed.lastmod) {
            let hint = "run `waypost`, which dates pages by their history, or omit the date";
            source.report(code::LASTMOD_UNTRUE, listed.place, message, hint);
        }
    } else if known.inventory.base.path_below(url).is_some() {
        check_unlisted(known, source, listed, url);
    }
}

/// Reports a URL of the site that waypost would not list.
fn check_unlisted(
    known: &KnownPages<'_>,
    source: &FileSource<'_>,
    listed: &ListedEntry,
    url: &PageUrl,
) {
    // A static host serves the page, whatever the query.
    let without_query = url.as_str().split('?').next().unwrap_or_default();
    let page_url = url.resolve(without_query).unwrap_or_else(|_| url.clone());
    let files = candidate_files(&known.inventory.base, &page_url);
    let shown_url = quoted(url.as_str());
    let page = files
        .iter()
        .find_map(|file| known.inventory.pages.of_file(file));
    let (code, message, hint) = match page.map(|page| (page, &page.verdict)) {
        None => match files.iter().find(|file| known.output_dir.has_file(file)) {
            Some(file) => (
                code::LOC_EXCLUDED,
                format!("`{shown_url}` is `{file}`, which is not a page"),
                "remove it, or add its extension to `extensions`",
            ),
            None => (
                code::LOC_WITHOUT_FILE,
                format!("no built file matches `{shown_url}`"),
                "remove it from the sitemap, or build the page",
            ),
        },
        Some((page, Verdict::Listed)) => (
            code::LOC_SPELLING,
            format!(
                "`{shown_url}` is another form of the URL of `{}`, which is `{}`",
                page.file, page.url
            ),
            "list the URL in the form of the page's canonical link",
        ),
        Some((page, Verdict::Excluded(exclusion))) => {
            let (reason, evidence) = (exclusion.reason.code.name, &exclusion.evidence);
            let name = &source.name;
            let message =
                format!("`{name}` lists `{shown_url}`, which is excluded: {reason} ({evidence})");
            let (code, hint) = if exclusion.reason.by == DecidedBy::Answer {
                let hint = "remove it from the sitemap, or what excludes it";
                (code::LOC_CONTRADICTED, hint)
            } else {
                (code::LOC_EXCLUDED, "remove it from the sitemap")
            };
            if let Subject::Page(file, Some(_)) = &exclusion.statement
                && *file == page.file
            {
                // The tag that excludes the page is shown.
                let subject = exclusion.statement.clone();
                return source.add(Finding::new(code, subject, message).with_hint(hint));
            }
            (code, message, hint)
        }
    };
    source.report(code, listed.place, message, hint);
}
