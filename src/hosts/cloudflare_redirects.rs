//! Parses Cloudflare's `_redirects` as `parseRedirects` of `@cloudflare/workers-shared` 0.17 does.

use std::collections::HashSet;

use super::cloudflare_pattern::{self, has_host, is_dynamic};
use super::rule_origin::{HostRuleOrigin, lines};
use super::rules::{HostRuleCollector, Redirect};

/// Cloudflare's limits.
const MAX_LINE: usize = 2000;
const MAX_STATIC: usize = 2000;
const MAX_DYNAMIC: usize = 100;

/// The statuses that Cloudflare accepts.
const STATUSES: [u16; 6] = [200, 301, 302, 303, 307, 308];

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    // After the first dynamic rule, every rule counts as dynamic.
    let (mut static_rules, mut dynamic_rules) = (0, 0);
    let mut seen = HashSet::new();
    for (bytes, line) in lines(text) {
        let words = words(line);
        let Some(from) = source_of(line, &words) else {
            continue;
        };
        if dynamic_rules == 0 && !is_dynamic(&from) {
            static_rules += 1;
        } else {
            dynamic_rules += 1;
        }
        if dynamic_rules > MAX_DYNAMIC {
            return;
        }
        // A rule beyond the limit of static ones is ignored alone.
        if dynamic_rules == 0 && static_rules > MAX_STATIC {
            continue;
        }
        let Some(redirect) = redirect_of(&words, &from, collector.numbered.at(bytes)) else {
            continue;
        };
        // A rewrite must have a relative destination.
        if seen.insert(from.clone()) && !(redirect.status == 200 && has_host(&redirect.target)) {
            let compile = cloudflare_pattern::compile;
            if let Some(pattern) = collector.accept(&redirect.origin, &from, compile) {
                collector.forced_redirect(pattern, redirect);
            }
        }
    }
}

/// The words of a line without its comment.
fn words(line: &str) -> Vec<&str> {
    let comment = line
        .char_indices()
        .zip(line.char_indices().skip(1))
        .find(|((_, before), (_, next))| before.is_whitespace() && *next == '#');
    let end = comment.map_or(line.len(), |((at, _), _)| at);
    line[..end].split_whitespace().collect()
}

/// The source of a line with a path, a destination and perhaps a status.
fn source_of(line: &str, words: &[&str]) -> Option<String> {
    let is_rule = matches!(words.len(), 2 | 3) && line.encode_utf16().count() <= MAX_LINE;
    is_rule.then(|| cloudflare_pattern::redirect_source(words[0]))?
}

/// The redirect of a line, in its normal form.
fn redirect_of(words: &[&str], from: &str, origin: HostRuleOrigin) -> Option<Redirect> {
    let target = cloudflare_pattern::redirect_target(words[1])?;
    let word = words.get(2).copied().unwrap_or("302");
    let status = STATUSES
        .into_iter()
        .find(|status| word.parse() == Ok(*status))?;
    // `/index` would redirect to the rule again.
    let is_index = target.ends_with("/index") || target.ends_with("/index.html");
    let loops = !has_host(&target) && is_index && (from.ends_with("/*") || from.ends_with('/'));
    (!loops).then_some(Redirect {
        status,
        target,
        origin,
    })
}
