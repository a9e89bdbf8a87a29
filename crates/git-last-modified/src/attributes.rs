//! Parses `.gitattributes` to find files whose bytes on disk may differ from their blobs.
//!
//! Plain name patterns such as `*.png filter=lfs`, by far the most common, are matched as Git does
//! (see gitattributes(5)). Any other pattern is assumed to match every file in the directory and
//! below, so that such a file is never reported as edited by mistake.

use std::path::Path;

use super::limits;
use super::name_folding::NameFolding;

/// Attributes that can make a file's bytes differ from its blob.
const TRANSFORMING: [&[u8]; 3] = [b"filter", b"ident", b"working-tree-encoding"];

/// The patterns in an attributes file that mark files as transformed.
#[derive(Debug, Default)]
pub(super) struct TransformedFiles(Vec<AttributePattern>);

#[derive(Debug)]
enum AttributePattern {
    /// A literal name: `logo.png`.
    Name(Vec<u8>),
    /// A name suffix: `*.png`.
    Ending(Vec<u8>),
    /// Any other pattern, or a macro definition; assumed to match every name.
    Any,
}

impl TransformedFiles {
    pub(super) fn read(file: &Path) -> Self {
        // Git also ignores a missing or unreadable attributes file.
        Self::parse(&limits::read(file, limits::MAX_FILE_BYTES).unwrap_or_default())
    }

    fn parse(text: &[u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self(
            text.split(|byte| *byte == b'\n')
                .filter_map(pattern_of)
                .collect(),
        )
    }

    /// Whether one of the patterns may match files with this name.
    pub(super) fn may_match(&self, name: &[u8], folding: NameFolding) -> bool {
        let is_same = |left: &[u8], right: &[u8]| {
            left == right || folding.case && left.eq_ignore_ascii_case(right)
        };
        self.0.iter().any(|pattern| match pattern {
            AttributePattern::Name(known) => is_same(known, name),
            AttributePattern::Ending(ending) => name
                .len()
                .checked_sub(ending.len())
                .is_some_and(|at| is_same(&name[at..], ending)),
            AttributePattern::Any => true,
        })
    }
}

/// Returns the pattern of a line whose attributes transform files.
fn pattern_of(line: &[u8]) -> Option<AttributePattern> {
    let line = line.trim_ascii();
    if line.starts_with(b"#") {
        return None;
    }
    // A quoted pattern may contain whitespace, so treat the whole line as attributes.
    let pattern_end = if line.starts_with(b"\"") {
        Some(0)
    } else {
        line.iter().position(u8::is_ascii_whitespace)
    };
    let (pattern, attributes) = line.split_at(pattern_end?);
    let transforms = TRANSFORMING
        .iter()
        .any(|attribute| memchr::memmem::find(attributes, attribute).is_some());
    let is_plain = |name: &[u8]| !name.iter().any(|byte| b"/*?[\\".contains(byte));
    transforms.then(|| match pattern {
        [b'*', ending @ ..] if is_plain(ending) => AttributePattern::Ending(ending.to_vec()),
        [first, ..] if *first != b'!' && is_plain(pattern) => {
            AttributePattern::Name(pattern.to_vec())
        }
        _ => AttributePattern::Any,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_applies_to_files_whose_names_its_pattern_may_match() {
        let check = |text: &str, name: &str, expected: bool| {
            let exact = NameFolding {
                case: false,
                composition: false,
            };
            assert_eq!(
                TransformedFiles::parse(text.as_bytes()).may_match(name.as_bytes(), exact),
                expected,
                "{text:?}"
            );
        };
        check("*.png filter=lfs diff=lfs merge=lfs -text\n", "a.png", true);
        check("*.png filter=lfs diff=lfs merge=lfs -text\n", "a.md", false);
        check("*.png filter=lfs\r\n\t*.md\tident\r\n", "a.md", true);
        check("# * filter=lfs\n  # * ident\n", "a.md", false);
        check("\u{feff}*.md filter=lfs\n", "a.md", true);
        check("filter.md text\n", "filter.md", false);
        check("a.md ident", "a.md", true);
        check("a.md ident", "ba.md", false);
        check("* ident", "a.md", true);
        check("[attr]lfs filter=lfs\n*.png lfs\n", "a.md", true);
        check("docs/*.png filter=lfs\n", "a.md", true);
        check("\"a b.png\" filter=lfs\n", "a.md", true);
        check("\"a.png\"filter=lfs\n", "a.md", true);
        check("*.p?g filter=lfs\n", "a.md", true);
        check("", "a.md", false);
    }
}
