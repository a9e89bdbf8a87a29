//! Parses the `headers` and `redirects` of `vercel.json`.
//!
//! Vercel applies redirects before it looks for files, so they always take precedence
//! (vercel.com/docs/project-configuration). Rewrites apply after files and do not replace a page.
//! If several rules set the same header, the last one applies (`combinedHeaders` in vercel/vercel,
//! packages/cli/src/util/dev/router.ts).

use super::json_rules::{headers, redirect};
use super::path_pattern::{HostPathPattern, PathForm, PatternBuilder, PatternShape};
use super::rules::HostRuleCollector;
use crate::files::located_values::{SettingValue, Syntax};
use sitemaps::site_paths::decode;

/// Parses the whole file.
pub(super) fn read(text: &str, collector: &mut HostRuleCollector<'_>) {
    let Some(root) = collector.parsed(Syntax::Json, text) else {
        return;
    };
    for route in root.list("routes") {
        let origin = collector.numbered.at_place(route.place);
        collector.pass_over(origin, String::new());
    }
    for rule in root.list("headers") {
        headers(rule, pattern_of(rule).as_ref(), collector);
    }
    for rule in root.list("redirects") {
        redirect(rule, pattern_of(rule), Some(status_of(rule)), collector);
    }
}

/// The status of a redirect: `permanent` precedes `statusCode`, and the default is 308
/// (`convertRedirects` of `@vercel/routing-utils`).
fn status_of(rule: &SettingValue) -> i64 {
    match rule.get("permanent").and_then(SettingValue::as_flag) {
        Some(true) => 308,
        Some(false) => 307,
        None => {
            let status = rule.get("statusCode").and_then(SettingValue::as_whole);
            status.unwrap_or(308)
        }
    }
}

/// The paths of a rule without conditions.
fn pattern_of(rule: &SettingValue) -> Option<HostPathPattern> {
    let has_conditions = ["has", "missing"].iter().any(|key| rule.get(key).is_some());
    let source = rule.text("source").filter(|_| !has_conditions)?;
    Some(HostPathPattern {
        shape: shape_of(source)?,
        form: PathForm::Decoded,
    })
}

/// Parses a literal source, or one that ends in `(.*)`, `:name(.*)` or `/:name*` (path-to-regexp 6
/// with `strict` and `sensitive`). A source is percent-encoded like a URL (`%20` for a space), but
/// it is matched against decoded paths.
fn shape_of(source: &str) -> Option<PatternShape> {
    let (path, wildcard) = if let Some(path) = source.strip_suffix("(.*)") {
        let before_name = path.rsplit_once(':').filter(|(_, name)| is_name(name));
        (before_name.map_or(path, |(path, _)| path), Some(".*"))
    } else if let Some(path) = source.strip_suffix('*') {
        let (path, _) = path.rsplit_once("/:").filter(|(_, name)| is_name(name))?;
        (path, Some("(?:/[^/]+)*"))
    } else {
        (source, None)
    };
    let is_literal = !path.contains(['(', ')', ':', '{', '}', '\\', '*', '+', '?']);
    let begins = source.starts_with('/');
    let mut pattern = PatternBuilder::default();
    pattern.literal(&decode(path));
    if let Some(expression) = wildcard {
        pattern.wildcard(expression);
    }
    (is_literal && begins).then(|| pattern.shape().ok())?
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::super::path_pattern::RequestPath;
    use super::*;

    #[test]
    fn a_source_matches_as_on_vercel() {
        let check = |source: &str, path: &str, expected: bool| {
            let shape = shape_of(source).expect("a source that is read");
            let form = PathForm::Decoded;
            let pattern = HostPathPattern { shape, form };
            let path = RequestPath::new(path);
            assert_eq!(
                pattern.matches(&path),
                expected,
                "{source} on {:?}",
                path.decoded
            );
        };
        check("/about", "/about", true);
        check("/about", "/about/", false);
        check("/a.html", "/axhtml", false);
        check("/blog/:path*", "/blog", true);
        check("/blog/:path*", "/blog/a/b", true);
        check("/blog/:path*", "/blog/", false);
        check("/blog/:path*", "/blogs", false);
        check("/:path*", "/a", true);
        check("/:path*", "/", false);
        check("/(.*)", "/a/b", true);
        check("/(.*)", "/", true);
        check("/:path(.*)", "/a/b", true);
        check("/a(.*)", "/about", true);
        check("/blog/(.*)", "/blog", false);
        check("/my%20docs", "/my%20docs", true);
        check("/my%20docs/(.*)", "/my%20docs/a", true);
        check("/my%20docs/(.*)", "/my%2520docs/a", false);
    }

    #[test]
    fn other_sources_are_not_read() {
        for source in [
            "about",
            "(.*)",
            "*",
            "/*",
            "/a*",
            "/:slug",
            "/:id(\\d+)",
            "/:path+",
            "/:a/:b*",
            "/docs/:a-b*",
            "/:a:b(.*)",
            "{/:lang}?/docs",
            "/((?!api/).*)",
            "/a\\(b",
            "/:path*/",
            "/(.*)/",
            "/(a|b)(.*)",
        ] {
            assert!(shape_of(source).is_none(), "{source}");
        }
    }
}
