//! Parses the headers of static sites in `render.yaml`
//! (docs.render.com/blueprint-spec, docs.render.com/static-site-headers).
//!
//! Verdicts follow this documentation, as Render's own code is not public. Routes do not replace a
//! page: "Render does not apply redirect or rewrite rules to a path if a resource exists at that
//! path" (docs.render.com/redirects-rewrites).

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::PathForm;
use super::rules::{Header, HeaderAction, HeaderJoin, HeaderName, HostRuleCollector};
use super::wildcard::{WildcardPiece, joined};
use located_values::{SettingValue, Syntax};

/// Parses the whole file. A blueprint with several static sites does not say which one this is.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let root = match Syntax::Yaml.parse(text) {
        Ok(root) => root,
        Err(error) => {
            let origin = collector.numbered.at_place(error.place);
            return collector.reject(&origin, &error.message);
        }
    };
    let services = root
        .get("services")
        .map(SettingValue::items)
        .unwrap_or_default();
    let sites: Vec<&SettingValue> = services
        .iter()
        .filter(|service| is_static(service))
        .collect();
    let headers_of = |site: &SettingValue| site.get("headers").is_some();
    match sites.as_slice() {
        [site] => {
            for header in site
                .get("headers")
                .map(SettingValue::items)
                .unwrap_or_default()
            {
                add(header, collector);
            }
        }
        sites => {
            if let Some(site) = sites.iter().find(|site| headers_of(site)) {
                let origin = collector.numbered.at_place(site.place);
                collector.reject(&origin, "the file has several static sites");
            }
        }
    }
}

/// `runtime: static`, or the older `env: static` and `type: static`.
fn is_static(service: &SettingValue) -> bool {
    let is = |key: &str| service.get(key).and_then(SettingValue::as_text) == Some("static");
    is("runtime") || is("env") || is("type")
}

fn add(rule: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let text = |key: &str| rule.get(key).and_then(SettingValue::as_text);
    let Some(name) = text("name").and_then(HeaderName::of) else {
        return;
    };
    let origin = collector.numbered.at_place(rule.place);
    let (Some(path), Some(value)) = (text("path"), text("value")) else {
        return collector.reject(&origin, "the header has no `path` or no `value`");
    };
    let header = Header {
        name,
        value: value.to_owned(),
        join: HeaderJoin::Separate,
        origin,
    };
    collector.header(&pattern(path), HeaderAction::Add(header));
}

/// `*` is any part of the path, with its slashes.
fn pattern(path: &str) -> HostPathPattern {
    let mut pieces = Vec::new();
    for (at, literal) in path.split('*').enumerate() {
        if at > 0 {
            pieces.push(WildcardPiece::Rest);
        }
        pieces.push(WildcardPiece::Literal(literal.as_bytes().into()));
    }
    HostPathPattern {
        shape: PatternShape::of(joined(pieces)),
        form: PathForm::Decoded,
    }
}
