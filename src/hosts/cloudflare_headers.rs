//! Parses Cloudflare's `_headers` as `parseHeaders` of `@cloudflare/workers-shared` 0.17 does.
//!
//! All values of a header are joined, also those of several blocks. A later block replaces an
//! earlier block of the same path, in its place.

use super::cloudflare_pattern;
use super::rule_origin::{HostRuleOrigin, lines};
use super::rules::{Header, HeaderAction, HeaderName, HostRuleCollector};

/// Cloudflare's limits: bytes of a line, and blocks of a file.
const MAX_LINE: usize = 2000;
const MAX_BLOCKS: usize = 100;

struct PathHeaders {
    source: String,
    origin: HostRuleOrigin,
    actions: Vec<HeaderAction>,
    /// Whether it has any line with a header; Cloudflare drops a path without one.
    has_lines: bool,
}

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let mut blocks: Vec<PathHeaders> = Vec::new();
    let mut block = None;
    let mut count = 0;
    for (bytes, line) in lines(text) {
        let origin = collector.numbered.at(bytes);
        if line.encode_utf16().count() > MAX_LINE {
            continue;
        }
        if !is_path(line) {
            add_line(line, origin, block.as_mut());
            continue;
        }
        if count >= MAX_BLOCKS {
            break;
        }
        count += finish(block.take(), &mut blocks);
        block = cloudflare_pattern::headers_source(line).map(|source| PathHeaders {
            source,
            origin,
            actions: Vec::new(),
            has_lines: false,
        });
    }
    finish(block, &mut blocks);
    for block in blocks {
        apply(block, collector);
    }
}

/// Whether a line is a path: it starts with `/`, or with a scheme and `://`.
fn is_path(line: &str) -> bool {
    let has_scheme = line
        .find("://")
        .is_some_and(|at| at > 0 && !line[..at].contains(char::is_whitespace));
    line.starts_with('/') || has_scheme
}

/// Adds a line to its block, unless Cloudflare ignores it.
fn add_line(line: &str, origin: HostRuleOrigin, block: Option<&mut PathHeaders>) {
    let Some(block) = block else {
        return;
    };
    let Some((name, value)) = line.split_once(':') else {
        if let Some(name) = line.strip_prefix("! ") {
            block.has_lines = true;
            let removed = HeaderName::of(name).map(HeaderAction::Remove);
            block.actions.extend(removed);
        }
        return;
    };
    let (name, value) = (name.trim(), value.trim());
    if name.contains(' ') || name.is_empty() || value.is_empty() {
        return;
    }
    block.has_lines = true;
    let added = HeaderName::of(name).map(|name| {
        HeaderAction::Add(Header {
            name,
            value: value.to_owned(),
            continues: true,
            origin,
        })
    });
    block.actions.extend(added);
}

/// Adds a block if it has headers, and returns the number of blocks added to Cloudflare's count.
fn finish(block: Option<PathHeaders>, blocks: &mut Vec<PathHeaders>) -> usize {
    let Some(block) = block.filter(|block| block.has_lines) else {
        return 0;
    };
    match blocks
        .iter_mut()
        .find(|earlier| earlier.source == block.source)
    {
        Some(earlier) => *earlier = block,
        None => blocks.push(block),
    }
    1
}

/// Cloudflare removes headers before it adds any.
fn apply(mut block: PathHeaders, collector: &mut HostRuleCollector<'_>) {
    let (origin, source) = (&block.origin, &block.source);
    let Some(pattern) = collector.accept(origin, source, cloudflare_pattern::compile) else {
        return;
    };
    block
        .actions
        .sort_by_key(|action| matches!(action, HeaderAction::Add(_)));
    for action in block.actions {
        collector.header(&pattern, action);
    }
}
