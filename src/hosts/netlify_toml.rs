//! Parses the `[[headers]]` and `[[redirects]]` tables of `netlify.toml`.

use super::netlify_pattern;
use super::rules::{
    Header, HeaderAction, HeaderName, HostRuleCollector, Redirect, RedirectPrecedence,
};
use crate::files::located_values::{SettingData, SettingValue, Syntax};

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let Some(root) = collector.parsed(Syntax::Toml, text) else {
        return;
    };
    for table in production_tables(&root, "headers") {
        headers(table, collector);
    }
    for table in production_tables(&root, "redirects") {
        redirect(table, collector);
    }
}

/// The tables of an array, in production: those of `context.production` replace those of the top level
/// (`@netlify/config`).
fn production_tables<'v>(root: &'v SettingValue, key: &str) -> &'v [SettingValue] {
    let production = root.get("context").and_then(|all| all.get("production"));
    production
        .filter(|context| context.get(key).is_some())
        .unwrap_or(root)
        .list(key)
}

fn headers(table: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let Some(path) = table.text("for") else {
        return;
    };
    let origin = collector.numbered.at_place(table.place);
    let Some(pattern) = collector.accept(&origin, path, |text, _| {
        netlify_pattern::headers(text).map(Some)
    }) else {
        return;
    };
    let values = table.get("values");
    for entry in values.map(SettingValue::entries).unwrap_or_default() {
        let Some(name) = HeaderName::for_netlify(entry.key.trim()) else {
            continue;
        };
        let origin = collector
            .numbered
            .at_place(entry.key_place.or(entry.value.place));
        let values = match &entry.value.data {
            SettingData::List(values) => values.iter().filter_map(SettingValue::as_text).collect(),
            SettingData::Text(text) => vec![text.as_str()],
            _ => continue,
        };
        for (number, value) in values.into_iter().enumerate() {
            let header = Header {
                name,
                value: value.to_owned(),
                continues: number > 0,
                origin: origin.clone(),
            };
            collector.header(&pattern, HeaderAction::Add(header));
        }
    }
}

fn redirect(table: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let origin = collector.numbered.at_place(table.place);
    let status = table
        .get("status")
        .map_or(Some(301), SettingValue::as_whole)
        .and_then(|status| u16::try_from(status).ok())
        .filter(|status| (200..600).contains(status));
    let Some((from, status)) = table.text("from").zip(status) else {
        return;
    };
    let is_forced = table.get("force").and_then(SettingValue::as_flag) == Some(true);
    let winner = match (is_conditional(table), is_forced) {
        (true, _) => RedirectPrecedence::NextRule,
        (false, true) => RedirectPrecedence::Rule,
        (false, false) => RedirectPrecedence::Page,
    };
    let target = table.text("to").unwrap_or_default().to_owned();
    collector.netlify_redirect(
        from,
        winner,
        Redirect {
            status,
            target,
            origin,
        },
    );
}

/// Whether the redirect applies only to some visitors.
fn is_conditional(table: &SettingValue) -> bool {
    ["query", "params", "parameters", "conditions"]
        .into_iter()
        .filter_map(|key| table.get(key))
        .any(|value| !value.entries().is_empty())
}
