//! Parses Netlify's `_headers` as `@netlify/headers-parser` 9 does.
//!
//! A line that starts with `/` is a path, and lines with a colon are its headers, also
//! `https://example.org/*`. The values of a header in one block are joined if its name is spelled the
//! same, in the place of the first one; the blocks add up.

use super::netlify_pattern;
use super::path_pattern::HostPathPattern;
use super::rule_origin::lines;
use super::rules::{Header, HeaderAction, HeaderName, HostRuleCollector};

/// A path and its headers so far, by their names as written.
type HeaderBlock<'t> = (HostPathPattern, Vec<(&'t str, Header)>);

/// Parses the whole file. Netlify ignores a line that is neither a path nor a header.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let mut block: Option<HeaderBlock<'_>> = None;
    for (bytes, line) in lines(text) {
        let origin = collector.numbered.at(bytes);
        if line.starts_with('/') {
            add(block.take(), collector);
            block = collector
                .accept(&origin, line, |text, _| {
                    netlify_pattern::headers(text).map(Some)
                })
                .map(|pattern| (pattern, Vec::new()));
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim(), value.trim());
        let Some((known, (_, headers))) = HeaderName::for_netlify(name)
            .filter(|_| !value.is_empty())
            .zip(block.as_mut())
        else {
            continue;
        };
        let last = headers.iter().rposition(|(other, _)| *other == name);
        let header = Header {
            name: known,
            value: value.to_owned(),
            continues: last.is_some(),
            origin,
        };
        let at = last.map_or(headers.len(), |last| last + 1);
        headers.insert(at, (name, header));
    }
    add(block, collector);
}

fn add(block: Option<HeaderBlock<'_>>, collector: &mut HostRuleCollector<'_>) {
    let Some((pattern, headers)) = block else {
        return;
    };
    for (_, header) in headers {
        collector.header(&pattern, HeaderAction::Add(header));
    }
}
