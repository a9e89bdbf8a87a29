//! Checks the sitemaps that a server publishes, without a site or settings: their form, their URLs and
//! their dates.
//!
//! All requests go to one host, through a client that limits them. The set is read by the one reader
//! of sets, as on disk.

mod entry_places;
mod file_response;
mod roots;
mod texts;

pub use roots::PublishedTarget;
pub use texts::PublishedTexts;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

use thiserror::Error;

use super::file_form::{FileSource, check_form};
use super::live::{FetchedBody, LiveRobots, PageSample};
use super::tally::FindingTally;
use crate::submit::{FetchError, PoliteClient};
use site_paths::Hint;
use site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::set::{
    ChildProblem, FileRead, SetFile, SetPlace, SetProblem, SetWalk, SitemapFileKind, Tolerances,
    WalkedFile,
};
use sitemaps::{EntryExtent, Now};

use entry_places::EntryPlaces;
use file_response::FileResponse;
use roots::PublishedRoots;

/// Maximum number of sitemaps that are requested.
const MAX_FILES: usize = 1_000;

/// The sitemaps of a server, with their findings.
#[derive(Debug)]
pub struct PublishedSet {
    /// The files that were requested, roots first.
    pub files: Vec<PublishedFile>,
    /// URLs of sitemaps on other hosts, which are not requested.
    pub absent: Vec<String>,
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
    /// The texts that the places of findings refer to.
    pub texts: PublishedTexts,
    /// The robots.txt of the host.
    pub robots: LiveRobots,
}

/// A file of a published set.
#[derive(Debug)]
pub struct PublishedFile {
    /// Its URL.
    pub url: String,
    /// Its kind by its content.
    pub kind: SitemapFileKind,
    /// The number of entries.
    pub entries: usize,
}

/// Reason that nothing can be checked.
#[derive(Debug, Error)]
pub enum PublishedError {
    /// robots.txt, or the sitemap that the user names, is not answered.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The set is too large.
    #[error(transparent)]
    Set(#[from] SetProblem),
}

impl Hint for PublishedError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Fetch(error) => error.hint(),
            Self::Set(_) => Some("name one of its sitemaps".into()),
        }
    }
}

/// Checks what a server publishes. Each listed page is passed to `sample`.
pub fn check_published(
    client: &PoliteClient<'_>,
    target: &PublishedTarget,
    now: Now,
    sample: &mut PageSample,
) -> Result<PublishedSet, PublishedError> {
    let robots = LiveRobots::fetch(client, target.url())?;
    let start = PublishedRoots::of(target, &robots);
    let mut texts = PublishedTexts::default();
    texts.keep(&robots.url, &robots.bytes);
    let mut case = PublishedCheck {
        client,
        target,
        roots: &start,
        now,
        texts,
        sample,
        tally: robots.deviations().into_iter().collect(),
        requested: 0,
        unread: 0,
        has_guess: true,
    };
    let places = start.urls.iter().cloned().map(SetPlace::Url);
    let walk = SetWalk::new(Tolerances::of_url());
    let mut read = |walk: &SetWalk<'_>, file: &SetFile| {
        let read = case.read(walk, file)?;
        Ok::<_, PublishedError>(((), read))
    };
    let walked = walk.in_order(places, &mut read)?;
    case.report_children(&walked);
    case.report_limits();
    let is_found = |walked: &&WalkedFile<()>| {
        case.has_guess || Some(walked.file.place.to_string()) != start.guess
    };
    let files: Vec<PublishedFile> = walked.iter().filter(is_found).map(published_file).collect();
    if files.is_empty() {
        case.tally.add(PublishedRoots::nothing_found(target));
    }
    let mut absent = start.elsewhere.clone();
    absent.extend(
        walked
            .iter()
            .flat_map(|walked| children_elsewhere(&walked.read)),
    );
    Ok(PublishedSet {
        files,
        absent,
        findings: case.tally.into_findings(),
        texts: case.texts,
        robots,
    })
}

fn published_file(walked: &WalkedFile<()>) -> PublishedFile {
    PublishedFile {
        url: walked.file.place.to_string(),
        kind: walked.read.kind,
        entries: walked.read.entries,
    }
}

fn children_elsewhere(read: &FileRead) -> impl Iterator<Item = String> + '_ {
    let elsewhere = read.children.iter().filter(|child| child.file.is_err());
    elsewhere.map(|child| child.loc.clone())
}

/// A check while the set is read.
struct PublishedCheck<'a> {
    client: &'a PoliteClient<'a>,
    target: &'a PublishedTarget,
    roots: &'a PublishedRoots,
    now: Now,
    texts: PublishedTexts,
    sample: &'a mut PageSample,
    tally: FindingTally,
    /// The number of files that were requested.
    requested: usize,
    /// The number of files over the limit.
    unread: usize,
    /// Whether the sitemap that nothing names exists.
    has_guess: bool,
}

impl PublishedCheck<'_> {
    fn read(&mut self, walk: &SetWalk<'_>, file: &SetFile) -> Result<FileRead, PublishedError> {
        if self.requested == MAX_FILES {
            self.unread += 1;
            return skip(walk, file);
        }
        self.requested += 1;
        let url = file.place.to_string();
        match FileResponse::to(self.client, &url) {
            FileResponse::Body(body) => self.check(walk, file, &url, &body),
            FileResponse::Status(_) if self.roots.guess.as_ref() == Some(&url) => {
                self.has_guess = false;
                skip(walk, file)
            }
            FileResponse::NoAnswer(why) if self.target.url().as_str() == url => {
                Err(FetchError::NoAnswer { url, why }.into())
            }
            other => {
                self.tally
                    .absorb(other.finding(self.roots, file).into_iter().collect());
                skip(walk, file)
            }
        }
    }

    fn check(
        &mut self,
        walk: &SetWalk<'_>,
        file: &SetFile,
        url: &str,
        body: &FetchedBody,
    ) -> Result<FileRead, PublishedError> {
        self.texts.keep(url, &body.bytes);
        let subject = |place| Subject::Url(url.to_owned(), place);
        let source = FileSource {
            name: url,
            subject: &subject,
            open: &|| Ok(Box::new(body.open())),
        };
        let named = [Some(&file.place), file.parent.as_ref()]
            .into_iter()
            .flatten();
        let is_in_robots = named
            .map(ToString::to_string)
            .any(|name| self.roots.in_robots.contains(&name));
        let mut places = EntryPlaces::new(self.target.url(), url, is_in_robots);
        let sample = &mut *self.sample;
        let (tally, read) = check_form(walk, file, &source, self.now, &mut |listed| {
            places.see(listed);
            sample.see(&listed.loc, || subject(Some(listed.place)));
        })?;
        self.tally.absorb(tally);
        self.tally.absorb(places.tally);
        Ok(read)
    }

    /// Reports the children of indexes that are indexes themselves, or on another host.
    fn report_children(&mut self, walked: &[WalkedFile<()>]) {
        let is_index = |walked: &&WalkedFile<()>| walked.read.kind == SitemapFileKind::Index;
        let indexes: BTreeSet<&SetPlace> = walked
            .iter()
            .filter(is_index)
            .map(|walked| &walked.file.place)
            .collect();
        for index in walked.iter().filter(is_index) {
            for child in &index.read.children {
                let (name, named) = (&index.file.place, quoted(&child.loc));
                let subject = || Subject::Url(name.to_string(), Some(child.place));
                match &child.file {
                    Ok(place) if indexes.contains(place) => {
                        let message = || {
                            format!("the index `{name}` names `{named}`, which is an index itself")
                        };
                        let hint = "name the sitemaps of that index instead";
                        self.tally
                            .report(code::SITEMAP_MISSING, subject(), message, hint);
                    }
                    Err(ChildProblem::OtherHost) => {
                        let message = || {
                            format!("the index `{name}` names `{named}`, which is on another host")
                        };
                        let hint = "use one host for all sitemaps";
                        self.tally
                            .report(code::SITEMAP_ELSEWHERE, subject(), message, hint);
                    }
                    Ok(_) | Err(_) => {}
                }
            }
            if let Some(note) = index.read.limit_note() {
                let place = &index.file.place;
                let subject = Subject::Url(place.to_string(), None);
                let message = format!("`{place}` {note}");
                self.tally
                    .add(Finding::new(code::SITEMAP_LIMITS, subject, message));
            }
        }
    }

    /// Reports what was not requested because of a limit.
    fn report_limits(&mut self) {
        if self.unread > 0 {
            let message = format!(
                "{} sitemaps over the limit of {MAX_FILES} are not requested",
                self.unread
            );
            let finding = Finding::new(code::LIVE_UNCHECKED, Subject::Site, message);
            self.tally
                .add(finding.with_hint("name one of the indexes or sitemaps"));
        }
        if let Some(why) = self.client.stop_reason() {
            let message = format!("{why}: the set is read only in part");
            self.tally
                .add(Finding::new(code::LIVE_UNCHECKED, Subject::Site, message));
        }
    }
}

/// The result for a file that is not read.
fn skip(walk: &SetWalk<'_>, file: &SetFile) -> Result<FileRead, PublishedError> {
    let nothing: io::Result<io::Empty> = Err(io::Error::other("it is not read"));
    Ok(walk.read(file, nothing, EntryExtent::Urls, &mut |_, _| ())?)
}
