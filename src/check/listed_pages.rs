//! Checks each URL that a sitemap lists against the pages of the site: a page must exist, the URL must
//! be the page's own, the page must be indexable, and the date that of its last change.

use std::collections::HashMap;

use super::file_source::FileSource;
use crate::decide::{DecidedBy, Verdict};
use crate::findings::{Finding, Subject, code};
use crate::hosts::candidate_files;
use crate::pages::{DateOrigin, Inventory, Page, PageSource};
use crate::share::{FEW, is_most};
use crate::site::LoadedSite;
use git_last_modified::{ObjectId, SHORT_HASH};
use sitemaps::site_paths::PageUrl;
use sitemaps::{DateFormat, LastMod, ListedEntry, Plan, quoted};

/// A day in seconds.
const DAY: i64 = 24 * 60 * 60;

/// What waypost knows of the pages of a site.
pub(super) struct KnownPages<'a> {
    pub(super) loaded: &'a LoadedSite,
    pub(super) inventory: &'a Inventory,
    pub(super) plan: &'a Plan,
    /// The commit of a deploy, which does not refute earlier dates.
    pub(super) deploy: Option<ObjectId>,
}

impl<'a> KnownPages<'a> {
    pub(super) fn of(loaded: &'a LoadedSite, inventory: &'a Inventory, plan: &'a Plan) -> Self {
        Self {
            loaded,
            inventory,
            plan,
            deploy: deploy_of(inventory),
        }
    }

    /// Whether the page is dated by the commit of a deploy.
    pub(super) fn is_deployed(&self, page: &Page) -> bool {
        let commit = own_commit(page);
        commit.is_some() && commit == self.deploy
    }
}

/// Returns the commit that last changed more than half of the committed pages without a known source, if
/// these are more than a few. It may have changed only their templates, so it does not refute earlier
/// dates.
fn deploy_of(inventory: &Inventory) -> Option<ObjectId> {
    let mut counts: HashMap<ObjectId, usize> = HashMap::new();
    for commit in inventory.pages.iter().filter_map(own_commit) {
        *counts.entry(commit).or_default() += 1;
    }
    let pages: usize = counts.values().sum();
    let (commit, _) = counts
        .into_iter()
        .find(|(_, count)| is_most(*count, pages))?;
    (pages >= FEW).then_some(commit)
}

/// The commit of a page that is its own source.
fn own_commit(page: &Page) -> Option<ObjectId> {
    let is_itself = page.source == Some(PageSource::Itself);
    let change = page.dated.commit().filter(|_| is_itself)?;
    Some(change.commit)
}

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
    } else if known.inventory.base().path_below(url).is_some() {
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
    let page_url = url.resolve(without_query).unwrap_or_else(|| url.clone());
    let files = candidate_files(known.inventory.base(), &page_url);
    let shown_url = quoted(url.as_str());
    let page = files
        .iter()
        .find_map(|file| known.inventory.pages.by_file(file));
    let (code, message, hint) = match page.map(|page| (page, &page.verdict)) {
        None => match files.iter().find(|file| known.loaded.output.has_file(file)) {
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

/// Compares the text of a date with the plan's entry of this number, as instants; returns the
/// message of a finding if it excludes the page's last change. A date that is unknown, or that
/// cannot be read, is not false.
fn false_date(known_pages: &KnownPages<'_>, number: usize, listed: &str) -> Option<String> {
    let entry = &known_pages.plan.entries()[number];
    let known = entry.lastmod.filter(|_| !listed.is_empty())?;
    // Formatting is faster than parsing.
    if known.to_text(DateFormat::Datetime) == listed {
        return None;
    }
    let date = LastMod::parse_listed(listed)?;
    if date.includes(known) {
        return None;
    }
    // A post is committed in the evening before its day, or has the day of its author's time zone.
    let day = (date.last_second() - date.seconds() < DAY).then_some(DAY);
    let near = day.filter(|_| !listed.contains(['T', 't']));
    if near.is_some_and(|day| {
        (date.seconds() - day..=date.last_second() + day).contains(&known.seconds())
    }) {
        return None;
    }
    let inventory = known_pages.inventory;
    let page = inventory
        .page_at(&entry.loc)
        .filter(|page| page.url == entry.loc);
    let change = page.and_then(|page| page.dated.commit());
    // Hugo writes the author's date, and both dates of a commit are true.
    let is_other_date = change.is_some_and(|change| {
        let (seconds, offset) = (change.other_seconds, change.other_offset_minutes);
        let other = LastMod::at(seconds, offset, known_pages.loaded.now);
        other.is_ok_and(|other| date.includes(other))
    });
    let is_earlier = date.last_second() < known.seconds();
    let is_unknown = page.is_some_and(|page| match page.dated {
        // A list may also have changed with a page that it shows.
        DateOrigin::Members(_) => !is_earlier,
        // The content may have been published before.
        DateOrigin::Memory => is_earlier,
        _ => is_earlier && known_pages.is_deployed(page),
    });
    (!is_other_date && !is_unknown).then(|| {
        let (url, listed) = (quoted(entry.loc.as_str()), quoted(listed));
        let origin = page.map(origin).unwrap_or_default();
        format!("`{url}`: the sitemap says {listed}, the last change is {known}{origin}")
    })
}

/// The origin of a page's date, in parentheses.
fn origin(page: &Page) -> String {
    let commit = page.dated.commit().map(|change| change.commit.to_string());
    match (&page.dated, commit) {
        (_, Some(hash)) => format!(" (commit {})", &hash[..SHORT_HASH]),
        (DateOrigin::PageBelow(newest), None) => format!(" (that of `{newest}`)"),
        (DateOrigin::Rule, None) => " (set by a rule)".to_owned(),
        (DateOrigin::FrontMatter, None) => " (in the front matter)".to_owned(),
        (DateOrigin::Page, None) => " (stated by the page)".to_owned(),
        (DateOrigin::Mtime, None) => " (modification time of the source)".to_owned(),
        _ => String::new(),
    }
}
