//! The rules of Netlify for paths: how the paths of redirects and of headers are written, in different
//! syntaxes, and what `netlify-redirector` 0.5 does with a redirect whose path matches. It ignores loops, and
//! inserts the matched parts of the path into the destination.

use std::borrow::Cow;

use super::path_pattern::{
    HostPathPattern, PathForm, PatternBuilder, PatternShape, regex_of, without_slash,
};
use sitemaps::site_paths::BaseUrl;

/// Parses the path of a redirect as `netlify-redirector` 0.5 does. Returns `None` if it is for
/// another site, matches no path or is ignored.
///
/// Wildcards are whole segments: `:name` is one segment, `*` is any number of them. `name*` also
/// matches more of the segment; a `*` elsewhere makes the rule match nothing.
pub(super) fn redirect(
    text: &str,
    base: &BaseUrl,
) -> Result<Option<HostPathPattern>, regex::Error> {
    let path = text.strip_prefix(base.origin()).unwrap_or(text);
    if !path.starts_with('/') || path.contains("//") {
        return Ok(None);
    }
    let slashless = path.strip_suffix('/').unwrap_or(path);
    let mut pattern = PatternBuilder::default();
    for segment in slashless.split('/').skip(1) {
        match segment.find('*') {
            None if segment.len() > 1 && segment.starts_with(':') => {
                pattern.wildcard("/[^/]+");
            }
            None => pattern.literal(format!("/{segment}").as_bytes()),
            Some(0) if segment.len() == 1 => pattern.wildcard("(?:/.*)?"),
            Some(at) if at + 1 == segment.len() => {
                pattern.literal(format!("/{}", &segment[..at]).as_bytes());
                pattern.wildcard(".*");
            }
            Some(_) => return Ok(None),
        }
    }
    Ok(Some(HostPathPattern {
        shape: pattern.shape()?,
        form: PathForm::DecodedSlashless,
    }))
}

/// Parses the path of headers as `getForRegExp` of `@netlify/headers-parser` 9 does.
///
/// The slash before a segment `*` is optional, and a segment that contains `*` beside other
/// characters is part of a regular expression.
pub(super) fn headers(text: &str) -> Result<HostPathPattern, regex::Error> {
    let segments: Vec<&str> = text
        .trim()
        .split('/')
        .map(str::trim_end)
        .filter(|segment| !segment.is_empty())
        .collect();
    let is_regex = segments.iter().any(|segment| {
        segment.len() > 1
            && !segment.starts_with(':')
            && segment.contains('*')
            && segment.contains([
                '.', '+', '?', '^', '$', '(', ')', '[', ']', '{', '}', '|', '\\',
            ])
    });
    let shape = if is_regex {
        let parts: Vec<String> = segments.iter().map(|segment| expression(segment)).collect();
        let expression = format!("^(?i:/{}/?)$", parts.join("/"));
        PatternShape::Regex(regex_of(&expression)?)
    } else {
        wildcard_shape(&segments)?
    };
    Ok(HostPathPattern {
        shape,
        form: PathForm::LowercaseAnySlash,
    })
}

fn wildcard_shape(segments: &[&str]) -> Result<PatternShape, regex::Error> {
    let mut pattern = PatternBuilder::default();
    for segment in segments {
        if segment.starts_with(':') {
            pattern.wildcard("/[^/]+");
        } else if *segment == "*" {
            pattern.wildcard(".*");
        } else {
            pattern.literal(b"/");
            for (number, part) in segment.split('*').enumerate() {
                if number > 0 {
                    pattern.wildcard(".*");
                }
                pattern.literal(part.to_ascii_lowercase().as_bytes());
            }
        }
    }
    pattern.shape()
}

fn expression(segment: &str) -> String {
    if segment.starts_with(':') {
        "([^/]+)".to_owned()
    } else if segment == "*" {
        "?(.*)".to_owned()
    } else if segment.contains('*') {
        segment.replace('*', "(.*)")
    } else {
        regex::escape(segment)
    }
}

/// A redirect whose path matches.
#[derive(Debug)]
pub(super) struct NetlifyRedirect {
    /// The segments of its path.
    segments: Vec<Box<str>>,
    /// The rule loops for decoded paths that begin with this.
    loops_at: Option<Box<str>>,
}

impl NetlifyRedirect {
    /// Prepares a rule with the path `from`, or a URL of the site with this origin.
    ///
    /// A rule with `*` whose destination it matches again loops for paths that begin with this
    /// destination up to its `/:splat`. Rewrites are not checked.
    pub(super) fn new(
        from: &str,
        target: &str,
        status: u16,
        pattern: &HostPathPattern,
        origin: &str,
    ) -> Self {
        let own = from.strip_prefix(origin).unwrap_or(from);
        let path = own.strip_suffix('/').unwrap_or(own);
        let target = match target.strip_prefix(origin) {
            Some(own) if own.contains("/:splat") => own,
            _ => target,
        };
        let may_loop = path.contains('*') && status != 200;
        let loops = may_loop && pattern.matches_text(without_slash(target.as_bytes()));
        Self {
            segments: path.split('/').skip(1).map(Box::from).collect(),
            loops_at: loops.then(|| before_splat(target).into()),
        }
    }

    /// Whether the rule leads a decoded path back to itself.
    pub(super) fn loops_for(&self, path: &[u8]) -> bool {
        self.loops_at
            .as_deref()
            .is_some_and(|start| path.starts_with(start.as_bytes()))
    }

    /// The destination for a decoded path that the rule matches.
    ///
    /// Names are replaced as text, in the order of the path: `/:a/:ab` to `/:ab` gives `/xb` for
    /// `/x/y`. Of `*`, only one that is a whole segment is replaced.
    pub(super) fn filled<'t>(&self, target: &'t str, path: &[u8]) -> Cow<'t, str> {
        let target = Cow::Borrowed(target);
        if !target.contains(':') {
            return target;
        }
        let path = String::from_utf8_lossy(path);
        let values = self.values(&path).unwrap_or_default();
        values.into_iter().fold(target, |target, (name, value)| {
            if target.contains(name) {
                Cow::Owned(target.replace(name, &value))
            } else {
                target
            }
        })
    }

    /// The names in the rule's path with their values; `None` if it has several wildcards.
    fn values<'r>(&'r self, path: &str) -> Option<Vec<(&'r str, String)>> {
        let mut segments: &[Box<str>] = &self.segments;
        // `/*/*` is `/*`.
        while matches!(segments, [first, second, ..] if **first == *"*" && **second == *"*") {
            segments = &segments[1..];
        }
        let mut parts: Vec<&str> = path.split('/').skip(1).collect();
        let is_last = segments.last().is_some_and(|last| **last == *"*");
        if !is_last && parts.last() == Some(&"") {
            parts.pop();
        }
        let star = segments.iter().position(|segment| **segment == *"*");
        let before = star.unwrap_or(segments.len());
        let after = &segments[star.map_or(before, |star| star + 1)..];
        if after.iter().any(|segment| segment.contains('*')) {
            return None;
        }
        let rest = parts.len().checked_sub(after.len())?;
        let mut values = named(&segments[..before], parts.get(..before)?);
        if star.is_some() {
            values.push((":splat", parts.get(before..rest)?.join("/")));
        }
        values.extend(named(after, &parts[rest..]));
        Some(values)
    }
}

fn named<'r>(segments: &'r [Box<str>], parts: &[&str]) -> Vec<(&'r str, String)> {
    segments
        .iter()
        .zip(parts)
        .filter(|(segment, _)| segment.len() > 1 && segment.starts_with(':'))
        .map(|(segment, part)| (&**segment, (*part).to_owned()))
        .collect()
}

/// The part of a destination before the segment `:splat`, unless that segment is the first or only
/// a slash follows it.
fn before_splat(target: &str) -> &str {
    match target.split_once("/:splat") {
        Some((start, rest))
            if !start.is_empty()
                && (rest.is_empty() || (rest.starts_with('/') && rest.len() > 1)) =>
        {
            start
        }
        _ => target,
    }
}

#[cfg(test)]
mod tests {
    use super::super::HostFile;
    use super::super::path_pattern::RequestPath;
    use super::*;
    use crate::generators::{HostFileKind, HostServer};

    #[test]
    fn a_redirect_matches_as_in_netlify_redirector() {
        let base = BaseUrl::parse("https://example.org/").expect("a valid base URL");
        let check = |text: &str, path: &str, expected: bool| {
            let pattern = redirect(text, &base).ok().flatten();
            let matches = pattern.is_some_and(|pattern| pattern.matches(&RequestPath::new(path)));
            assert_eq!(matches, expected, "{text} on {path}");
        };
        check("/about", "/about/", true);
        check("/about/", "/about", true);
        check("/about", "/About", false);
        check("/", "/", true);
        check("/*", "/", true);
        check("/blog/*", "/blog", true);
        check("/blog/*", "/blogx", false);
        check("/blog/a*", "/blog/a/b", true);
        check("/tags/*/", "/tags/a/b/", true);
        check("/*/a", "/a", true);
        check("/*/a", "/b/c/a/", true);
        check("/*/a", "/ba", false);
        check("/:x/*", "/", false);
        check("/:x", "/b/", true);
        check("/:x", "/b/c", false);
        check("/:x.html", "/ab", true);
        check("/a-:c", "/a-b", false);
        check("/:", "/a", false);
        check("/*.html", "/a.html", false);
        check("/tags/*t*", "/tags/at", false);
        check("//example.org/*", "/a", false);
        check("https://example.org/*", "/a", true);
        check("http://example.org/*", "/a", false);
        check("https://*.org/*", "/a", false);
        check("/sp%20ace/*", "/sp%20ace/a", false);
        check("/é", "/%C3%A9", true);
    }

    #[test]
    fn a_header_matches_as_in_headers_parser() {
        let check = |text: &str, path: &str, expected: bool| {
            let pattern = headers(text).expect("a valid pattern");
            assert_eq!(
                pattern.matches(&RequestPath::new(path)),
                expected,
                "{text} on {path}"
            );
        };
        check("/case/*", "/Case/Page.html", true);
        check("/Case/page.HTML", "/Case/Page.html", true);
        check("/blog/*", "/blog", true);
        check("/blog/*", "/blogx", true);
        check("/blog/:slug/", "/blog/a", true);
        check("/blog/:slug", "/blog/a/b", false);
        check("/*.html", "/a/b.html", true);
        check("/*.html", "/a/bxhtml", true);
        check("/a*b", "/aXXb/", true);
        check("/a/**", "/a/", true);
        check("/", "/", true);
        check("/", "/a", false);
        check("/sp%20ace/*", "/sp%20ace/a", true);
        check("/a//b", "/a/b", true);
    }

    /// The expected values are those of `netlify-redirector` 0.5.
    #[test]
    fn matched_parts_of_a_path_are_inserted_into_the_destination() {
        let check = |rule: &str, path: &str, expected: &str| {
            let text = format!("{rule} 200!");
            let file = HostFile {
                kind: HostFileKind::Redirects,
                path: "_redirects".into(),
                text,
                output: None,
            };
            let base = BaseUrl::parse("https://example.org/").expect("a valid base URL");
            let files = [file];
            let findings = crate::findings::Findings::default();
            let rules = super::super::read(&files, HostServer::Netlify, &base, &findings);
            let applied = rules.redirect(path).expect("a rule that matches");
            assert_eq!(applied.target, expected, "{rule} on {path}");
        };
        check("/:x/:x /:x", "/blog/a", "/blog");
        check("/:x.html /:x", "/about", "/:x");
        check("/:x.html /:x.html", "/about", "/about");
        check("/*/:x /:x/:splat", "/docs/x/a", "/a/docs/x");
        check("/*/:x /:splat", "/blog/", "/");
        check("/*/* /:splat", "/blog/", "/blog/");
        check("/* /q/:splat", "/blog/", "/q/blog/");
        check("/* /q/:splat:splat", "/a", "/q/aa");
        check("/*/a /:splat", "/docs/x/a", "/docs/x");
        check("/:a/:ab /:ab/:a", "/blog/a", "/blogb/blog");
        check("/:x/* /:splat/:x", "/about", "//about");
        check("/:x/*/ /:x/:splat/", "/docs/x", "/docs/x/");
        check("/:x/* /:x", "/blog/a", "/blog");
        check("/:x/:y /:x/:z", "/blog/a", "/blog/:z");
        check("/:x https://example.org/:x", "/a", "https://example.org/a");
        check("https://example.org/:x /:x", "/a/", "/a");
    }
}
