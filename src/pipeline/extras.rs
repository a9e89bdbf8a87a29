//! Turns an inventory into a plan and reads the extra metadata that some pages need.
//!
//! Only those pages are read again: the newest pages for the titles of feeds, pages that a rule
//! marks as news, and all pages if videos are requested.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::decide::Verdict;
use crate::extension::{PageNews, PageVideos, news_lacks, video_lacks, videos_of};
use crate::inventory::{Inventory, InventoryPage};
use crate::reading::{BuiltMedia, missing_media};
use crate::site::{LoadedSite, page_metadata};
use page_signals::MetadataRequest;
use site_paths::containment::SitemapDir;
use site_paths::finding::{Finding, Subject, WithFindings, code};
use site_paths::{PageUrl, SitePath};
use sitemaps::{EntryExtras, Newest, NewestPage, Now, Plan, SitemapFormat, SitemapSettings, Video};

/// How many pages the RSS and Atom formats list: readers of feeds ask for the whole file often.
const FEED_PAGES: usize = 500;

/// Lays out the sitemaps of an inventory. The findings are about pages with incomplete extension
/// data.
pub fn plan_of(loaded: &LoadedSite<'_>, inventory: &Inventory) -> WithFindings<Plan> {
    let (settings, output) = (loaded.settings(), &loaded.output);
    let mut findings = Vec::new();
    let mut extras =
        extensions(inventory, output, &settings.sitemap, loaded.now).take_into(&mut findings);
    extras.newest = newest(inventory, output, &settings.sitemap).take_into(&mut findings);
    let plan = Plan::lay_out(
        inventory.entries(),
        extras,
        &settings.sitemap,
        settings.lastmod.format,
        &inventory.base,
    );
    WithFindings::new(plan, findings)
}

/// Extension data of a page.
struct PageExtensions<'l> {
    line: &'l InventoryPage,
    news: PageNews,
    videos: PageVideos,
}

/// Reads the extension data of the pages that may have any.
fn extensions(
    inventory: &Inventory,
    output: &SitemapDir,
    settings: &SitemapSettings,
    now: Now,
) -> WithFindings<EntryExtras> {
    let wants_videos = settings.videos;
    let is_wanted = |line: &&InventoryPage| {
        line.verdict == Verdict::Listed
            && line.file.is_html()
            && (wants_videos || line.rule_outcome.news.is_some())
    };
    let looked: Vec<PageExtensions<'_>> = inventory
        .pages
        .par_iter()
        .filter(is_wanted)
        .filter_map(|line| {
            let metadata = page_metadata(output, &line.file, MetadataRequest::Everything);
            let looked = PageExtensions {
                line,
                news: match &line.rule_outcome.news {
                    Some(publication) => {
                        let of_source = inventory.published.get(&line.file);
                        PageNews::of(&metadata, publication, &line.url, of_source, now)
                    }
                    None => PageNews::No,
                },
                videos: if wants_videos {
                    videos_of(&metadata, &line.url, now)
                } else {
                    PageVideos::default()
                },
            };
            let is_news = !matches!(looked.news, PageNews::No);
            (is_news || looked.videos != PageVideos::default()).then_some(looked)
        })
        .collect();
    let media = BuiltMedia::new(output, &inventory.base);
    let (mut extras, mut findings) = (EntryExtras::default(), Vec::new());
    for PageExtensions {
        line,
        news,
        mut videos,
    } in looked
    {
        videos.complete.retain(|video| {
            let missing = missing_file(&media, video);
            findings.extend(missing.map(|(what, url)| missing_media(&line.file, what, url)));
            missing.is_none()
        });
        findings.extend(
            videos
                .incomplete
                .iter()
                .map(|lacking| video_lacks(&line.file, lacking)),
        );
        if !videos.complete.is_empty() {
            extras.videos.insert(line.url.clone(), videos.complete);
        }
        match news {
            PageNews::Complete(news) => extras.news.push(news),
            PageNews::Lacks(lacking) => findings.push(news_lacks(&line.file, lacking)),
            PageNews::No => {}
        }
    }
    WithFindings::new(extras, findings)
}

/// The first file of a video that this site should have and does not.
fn missing_file<'v>(
    media: &BuiltMedia<'_>,
    video: &'v Video,
) -> Option<(&'static str, &'v PageUrl)> {
    let files = [
        ("video thumbnail", Some(&video.thumbnail)),
        ("video", video.content.as_ref()),
        ("video player", video.player.as_ref()),
    ];
    let named = files
        .into_iter()
        .filter_map(|(what, url)| Some((what, url?)));
    let mut missing = named.filter(|(_, url)| media.is_missing(url));
    missing.next()
}

/// Returns the newest pages if a feed format is requested.
fn newest(
    inventory: &Inventory,
    output: &SitemapDir,
    settings: &SitemapSettings,
) -> WithFindings<Newest> {
    if !settings.formats.iter().any(|format| format.is_feed()) {
        return WithFindings::default();
    }
    let mut lines: Vec<&InventoryPage> = inventory
        .pages
        .iter()
        .filter(|line| line.verdict == Verdict::Listed)
        .collect();
    lines.sort_by_key(|line| (Reverse(line.lastmod), &line.url));
    lines.truncate(FEED_PAGES);
    let undated = lines.iter().filter(|line| line.lastmod.is_none()).count();
    let lacks_pages = settings.formats.contains(&SitemapFormat::Atom) && undated > 0;
    let findings = lacks_pages.then(|| undated_pages(undated));
    let title_of = |file: &SitePath| {
        let found = file
            .is_html()
            .then(|| page_metadata(output, file, MetadataRequest::Title));
        found.and_then(|metadata| metadata.title)
    };
    let page = |line: &&InventoryPage| {
        let title = title_of(&line.file).unwrap_or_else(|| line.url.to_string());
        NewestPage {
            url: line.url.clone(),
            title,
            lastmod: line.lastmod,
        }
    };
    let title =
        title_of(&SitePath::from("index.html")).unwrap_or_else(|| inventory.base.to_string());
    let pages = lines.par_iter().map(page).collect();
    WithFindings::new(Newest { title, pages }, findings.into_iter().collect())
}

fn undated_pages(count: usize) -> Finding {
    let message = match count {
        1 => "1 page has no date, so it is missing from the Atom feed".to_owned(),
        _ => format!("{count} pages have no date, so they are missing from the Atom feed"),
    };
    Finding::new(code::FEED_LACKS_PAGES, Subject::Site, message).with_hint(
        "entries of an Atom feed require a date (RFC 4287); use `rss` to list pages without one",
    )
}
