//! Parses Netlify's `_redirects` as `netlify-redirector` 0.5 does: each line is
//! `from [query] to [status[!]] [conditions]`.

use super::rule_origin::lines;
use super::rules::{HostRuleCollector, Redirect, RedirectPrecedence};
use sitemaps::site_paths::finding::quoted;
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
        let Some(Some(rule)) = collector.accept(&origin, rule_of(&words)) else {
            continue;
        };
        collector.netlify_redirect(
            rule.from,
            rule.winner,
            Redirect {
                status: rule.status,
                target: rule.to.to_owned(),
                origin,
            },
        );
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
/// crawlers. Returns `None` if it has no status before its condition: `netlify-redirector` does not
/// even look for loops in such a line.
fn rule_of<'t>(words: &[&'t str]) -> Result<Option<RedirectLine<'t>>, String> {
    let (&from, rest) = words.split_first().ok_or("it is empty")?;
    let Some(at) = rest.iter().position(|word| is_target(word)) else {
        return Err("it has no destination that starts with `/` or `https://`".to_owned());
    };
    let (query, to, rest) = (&rest[..at], rest[at], &rest[at + 1..]);
    let (status, rest) = match rest.split_first() {
        Some((word, rest)) if !word.contains('=') => (Some(*word), rest),
        _ => (None, rest),
    };
    if let Some(stray) = query.iter().chain(rest).find(|word| !word.contains('=')) {
        return Err(format!(
            "`{}` is neither a status nor a condition",
            quoted(stray)
        ));
    }
    if status.is_none() && !rest.is_empty() {
        return Ok(None);
    }
    let (status, winner) = status_of(status)?;
    let is_conditional = !query.is_empty() || !rest.is_empty();
    Ok(Some(RedirectLine {
        from,
        to,
        status,
        winner: if is_conditional {
            RedirectPrecedence::NextRule
        } else {
            winner
        },
    }))
}

/// Whether a word is a destination: a path or a URL. `netlify-redirector` compares the length with
/// that of `https://` for both schemes.
fn is_target(word: &str) -> bool {
    word.starts_with('/') || (has_web_scheme(word) && word.len() > "https://".len())
}

/// The status, and whether the rule takes precedence over a page: it does with a `!`.
fn status_of(word: Option<&str>) -> Result<(u16, RedirectPrecedence), String> {
    let Some(word) = word else {
        return Ok((301, RedirectPrecedence::Page));
    };
    let (number, winner) = match word.split_once('!') {
        Some((number, _)) => (number, RedirectPrecedence::Rule),
        None => (word, RedirectPrecedence::Page),
    };
    let status = number
        .parse()
        .map_err(|_| format!("`{}` is not an HTTP status code", quoted(word)))?;
    Ok((status, winner))
}
