//! Redirects of Firebase whose destination has parameters: the source is a path of `path-to-regexp`
//! 1.9 or a regular expression, and the parts that it captures are inserted into the destination
//! (`superstatic` 10, `redirects.js`).
//!
//! A redirect whose destination lacks a value does not apply. A glob whose path does not match is
//! compared as a glob, and then the destination is sent as written.

use std::sync::LazyLock;

use super::source_regex::SourceRegex;

/// The parts of a path that are not literal: `PATH_REGEXP` of `path-to-regexp`.
static PART: LazyLock<regex::Regex> = LazyLock::new(|| {
    let group = r"\(((?:\\.|[^\\()])+)\)";
    let pattern = format!(r"(\\.)|([/.])?(?:(?::((?-u:\w)+)(?:{group})?|{group})([+*?])?|(\*))");
    regex::Regex::new(&pattern).expect("a valid expression")
});

/// Whether a destination has parameters.
pub(super) fn has_parameters(target: &str) -> bool {
    target.starts_with(':') || target.contains("/:")
}

/// The destination that a path gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CapturedDestination {
    /// The destination with the captured values.
    Filled(String),
    /// The destination with its parameters as written.
    AsWritten,
}

/// A redirect whose destination has parameters.
#[derive(Debug)]
pub(super) struct CapturedRedirect {
    source: SourceRegex,
    /// The number of the group that each parameter takes; the last of a name counts.
    keys: Vec<(String, usize)>,
    repeats: RepeatedValues,
    target: Vec<TargetToken>,
    glob: Option<SourceRegex>,
}

/// Whether a value with slashes is one value or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RepeatedValues {
    Whole,
    PerSegment,
}

impl CapturedRedirect {
    /// Compiles a redirect with a `source`: `path` begins with a slash, and `glob` is the expression
    /// of the same source as a glob.
    pub(super) fn of_glob(path: &str, glob: &str, target: &str) -> Result<Self, String> {
        let tokens = tokens(path);
        let parameters = tokens.iter().filter_map(|token| match token {
            PathToken::Literal(_) => None,
            PathToken::Parameter(parameter) => Some(parameter.name.clone()),
        });
        Ok(Self {
            source: SourceRegex::new(&expression(&tokens))?,
            keys: parameters.zip(1..).collect(),
            repeats: RepeatedValues::PerSegment,
            target: target_tokens(target)?,
            glob: Some(SourceRegex::new(glob)?),
        })
    }

    /// Compiles a redirect with a `regex`. Its groups have numbers, and names if they are written.
    pub(super) fn of_regex(source: &str, target: &str) -> Result<Self, String> {
        let source = SourceRegex::new(source)?;
        let groups = source.group_names();
        let by_number = (0..groups.len()).map(|number| (number.to_string(), number));
        let by_name = groups.iter().zip(0..);
        let by_name = by_name.filter_map(|(name, number)| Some(((*name)?.to_owned(), number)));
        Ok(Self {
            keys: by_number.chain(by_name).collect(),
            source,
            repeats: RepeatedValues::Whole,
            target: target_tokens(target)?,
            glob: None,
        })
    }

    /// The destination of a decoded path; `None` if the redirect does not apply.
    pub(super) fn destination(&self, path: &[u8]) -> Option<CapturedDestination> {
        match (self.source.groups(path), &self.glob) {
            (Some(groups), _) => self.filled(&groups).map(CapturedDestination::Filled),
            (None, Some(glob)) if glob.is_match(path) => Some(CapturedDestination::AsWritten),
            (None, _) => None,
        }
    }

    fn filled(&self, groups: &[Option<String>]) -> Option<String> {
        let mut filled = String::new();
        for token in &self.target {
            match token {
                TargetToken::Literal(text) => filled.push_str(text),
                TargetToken::Parameter(parameter, allowed) => {
                    let key = self.keys.iter().rfind(|(name, _)| *name == parameter.name);
                    let value = key.and_then(|(_, number)| groups.get(*number)?.as_deref());
                    let values: Option<Vec<&str>> = value.map(|value| match self.repeats {
                        RepeatedValues::Whole => vec![value],
                        RepeatedValues::PerSegment => value.split('/').collect(),
                    });
                    filled.push_str(&parameter.filled(values.as_deref(), allowed)?);
                }
            }
        }
        Some(filled)
    }
}

/// A piece of a source.
#[derive(Debug)]
enum PathToken {
    Literal(String),
    Parameter(PathParameter),
}

/// A piece of a destination.
#[derive(Debug)]
enum TargetToken {
    Literal(String),
    /// With the expression that each value matches.
    Parameter(PathParameter, SourceRegex),
}

/// `:name`, `:name(expression)`, `(expression)` or `*`, with the slash or dot before it.
#[derive(Debug)]
struct PathParameter {
    /// Parts without a name are numbered from 0.
    name: String,
    prefix: String,
    expression: String,
    /// `?`, `+` or `*`.
    modifier: Option<char>,
    /// Whether more of the segment follows, so that only the value is optional, not its prefix.
    is_partial: bool,
}

impl PathParameter {
    fn is_optional(&self) -> bool {
        matches!(self.modifier, Some('*' | '?'))
    }

    fn is_repeated(&self) -> bool {
        matches!(self.modifier, Some('*' | '+'))
    }

    /// `tokensToRegExp`: the expression of the parameter in a source.
    fn source_expression(&self) -> String {
        let (prefix, once) = (regex::escape(&self.prefix), &self.expression);
        let value = if self.is_repeated() {
            format!("(?:{once})(?:{prefix}(?:{once}))*")
        } else {
            format!("(?:{once})")
        };
        match (self.is_optional(), self.is_partial) {
            (false, _) => format!("{prefix}({value})"),
            (true, false) => format!("(?:{prefix}({value}))?"),
            (true, true) => format!("{prefix}({value})?"),
        }
    }

    /// `tokensToFunction`: the text of the parameter in a destination; `None` if the values are not
    /// valid there.
    fn filled(&self, values: Option<&[&str]>, allowed: &SourceRegex) -> Option<String> {
        let Some(values) = values else {
            let prefix = if self.is_partial { &*self.prefix } else { "" };
            return self.is_optional().then(|| prefix.to_owned());
        };
        let is_valid = |value: &&str| allowed.is_match(encoded(value).as_bytes());
        if !values.iter().all(is_valid) || (values.len() > 1 && !self.is_repeated()) {
            return None;
        }
        let separator = if self.prefix.is_empty() {
            "/"
        } else {
            &self.prefix
        };
        Some(format!("{}{}", self.prefix, values.join(separator)))
    }
}

/// `parse` of `path-to-regexp`.
fn tokens(path: &str) -> Vec<PathToken> {
    let (mut tokens, mut literal, mut end, mut unnamed) = (Vec::new(), String::new(), 0, 0);
    for part in PART.captures_iter(path) {
        let text = |group| part.get(group).map(|text| text.as_str());
        let whole = part.get_match();
        literal.push_str(&path[end..whole.start()]);
        end = whole.end();
        if let Some(escaped) = text(1) {
            literal.push_str(&escaped[1..]);
            continue;
        }
        let before = std::mem::take(&mut literal);
        let prefix = text(2).unwrap_or_default();
        let default = match text(7) {
            Some(_) => ".*".to_owned(),
            None => segment_expression(prefix, &before),
        };
        let given = text(4).or(text(5)).map(escaped_group);
        let name = text(3).map(str::to_owned);
        let next = path[end..].chars().next();
        let parameter = PathParameter {
            name: name.unwrap_or_else(|| {
                unnamed += 1;
                (unnamed - 1).to_string()
            }),
            prefix: prefix.to_owned(),
            expression: given.unwrap_or(default),
            modifier: text(6).and_then(|modifier| modifier.chars().next()),
            is_partial: !prefix.is_empty() && next.is_some_and(|next| !prefix.starts_with(next)),
        };
        tokens.extend((!before.is_empty()).then_some(PathToken::Literal(before)));
        tokens.push(PathToken::Parameter(parameter));
    }
    literal.push_str(&path[end..]);
    tokens.extend((!literal.is_empty()).then_some(PathToken::Literal(literal)));
    tokens
}

/// `restrictBacktrack`: a value ends at the delimiter, and at the literal before it.
fn segment_expression(prefix: &str, before: &str) -> String {
    let delimiter = if prefix.is_empty() { "/" } else { prefix };
    let previous = if prefix.is_empty() { before } else { prefix };
    if previous.is_empty() || previous.contains(delimiter) {
        return format!("[^{delimiter}]+?");
    }
    let previous = regex::escape(previous);
    format!("{previous}|(?:(?!{previous})[^{delimiter}])+?")
}

/// `escapeGroup`: these characters are literal in the expression of a parameter.
fn escaped_group(group: &str) -> String {
    let mut escaped = String::new();
    for character in group.chars() {
        if "=!:$/()".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The expression of a whole source: any case, and a trailing slash makes no difference.
fn expression(tokens: &[PathToken]) -> String {
    let parts = tokens.iter().map(|token| match token {
        PathToken::Literal(text) => regex::escape(text),
        PathToken::Parameter(parameter) => parameter.source_expression(),
    });
    let route: String = parts.collect();
    format!("(?i)^{}/?$", route.strip_suffix('/').unwrap_or(&route))
}

fn target_tokens(target: &str) -> Result<Vec<TargetToken>, String> {
    let compiled = tokens(target).into_iter().map(|token| match token {
        PathToken::Literal(text) => Ok(TargetToken::Literal(text)),
        PathToken::Parameter(parameter) => {
            let allowed = SourceRegex::new(&format!("(?i)^(?:{})$", parameter.expression))?;
            Ok(TargetToken::Parameter(parameter, allowed))
        }
    });
    compiled.collect()
}

/// `encodeURIComponent`.
fn encoded(value: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let encoded = value.bytes().map(|byte| {
        if is_kept(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::super::firebase_glob::glob_expression;
    use super::*;

    fn check(redirect: &CapturedRedirect, path: &str, expected: Option<&str>) {
        let found = redirect
            .destination(path.as_bytes())
            .map(|found| match found {
                CapturedDestination::Filled(filled) => filled,
                CapturedDestination::AsWritten => "as written".to_owned(),
            });
        assert_eq!(found.as_deref(), expected, "{redirect:?} on {path}");
    }

    /// The expected values are those of `superstatic` 10.
    #[test]
    fn a_source_is_compared_as_a_path_first_and_then_as_a_glob() {
        let check = |source: &str, target: &str, path: &str, expected: Option<&str>| {
            let glob = glob_expression(source).expect("a glob");
            let redirect = CapturedRedirect::of_glob(source, &glob, target).expect("a redirect");
            check(&redirect, path, expected);
        };
        check("/blog/:post", "/new/:post", "/blog/a/", Some("/new/a"));
        check("/blog/:post", "/new/:post", "/BLOG/a", Some("/new/a"));
        check("/blog/:post", "/new/:post", "/blog/a/b", None);
        check("/blog/:post*", "/new/:post*", "/blog/a/b", Some("/new/a/b"));
        check("/blog/:post*", "/new/:post", "/blog/a/b", None);
        check("/blog/:post*", "/new/:post*", "/blog", Some("/new"));
        check("/blog/:post*", "/new/:post", "/blog", None);
        check("/blog/:post?", "/new/:post", "/blog", None);
        check("/blog/:post", "/new/:other", "/blog/a", None);
        check(
            "/blog/:post(\\d+)",
            "/new/:post",
            "/blog/12",
            Some("/new/12"),
        );
        check("/blog/:post(\\d+)", "/new/:post", "/blog/x", None);
        check("/blog/:post", "/new/:post(\\d+)", "/blog/x", None);
        check("/:x/:x", "/:x", "/a/b", Some("/b"));
        check("/:file.html", "/:file", "/a.html", Some("/a"));
        check("/:a-:b", "/:b/:a", "/x-y", Some("/y/x"));
        check("/!(blog|de)/**", "/:p", "/docs/x", Some("as written"));
        check("/!(blog|de)/**", "/:p", "/blog/x", None);
        check("/tags/?/", "/:p", "/tags/t/", Some("as written"));
        check("/(de|fr)/*", "/:0/:1", "/fr/x", Some("/fr/x"));
        check("/(de|fr)/*", "/:0/:1", "/fr/x/y", None);
    }

    #[test]
    fn a_regular_expression_captures_groups_by_number_and_by_name() {
        let check = |regex: &str, target: &str, path: &str, expected: Option<&str>| {
            let redirect = CapturedRedirect::of_regex(regex, target).expect("a redirect");
            check(&redirect, path, expected);
        };
        check("/blog/(.+)", "/new/:1", "/blog/a/b", Some("/new/a/b"));
        check(
            "^/(?P<lang>de|fr)/(.*)$",
            "/:lang/:2",
            "/de/a",
            Some("/de/a"),
        );
        check("^/(a)?b$", "/x/:1", "/b", None);
        check("^/(a)?b$", "/x/:1?", "/b", Some("/x"));
        check("^/x(.*)$", "/new/:name", "/xa", None);
        check("^/x$", "/:1", "/y", None);
    }
}
