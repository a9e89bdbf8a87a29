//! Checks the sitemaps that a server publishes, without a site or settings: their form, their URLs and
//! their dates.
//!
//! All requests go to one host, through a client that limits them. The set is read by the one reader
//! of sets, as on disk.

mod file_response;
mod roots;

pub use roots::PublishedTarget;

use std::io;

use super::checked_set::{CheckedSet, checked_files};
use super::entry_facts::{EntryFacts, EntryRules, KeptPages, SetHome};
use super::file_form::check_form;
use super::file_source::FileSource;
use super::live::{LiveRobots, not_answered};
use super::published_texts::PublishedTexts;
use super::set_facts::check_set;
use crate::inventory::FindingTally;
use crate::submit::{PoliteClient, Trail, TrailEnd};
use sitemaps::set::{ChildRule, FileRead, SetFile, SetPlace, SetWalk, Strictness, WalkedFile};
use sitemaps::site_paths::HintedError;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::{EntryExtent, ListedEntry, Now};

use file_response::fetch_file;
use roots::PublishedRoots;

/// Maximum number of sitemaps that are requested.
const MAX_FILES: usize = 1_000;

/// A site or sitemap on the host that answers for it.
#[derive(Debug)]
pub struct PublishedSite {
    target: PublishedTarget,
    /// The robots.txt of the host.
    pub robots: LiveRobots,
}

impl PublishedSite {
    /// Finds the host to which the named URL redirects: with `https`, with or without `www.`. Its
    /// robots.txt may not redirect, or redirect alone.
    pub fn find(client: &PoliteClient<'_>, target: &PublishedTarget) -> Result<Self, HintedError> {
        let Trail { url, end, .. } = client.follow(target.url().clone());
        if let TrailEnd::NoAnswer(why) = end {
            return Err(not_answered(target.url(), &why));
        }
        let target = target.moved_to(&url);
        let robots = LiveRobots::fetch(client, target.url())?;
        let target = target.moved_to(&robots.url);
        Ok(Self { target, robots })
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        self.target.origin()
    }
}

/// Checks what a server publishes. Each listed page is passed to `visit` with its place.
pub fn check_published(
    client: &PoliteClient<'_>,
    site: &PublishedSite,
    now: Now,
    visit: &mut dyn FnMut(&ListedEntry, &dyn Fn() -> Subject),
) -> Result<CheckedSet, HintedError> {
    let PublishedSite { target, robots } = site;
    let start = PublishedRoots::of(target, robots);
    let mut texts = PublishedTexts::default();
    texts.keep(robots.url.as_str(), &robots.bytes);
    let mut case = PublishedCheck {
        client,
        origin: &site.origin(),
        roots: &start,
        now,
        texts,
        tally: robots.deviations().into_iter().collect(),
        requested: 0,
        unrequested: 0,
        has_guess: true,
    };
    let places = start.urls.iter().cloned().map(SetPlace::Url);
    let walk = SetWalk::new(ChildRule::OnHostOfIndex, Strictness::Lenient);
    let mut walked = walk.in_order(places, |walk, file| case.read(walk, file, visit))?;
    walked.retain(|walked| case.has_guess || Some(walked.file.place.to_string()) != start.guess);
    let texts = &case.texts;
    let source_of = |file: &SetFile| {
        let url = file.place.to_string();
        source(url.clone(), move || {
            texts.of(&url).unwrap_or_default().as_bytes()
        })
    };
    let of_set = check_set(&mut walked, &source_of, None);
    case.tally.absorb(of_set);
    case.report_limits(&walked);
    if walked.is_empty() && start.elsewhere.is_empty() {
        case.tally.add(PublishedRoots::nothing_found(target));
    }
    if let Some(url) = start.elsewhere.first().filter(|_| walked.is_empty()) {
        let message = format!("`{url}` is on another host, which is not requested");
        let subject = Subject::Url(robots.url.to_string(), None);
        let finding = Finding::new(code::LIVE_UNCHECKED, subject, message);
        case.tally.add(finding.with_hint("name that URL"));
    }
    let mut absent = start.elsewhere.clone();
    absent.extend(
        walked
            .iter()
            .flat_map(|walked| children_elsewhere(&walked.read)),
    );
    let files = checked_files(walked, |file| {
        let url = file.place.to_string();
        (url.clone(), Subject::Url(url, None))
    });
    Ok(CheckedSet {
        files,
        absent,
        findings: case.tally.into_findings(),
        texts: case.texts,
    })
}

fn children_elsewhere(read: &FileRead) -> impl Iterator<Item = String> + '_ {
    let elsewhere = read.children.iter().filter(|child| child.file.is_err());
    elsewhere.map(|child| child.loc.clone())
}

/// A check while the set is read.
struct PublishedCheck<'a> {
    client: &'a PoliteClient<'a>,
    /// Scheme, host and port of the published site.
    origin: &'a str,
    roots: &'a PublishedRoots,
    now: Now,
    texts: PublishedTexts,
    tally: FindingTally,
    /// The number of files that were requested.
    requested: usize,
    /// The number of those beyond a limit.
    unrequested: usize,
    /// Whether the sitemap that nothing names exists.
    has_guess: bool,
}

/// Receives a listed page and its place.
type VisitPage<'v> = dyn FnMut(&ListedEntry, &dyn Fn() -> Subject) + 'v;

impl PublishedCheck<'_> {
    fn read(
        &mut self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        visit: &mut VisitPage<'_>,
    ) -> Result<(EntryFacts, FileRead), HintedError> {
        let url = file.place.to_string();
        if self.requested == MAX_FILES {
            self.unrequested += 1;
            return skip(walk, file);
        }
        self.requested += 1;
        match fetch_file(self.client, &url) {
            Ok(body) => return self.check(walk, file, &url, &body, visit),
            Err(None) => self.unrequested += 1,
            Err(Some(unread))
                if unread.code == code::SITEMAP_MISSING
                    && self.roots.guess.as_ref() == Some(&url) =>
            {
                self.has_guess = false;
            }
            Err(Some(unread)) => self.tally.add(unread),
        }
        skip(walk, file)
    }

    fn check(
        &mut self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        url: &str,
        body: &[u8],
        visit: &mut VisitPage<'_>,
    ) -> Result<(EntryFacts, FileRead), HintedError> {
        self.texts.keep(url, body);
        let source = source(url.to_owned(), || body);
        let named = [Some(&file.place), file.parent.as_ref()]
            .into_iter()
            .flatten();
        let is_in_robots = named
            .map(ToString::to_string)
            .any(|name| self.roots.in_robots.contains(&name));
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let dir = path.rfind('/').map(|at| &path[..=at]);
        let rules = EntryRules {
            home: SetHome::Host(self.origin),
            dir: dir.filter(|_| !is_in_robots).map(str::to_owned),
            now: self.now,
            pages: KeptPages::None,
        };
        let mut visit = |listed: &ListedEntry, _: Option<&_>| {
            visit(listed, &|| source.subject(Some(listed.place)));
        };
        check_form(walk, file, &source, rules, &mut visit)
    }

    /// Reports what was not requested because of a limit.
    fn report_limits(&mut self, walked: &[WalkedFile<EntryFacts>]) {
        for WalkedFile { file, read, .. } in walked {
            if let Some(note) = read.limit_note() {
                let subject = Subject::Url(file.place.to_string(), None);
                let message = format!("`{}` {note}", file.place);
                self.tally
                    .add(Finding::new(code::SITEMAP_LIMITS, subject, message));
            }
        }
        if self.unrequested > 0 {
            let limit = || format!("the limit of {MAX_FILES} sitemaps is reached");
            let why = self.client.stop_reason().unwrap_or_else(limit);
            let message = match self.unrequested {
                1 => format!("{why}: 1 sitemap is not requested"),
                several => format!("{why}: {several} sitemaps are not requested"),
            };
            self.tally
                .add(Finding::new(code::LIVE_UNCHECKED, Subject::Site, message));
        }
    }
}

/// A file of the server whose bytes are known.
fn source<'a, R: io::Read + 'a>(url: String, open: impl Fn() -> R + 'a) -> FileSource<'a> {
    FileSource::new(
        url.clone(),
        move |place| Subject::Url(url.clone(), place),
        move || Ok(Box::new(open())),
    )
}

/// The result for a file that is not read.
fn skip(walk: &SetWalk<'_>, file: &SetFile) -> Result<(EntryFacts, FileRead), HintedError> {
    let nothing: io::Result<io::Empty> = Err(io::Error::other("it is not read"));
    let read = walk.read(file, nothing, EntryExtent::All, &mut |_, _| ())?;
    Ok((EntryFacts::default(), read))
}
