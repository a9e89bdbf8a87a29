//! Parses the `headers` and `redirects` of `vercel.json`.
//!
//! Vercel applies redirects before it looks for files, so they always take precedence
//! (vercel.com/docs/project-configuration). Rewrites apply after files and do not replace a page.
//! If several rules set the same header, the last one applies (`combinedHeaders` in vercel/vercel,
//! packages/cli/src/util/dev/router.ts). Of `cleanUrls` and `trailingSlash`, only the redirect
//! that `trailingSlash: true` adds is respected here.

use super::rules::{
    Header, HeaderAction, HeaderJoin, HeaderName, HostRuleCollector, Redirect, RuleHost,
};
use super::source_pattern;
use super::source_regex::SourceRegex;
use located_values::{SettingData, SettingValue, Syntax};

/// Maximum number of rules; Vercel rejects projects with more.
const MOST_RULES: usize = 2048;

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let root = match Syntax::Json.parse(text) {
        Ok(root) => root,
        Err(error) => {
            let origin = collector.numbered.at_place(error.place);
            return collector.reject(&origin, &error.message);
        }
    };
    if let Some(routes) = root.get("routes") {
        let origin = collector.numbered.at_place(routes.place);
        collector.reject(
            &origin,
            "`routes` is not supported, only `headers` and `redirects`",
        );
    }
    for rule in rules_of(&root, "headers", collector) {
        headers(rule, collector);
    }
    let host = match root.get("trailingSlash").map(|value| &value.data) {
        Some(SettingData::Flag(true)) => RuleHost::SlashedVercel,
        _ => RuleHost::Vercel,
    };
    for rule in rules_of(&root, "redirects", collector) {
        redirect(rule, host, collector);
    }
}

/// The rules under a key that Vercel accepts.
fn rules_of<'v>(
    root: &'v SettingValue,
    key: &str,
    collector: &mut HostRuleCollector<'_>,
) -> &'v [SettingValue] {
    let rules = root.get(key).map(SettingValue::items).unwrap_or_default();
    if let Some(first) = rules.get(MOST_RULES) {
        let origin = collector.numbered.at_place(first.place);
        collector.reject(&origin, "Vercel allows at most 2,048 rules");
    }
    &rules[..rules.len().min(MOST_RULES)]
}

fn headers(rule: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let Some(source) = source_of(rule, collector) else {
        return;
    };
    let mut pattern = None;
    for pair in rule
        .get("headers")
        .map(SettingValue::items)
        .unwrap_or_default()
    {
        let text = |key: &str| pair.get(key).and_then(SettingValue::as_text);
        let Some(name) = text("key").and_then(HeaderName::of) else {
            continue;
        };
        let origin = collector
            .numbered
            .at_place(pair.get("key").and_then(|key| key.place).or(pair.place));
        let Some(value) = text("value") else {
            collector.reject(&origin, "the header has no value");
            continue;
        };
        if pattern.is_none() {
            pattern = collector.accept(&origin, source_pattern::read(source));
        }
        let Some(pattern) = &pattern else { return };
        collector.header(
            pattern,
            HeaderAction::Set(Header {
                name,
                value: value.to_owned(),
                join: HeaderJoin::Separate,
                origin,
            }),
        );
    }
}

fn redirect(rule: &SettingValue, host: RuleHost, collector: &mut HostRuleCollector<'_>) {
    let Some(source) = source_of(rule, collector) else {
        return;
    };
    let origin = collector.numbered.at_place(
        rule.get("source")
            .and_then(|source| source.place)
            .or(rule.place),
    );
    let Some(target) = rule.get("destination").and_then(SettingValue::as_text) else {
        return collector.reject(&origin, "the redirect has no `destination`");
    };
    // `convertRedirects` of `@vercel/routing-utils`: `permanent` precedes `statusCode`, and the
    // default is 308.
    let status = match (
        rule.get("permanent").map(|value| &value.data),
        rule.get("statusCode").map(|value| &value.data),
    ) {
        (Some(SettingData::Flag(true)), _) => Some(308),
        (Some(SettingData::Flag(false)), _) => Some(307),
        (_, Some(SettingData::Whole(status))) => u16::try_from(*status).ok(),
        _ => Some(308),
    };
    let Some(status) = status.filter(|status| (300..400).contains(status)) else {
        return collector.reject(&origin, "`statusCode` is not a redirect status");
    };
    let Some(pattern) = collector.accept(&origin, source_pattern::read(source)) else {
        return;
    };
    let redirect = Redirect {
        status,
        target: target.to_owned(),
        origin,
        host,
    };
    collector.forced_redirect(pattern, redirect);
}

/// The source of a rule that applies to a crawler.
fn source_of<'v>(rule: &'v SettingValue, collector: &mut HostRuleCollector<'_>) -> Option<&'v str> {
    let host = collector.base.host();
    let conditions = |key| rule.get(key).map(SettingValue::items).unwrap_or_default();
    let applies = conditions("has").iter().all(|has| holds(has, host))
        && !conditions("missing")
            .iter()
            .any(|missing| holds(missing, host));
    if !applies {
        return None;
    }
    let source = rule.get("source").and_then(SettingValue::as_text);
    if source.is_none() {
        let origin = collector.numbered.at_place(rule.place);
        collector.reject(&origin, "the rule has no `source`");
    }
    source
}

/// Whether a condition holds for a crawler: it requests the site's host, sends no cookies and none
/// of the headers that rules ask for, and the URLs of a sitemap have no query.
fn holds(condition: &SettingValue, host: &str) -> bool {
    let is_about_host = condition.get("type").and_then(SettingValue::as_text) == Some("host");
    is_about_host
        && condition
            .get("value")
            .is_some_and(|value| matches_host(value, host))
}

/// Whether a host is the one of a condition: a regular expression for the whole host, or a table of
/// operators which all hold (vercel.com/docs/project-configuration, "has").
fn matches_host(value: &SettingValue, host: &str) -> bool {
    match &value.data {
        SettingData::Text(pattern) => matches_expression(&format!("^(?:{pattern})$"), host),
        SettingData::Table(entries) => entries
            .iter()
            .all(|entry| matches_operator(&entry.key, &entry.value, host)),
        _ => false,
    }
}

fn matches_operator(operator: &str, value: &SettingValue, host: &str) -> bool {
    let is_listed = || {
        let mut items = value.items().iter().filter_map(SettingValue::as_text);
        items.any(|item| item == host)
    };
    match (operator, value.as_text()) {
        ("eq", Some(text)) => host == text,
        ("neq", Some(text)) => host != text,
        ("pre", Some(text)) => host.starts_with(text),
        ("suf", Some(text)) => host.ends_with(text),
        ("re", Some(pattern)) => matches_expression(pattern, host),
        ("inc", None) => is_listed(),
        ("ninc", None) => !is_listed(),
        _ => false,
    }
}

/// An expression that cannot be compiled matches nothing.
fn matches_expression(pattern: &str, host: &str) -> bool {
    SourceRegex::new(pattern).is_ok_and(|regex| regex.is_match(host.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use page_sources::generator::{HostDialect, HostFileKind};
    use site_paths::BaseUrl;

    use super::super::HostFile;

    #[test]
    fn a_conditional_rule_applies_if_its_conditions_hold_for_a_crawler() {
        let check = |conditions: &str, expected: bool| {
            let text = format!(
                r#"{{"redirects": [{{"source": "/a", "destination": "/b", {conditions}}}]}}"#
            );
            let path = Path::new("vercel.json");
            let kind = HostFileKind::VercelJson;
            let file = HostFile {
                kind,
                path,
                text: &text,
                output: None,
            };
            let base = BaseUrl::parse("https://example.org/").expect("a valid base URL");
            let rules = super::super::read(&[file], HostDialect::Netlify, &base).value;
            assert_eq!(rules.redirect("/a").is_some(), expected, "{conditions}");
        };
        check(r#""has": [{"type": "host", "value": "example.org"}]"#, true);
        check(
            r#""has": [{"type": "host", "value": "(?<sub>.*)\\.org"}]"#,
            true,
        );
        check(
            r#""has": [{"type": "host", "value": "www.example.org"}]"#,
            false,
        );
        check(
            r#""has": [{"type": "host", "value": {"suf": ".org"}}]"#,
            true,
        );
        check(
            r#""has": [{"type": "host", "value": {"inc": ["example.net"]}}]"#,
            false,
        );
        check(r#""has": [{"type": "cookie", "key": "a"}]"#, false);
        check(r#""missing": [{"type": "cookie", "key": "a"}]"#, true);
        check(r#""missing": [{"type": "query", "key": "page"}]"#, true);
        check(
            r#""missing": [{"type": "host", "value": "example.org"}]"#,
            false,
        );
        check(
            r#""missing": [{"type": "host", "value": {"neq": "example.org"}}]"#,
            true,
        );
    }
}
