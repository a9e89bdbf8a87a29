//! Parses the paths of Cloudflare's rules: `validateUrl` and `generateRulesMatcher` of
//! `@cloudflare/workers-shared` 0.17.

use url::Url;

use super::path_pattern::{HostPathPattern, PathForm, PatternShape, regex_of};
use sitemaps::site_paths::BaseUrl;

/// Whether a URL has a host. A rule without `https://` is relative.
pub(super) fn has_host(text: &str) -> bool {
    split_host(text).is_some()
}

/// The host and the rest of `https://host/path`.
fn split_host(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("https://")?.trim_start_matches('/');
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (!host.is_empty()).then_some((host, path))
}

/// The source of a redirect, in its normal form: a path without query and fragment. `None` if it is a
/// URL.
pub(super) fn redirect_source(text: &str) -> Option<String> {
    if has_host(text) {
        return None;
    }
    let slash = if text.starts_with('/') { "" } else { "/" };
    Some(parsed(&format!("{slash}{text}"))?.path().to_owned())
}

/// The target of a redirect, in its normal form; `None` if it begins with neither `/` nor `https://`.
pub(super) fn redirect_target(text: &str) -> Option<String> {
    let (host, path) = host_and_path(text)?;
    let path = parsed(&path)?;
    Some(format!("{host}{}", &path.as_str()["relative://".len()..]))
}

/// The path of headers, in its normal form: a path, or `https://host/path` without a port.
pub(super) fn headers_source(text: &str) -> Option<String> {
    let (host, path) = host_and_path(text)?;
    (!has_port(&host)).then_some(())?;
    Some(format!("{host}{}", parsed(&path)?.path()))
}

/// The host with `https://`, if there is one, and the path.
fn host_and_path(text: &str) -> Option<(String, String)> {
    match split_host(text) {
        Some((host, path)) => Some((format!("https://{host}"), format!("/{path}"))),
        None => text
            .starts_with('/')
            .then(|| (String::new(), text.to_owned())),
    }
}

fn has_port(host: &str) -> bool {
    host.rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn parsed(path: &str) -> Option<Url> {
    Url::parse(&format!("relative://{path}")).ok()
}

/// Whether a source has wildcards: `*`, or `:name` that begins with a letter.
pub(super) fn is_dynamic(source: &str) -> bool {
    source.contains('*') || next_placeholder(source).is_some()
}

/// The position and the length of the first placeholder.
fn next_placeholder(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let at = (0..bytes.len())
        .find(|&at| bytes[at] == b':' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic))?;
    let name = bytes[at + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    Some((at, 1 + name.count()))
}

/// Compiles a source in normal form. Returns `None` if it is for another host, or if Cloudflare
/// drops it because two wildcards have the same name.
pub(super) fn compile(
    source: &str,
    base: &BaseUrl,
) -> Result<Option<HostPathPattern>, regex::Error> {
    let path = match split_host(source) {
        None => source,
        Some((host, _)) => {
            if !is_host(host, base)? {
                return Ok(None);
            }
            &source["https://".len() + host.len()..]
        }
    };
    let shape = if is_dynamic(path) {
        let Some(expression) = expression(path, "[^/]+") else {
            return Ok(None);
        };
        PatternShape::Regex(regex_of(&format!("^{expression}$"))?)
    } else {
        PatternShape::Exact(path.as_bytes().into())
    };
    Ok(Some(HostPathPattern {
        shape,
        form: PathForm::Encoded,
    }))
}

/// Whether a rule's host, which may contain wildcards, is the host of the site.
fn is_host(host: &str, base: &BaseUrl) -> Result<bool, regex::Error> {
    let Some(expression) = expression(host, "[^/.]+") else {
        return Ok(false);
    };
    let own = base.host();
    let name = own.rsplit_once(':').map_or(own, |(name, _)| name);
    Ok(regex_of(&format!("^{expression}$"))?.is_match(name.as_bytes()))
}

/// Translates `*` and `:name` into named groups. Returns `None` if a name occurs twice, also as the
/// beginning of another: JavaScript rejects such an expression, and Cloudflare ignores its rule.
fn expression(text: &str, part: &str) -> Option<String> {
    let (mut out, mut rest) = (String::new(), text);
    let mut names: Vec<&str> = Vec::new();
    while let Some((at, length)) = next_placeholder(rest) {
        push_literal(&mut out, &rest[..at], &mut names);
        let name = &rest[at + 1..at + length];
        out.extend(["(?P<", name, ">", part, ")"]);
        names.push(name);
        rest = &rest[at + length..];
    }
    push_literal(&mut out, rest, &mut names);
    for (number, name) in names.iter().enumerate() {
        let mut later = names[number + 1..].iter();
        if later.any(|other| other == name || (*name != "splat" && other.starts_with(*name))) {
            return None;
        }
    }
    Some(out)
}

fn push_literal<'t>(out: &mut String, literal: &'t str, names: &mut Vec<&'t str>) {
    for (number, piece) in literal.split('*').enumerate() {
        if number > 0 {
            names.push("splat");
            out.push_str("(?P<splat>.*)");
        }
        out.push_str(&regex::escape(piece));
    }
}

#[cfg(test)]
mod tests {
    use super::super::path_pattern::RequestPath;
    use super::*;

    #[test]
    fn a_rule_matches_as_on_cloudflare() {
        let base = BaseUrl::parse("https://my-site.example.com:8443/").expect("a valid base URL");
        let check = |text: &str, path: &str, expected: bool| {
            let source = headers_source(text).expect("a valid path");
            let pattern = compile(&source, &base).expect("a valid pattern");
            let matches = pattern.is_some_and(|pattern| pattern.matches(&RequestPath::new(path)));
            assert_eq!(matches, expected, "{text} on {path}");
        };
        check("/about", "/about", true);
        check("/about", "/about/", false);
        check("/about?x=1#y", "/about", true);
        check("/blog/*", "/blog/", true);
        check("/blog/*", "/blog", false);
        check("/*.html", "/a/b.html", true);
        check("/*/a*", "/b/ab", false);
        check("/:x/:y", "/a/b", true);
        check("/:x/:x", "/a/a", false);
        check("/:x/:xy", "/a/b", false);
        check("/a-:c", "/a-b", true);
        check("/:1", "/:1", true);
        check("/größe", "/gr%C3%B6%C3%9Fe", true);
        check("/sp%20ace/*", "/sp%20ace/a", true);
        check("https://my-site.example.com/*", "/a", true);
        check("https://:site.example.com/*", "/a", true);
        check("https://:site.com/*", "/a", false);
        check("https://www.example.com/*", "/a", false);
    }
}
