//! The feeds of the site that robots.txt is to name as sitemaps, by `sitemap.feeds`.
//!
//! Feeds stand in robots.txt, not in an index: of five readers of indexes that were tried, four do not read a feed that
//! an index names.

use std::collections::BTreeSet;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::inventory::Inventory;
use super::survey::Survey;
use crate::bounds::SitemapDir;
use crate::decide::answering_files;
use crate::feed::{FeedError, FeedForm, form_of};
use crate::finding::{Finding, Subject, code};
use crate::site_paths::{BaseUrl, PageUrl, SitePath};
use crate::sitemaps::Plan;

/// Endings of files at the top of the output folder that may be feeds; what they are, their root elements tell.
const ENDINGS: [&str; 3] = ["xml", "rss", "atom"];

/// Where generators write feeds that are not at the top: `feed/feed.xml` is Eleventy's, `feed/index.xml` of many themes.
const USUAL_FOLDERS: [&str; 4] = ["feed", "feeds", "rss", "atom"];

/// The names of feeds, without their endings.
const USUAL_NAMES: [&str; 4] = ["index", "feed", "rss", "atom"];

/// A site may have a feed for each of ten thousand tags, whose pages stand in the feeds above them too, and what stands
/// beyond the first 500 KiB of robots.txt is not read (RFC 9309 section 2.5).
const MOST_NAMED: usize = 100;

/// The feeds that robots.txt is to name, and those it names that are gone.
#[derive(Debug, Default)]
pub(super) struct SiteFeeds {
    /// Those nearest to the top first.
    pub(super) named: Vec<PageUrl>,
    /// Those of a feed's name that robots.txt names and that are not there.
    pub(super) gone: Vec<PageUrl>,
}

/// Finds the feeds of the site where the settings ask for them: those that pages name, and those at the top of the output
/// folder or at a usual name.
pub(super) fn find(
    survey: &Survey<'_>,
    plan: &Plan,
    named: &BTreeSet<PageUrl>,
    ledger: &mut Inventory,
) -> SiteFeeds {
    if !survey.settings().sitemap.feeds {
        return SiteFeeds::default();
    }
    let (folder, base) = (survey.output(), &ledger.base);
    let mut files: Vec<SitePath> = candidates(folder.path(), base, ledger.feeds.keys())
        .into_iter()
        .collect();
    files.retain(|file| !plan.has_name_of_set(&file.to_text()));
    files.sort_by_key(|file| {
        (
            memchr::memchr_iter(b'/', file.as_bytes()).count(),
            file.clone(),
        )
    });
    let mut feeds = SiteFeeds::default();
    let mut findings = Vec::new();
    for file in files {
        if folder.is_left_by(&file) {
            findings.push(leads_out(&file, "it is no feed of it"));
            continue;
        }
        match form_of_file(&folder, &file) {
            Ok(None) => {}
            Ok(Some(form)) => {
                feeds.named.push(base.of_file(&file));
                findings.extend((form == FeedForm::Atom03).then(|| outdated(&file)));
            }
            Err(error) => findings.push(broken(&file, &error)),
        }
    }
    if feeds.named.len() > MOST_NAMED {
        findings.push(too_many(feeds.named.len()));
        feeds.named.truncate(MOST_NAMED);
    }
    feeds.gone = named
        .iter()
        .filter(|url| is_gone(folder.path(), base, url))
        .cloned()
        .collect();
    ledger.findings.append(&mut findings);
    feeds
}

/// Files that may be feeds, each once.
fn candidates<'u>(
    folder: &Path,
    base: &BaseUrl,
    linked: impl Iterator<Item = &'u PageUrl>,
) -> BTreeSet<SitePath> {
    let mut files = at_the_top(folder);
    for within in USUAL_FOLDERS {
        let names = USUAL_NAMES
            .iter()
            .flat_map(|name| ENDINGS.map(|ending| format!("{within}/{name}.{ending}")));
        files.extend(names.map(|name| SitePath::from(name.as_str())));
    }
    let is_there = |file: &SitePath| file.below_folder(folder).is_file();
    files.retain(is_there);
    files.extend(linked.filter_map(|url| answering_files(base, url).into_iter().find(is_there)));
    files
}

/// The files at the top that may be feeds by their endings; a folder that cannot be listed has been reported before.
fn at_the_top(folder: &Path) -> BTreeSet<SitePath> {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = items.map(|item| SitePath::from_relative(Path::new(&item.file_name())));
    let may_be_feed = |file: &SitePath| {
        let ending = file.extension().unwrap_or_default();
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known.as_bytes()))
    };
    names.filter(may_be_feed).collect()
}

fn form_of_file(folder: &SitemapDir, file: &SitePath) -> Result<Option<FeedForm>, FeedError> {
    form_of(BufReader::new(folder.open(file)?))
}

/// Whether an address has the name of a feed of this site, and no file.
fn is_gone(folder: &Path, base: &BaseUrl, url: &PageUrl) -> bool {
    let Some(path) = base.path_below(url) else {
        return false;
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_feeds_name =
        matches!(ending, "rss" | "atom") || (ending == "xml" && USUAL_NAMES.contains(&stem));
    is_feeds_name
        && !answering_files(base, url)
            .iter()
            .any(|file| file.below_folder(folder).exists())
}

/// A sitemap or feed that is not opened, and what comes of it.
pub(super) fn leads_out(file: &SitePath, so: &str) -> Finding {
    let message =
        format!("the symbolic link `{file}` leads out of the site and its repository, so {so}");
    Finding::new(
        code::BAD_SYMLINK,
        Subject::Page(file.clone(), None),
        message,
    )
}

fn outdated(file: &SitePath) -> Finding {
    let message = format!("`{file}` is Atom 0.3, which Bing reads and Google does not");
    Finding::new(
        code::FEED_OUTDATED,
        Subject::Page(file.clone(), None),
        message,
    )
    .with_hint("let the generator write Atom 1.0 or RSS 2.0")
}

fn broken(file: &SitePath, error: &FeedError) -> Finding {
    let message = format!("the feed `{file}` is not named in robots.txt: {error}");
    Finding::new(
        code::FEED_BROKEN,
        Subject::Page(file.clone(), None),
        message,
    )
}

fn too_many(count: usize) -> Finding {
    let message =
        format!("the site has {count} feeds; robots.txt names the {MOST_NAMED} nearest to its top");
    Finding::new(code::TOO_MANY_FEEDS, Subject::Site, message)
        .with_hint("pages of the other feeds are in the sitemap like all others")
}
