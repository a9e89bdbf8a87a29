//! Checks for the keys of `expected`. An unknown key is an error, so no expectation is silently
//! ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use flate2::read::GzDecoder;
use regex::Regex;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ran::{Document, Ran};
use super::robots;

pub(super) type Check = Result<(), String>;

/// Checks a run against all its expectations.
pub(super) fn hold(ran: &Ran, expected: &Map<String, Value>) -> Check {
    let is_on = |key: &str| expected.get(key) == Some(&Value::Bool(true));
    let outcome = &ran.outcome;
    if is_on("error") {
        return need(outcome.code != 0, "the run succeeded");
    }
    if expected.contains_key("error_or") && outcome.code != 0 {
        return Ok(());
    }
    // A site without a listed page is refused.
    let locs = expected.get("locs").and_then(Value::as_array);
    let is_empty = locs.is_some_and(Vec::is_empty);
    let may_fail = is_on("warning") || is_on("exit_nonzero_or_warning") || is_empty;
    let ended = format!("exit code {}: {}", outcome.code, outcome.stderr);
    need(outcome.code == 0 || may_fail, ended)?;
    ran.is_valid()?;
    let is_about_robots_txt = ran.input.add_sitemap.is_some();
    if is_about_robots_txt {
        ran.runs_again_the_same()?;
    }
    expected.iter().try_for_each(|(key, value)| {
        let of_robots_txt = is_about_robots_txt.then(|| robots::hold(ran, key, value));
        let held = of_robots_txt
            .flatten()
            .unwrap_or_else(|| hold_one(ran, expected, key, value));
        held.map_err(|error| format!("{key}: {error}"))
    })
}

fn hold_one(ran: &Ran, expected: &Map<String, Value>, key: &str, value: &Value) -> Check {
    match key {
        "warning" | "exit_nonzero_or_warning" => {
            let printed = &ran.outcome.stderr;
            let said = printed.contains("warning") || printed.contains("error");
            need(said, "no warning or error in stderr")
        }
        "locs" => same_set(ran.locs(), of(value)),
        "alternates" => same(&alternates(ran), &sorted_lists(of(value))),
        "feeds" => same_set(robots::feeds(ran), of(value)),
        "lastmod" | "epoch" | "epoch_any" | "date_only" | "matches" | "matches_or_null" => {
            date(ran, expected, key, value)
        }
        "priority" => same(&ran.entry()?.priority, &Some(of(value))),
        "priority_decimal" => {
            let number = |text: String| text.parse::<f64>().expect("a number");
            let priority = ran.entry()?.priority.map(number);
            same(&priority, &Some(number(of(value))))
        }
        "changefreq" => same(&ran.entry()?.changefreq, &Some(of(value))),
        "error_or" => of::<Map<String, Value>>(value)
            .iter()
            .try_for_each(|(key, value)| hold_one(ran, expected, key, value)),
        "not_contains" => lacks(&all_bytes(&ran.urlsets), &of::<String>(value)),
        "xml_schema_valid" => need(!ran.urlsets.is_empty(), "no sitemap was written"),
        "index_schema_valid" => need(!ran.indexes.is_empty(), "no index was written"),
        // The files of every case are checked against the schemas; the other keys are read together
        // with `epoch` and `text`.
        "no_invalid_file" | "or_null" | "text_is_set" => Ok(()),
        _ => {
            let known = limits(ran, key, value).or_else(|| format(ran, expected, key, value));
            known.unwrap_or_else(|| Err("unknown key".to_owned()))
        }
    }
}

fn date(ran: &Ran, expected: &Map<String, Value>, key: &str, value: &Value) -> Check {
    let lastmod = ran.entry()?.lastmod;
    let or_null = expected.contains_key("or_null") || key == "matches_or_null";
    if lastmod.is_none() && or_null {
        return Ok(());
    }
    let text = lastmod.as_deref().unwrap_or_default();
    match key {
        "lastmod" => same(&lastmod, &of(value)),
        "epoch" => same(&lastmod.as_deref().map(instant), &of(value)),
        "epoch_any" => need(of::<Vec<i64>>(value).contains(&instant(text)), text),
        "date_only" => {
            let entries = ran.again_with("[lastmod]\nformat = \"date\"\n")?;
            same(&entries[0].lastmod, &of(value))
        }
        _ => {
            // `\d` means ASCII digits.
            let pattern = of::<String>(value).replace("\\d", "[0-9]");
            let pattern = Regex::new(&pattern).expect("a pattern");
            need(pattern.is_match(text), text)
        }
    }
}

fn limits(ran: &Ran, key: &str, value: &Value) -> Option<Check> {
    let number = || of::<usize>(value);
    let sizes = ran
        .urlsets
        .iter()
        .map(|document| document.root.children.len());
    let texts = || ran.names("sitemap", ".txt");
    let at_most = |got: Option<usize>| need(got <= Some(number()), format!("{got:?}"));
    let at_least = |got: usize| need(got >= number(), got.to_string());
    Some(match key {
        "index" => same(&!ran.indexes.is_empty(), &of(value)),
        "sitemaps" => same(&ran.urlsets.len(), &number()),
        "sitemaps_min" => at_least(ran.urlsets.len()),
        "urls" => same_set(sizes.collect(), of(value)),
        "max_urls" => at_most(sizes.max()),
        "max_bytes" => at_most(ran.urlsets.iter().map(|file| file.bytes.len()).max()),
        "total" => same(&BTreeSet::from_iter(ran.locs()).len(), &number()),
        "text_files_min" => at_least(texts().len()),
        "max_lines" => {
            let lines = |name: &String| memchr::memchr_iter(b'\n', &ran.bytes(name)).count();
            at_most(texts().iter().map(lines).max())
        }
        "index_children_min" => at_least(ran.children().len()),
        _ => return None,
    })
}

fn format(ran: &Ran, expected: &Map<String, Value>, key: &str, value: &Value) -> Option<Check> {
    let text = || of::<String>(value);
    let texts = || of::<Vec<String>>(value);
    let Some(first) = ran.urlsets.iter().chain(&ran.indexes).next() else {
        return Some(Err("nothing was written".to_owned()));
    };
    let children = ran.children();
    let listed = format!("{children:?}");
    let written = all_bytes(&ran.urlsets);
    Some(match key {
        "starts_with" => need(first.bytes.starts_with(text().as_bytes()), "another start"),
        "no_bom" => need(
            !first.bytes.starts_with(b"\xEF\xBB\xBF"),
            "a byte order mark",
        ),
        "default_namespace" => has(&first.bytes, &format!("xmlns=\"{}\"", text())),
        "xml_contains" => texts().iter().try_for_each(|part| has(&written, part)),
        "xml_not_contains" => texts().iter().try_for_each(|part| lacks(&written, part)),
        "order" => {
            let children = first.root.children[0].children.iter();
            same(
                &children.map(|child| child.name.clone()).collect(),
                &texts(),
            )
        }
        "loc_text_trimmed" => {
            let is_trimmed = ran.locs().iter().all(|loc| loc == loc.trim());
            need(is_trimmed, "surrounding whitespace")
        }
        "text" => text_file(ran, expected, &text()),
        "identical_output" => {
            (1..ran.input.runs.unwrap_or(2)).try_for_each(|_| ran.runs_again_the_same())
        }
        "gzip_mtime" | "gzip_inner_equals_xml" => gzip(ran, key, value),
        "children_same_host" | "sitemap_url_prefix" | "children_same_or_lower_dir" => {
            let prefix = value.as_str().unwrap_or(&ran.input.base);
            need(
                children.iter().all(|child| child.starts_with(prefix)),
                listed,
            )
        }
        "index_lists_no_index" => {
            let mut indexes = ran.indexes.iter().map(|index| format!("/{}", index.name));
            let is_child = |index: String| children.iter().any(|child| child.ends_with(&index));
            need(!indexes.any(is_child), listed)
        }
        _ => return None,
    })
}

fn text_file(ran: &Ran, expected: &Map<String, Value>, text: &str) -> Check {
    let written = String::from_utf8(ran.bytes("sitemap.txt")).map_err(|error| error.to_string())?;
    if expected.contains_key("text_is_set") {
        return same_set(written.split('\n').collect(), text.split('\n').collect());
    }
    same(&written.as_str(), &text)
}

fn gzip(ran: &Ran, key: &str, value: &Value) -> Check {
    let names = ran.names("sitemap", ".xml.gz");
    need(!names.is_empty(), "nothing is compressed")?;
    names.iter().try_for_each(|name| {
        let packed = ran.bytes(name);
        if key == "gzip_mtime" {
            let time = packed[4..8].try_into().expect("four bytes");
            return same(&u32::from_le_bytes(time), &of(value));
        }
        let mut unpacked = Vec::new();
        GzDecoder::new(packed.as_slice())
            .read_to_end(&mut unpacked)
            .map_err(|error| error.to_string())?;
        need(unpacked == ran.bytes(name.trim_end_matches(".gz")), name)
    })
}

/// Returns the alternates of the entries that have any, by URL.
fn alternates(ran: &Ran) -> BTreeMap<String, Vec<(String, String)>> {
    let entries = ran.entries().into_iter();
    let lists = entries.map(|entry| (entry.loc, entry.alternates));
    sorted_lists(lists.filter(|(_, list)| !list.is_empty()).collect())
}

fn sorted_lists<T: Ord>(mut lists: BTreeMap<String, Vec<T>>) -> BTreeMap<String, Vec<T>> {
    for list in lists.values_mut() {
        list.sort();
    }
    lists
}

fn all_bytes(documents: &[Document]) -> Vec<u8> {
    let bytes = documents.iter().flat_map(|document| &document.bytes);
    bytes.copied().collect()
}

/// Parses a date or time as seconds.
fn instant(text: &str) -> i64 {
    let midnight = if text.len() == 10 { "T00:00:00Z" } else { "" };
    let time = format!("{text}{midnight}").parse::<jiff::Timestamp>();
    time.expect("a date or time").as_second()
}

pub(super) fn of<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_else(|error| panic!("{value}: {error}"))
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(got: &T, wanted: &T) -> Check {
    need(got == wanted, format!("{got:?}, expected {wanted:?}"))
}

pub(super) fn same_set<T: Ord + std::fmt::Debug>(mut got: Vec<T>, mut wanted: Vec<T>) -> Check {
    got.sort();
    wanted.sort();
    same(&got, &wanted)
}

fn has(bytes: &[u8], part: &str) -> Check {
    let is_there = memchr::memmem::find(bytes, part.as_bytes()).is_some();
    need(is_there, format!("lacks `{part}`"))
}

fn lacks(bytes: &[u8], part: &str) -> Check {
    let is_there = memchr::memmem::find(bytes, part.as_bytes()).is_some();
    need(!is_there, format!("has `{part}`"))
}

pub(super) fn need(holds: bool, otherwise: impl Into<String>) -> Check {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}
