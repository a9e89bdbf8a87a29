//! Parses `_redirects`, where each line is `from [query] to [status[!]] [conditions]`.

use super::rule_origin::lines;
use super::rules::{HostRuleCollector, Redirect, RedirectPrecedence};
use page_sources::generator::HostDialect;
use site_paths::finding::quoted;

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
        match rule_of(&words, collector.dialect) {
            Ok(Some(RedirectLine {
                from,
                to,
                status,
                winner,
            })) => {
                collector.redirect(
                    from,
                    winner,
                    Redirect {
                        status,
                        target: to.to_owned(),
                        origin,
                    },
                );
            }
            Ok(None) => {}
            Err(why) => collector.reject(&origin, &why),
        }
    }
}

/// A redirect that applies to every visitor.
struct RedirectLine<'t> {
    from: &'t str,
    to: &'t str,
    status: u16,
    winner: RedirectPrecedence,
}

/// Parses a line. Returns `None` if it applies only to some visitors (a query, country, language or
/// role).
fn rule_of<'t>(
    words: &[&'t str],
    dialect: HostDialect,
) -> Result<Option<RedirectLine<'t>>, String> {
    let (&from, rest) = words.split_first().ok_or("it is empty")?;
    let is_target = |word: &&str| word.starts_with('/') || word.contains("://");
    let Some(at) = rest.iter().position(is_target) else {
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
    if dialect == HostDialect::Cloudflare && !(query.is_empty() && rest.is_empty()) {
        return Err("Cloudflare does not support queries or conditions".to_owned());
    }
    let (status, winner) = status_of(status, dialect)?;
    let line = RedirectLine {
        from,
        to,
        status,
        winner,
    };
    Ok((query.is_empty() && rest.is_empty()).then_some(line))
}

/// The status, and whether the rule takes precedence over a page. The default status is 301 on
/// Netlify and 302 on Cloudflare.
fn status_of(
    word: Option<&str>,
    dialect: HostDialect,
) -> Result<(u16, RedirectPrecedence), String> {
    let Some(word) = word else {
        return Ok(match dialect {
            HostDialect::Netlify => (301, RedirectPrecedence::Page),
            HostDialect::Cloudflare => (302, RedirectPrecedence::Rule),
        });
    };
    let bare = word.strip_suffix('!').unwrap_or(word);
    let status = bare
        .parse()
        .ok()
        .filter(|status| (200..600).contains(status));
    let status = status.ok_or_else(|| format!("`{}` is not an HTTP status code", quoted(word)))?;
    let is_forced = word.ends_with('!') || dialect == HostDialect::Cloudflare;
    Ok((
        status,
        if is_forced {
            RedirectPrecedence::Rule
        } else {
            RedirectPrecedence::Page
        },
    ))
}
