//! Parses Netlify's `_headers` as `@netlify/headers-parser` 9 does.
//!
//! A line that starts with `/` is a path, and lines with a colon are its headers, also
//! `https://example.org/*`. The values of a header in one block are joined if its name is spelled the
//! same, in the place of the first one; the blocks add up.

use super::netlify_pattern;
use super::path_pattern::HostPathPattern;
use super::rule_origin::lines;
use super::rules::{Header, HeaderAction, HeaderJoin, HeaderName, HostRuleCollector};

/// The path that the current headers belong to.
enum HeaderBlock<'t> {
    /// No path yet.
    Nothing,
    /// A path and its headers so far, by their names as written.
    Pattern(Box<HostPathPattern>, Vec<(&'t str, Vec<Header>)>),
    /// A path that was rejected.
    Dropped,
}

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let mut block = HeaderBlock::Nothing;
    for (bytes, line) in lines(text) {
        if line.starts_with('#') {
            continue;
        }
        let origin = collector.numbered.at(bytes);
        if line.starts_with('/') {
            add(block, collector);
            block = match netlify_pattern::headers(line) {
                Ok(pattern) => HeaderBlock::Pattern(Box::new(pattern), Vec::new()),
                Err(why) => {
                    collector.reject(&origin, &why);
                    HeaderBlock::Dropped
                }
            };
            continue;
        }
        let (name, value) = match pair_of(line) {
            Ok(pair) => pair,
            Err(why) => {
                collector.reject(&origin, why);
                continue;
            }
        };
        match (&mut block, HeaderName::of_netlify(name)) {
            (HeaderBlock::Nothing, _) => collector.reject(&origin, "no path precedes this header"),
            (HeaderBlock::Pattern(_, headers), Some(known)) => {
                let at = headers.iter().position(|(other, _)| *other == name);
                let header = Header {
                    name: known,
                    value: value.to_owned(),
                    join: match at {
                        Some(_) => HeaderJoin::Previous,
                        None => HeaderJoin::Separate,
                    },
                    origin,
                };
                match at {
                    Some(at) => headers[at].1.push(header),
                    None => headers.push((name, vec![header])),
                }
            }
            (HeaderBlock::Pattern(..), None) | (HeaderBlock::Dropped, _) => {}
        }
    }
    add(block, collector);
}

/// Adds the headers of a block.
fn add(block: HeaderBlock<'_>, collector: &mut HostRuleCollector<'_>) {
    if let HeaderBlock::Pattern(pattern, headers) = block {
        for header in headers.into_iter().flat_map(|(_, values)| values) {
            collector.header(&pattern, HeaderAction::Add(header));
        }
    }
}

fn pair_of(line: &str) -> Result<(&str, &str), &'static str> {
    let (name, value) = line
        .split_once(':')
        .ok_or("it is neither a path nor a header (`Name: value`)")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err("the header has no name");
    }
    if value.is_empty() {
        return Err("the header has no value");
    }
    Ok((name, value))
}
