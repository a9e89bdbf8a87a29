//! Turns an inventory into a plan. For feeds, the newest pages are read again for their titles.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code, counted};
use crate::pages::{Inventory, Page};
use crate::site::{LoadedSite, page_metadata};
use page_signals::MetadataRequest;
use sitemaps::site_paths::SitePath;
use sitemaps::{Newest, NewestPage, Plan, SitemapFormat, SitemapSettings};

/// How many pages the RSS and Atom formats list: readers of feeds ask for the whole file often.
const FEED_PAGES: usize = 500;

/// Lays out the sitemaps of an inventory.
pub fn plan_of(loaded: &LoadedSite, inventory: &Inventory) -> Plan {
    let (settings, output) = (loaded.settings(), &loaded.output);
    let sitemap = SitemapSettings {
        omitted: inventory.omitted.clone(),
        stylesheet: settings.sitemap.stylesheet && inventory.allows_stylesheet,
        ..settings.sitemap.for_set()
    };
    Plan::lay_out(
        inventory.entries(),
        &newest(inventory, output, &sitemap),
        &sitemap,
        settings.lastmod.format,
        inventory.base(),
    )
}

/// The finding about pages that an Atom feed lacks.
pub fn feed_lacks_pages(loaded: &LoadedSite, inventory: &Inventory) -> Option<Finding> {
    let formats = &loaded.settings().sitemap.formats;
    if !formats.contains(&SitemapFormat::Atom) {
        return None;
    }
    let (mut listed, mut dated) = (0, 0);
    for page in inventory.pages.listed() {
        listed += 1;
        dated += usize::from(page.lastmod.is_some());
    }
    // Pages without a date are the last of the newest.
    let undated = FEED_PAGES.min(listed).saturating_sub(dated);
    if undated == 0 {
        return None;
    }
    let what = match undated {
        1 => "has no date, so it is",
        _ => "have no date, so they are",
    };
    let message = format!(
        "{} {what} missing from the Atom feed",
        counted(undated, "page")
    );
    let hint =
        "entries of an Atom feed require a date (RFC 4287); use `rss` to list pages without one";
    Some(Finding::new(code::FEED_LACKS_PAGES, Subject::Site, message).with_hint(hint))
}

/// Returns the newest pages if a feed format is requested.
fn newest(inventory: &Inventory, output: &Tree, settings: &SitemapSettings) -> Newest {
    if !settings.formats.iter().any(|format| format.is_feed()) {
        return Newest::default();
    }
    let title_of = |file: &SitePath| {
        file.is_html()
            .then(|| page_metadata(output, file, MetadataRequest::Title))?
            .title
    };
    let title =
        title_of(&SitePath::from("index.html")).unwrap_or_else(|| inventory.base().to_string());
    let mut pages: Vec<&Page> = inventory.pages.listed().collect();
    pages.sort_by_key(|page| (Reverse(page.lastmod), &page.url));
    pages.truncate(FEED_PAGES);
    let pages = pages.par_iter().map(|page| NewestPage {
        url: page.url.clone(),
        title: title_of(&page.file).unwrap_or_else(|| page.url.to_string()),
        lastmod: page.lastmod,
    });
    let pages = pages.collect();
    Newest { title, pages }
}
