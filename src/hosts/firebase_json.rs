//! Parses the `headers` and `redirects` of `firebase.json` as `superstatic` 10 does.
//!
//! Redirects precede files; the first that matches applies. Rewrites apply after files and do not
//! replace a page. If several rules set the same header, the last one applies. Redirects are compared
//! with decoded paths, headers with encoded ones.

use std::path::Path;
use std::sync::Arc;

use super::firebase_capture::{self, CapturedRedirect};
use super::firebase_glob;
use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::PathForm;
use super::rules::{
    Header, HeaderAction, HeaderJoin, HeaderName, HostRuleCollector, Redirect, RuleHost,
};
use located_values::{SettingData, SettingValue, Syntax};

const NO_SOURCE: &str = "the rule has neither `source` nor `regex`";

/// Parses the whole file. `output` is the output directory, relative to the directory of the file.
pub(super) fn read(text: &str, output: Option<&Path>, collector: &mut HostRuleCollector<'_>) {
    let root = match Syntax::Json.parse(text) {
        Ok(root) => root,
        Err(error) => {
            let origin = collector.numbered.at_place(error.place);
            return collector.reject(&origin, &error.message);
        }
    };
    let Some(all) = root.get("hosting") else {
        return;
    };
    let Some(hosting) = firebase_hosting(all, output) else {
        let origin = collector.numbered.at_place(all.place);
        return collector.reject(
            &origin,
            "no site of `hosting` has this output as its `public`",
        );
    };
    let items = |key: &str| {
        hosting
            .get(key)
            .map(SettingValue::items)
            .unwrap_or_default()
    };
    for rule in items("headers") {
        headers(rule, collector);
    }
    for rule in items("redirects") {
        redirect(rule, collector);
    }
}

/// The site of `hosting` that has this output directory: the only one, or the one that names it.
pub fn firebase_hosting<'v>(
    hosting: &'v SettingValue,
    output: Option<&Path>,
) -> Option<&'v SettingValue> {
    let SettingData::List(sites) = &hosting.data else {
        return Some(hosting);
    };
    let is_output = |site: &&SettingValue| {
        let public = site.get("public").and_then(SettingValue::as_text);
        let parts = |path: &Path| path.components().collect::<std::path::PathBuf>();
        let public = public.map(|public| parts(Path::new(public.trim_start_matches("./"))));
        public.is_some() && public == output.map(parts)
    };
    match sites.as_slice() {
        [only] => Some(only),
        sites => sites.iter().find(is_output),
    }
}

fn text_of<'v>(rule: &'v SettingValue, key: &str) -> Option<&'v str> {
    rule.get(key).and_then(SettingValue::as_text)
}

fn headers(rule: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let pairs = rule
        .get("headers")
        .map(SettingValue::items)
        .unwrap_or_default();
    let mut pattern = None;
    for pair in pairs {
        let Some(name) = text_of(pair, "key").and_then(HeaderName::of) else {
            continue;
        };
        let place = pair.get("key").and_then(|key| key.place).or(pair.place);
        let origin = collector.numbered.at_place(place);
        let Some(value) = text_of(pair, "value") else {
            collector.reject(&origin, "the header has no value");
            continue;
        };
        if pattern.is_none() {
            pattern = collector.accept(&origin, source_of_headers(rule));
        }
        let Some(pattern) = &pattern else { return };
        let header = Header {
            name,
            value: value.to_owned(),
            join: HeaderJoin::Separate,
            origin,
        };
        collector.header(pattern, HeaderAction::Set(header));
    }
}

/// The pattern of a rule for headers: unlike `source`, its `glob` gets no slash at the beginning.
fn source_of_headers(rule: &SettingValue) -> Result<HostPathPattern, String> {
    let is_complete = |glob: &str| {
        let path = glob.strip_prefix('!').unwrap_or(glob);
        path.starts_with('/') || path.starts_with("**") || path.starts_with('{')
    };
    match text_of(rule, "glob") {
        Some(glob) if !is_complete(glob) => Err(
            "Firebase matches nothing with a `glob` of headers that does not begin with `/`"
                .to_owned(),
        ),
        _ => source_of(rule, PathForm::Encoded),
    }
}

/// The pattern of a rule: a glob, or a regular expression.
fn source_of(rule: &SettingValue, form: PathForm) -> Result<HostPathPattern, String> {
    match (glob_of(rule), text_of(rule, "regex")) {
        (Some(glob), _) => firebase_glob::glob(glob, form),
        (None, Some(regex)) => firebase_glob::expression(regex, form),
        (None, None) => Err(NO_SOURCE.to_owned()),
    }
}

fn glob_of(rule: &SettingValue) -> Option<&str> {
    text_of(rule, "glob").or_else(|| text_of(rule, "source"))
}

fn redirect(rule: &SettingValue, collector: &mut HostRuleCollector<'_>) {
    let place = ["source", "glob", "regex"]
        .iter()
        .find_map(|key| rule.get(key)?.place);
    let origin = collector.numbered.at_place(place.or(rule.place));
    let Some(target) = text_of(rule, "destination") else {
        return collector.reject(&origin, "the redirect has no `destination`");
    };
    let status = match rule.get("type").map(|value| &value.data) {
        None => Some(301),
        Some(SettingData::Whole(status)) => u16::try_from(*status).ok(),
        Some(_) => None,
    };
    let Some(status) = status.filter(|status| (300..400).contains(status)) else {
        return collector.reject(&origin, "`type` is not a redirect status");
    };
    let pattern = if firebase_capture::has_parameters(target) {
        captured(rule, target)
    } else {
        source_of(rule, PathForm::Decoded)
    };
    let Some(pattern) = collector.accept(&origin, pattern) else {
        return;
    };
    let redirect = Redirect {
        status,
        target: target.to_owned(),
        origin,
        host: RuleHost::Firebase,
    };
    collector.forced_redirect(pattern, redirect);
}

/// The pattern of a redirect whose destination has parameters.
fn captured(rule: &SettingValue, target: &str) -> Result<HostPathPattern, String> {
    let capture = match (glob_of(rule), text_of(rule, "regex")) {
        (Some(glob), _) => {
            let expression = firebase_glob::glob_expression(glob)?;
            CapturedRedirect::of_glob(&firebase_glob::with_slash(glob), &expression, target)
        }
        (None, Some(regex)) => CapturedRedirect::of_regex(regex, target),
        (None, None) => return Err(NO_SOURCE.to_owned()),
    };
    Ok(HostPathPattern {
        shape: PatternShape::Captured(Arc::new(capture?)),
        form: PathForm::Decoded,
    })
}
