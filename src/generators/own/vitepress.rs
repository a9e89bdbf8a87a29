//! Pages of VitePress, under the `rewrites` of its settings.
//!
//! Read are paths whose parts are plain text, `:name` for one part, or `:name*` for all further parts.
//! If the settings have rewrites of another form, no page has a known source.

use std::collections::HashMap;

use crate::generators::{ContentName, Conventions, OwnConfig, PredictionInput, UrlPath};

pub(super) struct Vitepress;

impl Conventions for Vitepress {
    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        path_of(content.config, content.name).into_iter().collect()
    }
}

/// The file of a page. The first rewrite that applies counts.
fn path_of(config: &OwnConfig, name: &ContentName<'_>) -> Option<UrlPath> {
    let written = [&name.dirs[..], &[name.stem]].concat().join("/") + ".md";
    let page = rewrites_of(config)?
        .iter()
        .find_map(|(from, to)| rewritten(from, to, &written))
        .unwrap_or(written);
    Some(UrlPath::File(format!("{}.html", page.strip_suffix(".md")?)))
}

/// The rewrites of a site, each from a path to another; `None` if they cannot be read.
fn rewrites_of(config: &OwnConfig) -> Option<Vec<(&str, &str)>> {
    let Some(stated) = config.get("rewrites") else {
        return Some(Vec::new());
    };
    stated
        .as_object()?
        .iter()
        .map(|(from, to)| {
            let to = to.as_str()?;
            (is_known(from) && is_known(to)).then_some((from.as_str(), to))
        })
        .collect()
}

fn is_known(path: &str) -> bool {
    let (dir, last) = path.rsplit_once('/').unwrap_or(("", path));
    dir.split('/').all(is_part) && is_part(last.strip_suffix('*').unwrap_or(last))
}

fn is_part(part: &str) -> bool {
    match part.strip_prefix(':') {
        Some(name) => name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        None => !part.contains([':', '*', '(', ')', '{', '}', '?', '+', '^', '\\']),
    }
}

/// The path of a page after a rewrite, if it applies.
fn rewritten(from: &str, to: &str, page: &str) -> Option<String> {
    let mut values = HashMap::new();
    let mut parts = page.split('/');
    for part in from.split('/') {
        let value = match part.strip_suffix('*') {
            Some(_) => parts.by_ref().collect::<Vec<_>>().join("/"),
            None => parts.next()?.to_owned(),
        };
        if part.starts_with(':') {
            values.insert(part, value);
        } else if part != value {
            return None;
        }
    }
    if parts.next().is_some() {
        return None;
    }
    let filled: Vec<&str> = to
        .split('/')
        .map(|part| values.get(part).map_or(part, String::as_str))
        .filter(|part| !part.is_empty())
        .collect();
    Some(filled.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::languages::Languages;
    use serde_json::{Value, json};

    #[test]
    fn rewrites_are_those_of_path_to_regexp() {
        let check = |rewrites: Value, page: &str, expected: Option<&str>| {
            let config = OwnConfig::from_value(json!({ "rewrites": rewrites }));
            let name = ContentName::parse(page, None, &Languages::default());
            let path = path_of(&config, &name);
            let expected = expected.map(|file| UrlPath::File(file.to_owned()));
            assert_eq!(path, expected, "{page}");
        };
        let english = json!({ "en/:rest*": ":rest*" });
        check(english.clone(), "en/guide/start", Some("guide/start.html"));
        check(english.clone(), "en/index", Some("index.html"));
        check(english, "fr/guide/start", Some("fr/guide/start.html"));
        check(json!({ "a.md": "b.md" }), "a", Some("b.html"));
        check(json!({ "a.md": "b.md" }), "c", Some("c.html"));
        check(json!({ "a.md": "b" }), "a", None);
        check(json!({ "a/(.*)": "b/(.*)" }), "a/c", None);
        let packages = json!({ "packages/:pkg/src/:slug*": ":pkg/:slug*" });
        check(packages.clone(), "packages/a/src/x/y", Some("a/x/y.html"));
        check(packages, "packages/a/x", Some("packages/a/x.html"));
        check(json!({ ":x.md": "b.md" }), "a", None);
        check(json!(null), "a", None);
    }
}
