//! Literal text and wildcards of a glob, read without compiling it.

/// The literal text at both ends of every match, and what may be between.
#[derive(Debug, Clone)]
pub(crate) struct GlobShape {
    prefix: Box<[u8]>,
    suffix: Box<[u8]>,
    between: Between,
}

/// The text that a glob allows between its prefix and its suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Nothing: the glob has no wildcard.
    Nothing,
    /// One `*`: anything without a slash.
    WithinSegment,
    /// One `**` at the end: anything.
    Anything,
    /// only the compiled glob decides.
    Compiled,
}

/// Result of comparing a path with a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShapeMatch<'p> {
    /// The glob does not match.
    No,
    /// The glob matches, and this is what its wildcard matched, if it has one.
    Yes(Option<&'p [u8]>),
    /// The compiled glob decides.
    Undecided,
}

const WILDCARDS_AND_ESCAPES: &[u8] = b"*?[]{}\\";

impl GlobShape {
    /// The shape of a glob without a leading `/`.
    pub(crate) fn new(glob: &str) -> Self {
        let glob = glob.as_bytes();
        let special = |byte: &u8| WILDCARDS_AND_ESCAPES.contains(byte);
        let start = glob.iter().position(special).unwrap_or(glob.len());
        let end = glob.iter().rposition(special).map_or(start, |at| at + 1);
        let (prefix, suffix) = (&glob[..start], &glob[end..]);
        let is_segment = (prefix.is_empty() || prefix.ends_with(b"/")) && suffix.is_empty();
        let between = match &glob[start..end] {
            b"" => Between::Nothing,
            b"*" => Between::WithinSegment,
            b"**" if is_segment => Between::Anything,
            _ => Between::Compiled,
        };
        // `**/` also matches the empty string, without a slash.
        let suffix = match between {
            Between::Compiled => suffix.strip_prefix(b"/").unwrap_or(suffix),
            _ => suffix,
        };
        Self {
            prefix: prefix.into(),
            suffix: suffix.into(),
            between,
        }
    }

    /// Whether a path matches, as far as the shape decides.
    pub(crate) fn of<'p>(&self, path: &'p [u8]) -> ShapeMatch<'p> {
        let rest = path.strip_prefix(&*self.prefix);
        let Some(middle) = rest.and_then(|rest| rest.strip_suffix(&*self.suffix)) else {
            return ShapeMatch::No;
        };
        match self.between {
            Between::Nothing if middle.is_empty() => ShapeMatch::Yes(None),
            Between::WithinSegment if !middle.contains(&b'/') => ShapeMatch::Yes(Some(middle)),
            Between::Nothing | Between::WithinSegment => ShapeMatch::No,
            Between::Anything => ShapeMatch::Yes(Some(middle)),
            Between::Compiled => ShapeMatch::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_with_one_wildcard_needs_no_compiling() {
        let check = |glob: &str, path: &str, expected: ShapeMatch<'_>| {
            assert_eq!(
                GlobShape::new(glob).of(path.as_bytes()),
                expected,
                "{glob} {path}"
            );
        };
        check("a.html", "a.html", ShapeMatch::Yes(None));
        check("a.html", "a.html/a.html", ShapeMatch::No);
        check("blog/*.html", "blog/a.html", ShapeMatch::Yes(Some(b"a")));
        check("blog/*.html", "blog/a/b.html", ShapeMatch::No);
        check(
            "blog/**",
            "blog/a/b.html",
            ShapeMatch::Yes(Some(b"a/b.html")),
        );
        check("blog/**", "blogs", ShapeMatch::No);
        check("**", "", ShapeMatch::Yes(Some(b"")));
        check("a*a", "a", ShapeMatch::No);
    }

    #[test]
    fn other_globs_are_left_to_the_compiled_glob() {
        for glob in ["a**", "**/index.html", "**/b", "[a]", r"\a", "*/*"] {
            let decided = GlobShape::new(glob).of(b"a/index.html/b");
            assert_ne!(decided, ShapeMatch::Yes(None), "{glob}");
        }
    }
}
