//! Parses Netlify's `_redirects` as `netlify-redirector` 0.5 does: each line is
//! `from [query] to [status[!]] [conditions]`.

use super::rule_origin::lines;
use super::rules::{HostRuleCollector, Redirect, RedirectPrecedence};
use sitemaps::site_paths::has_web_scheme;

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    for (bytes, line) in lines(text) {
        let words: Vec<&str> = line
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .collect();
        if words.is_empty() {
            continue;
        }
        let origin = collector.numbered.at(bytes);
        if let Some(rule) = rule_of(&words) {
            let redirect = Redirect {
                status: rule.status,
                target: rule.to.to_owned(),
                origin,
            };
            collector.netlify_redirect(rule.from, rule.winner, redirect);
        }
    }
}

/// A redirect.
struct RedirectLine<'t> {
    from: &'t str,
    to: &'t str,
    status: u16,
    winner: RedirectPrecedence,
}

/// Parses a line. One with a condition (a query, country, language or role) does not apply to
/// crawlers. Returns `None` if Netlify ignores it, or if it has no status before its condition:
/// `netlify-redirector` does not even look for loops in such a line.
fn rule_of<'t>(words: &[&'t str]) -> Option<RedirectLine<'t>> {
    let (&from, rest) = words.split_first()?;
    let at = rest.iter().position(|word| is_target(word))?;
    let (query, to, rest) = (&rest[..at], rest[at], &rest[at + 1..]);
    let (status, rest) = match rest.split_first() {
        Some((word, rest)) if !word.contains('=') => (Some(*word), rest),
        _ => (None, rest),
    };
    let is_stray = query.iter().chain(rest).any(|word| !word.contains('='));
    if is_stray || (status.is_none() && !rest.is_empty()) {
        return None;
    }
    let (status, winner) = status_of(status)?;
    let is_conditional = !query.is_empty() || !rest.is_empty();
    Some(RedirectLine {
        from,
        to,
        status,
        winner: if is_conditional {
            RedirectPrecedence::NextRule
        } else {
            winner
        },
    })
}

/// Whether a word is a destination: a path or a URL. `netlify-redirector` compares the length with
/// that of `https://` for both schemes.
fn is_target(word: &str) -> bool {
    word.starts_with('/') || (has_web_scheme(word) && word.len() > "https://".len())
}

/// The status, and whether the rule takes precedence over a page: it does with a `!`.
fn status_of(word: Option<&str>) -> Option<(u16, RedirectPrecedence)> {
    let Some(word) = word else {
        return Some((301, RedirectPrecedence::Page));
    };
    let (number, winner) = match word.split_once('!') {
        Some((number, _)) => (number, RedirectPrecedence::Rule),
        None => (word, RedirectPrecedence::Page),
    };
    Some((number.parse().ok()?, winner))
}
