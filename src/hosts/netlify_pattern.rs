//! Parses the paths of Netlify's rules. Redirects and headers have different syntaxes.

use super::path_pattern::{HostPathPattern, PatternBuilder, PatternShape, regex_of};
use super::request_path::PathForm;
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

#[cfg(test)]
mod tests {
    use super::super::request_path::RequestPath;
    use super::*;

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
}
