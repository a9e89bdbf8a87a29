//! Translates the `source` of Firebase's rules, a glob of minimatch 6, into a regular expression
//! (`superstatic` 10, `patterns.js`).
//!
//! minimatch treats names that begin with a dot differently; no page has one.

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::PathForm;
use super::source_regex::SourceRegex;

/// Maximum number of globs that a glob with braces expands to.
const MOST_ALTERNATIVES: usize = 64;

/// Compiles a glob.
pub(super) fn glob(source: &str, form: PathForm) -> Result<HostPathPattern, String> {
    match (one_path(source), form) {
        (Some(path), form) if path.ends_with('/') => Ok(exact(path, form)),
        (Some(path), PathForm::Decoded) => Ok(exact(path, PathForm::DecodedSlashless)),
        _ => of(
            literal_beginning(source).as_bytes(),
            &glob_expression(source)?,
            form,
        ),
    }
}

/// The path of a glob without wildcards. It also matches with one more slash.
fn one_path(source: &str) -> Option<String> {
    (!source.contains(['*', '?', '[', '{', '(', '!', '\\'])).then(|| with_slash(source))
}

fn exact(path: String, form: PathForm) -> HostPathPattern {
    let shape = PatternShape::Exact(path.into_bytes().into());
    HostPathPattern { shape, form }
}

/// Compiles a regular expression, which may match anywhere in the path.
pub(super) fn expression(source: &str, form: PathForm) -> Result<HostPathPattern, String> {
    of(b"", source, form)
}

/// The text with which every path of a glob begins.
fn literal_beginning(source: &str) -> String {
    if source.starts_with('!') {
        return String::new();
    }
    let glob = with_slash(source);
    let special = glob.find(['*', '?', '+', '@', '!', '[', '{', '(', '\\']);
    glob[..special.unwrap_or(glob.len())].to_owned()
}

fn of(prefix: &[u8], expression: &str, form: PathForm) -> Result<HostPathPattern, String> {
    let shape = PatternShape::Regex(prefix.into(), SourceRegex::new(expression)?);
    Ok(HostPathPattern { shape, form })
}

/// `glob-slash`: a glob begins with one slash, after its `!`, and no slash is doubled.
pub(super) fn with_slash(source: &str) -> String {
    let mut path = format!("/{source}");
    while path.contains("//") {
        path = path.replace("//", "/");
    }
    path
}

/// The regular expression of a glob.
pub(super) fn glob_expression(source: &str) -> Result<String, String> {
    let negated = source.strip_prefix('!');
    let globs = alternatives(&with_slash(negated.unwrap_or(source)))?;
    let expressions: Result<Vec<String>, String> =
        globs.iter().map(|glob| path_of_segments(glob)).collect();
    let joined = expressions?.join("|");
    Ok(match negated {
        Some(_) => format!("^(?!(?:{joined})$)"),
        None => format!("^(?:{joined})$"),
    })
}

/// Expands braces with commas: `{a,b}c` is `ac` and `bc`.
fn alternatives(glob: &str) -> Result<Vec<String>, String> {
    let Some((open, close, commas)) = first_braces(glob)? else {
        return Ok(vec![glob.to_owned()]);
    };
    let mut globs = Vec::new();
    let mut start = open + 1;
    for end in commas.into_iter().chain([close]) {
        let one = format!(
            "{}{}{}",
            &glob[..open],
            &glob[start..end],
            &glob[close + 1..]
        );
        globs.extend(alternatives(&one)?);
        if globs.len() > MOST_ALTERNATIVES {
            return Err(format!(
                "its braces have more than {MOST_ALTERNATIVES} alternatives"
            ));
        }
        start = end + 1;
    }
    Ok(globs)
}

/// The first braces that have commas, and the positions of these.
fn first_braces(glob: &str) -> Result<Option<(usize, usize, Vec<usize>)>, String> {
    for (open, _) in glob.match_indices('{') {
        let (mut depth, mut commas) = (0_usize, Vec::new());
        for (at, character) in glob[open..].char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => commas.push(open + at),
                _ => {}
            }
            if depth > 0 {
                continue;
            }
            if !commas.is_empty() {
                return Ok(Some((open, open + at, commas)));
            }
            if glob[open..open + at].contains("..") {
                return Err("ranges in braces are not supported".to_owned());
            }
            break;
        }
    }
    Ok(None)
}

/// The segments of a glob without braces. `**` is any number of segments, but at the end at least
/// one, which may be empty; a path may have one more slash than the glob.
fn path_of_segments(glob: &str) -> Result<String, String> {
    let mut segments: Vec<&str> = glob.split('/').skip(1).collect();
    segments.dedup_by(|left, right| *left == "**" && *right == "**");
    let last = segments.len() - 1;
    let mut out = String::new();
    for (at, segment) in segments.into_iter().enumerate() {
        match segment {
            "**" if at == last => out.push_str("/.*"),
            "**" => out.push_str("(?:/[^/]*)*?"),
            "" => out.push('/'),
            "*" => out.push_str("/[^/]+"),
            segment => {
                out.push('/');
                out.push_str(&segment_expression(segment)?);
            }
        }
        if at == last && !matches!(segment, "**" | "") {
            out.push_str("/?");
        }
    }
    Ok(out)
}

fn segment_expression(segment: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = segment;
    // A name is never empty.
    if ["!(", "*(", "?("]
        .iter()
        .any(|group| segment.starts_with(group))
    {
        out.push_str("(?=[^/])");
    }
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        if "@+*?!".contains(character) && after.starts_with('(') {
            let close = after.find(')').ok_or("a `(` is not closed")?;
            if after[1..close].contains('(') {
                return Err("nested groups are not supported".to_owned());
            }
            out.push_str(&group(character, &after[1..close], &after[close + 1..])?);
            rest = &after[close + 1..];
            continue;
        }
        rest = match character {
            '*' => {
                out.push_str("[^/]*");
                after.trim_start_matches('*')
            }
            '?' => {
                out.push_str("[^/]");
                after
            }
            '[' if after.contains(']') => class(after, &mut out),
            '\\' if !after.is_empty() => {
                let length = after.chars().next().map_or(0, char::len_utf8);
                out.push_str(&regex::escape(&after[..length]));
                &after[length..]
            }
            _ => {
                out.push_str(&regex::escape(&rest[..character.len_utf8()]));
                after
            }
        };
    }
    Ok(out)
}

/// `@(a|b)` is one of them, with `+`, `*` and `?` as in regular expressions; `!(a|b)` is a name that
/// is none of them.
fn group(kind: char, inside: &str, after: &str) -> Result<String, String> {
    let parts: Result<Vec<String>, String> = inside.split('|').map(segment_expression).collect();
    let parts = parts?.join("|");
    Ok(match kind {
        '!' => format!("(?!(?:{parts}){}(?:/|$))[^/]*?", segment_expression(after)?),
        '@' => format!("(?:{parts})"),
        kind => format!("(?:{parts}){kind}"),
    })
}

/// Adds a class of characters, and returns the text after it.
fn class<'g>(after: &'g str, out: &mut String) -> &'g str {
    let end = after.find(']').unwrap_or(after.len());
    let (inside, rest) = (&after[..end], &after[end + 1..]);
    let (not, inside) = match inside.strip_prefix(['!', '^']) {
        Some(inside) => ("^", inside),
        None => ("", inside),
    };
    let escaped = inside.replace(['\\', '[', '&', '~'], "");
    out.extend(["[", not, &escaped, "]"]);
    rest
}

#[cfg(test)]
mod tests {
    use super::super::request_path::RequestPath;
    use super::*;

    #[test]
    fn a_glob_matches_as_in_minimatch() {
        let check = |source: &str, path: &str, expected: bool| {
            let pattern = glob(source, PathForm::Decoded).expect("a glob");
            assert_eq!(
                pattern.matches(&RequestPath::new(path)),
                expected,
                "{source} on {path}"
            );
        };
        check("/blog", "/blog", true);
        check("blog", "/blog/", true);
        check("/blog/", "/blog", false);
        check("/blog/**", "/blog", false);
        check("/blog/**", "/blog/", true);
        check("/blog/**", "/blog/a/b", true);
        check("/blog/*", "/blog/a/b", false);
        check("/*", "/", false);
        check("**", "/", true);
        check("**/*.html", "/a.html", true);
        check("**/*.@(html|htm)", "/x/a.htm", true);
        check("/{a,b/c}/x", "/b/c/x", true);
        check("/{a}", "/{a}", true);
        check("!/blog/**", "/about", true);
        check("!/blog/**", "/blog/a", false);
        check("/!(a|b)", "/c", true);
        check("/!(a|b)", "/a", false);
        check("/!(a|b)", "/", false);
        check("/*(a)", "/", false);
        check("/[a-c]?", "/bx", true);
        check("/[!a]", "/a", false);
        check("/Blog", "/blog", false);
        check("/b\\log", "/blog", true);
        check("/blog\\/a", "/blog/a", false);
    }
}
