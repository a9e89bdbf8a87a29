//! Turns an inventory into a plan. For feeds, the newest pages are read again for their titles.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::pages::{Inventory, Page};
use crate::site::{LoadedSite, page_metadata};
use page_signals::MetadataRequest;
use sitemaps::files::tree::Tree;
use sitemaps::findings::{Finding, Subject, WithFindings, code, counted};
use sitemaps::site_paths::SitePath;
use sitemaps::{Newest, NewestPage, Plan, SitemapFormat, SitemapSettings};

/// How many pages the RSS and Atom formats list: readers of feeds ask for the whole file often.
const FEED_PAGES: usize = 500;

/// Lays out the sitemaps of an inventory. The finding is about pages that a feed lacks.
pub fn plan_of(loaded: &LoadedSite<'_>, inventory: &Inventory) -> WithFindings<Plan> {
    let (settings, output) = (loaded.settings(), &loaded.output);
    let sitemap = SitemapSettings {
        omitted: inventory.omitted.clone(),
        stylesheet: settings.sitemap.stylesheet && inventory.allows_stylesheet,
        ..settings.sitemap.for_set()
    };
    newest(inventory, output, &sitemap).map(|newest| {
        Plan::lay_out(
            inventory.entries(),
            &newest,
            &sitemap,
            settings.lastmod.format,
            &inventory.base,
        )
    })
}

/// Returns the newest pages if a feed format is requested.
fn newest(
    inventory: &Inventory,
    output: &Tree,
    settings: &SitemapSettings,
) -> WithFindings<Newest> {
    if !settings.formats.iter().any(|format| format.is_feed()) {
        return WithFindings::default();
    }
    let mut newest: Vec<&Page> = inventory.pages.listed().collect();
    newest.sort_by_key(|page| (Reverse(page.lastmod), &page.url));
    newest.truncate(FEED_PAGES);
    let undated = newest.iter().filter(|page| page.lastmod.is_none()).count();
    let lacks_pages = settings.formats.contains(&SitemapFormat::Atom) && undated > 0;
    let findings = lacks_pages.then(|| undated_pages(undated));
    let title_of = |file: &SitePath| {
        file.is_html()
            .then(|| page_metadata(output, file, MetadataRequest::Title))?
            .title
    };
    let title =
        title_of(&SitePath::from("index.html")).unwrap_or_else(|| inventory.base.to_string());
    let pages = newest.par_iter().map(|page| NewestPage {
        url: page.url.clone(),
        title: title_of(&page.file).unwrap_or_else(|| page.url.to_string()),
        lastmod: page.lastmod,
    });
    let pages = pages.collect();
    WithFindings::new(Newest { title, pages }, findings.into_iter().collect())
}

fn undated_pages(count: usize) -> Finding {
    let what = match count {
        1 => "has no date, so it is",
        _ => "have no date, so they are",
    };
    let message = format!(
        "{} {what} missing from the Atom feed",
        counted(count, "page")
    );
    Finding::new(code::FEED_LACKS_PAGES, Subject::Site, message).with_hint(
        "entries of an Atom feed require a date (RFC 4287); use `rss` to list pages without one",
    )
}
