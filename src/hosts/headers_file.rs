//! Parses `_headers`, where each path is followed by lines with its headers.

use super::path_pattern::HostPathPattern;
use super::rule_origin::lines;
use super::rules::{Header, HeaderAction, HeaderName, HostRuleCollector};

/// The path that the current headers belong to.
enum HeaderBlock {
    /// No path yet.
    Nothing,
    /// A path of this site.
    Pattern(HostPathPattern),
    /// A path of another host, or one that was rejected.
    Dropped,
}

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let mut above = HeaderBlock::Nothing;
    for (bytes, line) in lines(text) {
        if line.starts_with('#') {
            continue;
        }
        let origin = collector.numbered.at(bytes);
        if line.starts_with('/') || line.starts_with("https://") || line.starts_with("http://") {
            above = collector
                .pattern(line, &origin)
                .map_or(HeaderBlock::Dropped, HeaderBlock::Pattern);
            continue;
        }
        let action = match action_of(line) {
            Ok(action) => action,
            Err(why) => {
                collector.reject(&origin, why);
                continue;
            }
        };
        match (&above, action) {
            (HeaderBlock::Nothing, _) => collector.reject(&origin, "no path precedes this header"),
            (HeaderBlock::Pattern(pattern), Action::Add(name, value)) => {
                let header = Header {
                    name,
                    value: value.to_owned(),
                    origin,
                };
                collector.header(pattern, HeaderAction::Add(header));
            }
            (HeaderBlock::Pattern(pattern), Action::Remove(name)) => {
                collector.header(pattern, HeaderAction::Remove(name));
            }
            (_, Action::Unrelated) | (HeaderBlock::Dropped, _) => {}
        }
    }
}

enum Action<'t> {
    Add(HeaderName, &'t str),
    Remove(HeaderName),
    /// A header that does not affect a sitemap.
    Unrelated,
}

fn action_of(line: &str) -> Result<Action<'_>, &'static str> {
    if let Some(name) = line.strip_prefix('!') {
        return Ok(HeaderName::of(name.trim()).map_or(Action::Unrelated, Action::Remove));
    }
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
    Ok(HeaderName::of(name).map_or(Action::Unrelated, |name| Action::Add(name, value)))
}
