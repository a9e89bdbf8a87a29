//! Pages of VitePress, under the `rewrites` of its settings.
//!
//! A port of `resolveRewrites`, whose keys are patterns of path-to-regexp. Read are literal text,
//! `:name` for one segment, and `/:name*` for any number. If the settings have rewrites of another
//! form, no page has a known source.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::content_name::ContentName;
use super::own_config::OwnConfig;
use super::url_path::UrlPath;

static PARAMETER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(/?):([A-Za-z0-9_]+)(\*?)").expect("a regular expression"));

/// A segment of a path, as path-to-regexp has it by default.
const SEGMENT: &str = "[^/#?]+?";

/// The rewrites of a site; `None` if they cannot be read.
#[derive(Debug)]
pub(super) struct VitePressUrls(Option<Vec<Rewrite>>);

#[derive(Debug)]
struct Rewrite {
    from: Regex,
    to: String,
}

impl VitePressUrls {
    pub(super) fn new(config: &OwnConfig) -> Self {
        Self(match config.get("rewrites") {
            Some(Value::Object(stated)) => {
                let rewrites = stated.iter();
                let parsed = rewrites.map(|(from, to)| Rewrite::parse(from, to.as_str()?));
                parsed.collect()
            }
            Some(_) => None,
            None => Some(Vec::new()),
        })
    }

    /// The file of a page. The first rewrite that applies counts.
    pub(super) fn path_of(&self, name: &ContentName<'_>) -> Option<UrlPath> {
        let parts = name.dirs.iter().chain([&name.stem]).copied();
        let page = parts.collect::<Vec<_>>().join("/") + ".md";
        let mut rewrites = self.0.as_ref()?.iter();
        let rewritten = rewrites.find_map(|rewrite| rewrite.of(&page));
        let page = rewritten.unwrap_or(page);
        Some(UrlPath::File(format!("{}.html", page.strip_suffix(".md")?)))
    }
}

impl Rewrite {
    fn parse(from: &str, to: &str) -> Option<Self> {
        if [from, to]
            .concat()
            .contains(['(', ')', '{', '}', '?', '+', '^', '\\'])
        {
            return None;
        }
        let mut pattern = String::from("^");
        let mut end = 0;
        for parameter in PARAMETER.captures_iter(from) {
            let (whole, [slash, name, star]) = parameter.extract();
            let start = parameter.get_match().start();
            pattern += &regex::escape(&from[end..start]);
            let group = match (slash, star) {
                ("", "*") => return None,
                (_, "*") => format!("(?:/(?P<{name}>{SEGMENT}(?:/{SEGMENT})*))?"),
                _ => format!("{slash}(?P<{name}>{SEGMENT})"),
            };
            pattern.push_str(&group);
            end = start + whole.len();
        }
        pattern += &regex::escape(&from[end..]);
        Some(Self {
            from: Regex::new(&(pattern + "$")).ok()?,
            to: format!("/{to}"),
        })
    }

    /// The path of a page after the rewrite, if it applies.
    fn of(&self, page: &str) -> Option<String> {
        let found = self.from.captures(page)?;
        let value = |parameter: &Captures<'_>| match found.name(&parameter[2]) {
            Some(value) => format!("{}{}", &parameter[1], value.as_str()),
            None => String::new(),
        };
        let filled = PARAMETER.replace_all(&self.to, value);
        Some(filled.trim_start_matches('/').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::languages::Languages;
    use serde_json::json;

    #[test]
    fn rewrites_are_those_of_path_to_regexp() {
        let check = |rewrites: Value, page: &str, expected: Option<&str>| {
            let config = OwnConfig::of_value(json!({ "rewrites": rewrites }));
            let name = ContentName::parse(page, None, &Languages::default());
            let path = VitePressUrls::new(&config).path_of(&name);
            let expected = expected.map(|file| UrlPath::File(file.to_owned()));
            assert_eq!(path, expected, "{page}");
        };
        let english = json!({ "en/:rest*": ":rest*" });
        check(english.clone(), "en/guide/start", Some("guide/start.html"));
        check(english.clone(), "en/index", Some("index.html"));
        check(english, "fr/guide/start", Some("fr/guide/start.html"));
        let packages = json!({ "packages/:pkg/src/:slug*": ":pkg/:slug*" });
        check(packages.clone(), "packages/a/src/x/y", Some("a/x/y.html"));
        check(
            packages,
            "packages/a/README",
            Some("packages/a/README.html"),
        );
        check(json!({ "a.md": "b.md" }), "a", Some("b.html"));
        check(json!({ "a.md": "b" }), "a", None);
        check(json!({ "a/(.*)": "b/(.*)" }), "a/c", None);
        check(
            json!({ ":x.md": "b.md", "a.md": "c.md" }),
            "a",
            Some("b.html"),
        );
        check(json!(null), "a", None);
    }
}
