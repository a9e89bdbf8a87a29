//! The slug functions of generators, each a port of its own.

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

/// Hugo's paths for names of content files. Each whitespace character becomes a hyphen; hyphens are
/// neither collapsed nor trimmed. Letters, digits, marks and `. _ ~ - / + # @` are kept, including
/// non-ASCII letters; everything else is removed.
pub(super) fn hugo_path(name: &str) -> String {
    let kept = name.chars().filter_map(|character| match character {
        _ if character.is_whitespace() => Some('-'),
        _ if stays_in_hugo(character) => Some(character),
        _ => None,
    });
    kept.collect()
}

/// Hugo's slugs for titles, patterns and the `slug` of front matter. Like [`hugo_path`], except
/// that a run of whitespace becomes one hyphen, or none next to a hyphen or at either end (its
/// helpers, `UnicodeSanitize`).
pub(super) fn hugo_slug(slug: &str) -> String {
    let is_dropped = |character: char| !character.is_whitespace() && !stays_in_hugo(character);
    let kept = slug.replace(is_dropped, "");
    let mut out = String::with_capacity(kept.len());
    for word in kept.split_whitespace() {
        if !out.is_empty() && !out.ends_with('-') && !word.starts_with('-') {
            out.push('-');
        }
        out.push_str(word);
    }
    out
}

/// Whether Hugo keeps a character: letters, digits and marks as in Go's `unicode`, and some punctuation.
/// Go removes numbers such as `½`, which are kept here, so a file with such a name has no page.
fn stays_in_hugo(character: char) -> bool {
    is_word(character) || "._~-/+#@".contains(character)
}

/// The npm package github-slugger: lower case, each space becomes a hyphen, and everything except
/// letters, marks, digits, `-` and `_` is removed.
pub(super) fn github(name: &str) -> String {
    let lower = name.to_lowercase();
    let kept = lower.chars().filter_map(|character| match character {
        ' ' => Some('-'),
        _ if is_word(character) || "-_".contains(character) => Some(character),
        _ => None,
    });
    kept.collect()
}

/// Jekyll's `:title`: each run of characters other than letters, marks, digits and some punctuation
/// becomes one hyphen, or none at either end.
pub(super) fn jekyll_title(name: &str) -> String {
    let is_kept = |character| is_word(character) || "._~!$&'()+,;=@".contains(character);
    hyphenated(name, is_kept)
}

/// Jekyll's `:slug`: the same without punctuation, in lower case.
pub(super) fn jekyll_slug(name: &str) -> String {
    hyphenated(name, is_word).to_lowercase()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

fn hyphenated(name: &str, is_kept: impl Fn(char) -> bool) -> String {
    let parts = name.split(|character| !is_kept(character));
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

/// Removes the number from the start of a name, as Nuxt does: `2.name`. Versions are kept.
pub(super) fn without_number(name: &str) -> &str {
    let Some((number, rest)) = name.split_once('.') else {
        return name;
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = rest == "x" || !rest.contains(char::is_alphabetic);
    if is_number && !is_version { rest } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hugo_paths_match_hugo() {
        let check =
            |name: &str, expected: &str| assert_eq!(hugo_path(name).to_lowercase(), expected);
        check("Über-Größe", "über-größe");
        check("Größe & Maß", "größe--maß");
        check("What.Is.This", "what.is.this");
        check("a - b", "a---b");
        check("a  b, c", "a--b-c");
        check(" lead", "-lead");
        check("hugo-0.152.0+ #1 @x", "hugo-0.152.0+-#1-@x");
        assert_eq!(hugo_path("Mixed Case"), "Mixed-Case");
    }

    #[test]
    fn hugo_slugs_collapse_whitespace_but_keep_runs_of_hyphens() {
        let check =
            |slug: &str, expected: &str| assert_eq!(hugo_slug(slug).to_lowercase(), expected);
        check("A & B", "a-b");
        check("a - b", "a-b");
        check(" a  b ", "a-b");
        check("1. Mixed -- Case", "1.-mixed--case");
    }

    #[test]
    fn slugs_match_jekyll_and_github_slugger() {
        assert_eq!(jekyll_title("Second Post: a.b!"), "Second-Post-a.b!");
        assert_eq!(jekyll_slug("Second Post: a.b!"), "second-post-a-b");
        let check = |name: &str, expected: &str| assert_eq!(github(name), expected);
        check("Two Words & more", "two-words--more");
        check("a.b_c", "ab_c");
        check("Über", "über");
    }

    #[test]
    fn a_number_is_removed_as_by_nuxt() {
        let check = |name: &str, expected: &str| assert_eq!(without_number(name), expected);
        check("1.intro", "intro");
        check("02.next-step", "next-step");
        check("01-intro", "01-intro");
        check("1.2", "1.2");
        check("1.x", "1.x");
        check("intro", "intro");
    }
}
