//! Compares two versions of a file: whether they differ only in whitespace or front matter.

use std::borrow::Cow;

use super::MinorChange;

/// Whether two versions of a file differ at most in these ways.
pub fn differ_only_in(kinds: &[MinorChange], ours: &[u8], theirs: &[u8]) -> bool {
    significant_text(kinds, ours) == significant_text(kinds, theirs)
}

/// Returns what counts in a file: without front matter, or with its words separated by one space, if
/// changes of these do not count.
pub fn significant_text<'t>(kinds: &[MinorChange], text: &'t [u8]) -> Cow<'t, [u8]> {
    let text = if kinds.contains(&MinorChange::FrontMatter) {
        without_front_matter(text)
    } else {
        text
    };
    if kinds.contains(&MinorChange::Whitespace) {
        words(text).collect::<Vec<_>>().join(&b' ').into()
    } else {
        text.into()
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Returns what follows the front matter: a block between lines of `---` or `+++` that starts the file.
fn without_front_matter(text: &[u8]) -> &[u8] {
    let start = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = start.split_inclusive(|byte| *byte == b'\n');
    let fence = lines.next().unwrap_or_default();
    match fence.trim_ascii_end() {
        mark @ (b"---" | b"+++") => {
            let mut at = fence.len();
            for line in lines {
                at += line.len();
                if line.trim_ascii_end() == mark {
                    return &start[at..];
                }
            }
            text
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_a_block_at_the_start() {
        let check = |text: &str, expected: &str| {
            let rest = without_front_matter(text.as_bytes());
            assert_eq!(rest, expected.as_bytes(), "{text:?}");
        };
        check("---\na: b\n---\nText\n", "Text\n");
        check("\u{feff}---\r\na: b\r\n---\r\nText\n", "Text\n");
        check("+++\na = \"---\"\n+++\nText", "Text");
        check("---\nText without an end\n", "---\nText without an end\n");
        check("Text\n---\na: b\n---\n", "Text\n---\na: b\n---\n");
        check("", "");
    }

    #[test]
    fn only_the_ignored_kinds_of_changes_are_minor() {
        use MinorChange::{FrontMatter, Whitespace};
        let check = |kinds: &[MinorChange], ours: &str, theirs: &str, expected: bool| {
            let equal = differ_only_in(kinds, ours.as_bytes(), theirs.as_bytes());
            assert_eq!(equal, expected, "{kinds:?} {ours:?} {theirs:?}");
        };
        check(&[Whitespace], "a  b\n", " a\nb", true);
        check(&[Whitespace], "ab", "a b", false);
        check(
            &[Whitespace],
            "---\nx: 1\n---\na",
            "---\nx: 2\n---\na",
            false,
        );
        check(
            &[FrontMatter],
            "---\nx: 1\n---\na",
            "---\nx: 2\n---\na",
            true,
        );
        check(&[FrontMatter], "---\nx: 1\n---\na", "a", true);
        check(
            &[FrontMatter],
            "---\nx: 1\n---\na",
            "---\nx: 2\n---\n a",
            false,
        );
        check(
            &[FrontMatter, Whitespace],
            "---\nx: 1\n---\na",
            "---\nx: 2\n---\n a",
            true,
        );
    }
}
