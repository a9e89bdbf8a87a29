//! The first days of people with a site: the archives of `tests/first-days`, whose README describes
//! them. What each of them should see was written before waypost was run.

use std::fs;
use std::path::Path;

use crate::docs::examples::PRELUDE;
use crate::site_test::{Outcome, SiteTest};
use crate::sitemap_xml::{self, Entry};
use crate::txtar::SiteArchive;

const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/first-days");

/// The host of most of these sites is a placeholder of the documentation. Without xmllint, nothing is
/// validated.
const ACCEPT: &str = "export WAYPOST_LEVELS_BASE_URL_PLACEHOLDER=allow
command -v xmllint >/dev/null || xmllint() { :; }
";

#[test]
fn first_days_end_as_people_want() {
    let entries = fs::read_dir(DIR).expect("the directory exists");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut days: Vec<_> = paths
        .filter(|path| path.extension() == Some("txtar".as_ref()))
        .collect();
    days.sort();
    assert!(days.len() > 30);
    let faults: Vec<String> = days.iter().flat_map(|day| faults_of(day)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// `commit DATE` commits all files on that day, or at that time.
const COMMIT: &str = "commit() { case $1 in *T*) at=$1;; *) at=$1T00:00:00Z;; esac
     git add -A && GIT_COMMITTER_DATE=$at git commit -qm \"${2:-$1}\"; }\n";

/// Runs the commands of a day, and returns what is not as wanted.
fn faults_of(day: &Path) -> Vec<String> {
    let text = fs::read_to_string(day).expect("it is text");
    let archive = SiteArchive::parse(&text);
    let site = SiteTest::of_files(&text);
    let mut faults = Vec::new();
    let mut lines = archive.comment.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let script = format!("{PRELUDE}{ACCEPT}{COMMIT}exec 2>&1\n{command}");
        let done = site.shell_command(&script, &[]).output();
        let outcome = Outcome::of(done.expect("the shell can be run"));
        let mut code = 0;
        while let Some(wish) = lines.next_if(|line| !line.starts_with("$ ")) {
            match wish.strip_prefix("exit ") {
                Some(wanted) => code = wanted.parse().expect("a code"),
                None if is_met(wish, &site, &archive, &outcome.stdout) => {}
                None => faults.push(format!("{wish}\n{}", outcome.stdout)),
            }
        }
        if outcome.code != code {
            faults.push(format!(
                "exit {}, not {code}\n{}",
                outcome.code, outcome.stdout
            ));
        }
    }
    let name = day.file_stem().expect("it has a name").to_string_lossy();
    faults
        .iter()
        .map(|fault| format!("{name}: {fault}"))
        .collect()
}

/// Whether a line of the wanted outcome is true.
fn is_met(wish: &str, site: &SiteTest, archive: &SiteArchive, printed: &str) -> bool {
    let (kind, rest) = wish.split_once(' ').expect("a word and its argument");
    match kind {
        "says" => printed.contains(rest),
        "quiet" => !printed.contains(rest),
        "date" => {
            let (path, date) = rest.split_once(' ').expect("a path and its date");
            let dates = dates_at(site, path);
            !dates.is_empty() && dates.iter().all(|found| found.starts_with(date))
        }
        "absent" => !site.root().join(rest).exists(),
        "nowhere" => written_sitemaps(site)
            .iter()
            .all(|name| !site.read(name).contains(rest)),
        "lists" => {
            let mut wanted: Vec<String> = rest.split(' ').map(str::to_owned).collect();
            wanted.sort();
            listed(site) == wanted
        }
        "file" => {
            let (name, state) = rest.split_once(' ').expect("a file and its state");
            let content = site.read(name);
            match state.split_once(' ') {
                Some(("has", text)) => content.contains(text),
                Some(("lacks", text)) => !content.contains(text),
                _ => archive
                    .files
                    .iter()
                    .any(|file| file.name == name && file.content == content.as_bytes()),
            }
        }
        "times" => {
            let words: Vec<&str> = rest.splitn(3, ' ').collect();
            site.read(words[0]).matches(words[2]).count().to_string() == words[1]
        }
        _ => panic!("unknown wish: {wish}"),
    }
}

/// The sitemaps that waypost wrote.
fn written_sitemaps(site: &SiteTest) -> Vec<String> {
    let files = site.files().into_iter();
    let xml = files.filter(|name| Path::new(name).extension() == Some("xml".as_ref()));
    xml.filter(|name| site.read(name).contains("<!-- waypost: "))
        .collect()
}

/// The entries of the sitemaps that waypost wrote.
fn entries(site: &SiteTest) -> Vec<Entry> {
    let sets = written_sitemaps(site).into_iter();
    let sets = sets.filter(|name| site.read(name).contains("<urlset"));
    sets.flat_map(|name| sitemap_xml::listed(&site.root().join(name)))
        .collect()
}

/// The URLs of the pages in them, sorted.
fn listed(site: &SiteTest) -> Vec<String> {
    let mut urls: Vec<String> = entries(site).into_iter().map(|entry| entry.loc).collect();
    urls.sort();
    urls
}

/// The dates of the entries with this path.
fn dates_at(site: &SiteTest, path: &str) -> Vec<String> {
    let is_at = |entry: &Entry| {
        let below = entry
            .loc
            .split_once("://")
            .and_then(|(_, rest)| rest.split_once('/'));
        below.is_some_and(|(_, below)| path.strip_prefix('/') == Some(below))
    };
    let entries = entries(site).into_iter().filter(is_at);
    entries
        .map(|entry| entry.lastmod.unwrap_or_default())
        .collect()
}
