//! Translates Vercel's `source` (path-to-regexp 6 with `strict` and `sensitive`) into a regular
//! expression.
//!
//! Examples: `/blog/:slug`, `/:path*`, `/:id(\d+)`, `/((?!api).*)`, `{/:lang}?`. A source is
//! percent-encoded like a URL (`%20` for a space), but it is matched against decoded paths.

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::PathForm;
use super::source_regex::SourceRegex;
use site_paths::decode;

/// Maximum length of a source in bytes: Vercel's own limit.
const MAX_LENGTH: usize = 4096;

/// Parses a source.
pub(super) fn read(source: &str) -> Result<HostPathPattern, String> {
    if source.len() > MAX_LENGTH {
        return Err(format!("the source has more than {MAX_LENGTH} bytes"));
    }
    if !source.starts_with(['/', '{']) {
        return Err("the source does not begin with `/`".to_owned());
    }
    let special = source.find(['(', ':', '{', '}', '\\', '*', '+', '?']);
    let Some(special) = special else {
        let path = decode(source).into_owned();
        return Ok(of(PatternShape::Exact(path.into())));
    };
    // A slash before an optional part is optional too.
    let prefix = source[..special].trim_end_matches(['/', '.']);
    let expression = format!(
        "^(?:{})$",
        decoded(&PathToRegexTranslator { rest: source }.translate()?)
    );
    Ok(of(PatternShape::Regex(
        decode(prefix).into_owned().into(),
        SourceRegex::new(&expression)?,
    )))
}

fn of(shape: PatternShape) -> HostPathPattern {
    HostPathPattern {
        shape,
        form: PathForm::Decoded,
    }
}

/// Replaces each sequence of `%XX` with the characters, or else the bytes, that it encodes.
fn decoded(expression: &str) -> String {
    let (mut out, mut rest) = (String::new(), expression);
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let pairs = from.as_bytes().chunks(3).take_while(|pair| {
            matches!(pair, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
        });
        let (encoded, after) = from.split_at(3 * pairs.count());
        match std::str::from_utf8(&decode(encoded)) {
            Ok(text) => out.push_str(&regex::escape(text)),
            Err(_) => out.push_str(&encoded.replace('%', "\\x")),
        }
        rest = if encoded.is_empty() {
            out.push('%');
            &after[1..]
        } else {
            after
        };
    }
    out + rest
}

struct PathToRegexTranslator<'s> {
    rest: &'s str,
}

impl<'s> PathToRegexTranslator<'s> {
    fn translate(mut self) -> Result<String, String> {
        let mut out = String::new();
        while let Some(character) = self.rest.chars().next() {
            match character {
                '{' => out.push_str(&self.group()?),
                '}' => return Err("a `}` has no matching `{`".to_owned()),
                '*' | '+' | '?' => return Err(format!("nothing precedes `{character}`")),
                '/' | '.' if self.begins_part(1) => {
                    self.take(1);
                    let part = self.part()?;
                    out.push_str(&self.repeated(&regex::escape(&character.to_string()), &part, ""));
                }
                ':' | '(' if self.begins_part(0) => {
                    let part = self.part()?;
                    out.push_str(&self.repeated("", &part, ""));
                }
                _ => out.push_str(&self.literal()?),
            }
        }
        Ok(out)
    }

    fn begins_part(&self, at: usize) -> bool {
        let mut bytes = self.rest.bytes().skip(at);
        match bytes.next() {
            Some(b'(') => true,
            Some(b':') => bytes
                .next()
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            _ => false,
        }
    }

    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Parses one literal character, with or without a backslash before it.
    fn literal(&mut self) -> Result<String, String> {
        if self.rest.starts_with('\\') {
            self.take(1);
        }
        let length = self
            .rest
            .chars()
            .next()
            .ok_or("nothing follows `\\`")?
            .len_utf8();
        Ok(regex::escape(self.take(length)))
    }

    /// Parses `:name`, `:name(expression)` or `(expression)`, and returns the expression.
    fn part(&mut self) -> Result<String, String> {
        let is_named = self.rest.starts_with(':');
        if is_named {
            let name = self
                .rest
                .bytes()
                .skip(1)
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let length = 1 + name.count();
            self.take(length);
        }
        if !self.rest.starts_with('(') {
            return Ok("[^/#?]+?".to_owned());
        }
        let end = end_of_group(self.rest, '(', ')').ok_or("a `(` is not closed")?;
        let inner = self.take(end + 1);
        Ok(inner[1..end].to_owned())
    }

    /// Parses `{prefix:name suffix}` and its modifier.
    fn group(&mut self) -> Result<String, String> {
        let end = end_of_group(self.rest, '{', '}').ok_or("a `{` is not closed")?;
        let inner = &self.take(end + 1)[1..end];
        if inner.contains('{') {
            return Err("a `{` is nested in another group".to_owned());
        }
        let mut inside = PathToRegexTranslator { rest: inner };
        let (mut before, mut after, mut part) = (String::new(), String::new(), None);
        while !inside.rest.is_empty() {
            if part.is_none() && inside.begins_part(0) {
                part = Some(inside.part()?);
            } else {
                let literal = inside.literal()?;
                if part.is_none() {
                    before.push_str(&literal);
                } else {
                    after.push_str(&literal);
                }
            }
        }
        Ok(self.repeated(&before, &part.unwrap_or_default(), &after))
    }

    /// Parses the modifier, if any, and applies it to a part and the literals around it.
    fn repeated(&mut self, before: &str, part: &str, after: &str) -> String {
        let once = format!("{before}(?:{part}){after}");
        let many = format!("{before}(?:{part})(?:{after}{before}(?:{part}))*{after}");
        let repeated = match self.rest.bytes().next() {
            Some(b'?') => format!("(?:{once})?"),
            Some(b'+') => format!("(?:{many})"),
            Some(b'*') => format!("(?:{many})?"),
            _ => return once,
        };
        self.take(1);
        repeated
    }
}

/// The position of the bracket that closes the one at the start.
fn end_of_group(text: &str, open: char, close: char) -> Option<usize> {
    let (mut depth, mut is_quoted) = (0_usize, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_quoted => is_quoted = false,
            '\\' => is_quoted = true,
            character if character == open => depth += 1,
            character if character == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_matches_as_on_vercel() {
        let check = |source: &str, path: &str, expected: bool| {
            let pattern = read(source).expect("a valid source");
            let matches = path.as_bytes().starts_with(pattern.longest_literal())
                && pattern.matches_text(path.as_bytes());
            assert_eq!(matches, expected, "{source} on {path}");
        };
        check("/about", "/about", true);
        check("/about", "/about/", false);
        check("/blog/:slug", "/blog/a", true);
        check("/blog/:slug", "/blog/a/b", false);
        check("/blog/:path*", "/blog", true);
        check("/blog/:path*", "/blog/a/b", true);
        check("/blog/:path*", "/blog/", false);
        check("/blog/:path+", "/blog", false);
        check("/(.*)", "/a/b", true);
        check("/(.*)", "/", true);
        check("/:path(.*)", "/a/b", true);
        check("/post/:id(\\d{1,})", "/post/123", true);
        check("/post/:id(\\d{1,})", "/post/abc", false);
        check("{/:lang}?/docs", "/docs", true);
        check("{/:lang}?/docs", "/de/docs", true);
        check("/play/:path*(/)?", "/play/a/", true);
        check("/a\\(b", "/a(b", true);
        check("/a.html", "/axhtml", false);
        check("/my%20docs", "/my docs", true);
        check("/my%20docs/(.*)", "/my docs/a", true);
        check("/my%20docs/(.*)", "/my%20docs/a", false);
        check("/:page(gr%C3%B6%C3%9Fe)", "/größe", true);
        check("/100%/:page", "/100%/a", true);
        check("/((?!api/).*)", "/about", true);
        check("/((?!api/).*)", "/api/x", false);
        check("/:path((?!uk/).*)", "/uk/x", false);
        check("/:path((?!gr%C3%B6%C3%9Fe/).*)", "/größe/x", false);
    }

    #[test]
    fn an_invalid_source_is_rejected_with_a_reason() {
        let check = |source: &str, reason: &str| {
            let error = read(source).expect_err(source);
            assert!(error.contains(reason), "{source}: {error}");
        };
        check("about", "does not begin with `/`");
        check("/(a", "is not closed");
        check("/{a", "is not closed");
        check("/a}", "has no matching `{`");
        check("/+a", "nothing precedes `+`");
        check("/((a{1000}){1000})", "cannot be compiled");
    }
}
