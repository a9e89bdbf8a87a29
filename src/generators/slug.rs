//! Slugs of names.

/// The origin of a name that a slug is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlugSubject {
    /// A directory, unless it is the last part of a page's path.
    Dir,
    /// The last part of the path of a page, as its file or directory is named.
    Page,
    /// The front matter key `slug`.
    FrontMatter,
    /// A taxonomy or a term.
    Term,
}

/// The npm package github-slugger: lower case, each space becomes a hyphen, and everything except
/// letters, marks, digits, `-` and `_` is removed.
pub(super) fn github(name: &str) -> String {
    name.to_lowercase()
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            _ if is_word(character) || "-_".contains(character) => Some(character),
            _ => None,
        })
        .collect()
}

/// Whether a character is a letter, a digit or a mark.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_match_github_slugger() {
        let check = |name: &str, expected: &str| assert_eq!(github(name), expected);
        check("Two Words & more", "two-words--more");
        check("a.b_c", "ab_c");
        check("Über", "über");
    }
}
