//! Checks the lines that an archive has below a command.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::day::Day;
use crate::site_test::SiteTest;
use crate::sitemap_xml::{self, Entry};
use crate::table::unescaped;

/// The base URL of paths in wishes.
const BASE: &str = "https://example.com";

/// Whether a line of the wanted outcome is true.
pub(super) fn is_met(wish: &str, day: &Day) -> bool {
    let site = &day.site;
    let (kind, rest) = wish.split_once(' ').unwrap_or((wish, ""));
    let words = || rest.split(' ').filter(|word| !word.is_empty());
    match kind {
        "says" => day.printed().contains(&unescaped(rest)),
        "quiet" => !day.printed().contains(rest),
        "prints" => day.outcome.stdout.contains(&unescaped(rest)),
        "stdout" => day.outcome.stdout.trim_end() == unescaped(rest),
        "codes" => day.outcome.codes() == words().collect::<Vec<_>>(),
        "json" => {
            let (pointer, value) = rest.split_once(' ').expect("a pointer and its value");
            let result = day.outcome.json();
            result.pointer(pointer).unwrap_or(&Value::Null) == &value_of(value)
        }
        "page" => {
            let (file, facts) = rest.split_once(' ').expect("a file and its facts");
            let page = explained(day).find(|page| page["file"] == file);
            page.is_some_and(|page| {
                let mut facts = facts.split(", ").filter_map(|fact| fact.split_once('='));
                facts.all(|(key, value)| page[key] == value_of(value))
            })
        }
        "each" => {
            let (key, values) = rest.split_once(' ').expect("a key and its values");
            let mut found: Vec<String> = explained(day)
                .map(|page| {
                    format!(
                        "{}={}",
                        page["file"].as_str().unwrap_or("-"),
                        page[key].as_str().unwrap_or("-")
                    )
                })
                .collect();
            found.sort();
            found.join(" ") == values
        }
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
            let mut wanted: Vec<String> = words().map(url_of).collect();
            wanted.sort();
            let mut urls: Vec<String> = entries(site).into_iter().map(|entry| entry.loc).collect();
            urls.sort();
            urls == wanted
        }
        "dates" => {
            let mut wanted: Vec<String> = words().map(url_of).collect();
            wanted.sort();
            let dated =
                |entry: Entry| format!("{}={}", entry.loc, entry.lastmod.as_deref().unwrap_or("-"));
            let mut found: Vec<String> = entries(site).into_iter().map(dated).collect();
            found.sort();
            found == wanted
        }
        "files" => site.files() == words().collect::<Vec<_>>(),
        "kept" => fs::read(site.root().join(rest)).ok() == day.before[rest],
        "file" => {
            let (name, state) = rest.split_once(' ').expect("a file and its state");
            match state.split_once(' ') {
                Some(("has", text)) => site.read(name).contains(&unescaped(text)),
                Some(("lacks", text)) => !site.read(name).contains(text),
                Some(("is", text)) => site.read(name) == unescaped(text),
                _ => day.archived.get(name) == Some(&site.bytes(name)),
            }
        }
        "times" => {
            let words: Vec<&str> = rest.splitn(3, ' ').collect();
            let text = match words[0] {
                "-" => day.printed(),
                file => site.read(file),
            };
            text.matches(words[2]).count().to_string() == words[1]
        }
        _ => false,
    }
}

/// A value in JSON, or a string without its quotes.
fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// A URL, or that of a path.
fn url_of(word: &str) -> String {
    if word.starts_with('/') {
        return format!("{BASE}{word}");
    }
    word.to_owned()
}

/// The pages of `explain --json`.
fn explained(day: &Day) -> impl Iterator<Item = Value> {
    let lines = day.outcome.stdout.lines();
    lines.map(|line| serde_json::from_str(line).expect("each line is a JSON object"))
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

/// The dates of the entries with this path.
fn dates_at(site: &SiteTest, path: &str) -> Vec<String> {
    let mut dates = Vec::new();
    for entry in entries(site) {
        let below = entry
            .loc
            .split_once("://")
            .and_then(|(_, rest)| rest.split_once('/'));
        if below.is_some_and(|(_, below)| path.strip_prefix('/') == Some(below)) {
            dates.push(entry.lastmod.unwrap_or_default());
        }
    }
    dates
}
