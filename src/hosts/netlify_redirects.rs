//! Parses Netlify's `_redirects` as `netlify-redirector` 0.5 does: each line is
//! `from [query] to [status[!]] [conditions]`.

use super::rule_origin::{HostRuleOrigin, lines};
use super::rules::{HostRuleCollector, Redirect, RedirectPrecedence};
use sitemaps::site_paths::has_web_scheme;

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    for (bytes, line) in lines(text) {
        let words: Vec<&str> = line
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .collect();
        let origin = collector.numbered.at(bytes);
        if let Some((from, winner, redirect)) = rule_of(&words, origin) {
            collector.netlify_redirect(from, winner, redirect);
        }
    }
}

/// Parses a line: its path, what takes precedence, and its redirect. One with a condition (a query,
/// country, language or role) does not apply to crawlers. Returns `None` if Netlify ignores it, or if
/// it has no status before its condition: `netlify-redirector` does not even look for loops in such a
/// line.
fn rule_of<'t>(
    words: &[&'t str],
    origin: HostRuleOrigin,
) -> Option<(&'t str, RedirectPrecedence, Redirect)> {
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
    let status = status.unwrap_or("301");
    let (number, winner) = match status.split_once('!') {
        Some((number, _)) => (number, RedirectPrecedence::Rule),
        None => (status, RedirectPrecedence::Page),
    };
    let is_for_all = query.is_empty() && rest.is_empty();
    let redirect = Redirect {
        status: number.parse().ok()?,
        target: to.to_owned(),
        origin,
    };
    let winner = if is_for_all {
        winner
    } else {
        RedirectPrecedence::NextRule
    };
    Some((from, winner, redirect))
}

/// Whether a word is a destination: a path or a URL. `netlify-redirector` compares the length with
/// that of `https://` for both schemes.
fn is_target(word: &str) -> bool {
    word.starts_with('/') || (has_web_scheme(word) && word.len() > "https://".len())
}
