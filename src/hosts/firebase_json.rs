//! Parses the `headers` and `redirects` of `firebase.json` as `superstatic` 10 does.
//!
//! Redirects precede files; the first that matches applies. Rewrites apply after files and do not
//! replace a page. If several rules set the same header, the last one applies. Redirects are compared
//! with decoded paths, headers with encoded ones.

use std::path::Path;

use super::json_rules::{headers, redirect};
use super::path_pattern::{HostPathPattern, PathForm, PatternBuilder, PatternShape};
use super::rules::HostRuleCollector;
use crate::files::located_values::{SettingData, SettingValue, Syntax};

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let Some(root) = collector.parsed(Syntax::Json, text) else {
        return;
    };
    let Some(all) = root.get("hosting") else {
        return;
    };
    let Some(hosting) = firebase_hosting(all, collector.output) else {
        // No site of `hosting` has this output as its `public`.
        let origin = collector.numbered.at_place(all.place);
        return collector.pass_over(origin, String::new());
    };
    for rule in hosting.list("headers") {
        let pattern = pattern_of(rule, PathForm::EncodedAnySlash);
        headers(rule, pattern.as_ref(), collector);
    }
    for rule in hosting.list("redirects") {
        let target = rule.text("destination").unwrap_or_default();
        // If parts of the path are inserted into the destination, the source is not a glob, but a path
        // of path-to-regexp.
        let has_parameters = target.starts_with(':') || target.contains("/:");
        let pattern = pattern_of(rule, PathForm::DecodedAnySlash).filter(|_| !has_parameters);
        let status = rule.get("type").map_or(Some(301), SettingValue::as_whole);
        redirect(rule, pattern, status, collector);
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
    match sites.as_slice() {
        [only] => Some(only),
        sites => sites.iter().find(|site| {
            site.text("public")
                .is_some_and(|public| output == Some(Path::new(public.trim_start_matches("./"))))
        }),
    }
}

/// The paths of a rule.
fn pattern_of(rule: &SettingValue, form: PathForm) -> Option<HostPathPattern> {
    let shape = shape_of(rule.text("source")?)?;
    Some(HostPathPattern { shape, form })
}

/// Parses a glob of minimatch that is literal or ends in `/**`. It gets a slash at the beginning, as
/// by `glob-slash`.
fn shape_of(source: &str) -> Option<PatternShape> {
    let path = format!("/{}", source.trim_start_matches('/'));
    let (literal, has_wildcard) = match path.strip_suffix("**") {
        Some(before) if before.ends_with('/') => (before, true),
        _ => (path.as_str(), false),
    };
    let is_literal =
        !literal.contains(['*', '?', '[', '{', '(', '\\', '!']) && !literal.contains("//");
    let mut pattern = PatternBuilder::default();
    pattern.literal(literal.as_bytes());
    if has_wildcard {
        pattern.wildcard(".*");
    }
    is_literal.then(|| pattern.shape().ok())?
}

#[cfg(test)]
mod tests {
    use super::super::path_pattern::RequestPath;
    use super::*;

    #[test]
    fn a_source_matches_as_on_firebase() {
        let check = |source: &str, path: &str, expected: bool| {
            let shape = shape_of(source).expect("a source that is read");
            let form = PathForm::DecodedAnySlash;
            let pattern = HostPathPattern { shape, form };
            let path = RequestPath::new(path);
            assert_eq!(
                pattern.matches(&path),
                expected,
                "{source} on {:?}",
                path.decoded
            );
        };
        check("/blog", "/blog", true);
        check("blog", "/blog/", true);
        check("/blog/", "/blog", false);
        check("/blog/", "/blog/", true);
        check("/Blog", "/blog", false);
        check("/", "/", true);
        check("/blog/**", "/blog", false);
        check("/blog/**", "/blog/", true);
        check("/blog/**", "/blog/a/b", true);
        check("**", "/", true);
        check("**", "/a/b", true);
    }

    #[test]
    fn other_sources_are_not_read() {
        for source in [
            "/blog/*",
            "/blog**",
            "**/a",
            "**/*.html",
            "/{a,b}",
            "/a?",
            "/[ab]",
            "!/a",
            "/@(a|b)",
            "/a\\b",
            "/a//b",
        ] {
            assert!(shape_of(source).is_none(), "{source}");
        }
    }
}
