//! What `netlify-redirector` 0.5 does with a redirect whose path matches: it ignores loops, and
//! inserts the matched parts of the path into the destination.

use std::borrow::Cow;

use super::path_pattern::HostPathPattern;
use super::request_path::without_slash;

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
    use crate::generators::{HostFileKind, HostServer};
    use sitemaps::site_paths::BaseUrl;

    use super::super::HostFile;

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
