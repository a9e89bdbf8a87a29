//! Parses Cloudflare's `_redirects` as `parseRedirects` of `@cloudflare/workers-shared` 0.17 does.

use super::cloudflare_pattern::{self, has_host, is_dynamic};
use super::rule_origin::{HostRuleOrigin, lines};
use super::rules::{HostRuleCollector, Redirect};
use sitemaps::site_paths::finding::quoted;

/// Cloudflare's limits.
const MAX_LINE: usize = 2000;
const MAX_STATIC: usize = 2000;
const MAX_DYNAMIC: usize = 100;

/// The statuses that Cloudflare accepts.
const STATUSES: [u16; 6] = [200, 301, 302, 303, 307, 308];

/// The numbers of rules so far. After the first dynamic rule, every rule counts as dynamic.
#[derive(Default)]
struct RuleCounts {
    static_rules: usize,
    dynamic_rules: usize,
}

/// A rule in its normal form.
struct RedirectLine {
    from: String,
    to: String,
    status: u16,
}

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let mut counts = RuleCounts::default();
    let mut seen: std::collections::HashSet<String> = std::collections::HashSet::default();
    for (bytes, line) in lines(text) {
        if line.starts_with('#') {
            continue;
        }
        let origin = collector.numbered.at(bytes);
        let Some(from) = collector.accept(&origin, source_of(line)) else {
            continue;
        };
        match counts.add(&from) {
            Ok(()) => {}
            Err(why) if counts.dynamic_rules > MAX_DYNAMIC => {
                return collector.reject(&origin, why);
            }
            Err(why) => {
                collector.reject(&origin, why);
                continue;
            }
        }
        let Some(rule) = collector.accept(&origin, rule_of(line, from)) else {
            continue;
        };
        if !seen.insert(rule.from.clone()) {
            collector.reject(&origin, "an earlier rule has the same path");
        } else if rule.status == 200 && has_host(&rule.to) {
            collector.reject(&origin, "a rewrite (200) must have a relative destination");
        } else {
            add(rule, origin, collector);
        }
    }
}

impl RuleCounts {
    fn add(&mut self, from: &str) -> Result<(), &'static str> {
        if self.dynamic_rules == 0 && !is_dynamic(from) {
            self.static_rules += 1;
            if self.static_rules > MAX_STATIC {
                return Err("Cloudflare reads at most 2,000 static rules");
            }
        } else {
            self.dynamic_rules += 1;
            if self.dynamic_rules > MAX_DYNAMIC {
                return Err("Cloudflare reads at most 100 rules from the first with a wildcard on");
            }
        }
        Ok(())
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

fn source_of(line: &str) -> Result<String, String> {
    if line.encode_utf16().count() > MAX_LINE {
        return Err("the line has more than 2,000 characters".to_owned());
    }
    let words = words(line);
    match words.as_slice() {
        [from, _] | [from, _, _] => cloudflare_pattern::redirect_source(from),
        [_, .., last] if last.contains('=') => {
            Err("Cloudflare does not support queries or conditions".to_owned())
        }
        words => Err(format!(
            "Cloudflare expects a path, a destination and perhaps a status, not {} words",
            words.len()
        )),
    }
}

fn rule_of(line: &str, from: String) -> Result<RedirectLine, String> {
    let words = words(line);
    let to = cloudflare_pattern::redirect_target(words[1])?;
    let word = words.get(2).copied().unwrap_or("302");
    let status = STATUSES
        .into_iter()
        .find(|status| word.parse() == Ok(*status));
    let status = status.ok_or_else(|| {
        format!(
            "`{}` is not a status that Cloudflare supports (200, 301, 302, 303, 307, 308)",
            quoted(word)
        )
    })?;
    let is_index = to.ends_with("/index") || to.ends_with("/index.html");
    if !has_host(&to) && is_index && (from.ends_with("/*") || from.ends_with('/')) {
        return Err("Cloudflare ignores it: `/index` would redirect to this rule again".to_owned());
    }
    Ok(RedirectLine { from, to, status })
}

fn add(rule: RedirectLine, origin: HostRuleOrigin, collector: &mut HostRuleCollector<'_>) {
    let compiled = cloudflare_pattern::compile(&rule.from, collector.base);
    let Some(Some(pattern)) = collector.accept(&origin, compiled) else {
        return;
    };
    let redirect = Redirect {
        status: rule.status,
        target: rule.to,
        origin,
    };
    collector.forced_redirect(pattern, redirect);
}
