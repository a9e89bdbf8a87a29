//! The paths that a rule applies to: one path, paths with wildcards, or a regular expression
//! translated from Vercel's syntax.

use regex::bytes::Regex;

use super::wildcard::{WildcardPiece, matches, pieces_of};
use site_paths::BaseUrl;

/// A pattern for decoded paths, which start with `/`.
#[derive(Debug, Clone)]
pub(super) enum HostPathPattern {
    /// One path.
    Exact(Box<[u8]>),
    /// A path with `*` and `:name`.
    Wild(Box<[WildcardPiece]>),
    /// A regular expression, after a literal prefix that all its matches have.
    Regex(Box<[u8]>, Regex),
}

/// Whether a trailing slash makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrailingSlash {
    Counts,
    Ignored,
}

/// Maximum length of a pattern in bytes: Cloudflare's limit for a whole line.
const MAX_LENGTH: usize = 1000;

impl HostPathPattern {
    /// Parses a path or full URL with `*` and `:name`. Returns `None` if it is for another host
    /// than that of `base`.
    pub(super) fn read(
        text: &str,
        slash: TrailingSlash,
        base: &BaseUrl,
    ) -> Result<Option<Self>, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("the path has more than {MAX_LENGTH} bytes"));
        }
        let path = if text.starts_with('/') {
            text
        } else {
            let Some((origin, path)) = split_url(text) else {
                return Err("the path begins with neither `/` nor `https://`".to_owned());
            };
            if !is_host(origin, base) {
                return Ok(None);
            }
            path
        };
        // Hosts match only the path, not the query or the fragment.
        let path = path.split(['#', '?']).next().unwrap_or_default();
        let path = if path.is_empty() { "/" } else { path };
        let path = if slash == TrailingSlash::Ignored {
            without_trailing_slash(path)
        } else {
            path
        };
        let pieces = pieces_of(path, b'/');
        Ok(Some(match <[WildcardPiece; 1]>::try_from(pieces) {
            Ok([WildcardPiece::Literal(literal)]) => Self::Exact(literal),
            Ok([piece]) => Self::Wild(Box::new([piece])),
            Err(pieces) => Self::Wild(pieces.into()),
        }))
    }

    /// The longest known literal that every matching path contains.
    pub(super) fn longest_literal(&self) -> &[u8] {
        match self {
            Self::Exact(path) => path,
            Self::Wild(pieces) => {
                let literals = pieces.iter().filter_map(|piece| match piece {
                    WildcardPiece::Literal(literal) => Some(&**literal),
                    WildcardPiece::Part(_) | WildcardPiece::Rest => None,
                });
                literals
                    .max_by_key(|literal| literal.len())
                    .unwrap_or_default()
            }
            Self::Regex(prefix, _) => prefix,
        }
    }

    /// Whether it matches a path.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        match self {
            Self::Exact(exact) => **exact == *path,
            Self::Wild(pieces) => matches(pieces, path),
            Self::Regex(_, regex) => regex.is_match(path),
        }
    }
}

/// The path without its trailing slash, except for the root.
pub(super) fn without_trailing_slash(path: &str) -> &str {
    path.strip_suffix('/')
        .filter(|shorter| !shorter.is_empty())
        .unwrap_or(path)
}

fn split_url(text: &str) -> Option<(&str, &str)> {
    let scheme = ["https://", "http://"]
        .iter()
        .find(|scheme| text.starts_with(**scheme))?
        .len();
    let path = text[scheme..]
        .find('/')
        .map_or(text.len(), |at| scheme + at);
    Some(text.split_at(path))
}

/// Whether a rule's scheme and host, which may contain wildcards, match the site. The port is
/// ignored.
fn is_host(origin: &str, base: &BaseUrl) -> bool {
    let Some((scheme, host)) = origin.split_once("://") else {
        return false;
    };
    let Some((base_scheme, base_host)) = base.origin().split_once("://") else {
        return false;
    };
    let without_port = base_host
        .rsplit_once(':')
        .map_or(base_host, |(host, _)| host);
    scheme == base_scheme
        && matches(
            &pieces_of(&host.to_ascii_lowercase(), b'.'),
            without_port.as_bytes(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_for_another_host_does_not_apply() {
        let base = BaseUrl::parse("https://my-site.example.com:8443/").expect("a valid base URL");
        let check = |text: &str, expected: bool| {
            let pattern = HostPathPattern::read(text, TrailingSlash::Ignored, &base)
                .expect("a valid pattern");
            assert_eq!(
                pattern.is_some_and(|pattern| pattern.matches(b"/a/b")),
                expected,
                "{text}"
            );
        };
        check("/*", true);
        check("https://my-site.example.com/*", true);
        check("https://:site.example.com/*", true);
        check("https://:site.com/*", false);
        check("http://my-site.example.com/*", false);
        check("https://www.example.com/*", false);
        check("/a/b/", true);
        check("/a/b?x=1", true);
    }
}
