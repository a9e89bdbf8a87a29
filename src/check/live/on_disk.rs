//! Connects sitemaps on disk with their server: which pages to request, and whether the published files
//! are those on disk.

use std::io::{self, Read};
use std::thread::sleep;
use std::time::Duration;

use url::Url;

use super::fetched_body::{BodyEnd, FetchedBody};
use super::sample::PageSample;
use crate::check::existing::ExistingSitemap;
use crate::check::sitemap_file::CheckedSet;
use crate::submit::{MAX_BYTES, PoliteClient, Trail, TrailEnd, harmless};
use site_paths::containment::{self, SitemapDir};
use site_paths::finding::{Finding, Subject, code};
use sitemaps::set::{SitemapFileKind, read_sitemap};
use sitemaps::{ListedEntry, SitemapListing, contents_equal};

/// The first and the longest pause between two looks at the server.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Passes the pages of the sitemaps of a site to `sample`.
pub fn sample_site(dir: &SitemapDir, sitemaps: &[ExistingSitemap], sample: &mut PageSample) {
    let pages = sitemaps
        .iter()
        .filter(|sitemap| sitemap.listing == SitemapListing::Pages);
    for sitemap in pages {
        let subject =
            |listed: &ListedEntry| Subject::Page(sitemap.file.clone(), Some(listed.place));
        sample_file(dir.open(&sitemap.file), &subject, sample);
    }
}

/// Passes the pages of a sitemap file, and of those that it names, to `sample`.
pub fn sample_set(set: &CheckedSet, sample: &mut PageSample) {
    let is_listing = |kind| matches!(kind, SitemapFileKind::Pages | SitemapFileKind::Text);
    for file in set.files.iter().filter(|file| is_listing(file.kind)) {
        let subject = |listed: &ListedEntry| Subject::File(file.path.clone(), Some(listed.place));
        sample_file(containment::open(&file.path), &subject, sample);
    }
}

/// An error is dropped, because the check of the file has reported it.
fn sample_file(
    file: io::Result<impl Read>,
    subject: &dyn Fn(&ListedEntry) -> Subject,
    sample: &mut PageSample,
) {
    let Ok(file) = file else {
        return;
    };
    let read = read_sitemap(file, &mut |listing, listed| {
        if listing == SitemapListing::Pages {
            sample.see(&listed.loc, || subject(listed));
        }
    });
    if read.is_err() {}
}

/// A file on disk and the URL where it is published.
pub struct PublishedCopy<'a> {
    /// Its URL.
    pub url: Url,
    /// Opens the file on disk.
    pub open: Box<dyn Fn() -> io::Result<Box<dyn Read>> + 'a>,
}

/// Waits until every file is published as it is on disk; the finding is about the first that is not.
/// At least one look is taken.
pub fn wait_for_copies(
    client: &PoliteClient<'_>,
    copies: &[PublishedCopy<'_>],
    patience: Duration,
) -> Option<Finding> {
    let mut current = copies.iter().peekable();
    let mut pause = FIRST_PAUSE;
    while let Some(copy) = current.peek() {
        let Err(why) = copy.compare(client) else {
            current.next();
            continue;
        };
        if client.stop_reason().is_some() || client.elapsed() + pause > patience {
            let message = format!(
                "`{}` is not the file on disk after {} s: {why}",
                copy.url,
                patience.as_secs()
            );
            let subject = Subject::Url(copy.url.to_string(), None);
            let finding = Finding::new(code::LIVE_OUTDATED, subject, message);
            return Some(
                finding.with_hint("wait longer with `--wait=SECONDS`, or check the deployment"),
            );
        }
        sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    None
}

impl PublishedCopy<'_> {
    fn compare(&self, client: &PoliteClient<'_>) -> Result<(), String> {
        let Trail { hops, end } = client.follow(self.url.clone());
        let response = match end {
            TrailEnd::Response(response) if response.status == 200 => response,
            TrailEnd::Response(response) => {
                return Err(format!("the server responds with {}", response.status));
            }
            TrailEnd::NoAnswer(why) => return Err(harmless(&why.to_string())),
            TrailEnd::Stopped => return Err(client.stop_reason().unwrap_or_default()),
            TrailEnd::NotFollowed | TrailEnd::Loop | TrailEnd::TooMany => {
                let target = hops.into_iter().next_back().map(|hop| hop.target);
                return Err(format!("it redirects to `{}`", target.unwrap_or_default()));
            }
        };
        let body = FetchedBody::read(response.text, MAX_BYTES - 1);
        match &body.end {
            BodyEnd::Complete => {}
            BodyEnd::OverLimit => return Err(format!("it has {MAX_BYTES} bytes or more")),
            BodyEnd::Broken(why) => return Err(harmless(why)),
        }
        let on_disk = (self.open)().map_err(|error| format!("the file on disk: {error}"))?;
        match contents_equal(body.open(), on_disk) {
            Ok(true) => Ok(()),
            Ok(false) => Err("the published file differs".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}
