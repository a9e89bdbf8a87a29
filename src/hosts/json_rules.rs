//! Parses the `headers` and `redirects` that Vercel and Firebase write as JSON.
//!
//! Only literal paths and a wildcard at the end are read. All other rules of a file are counted in
//! one finding: expressions, parameters, globs, conditions, and rules with a mistake.

use super::path_pattern::HostPathPattern;
use super::rules::{Header, HeaderAction, HeaderName, HostRuleCollector, Redirect};
use crate::files::located_values::SettingValue;
use sitemaps::site_paths::decode;

/// The beginning of every path that a rule can match: its source up to the first sign with a meaning,
/// without the first slash and without the last one, which may belong to a parameter.
fn literal_prefix(rule: &SettingValue) -> String {
    let signs = ['(', ')', ':', '{', '}', '[', '*', '+', '?', '!', '@', '\\'];
    let source = rule.text("source").unwrap_or_default();
    let literal = source.split(signs).next().unwrap_or_default();
    String::from_utf8_lossy(&decode(literal.trim_matches('/'))).into_owned()
}

/// Adds a rule that sets headers. `pattern` is `None` if its path is not read.
pub(super) fn headers(
    rule: &SettingValue,
    pattern: Option<&HostPathPattern>,
    collector: &mut HostRuleCollector<'_>,
) {
    for pair in rule.list("headers") {
        let Some(name) = pair.text("key").and_then(HeaderName::of) else {
            continue;
        };
        let place = pair.get("key").and_then(|key| key.place).or(pair.place);
        let origin = collector.numbered.at_place(place);
        let (Some(value), Some(pattern)) = (pair.text("value"), pattern) else {
            if name == HeaderName::ContentSecurityPolicy {
                continue;
            }
            return collector.pass_over(origin, literal_prefix(rule));
        };
        let header = Header {
            name,
            value: value.to_owned(),
            continues: false,
            origin,
        };
        collector.header(pattern, HeaderAction::Set(header));
    }
}

/// Adds a redirect. `pattern` is `None` if its path is not read, `status` if its status is none of a
/// redirect.
pub(super) fn redirect(
    rule: &SettingValue,
    pattern: Option<HostPathPattern>,
    status: Option<i64>,
    collector: &mut HostRuleCollector<'_>,
) {
    let place = rule.get("source").and_then(|source| source.place);
    let origin = collector.numbered.at_place(place.or(rule.place));
    let status = status
        .and_then(|status| u16::try_from(status).ok())
        .filter(|status| (300..400).contains(status));
    let target = rule.text("destination");
    let (Some(pattern), Some(status), Some(target)) = (pattern, status, target) else {
        return collector.pass_over(origin, literal_prefix(rule));
    };
    let redirect = Redirect {
        status,
        target: target.to_owned(),
        origin,
    };
    collector.forced_redirect(pattern, redirect);
}
