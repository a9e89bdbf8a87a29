//! Ledger → plan: what a few pages have beside their entries is read once it is known which pages those are.
//!
//! Titles are those of the newest pages, news those of the pages that a rule takes for news, videos those of all pages,
//! where the settings ask for them; else no page is looked at again.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::inventory::{Inventory, InventoryPage};
use super::survey::Survey;
use crate::config::SitemapFormat;
use crate::decide::Verdict;
use crate::extension::{Freshness, PageVideos, article_of, freshness, videos_of};
use crate::finding::{Finding, Subject, code};
use crate::read::{Metadata, MetadataRequest, metadata_of};
use crate::site_paths::SitePath;
use crate::sitemaps::{EntryExtras, Newest, NewestPage, News, Plan};

/// Lays out the sitemaps of a ledger; what its pages lack for the extensions is added to its findings.
pub fn plan_of(survey: &Survey<'_>, ledger: &mut Inventory) -> Plan {
    let settings = survey.settings();
    let mut findings = Vec::new();
    let mut extras = extensions(survey, ledger, &mut findings);
    extras.newest = newest(survey, ledger, &mut findings);
    ledger.findings.append(&mut findings);
    Plan::lay_out(
        ledger.entries(),
        extras,
        &settings.sitemap,
        settings.lastmod.format,
        &ledger.base,
    )
}

/// What a page says for the extensions.
struct PageExtensions<'l> {
    line: &'l InventoryPage,
    /// The page as news, or what it lacks to be any.
    news: Option<Result<News, &'static str>>,
    videos: PageVideos,
}

/// Reads the pages that may have something for the extensions, and takes it down.
fn extensions(survey: &Survey<'_>, ledger: &Inventory, findings: &mut Vec<Finding>) -> EntryExtras {
    let wants_videos = survey.settings().sitemap.videos;
    let is_wanted = |line: &&InventoryPage| {
        line.verdict == Verdict::Listed
            && line.file.is_html()
            && (wants_videos || line.treatment.news.is_some())
    };
    let look = |line| {
        let looked = look_at(survey, ledger, line);
        (looked.news.is_some() || looked.videos != PageVideos::default()).then_some(looked)
    };
    let looked: Vec<PageExtensions<'_>> = ledger
        .lines
        .par_iter()
        .filter(is_wanted)
        .filter_map(look)
        .collect();
    let mut extras = EntryExtras::default();
    for PageExtensions { line, news, videos } in looked {
        findings.extend(
            videos
                .lacking
                .iter()
                .map(|lacking| video_lacks(&line.file, lacking)),
        );
        if !videos.whole.is_empty() {
            extras.videos.insert(line.url.clone(), videos.whole);
        }
        match news {
            Some(Ok(news)) => extras.news.push(news),
            Some(Err(lacking)) => findings.push(news_lacks(&line.file, lacking)),
            None => {}
        }
    }
    extras
}

fn look_at<'l>(
    survey: &Survey<'_>,
    ledger: &Inventory,
    line: &'l InventoryPage,
) -> PageExtensions<'l> {
    let metadata = metadata_of(
        &line.file.below_folder(&survey.output_dir),
        MetadataRequest::Everything,
    );
    let wants_videos = survey.settings().sitemap.videos;
    let videos = if wants_videos {
        videos_of(&metadata, &line.url, survey.now)
    } else {
        PageVideos::default()
    };
    PageExtensions {
        line,
        news: news_of(survey, ledger, line, &metadata),
        videos,
    }
}

/// The page as news; nothing where it is none or no longer any, and what is missing where that is not to be known.
fn news_of(
    survey: &Survey<'_>,
    ledger: &Inventory,
    line: &InventoryPage,
    metadata: &Metadata,
) -> Option<Result<News, &'static str>> {
    let publication = line.treatment.news.clone()?;
    let article = article_of(metadata)?;
    let of_source = ledger.published.get(&line.file);
    let dates = article
        .published
        .iter()
        .chain(of_source)
        .map(String::as_str);
    match (freshness(dates, survey.now), article.title) {
        (Freshness::Old, _) => None,
        (Freshness::Unknown, _) => Some(Err("date of publication")),
        (Freshness::Fresh(_), None) => Some(Err("title")),
        (Freshness::Fresh(published), Some(title)) => Some(Ok(News {
            loc: line.url.clone(),
            publication,
            published,
            title,
        })),
    }
}

/// The newest pages, where a feed of them is asked for.
fn newest(survey: &Survey<'_>, ledger: &Inventory, findings: &mut Vec<Finding>) -> Newest {
    let settings = &survey.settings().sitemap;
    if !settings
        .formats
        .iter()
        .any(|format| matches!(format, SitemapFormat::Rss | SitemapFormat::Atom))
    {
        return Newest::default();
    }
    let mut lines: Vec<&InventoryPage> = ledger
        .lines
        .iter()
        .filter(|line| line.verdict == Verdict::Listed)
        .collect();
    lines.sort_by_key(|line| (Reverse(line.lastmod), &line.url));
    lines.truncate(settings.feed_pages);
    let undated = lines.iter().filter(|line| line.lastmod.is_none()).count();
    if settings.formats.contains(&SitemapFormat::Atom) && undated > 0 {
        findings.push(undated_pages(undated));
    }
    let title_of = |file: &SitePath| {
        let found = file.is_html().then(|| {
            metadata_of(
                &file.below_folder(&survey.output_dir),
                MetadataRequest::Title,
            )
        });
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
    let title = title_of(&SitePath::from("index.html")).unwrap_or_else(|| ledger.base.to_string());
    Newest {
        title,
        pages: lines.par_iter().map(page).collect(),
    }
}

fn video_lacks(file: &SitePath, lacking: &[&str]) -> Finding {
    let message = format!(
        "a video of `{file}` has no {}, so it is not written",
        lacking.join(", no ")
    );
    Finding::new(
        code::VIDEO_INCOMPLETE,
        Subject::Page(file.clone(), None),
        message,
    )
}

fn news_lacks(file: &SitePath, lacking: &str) -> Finding {
    let message = format!("`{file}` is news by a rule, but has no {lacking} that can be read");
    Finding::new(
        code::NEWS_INCOMPLETE,
        Subject::Page(file.clone(), None),
        message,
    )
    .with_hint(
        "give the page JSON-LD with `headline` and `datePublished`, or keep the rule to articles",
    )
}

fn undated_pages(count: usize) -> Finding {
    let message = match count {
        1 => "1 page has no date, so the Atom feed lacks it".to_owned(),
        _ => format!("{count} pages have no date, so the Atom feed lacks them"),
    };
    Finding::new(code::FEED_LACKS_PAGES, Subject::Site, message)
        .with_hint("every entry of an Atom feed has a date (RFC 4287); `rss` lists pages without")
}
