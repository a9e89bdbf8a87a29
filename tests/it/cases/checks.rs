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
use crate::sitemap_xml::Entry;

pub(super) type Check = Result<(), String>;

/// Checks a run against all its expectations.
pub(super) fn hold(ran: &Ran, expected: &Map<String, Value>) -> Check {
    let is_on = |key: &str| expected.get(key) == Some(&Value::Bool(true));
    let outcome = &ran.outcome;
    if is_on("error") {
        return need(outcome.code != 0, || {
            "the run succeeded, but an error was expected".to_owned()
        });
    }
    if expected.contains_key("error_or") && outcome.code != 0 {
        return Ok(());
    }
    // A site without a listed page is refused.
    let is_empty = expected
        .get("locs")
        .and_then(Value::as_array)
        .is_some_and(Vec::is_empty);
    let may_fail = is_on("warning") || is_on("exit_nonzero_or_warning") || is_empty;
    need(outcome.code == 0 || may_fail, || {
        format!("exit code {}: {}", outcome.code, outcome.stderr)
    })?;
    ran.is_valid()?;
    let is_about_robots_txt = ran.input.add_sitemap.is_some();
    if is_about_robots_txt {
        ran.runs_again_the_same()?;
    }
    expected.iter().try_for_each(|(key, value)| {
        let of_robots_txt = if is_about_robots_txt {
            robots::hold(ran, key, value)
        } else {
            None
        };
        let held = of_robots_txt.unwrap_or_else(|| hold_one(ran, expected, key, value));
        held.map_err(|error| format!("{key}: {error}"))
    })
}

fn hold_one(ran: &Ran, expected: &Map<String, Value>, key: &str, value: &Value) -> Check {
    match key {
        "warning" | "exit_nonzero_or_warning" => {
            let said = ["warning", "error"]
                .iter()
                .any(|word| ran.outcome.stderr.contains(word));
            need(said, || "no warning or error in stderr".to_owned())
        }
        "locs" => same_set(ran.locs(), of(value)),
        "alternates" => same(&alternates(ran), &sorted_lists(of(value))),
        "images" => same(&images(ran), &of(value)),
        "feeds" => same_set(robots::feeds(ran), of(value)),
        "image_count" => same(
            &images(ran)
                .into_iter()
                .map(|(loc, images)| (loc, images.len()))
                .collect(),
            &of::<BTreeMap<_, _>>(value),
        ),
        "lastmod" | "epoch" | "epoch_any" | "date_only" | "matches" | "matches_or_null" => {
            date(ran, expected, key, value)
        }
        "priority" => same(&ran.entry()?.priority, &Some(of(value))),
        "priority_decimal" => same(
            &number(ran.entry()?.priority.as_ref()),
            &number(Some(&of(value))),
        ),
        "changefreq" => same(&ran.entry()?.changefreq, &Some(of(value))),
        "error_or" => value
            .as_object()
            .expect("an object")
            .iter()
            .try_for_each(|(key, value)| hold_one(ran, expected, key, value)),
        "not_contains" => ran
            .urlsets
            .iter()
            .try_for_each(|document| lacks(&document.bytes, &of::<String>(value))),
        "xml_schema_valid" => need(!ran.urlsets.is_empty(), || "there is no sitemap".to_owned()),
        "index_schema_valid" => need(!ran.indexes.is_empty(), || "there is no index".to_owned()),
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
    let matches = |pattern: &str| {
        Regex::new(pattern)
            .expect("a pattern")
            .is_match(lastmod.as_deref().unwrap_or_default())
    };
    match key {
        "lastmod" => same(&lastmod, &of(value)),
        "epoch" => same(&lastmod.as_deref().map(instant), &of(value)),
        "epoch_any" => need(
            lastmod
                .as_deref()
                .is_some_and(|text| of::<Vec<i64>>(value).contains(&instant(text))),
            || format!("{lastmod:?}"),
        ),
        "date_only" => {
            let entries = ran.again_with("[lastmod]\nformat = \"date\"\n")?;
            same(
                &entries.first().and_then(|entry| entry.lastmod.clone()),
                &of(value),
            )
        }
        // `\d` means ASCII digits.
        _ => need(
            matches(&of::<String>(value).replace("\\d", "[0-9]")),
            || format!("{lastmod:?}"),
        ),
    }
}

fn limits(ran: &Ran, key: &str, value: &Value) -> Option<Check> {
    let number = || of::<usize>(value);
    let sizes = || {
        ran.urlsets
            .iter()
            .map(|document| document.root.children.len())
    };
    let texts = || ran.names("sitemap", ".txt");
    Some(match key {
        "index" => same(&!ran.indexes.is_empty(), &of(value)),
        "sitemaps" => same(&ran.urlsets.len(), &number()),
        "sitemaps_min" => at_least(ran.urlsets.len(), number()),
        "urls" => same_set(sizes().collect(), of(value)),
        "max_urls" => need(sizes().all(|size| size <= number()), || {
            format!("{:?}", sizes().collect::<Vec<_>>())
        }),
        "max_bytes" => need(
            ran.urlsets
                .iter()
                .all(|document| document.bytes.len() <= number()),
            || "too large".to_owned(),
        ),
        "total" => same(
            &ran.locs().into_iter().collect::<BTreeSet<_>>().len(),
            &number(),
        ),
        "text_files_min" => at_least(texts().len(), number()),
        "max_lines" => {
            let lines = |name: &String| memchr::memchr_iter(b'\n', &ran.bytes(name)).count();
            need(texts().iter().all(|name| lines(name) <= number()), || {
                "too many lines".to_owned()
            })
        }
        _ => return None,
    })
}

fn format(ran: &Ran, expected: &Map<String, Value>, key: &str, value: &Value) -> Option<Check> {
    let text = || of::<String>(value);
    let Some(first) = ran.urlsets.iter().chain(&ran.indexes).next() else {
        return Some(Err("nothing was written".to_owned()));
    };
    let children = ran.children();
    Some(match key {
        "starts_with" => need(first.bytes.starts_with(text().as_bytes()), || {
            "different start of the file".to_owned()
        }),
        "no_bom" => need(!first.bytes.starts_with(b"\xEF\xBB\xBF"), || {
            "a byte order mark".to_owned()
        }),
        "default_namespace" => has(&first.bytes, &format!("xmlns=\"{}\"", text())),
        "xml_contains" => of::<Vec<String>>(value)
            .iter()
            .try_for_each(|part| has(&all_bytes(&ran.urlsets), part)),
        "xml_not_contains" => of::<Vec<String>>(value)
            .iter()
            .try_for_each(|part| lacks(&all_bytes(&ran.urlsets), part)),
        "order" => {
            let names: Vec<&str> = first.root.children[0]
                .children
                .iter()
                .map(|child| child.name.as_str())
                .collect();
            same(&names.join(" "), &of::<Vec<String>>(value).join(" "))
        }
        "loc_text_trimmed" => need(ran.locs().iter().all(|loc| loc == loc.trim()), || {
            "surrounding whitespace".to_owned()
        }),
        "text" => text_file(ran, expected, &text()),
        "identical_output" => {
            (1..ran.input.runs.unwrap_or(2)).try_for_each(|_| ran.runs_again_the_same())
        }
        "gzip_mtime" | "gzip_inner_equals_xml" => gzip(ran, key, value),
        "children_same_host" | "sitemap_url_prefix" | "children_same_or_lower_dir" => {
            let prefix = value.as_str().unwrap_or(&ran.input.base);
            need(
                children.iter().all(|child| child.starts_with(prefix)),
                || format!("{children:?}"),
            )
        }
        "index_children_min" => at_least(children.len(), of(value)),
        "index_lists_no_index" => {
            let names_one = |child: &String| {
                ran.indexes
                    .iter()
                    .any(|index| child.ends_with(&format!("/{}", index.name)))
            };
            need(!children.iter().any(names_one), || format!("{children:?}"))
        }
        _ => return None,
    })
}

fn text_file(ran: &Ran, expected: &Map<String, Value>, text: &str) -> Check {
    let written = String::from_utf8(ran.bytes("sitemap.txt")).map_err(|error| error.to_string())?;
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    if expected.contains_key("text_is_set") {
        return same_set(lines(&written), lines(text));
    }
    same(&written.as_str(), &text)
}

fn gzip(ran: &Ran, key: &str, value: &Value) -> Check {
    let names = ran.names("sitemap", ".xml.gz");
    need(!names.is_empty(), || "nothing is compressed".to_owned())?;
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
        need(unpacked == ran.bytes(name.trim_end_matches(".gz")), || {
            format!("{name} has different content")
        })
    })
}

fn alternates(ran: &Ran) -> BTreeMap<String, Vec<(String, String)>> {
    sorted_lists(lists(ran, |entry| entry.alternates))
}

fn images(ran: &Ran) -> BTreeMap<String, Vec<String>> {
    lists(ran, |entry| entry.images)
}

/// Returns the non-empty lists, by URL.
fn lists<T>(ran: &Ran, list: impl Fn(Entry) -> Vec<T>) -> BTreeMap<String, Vec<T>> {
    let lists = ran
        .entries()
        .into_iter()
        .map(|entry| (entry.loc.clone(), list(entry)));
    lists.filter(|(_, list)| !list.is_empty()).collect()
}

fn sorted_lists<T: Ord>(mut lists: BTreeMap<String, Vec<T>>) -> BTreeMap<String, Vec<T>> {
    for list in lists.values_mut() {
        list.sort();
    }
    lists
}

fn all_bytes(documents: &[Document]) -> Vec<u8> {
    documents
        .iter()
        .flat_map(|document| document.bytes.iter().copied())
        .collect()
}

/// Parses a date or time as seconds.
fn instant(text: &str) -> i64 {
    let whole = if text.len() == 10 {
        format!("{text}T00:00:00Z")
    } else {
        text.to_owned()
    };
    whole
        .parse::<jiff::Timestamp>()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .as_second()
}

fn number(text: Option<&String>) -> Option<f64> {
    text.map(|text| text.parse().expect("a number"))
}

pub(super) fn of<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_else(|error| panic!("{value}: {error}"))
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(got: &T, wanted: &T) -> Check {
    need(got == wanted, || format!("{got:?}, expected {wanted:?}"))
}

pub(super) fn same_set<T: Ord + std::fmt::Debug>(mut got: Vec<T>, mut wanted: Vec<T>) -> Check {
    got.sort();
    wanted.sort();
    same(&got, &wanted)
}

fn at_least(got: usize, wanted: usize) -> Check {
    need(got >= wanted, || {
        format!("{got}, expected at least {wanted}")
    })
}

fn has(bytes: &[u8], part: &str) -> Check {
    need(
        memchr::memmem::find(bytes, part.as_bytes()).is_some(),
        || format!("lacks `{part}`"),
    )
}

fn lacks(bytes: &[u8], part: &str) -> Check {
    need(
        memchr::memmem::find(bytes, part.as_bytes()).is_none(),
        || format!("has `{part}`"),
    )
}

pub(super) fn need(holds: bool, otherwise: impl Fn() -> String) -> Check {
    if holds { Ok(()) } else { Err(otherwise()) }
}
