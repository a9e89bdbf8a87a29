//! Checks the sitemaps that a server publishes, without a site or settings: their form, their URLs and
//! their dates.
//!
//! All requests go to one host, through a client that limits them. The set is read by the one reader
//! of sets, as on disk.

mod roots;

use std::convert::Infallible;
use std::io;

use url::Url;

use super::checked_set::{CheckedSet, PublishedTexts, unread_children};
use super::entry_facts::{EntryFacts, EntryRules, KeptPages, SetHome};
use super::file_form::{CheckedFile, check_form};
use super::file_source::FileSource;
use super::live::{LiveCheck, LiveRobots, PageSample, not_answered, unanswered};
use super::llms_txt::{LLMS_TXT, linked_entries};
use super::set_facts::check_set;
use crate::findings::{Code, Finding, Findings, Hint, HintedError, Subject, code};
use crate::survey::{ChildRule, FileRead, SetFile, SetPlace, SetWalk};
use crate::web::{MAX_BYTES, PoliteClient, Trail, TrailEnd};
use sitemaps::site_paths::PageUrl;
use sitemaps::{Now, SitemapReadError};

use roots::{PublishedRoots, is_site};

/// Maximum number of sitemaps that are requested.
const MAX_FILES: usize = 1_000;

/// The remedy for a name that leads nowhere.
const UNPUBLISHED: &str = "publish the sitemap, or remove what names it";

/// Checks what a server publishes at a URL: its sitemaps, up to `pages` of the pages that they list, and as
/// many of those that its `llms.txt` links to.
pub fn check_url(
    client: &PoliteClient<'_>,
    named: Url,
    pages: usize,
    now: Now,
) -> Result<CheckedSet, HintedError> {
    let site = ServedSite::find(client, named)?;
    let mut sample = PageSample::new(pages, site.origin());
    let mut set = check_sitemaps(client, &site, now, &mut sample);
    if pages == 0 {
        return Ok(set);
    }
    let check = LiveCheck {
        client,
        robots: &site.robots,
        now,
    };
    let mut live = check.run(&sample);
    set.findings.append(&mut live.findings);
    set.live = Some(live);
    let mut linked = PageSample::new(pages, site.origin());
    if is_site(&site.url) {
        choose_linked(&check, &site.url, &sample, &mut linked, &mut set.texts);
    }
    set.findings.extend(check.follow_links(&linked));
    Ok(set)
}

/// A site or sitemap on the host that answers for it.
#[derive(Debug)]
struct ServedSite {
    /// The URL of its home page, or of the sitemap.
    url: Url,
    /// The robots.txt of the host.
    robots: LiveRobots,
}

impl ServedSite {
    /// Finds the host to which the named URL redirects: with `https`, with or without `www.`. Its
    /// robots.txt may not redirect, or redirect alone.
    fn find(client: &PoliteClient<'_>, mut named: Url) -> Result<Self, HintedError> {
        named.set_fragment(None);
        let Trail { url, end, .. } = client.follow(named.clone());
        if let TrailEnd::NoAnswer(why) = end {
            return Err(not_answered(&named, &why));
        }
        let url = on_host_of(url, &named);
        let robots = LiveRobots::fetch(client, &url)?;
        let url = on_host_of(robots.url.clone(), &named);
        Ok(Self { url, robots })
    }

    /// Scheme, host and port.
    fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// The named path and query on the host of another URL, to which the site redirects.
fn on_host_of(mut host: Url, named: &Url) -> Url {
    host.set_path(named.path());
    host.set_query(named.query());
    host
}

/// Checks the sitemaps of a site, and chooses listed pages for `sample`.
fn check_sitemaps(
    client: &PoliteClient<'_>,
    site: &ServedSite,
    now: Now,
    sample: &mut PageSample,
) -> CheckedSet {
    let ServedSite { url, robots } = site;
    let start = PublishedRoots::of(url, robots);
    let findings = Findings::default();
    robots.report_deviations(&findings);
    let mut texts = PublishedTexts::default();
    texts.keep(robots.url.as_str(), &robots.bytes);
    let mut case = PublishedCheck {
        client,
        origin: &site.origin(),
        roots: &start,
        now,
        texts,
        findings: &findings,
        requested: 0,
        unrequested: 0,
        has_guess: true,
    };
    let places = start.urls.iter().cloned().map(SetPlace::Url);
    let walk = SetWalk::new(ChildRule::OnHostOfIndex);
    let Ok::<_, Infallible>(mut files) =
        walk.in_order(places, |walk, file| Ok(case.read(walk, file, sample)));
    files.retain(|file| case.has_guess || Some(&file.value.name) != start.guess.as_ref());
    let texts = &case.texts;
    let source_of = |file: &SetFile| {
        let url = file.place.to_string();
        source(&url.clone(), &findings, move || {
            texts.of(&url).unwrap_or_default().as_bytes()
        })
    };
    check_set(&mut files, &source_of, None);
    case.report_limits(&files);
    if files.is_empty() {
        findings.add(match start.elsewhere.first() {
            Some(url) => {
                let message = format!("`{url}` is on another host, which is not requested");
                Finding::new(code::LIVE_UNCHECKED, robots.subject(), message)
                    .with_hint("name that URL")
            }
            None => PublishedRoots::nothing_found(url),
        });
    }
    let elsewhere = start.elsewhere.iter().cloned();
    CheckedSet {
        absent: elsewhere.chain(unread_children(&files)).collect(),
        files,
        texts: case.texts,
        findings: findings.take_sorted(),
        live: None,
    }
}

/// Chooses pages that the `llms.txt` of a site links to, if it has one. Those that were requested before are
/// not chosen again.
fn choose_linked(
    check: &LiveCheck<'_>,
    site: &Url,
    requested: &PageSample,
    linked: &mut PageSample,
    texts: &mut PublishedTexts,
) {
    let own = site.join(LLMS_TXT).ok();
    let page_url = own.as_ref().and_then(PageUrl::from_url);
    if let Some((own, page_url)) = own.zip(page_url)
        && let FetchedFile::Body(body) = fetch_file(check.client, own.as_str())
    {
        let subject = Subject::Url(own.to_string(), None);
        texts.keep(own.as_str(), &body);
        let text = texts.of(own.as_str()).unwrap_or_default();
        for (listed, url) in linked_entries(text, &page_url) {
            if !requested.has(&url) {
                linked.see(&listed, Some(&url), &subject);
            }
        }
    }
}

/// A check while the set is read.
struct PublishedCheck<'a> {
    client: &'a PoliteClient<'a>,
    /// Scheme, host and port of the published site.
    origin: &'a str,
    roots: &'a PublishedRoots,
    now: Now,
    texts: PublishedTexts,
    findings: &'a Findings,
    /// The number of files that were requested.
    requested: usize,
    /// The number of those beyond a limit.
    unrequested: usize,
    /// Whether the sitemap that nothing names exists.
    has_guess: bool,
}

impl PublishedCheck<'_> {
    fn read(
        &mut self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        sample: &mut PageSample,
    ) -> (EntryFacts, FileRead) {
        let url = file.place.to_string();
        if self.requested == MAX_FILES {
            self.unrequested += 1;
        } else {
            self.requested += 1;
            match fetch_file(self.client, &url) {
                FetchedFile::Body(body) => return self.check(walk, file, &url, &body, sample),
                FetchedFile::NotRequested => self.unrequested += 1,
                FetchedFile::Unread(unread)
                    if unread.code == code::SITEMAP_MISSING
                        && self.roots.guess.as_ref() == Some(&url) =>
                {
                    self.has_guess = false;
                }
                FetchedFile::Unread(unread) => self.findings.add(unread),
            }
        }
        let unread = source(&url, self.findings, io::empty);
        (EntryFacts::of(&unread), FileRead::default())
    }

    fn check(
        &mut self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        url: &str,
        body: &[u8],
        sample: &mut PageSample,
    ) -> (EntryFacts, FileRead) {
        self.texts.keep(url, body);
        let source = source(url, self.findings, || body);
        let mut named = std::iter::once(&file.place).chain(&file.parent);
        let is_in_robots = named.any(|name| self.roots.in_robots.contains(&name.to_string()));
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let dir = path.rfind('/').map(|at| &path[..=at]);
        let rules = EntryRules {
            home: SetHome::Host(self.origin),
            dir: dir.filter(|_| !is_in_robots).map(str::to_owned),
            now: self.now,
            pages: KeptPages::None,
        };
        check_form(walk, file, &source, rules, &mut |listed, url| {
            sample.see(listed, url, &source.subject);
        })
    }

    /// Reports what was not requested because of a limit.
    fn report_limits(&mut self, files: &[CheckedFile]) {
        for CheckedFile { read, value, .. } in files {
            let whole = |code, message| Finding::new(code, value.subject.clone(), message);
            if let Some(note) = read.limit_note() {
                let message = format!("`{}` {note}", value.name);
                self.findings.add(whole(code::SITEMAP_LIMITS, message));
            }
            if let Some(error @ SitemapReadError::TooManyPages) = &read.error {
                let message = format!("`{}` could be read only in part: {error}", value.name);
                self.findings.add(whole(code::LIVE_UNCHECKED, message));
            }
        }
        if self.unrequested > 0 {
            let why = self
                .client
                .stop_reason()
                .unwrap_or_else(|| format!("the limit of {MAX_FILES} sitemaps is reached"));
            let message = match self.unrequested {
                1 => format!("{why}: 1 sitemap is not requested"),
                several => format!("{why}: {several} sitemaps are not requested"),
            };
            self.findings
                .add(Finding::new(code::LIVE_UNCHECKED, Subject::Site, message));
        }
    }
}

/// A file of the server whose bytes are known.
fn source<'a, R: io::Read + 'a>(
    url: &str,
    findings: &'a Findings,
    open: impl Fn() -> R + 'a,
) -> FileSource<'a> {
    let subject = Subject::Url(url.to_owned(), None);
    FileSource::new(subject, findings, move || Ok(Box::new(open())))
}

/// The outcome of a request for a sitemap.
enum FetchedFile {
    /// Its bytes.
    Body(Vec<u8>),
    /// Why there are none.
    Unread(Finding),
    /// No more requests are sent.
    NotRequested,
}

/// Requests a sitemap.
fn fetch_file(client: &PoliteClient<'_>, url: &str) -> FetchedFile {
    let subject = || Subject::Url(url.to_owned(), None);
    let unread = |code: &'static Code, what: String, hint: Option<&str>| Finding {
        hint: hint.map(str::to_owned),
        ..Finding::new(code, subject(), format!("`{url}` {what}"))
    };
    let missing = |status: u16| {
        let what = format!("responds with {status}");
        unread(code::SITEMAP_MISSING, what, Some(UNPUBLISHED))
    };
    let Ok(parsed) = Url::parse(url) else {
        return FetchedFile::Unread(missing(404));
    };
    let Trail { mut hops, end, .. } = client.follow(parsed);
    FetchedFile::Unread(match end {
        TrailEnd::Response(mut response) if response.status == 200 => {
            match response.read_body(MAX_BYTES - 1) {
                (_, Some(why)) => unanswered(url, subject(), &why, None),
                (bytes, None) if bytes.len() as u64 == MAX_BYTES => {
                    let what = format!("has {MAX_BYTES} bytes or more");
                    unread(code::SITEMAP_LIMITS, what, Some("split it"))
                }
                (bytes, None) => return FetchedFile::Body(bytes),
            }
        }
        TrailEnd::Response(response) => match response.status {
            status @ (404 | 410) => missing(status),
            status => unread(
                code::LIVE_UNCHECKED,
                format!("responds with {status}"),
                None,
            ),
        },
        TrailEnd::NotFollowed => {
            let target = hops.pop().map(|hop| hop.target).unwrap_or_default();
            let what =
                format!("redirects to `{target}`, which is on another host and not requested");
            unread(code::LIVE_UNCHECKED, what, Some("name that URL"))
        }
        TrailEnd::Endless => {
            let what = "redirects without an end".to_owned();
            unread(code::SITEMAP_INVALID, what, Some(UNPUBLISHED))
        }
        TrailEnd::NoAnswer(why) => unanswered(url, subject(), &why.to_string(), why.hint()),
        TrailEnd::Stopped => return FetchedFile::NotRequested,
    })
}
