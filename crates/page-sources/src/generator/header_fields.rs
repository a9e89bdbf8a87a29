//! Reads metadata that is not between fences: lines such as `Title: A page` at the top of Markdown,
//! and the title and field list at the top of reStructuredText.

use serde_json::{Map, Value};

/// Characters that mark up text in a reStructuredText title, whose plain text is then not known.
const RST_MARKUP: [char; 4] = ['*', '`', '|', '\\'];

/// The fields at the top of Markdown, by keys in lower case, as the extension `meta` of
/// Python-Markdown reads them. Lines of `---` may enclose them. The first value of a
/// repeated key counts.
pub(super) fn markdown_fields(text: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut lines = text.lines().peekable();
    lines.next_if(|line| line.starts_with("---"));
    for line in lines {
        let is_end = line.trim().is_empty() || line.starts_with("---") || line.starts_with("...");
        let field = line.split_once(':').filter(|(key, _)| is_field_key(key));
        match field {
            _ if is_end => break,
            Some((key, value)) => insert(&mut fields, key, value),
            // A continuation line has no part in a URL.
            None if line.starts_with("    ") => {}
            None => break,
        }
    }
    fields
}

/// The title and the field list at the top of reStructuredText, by keys in lower case.
pub(super) fn rst_fields(text: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut rest = below_blank_lines(&lines);
    while let Some((title, below)) = heading(rest) {
        if !fields.contains_key("title") && is_plain(title) {
            insert(&mut fields, "title", title);
        }
        rest = below_blank_lines(below);
    }
    for line in rest {
        let field = line.strip_prefix(':').and_then(|line| line.split_once(':'));
        match field {
            Some((key, value)) => {
                if key.eq_ignore_ascii_case("title") {
                    fields.remove("title");
                }
                insert(&mut fields, key, value);
            }
            None if line.starts_with(' ') => {}
            None => break,
        }
    }
    fields
}

fn insert(fields: &mut Map<String, Value>, key: &str, value: &str) {
    let entry = fields.entry(key.trim().to_lowercase());
    entry.or_insert_with(|| Value::from(value.trim()));
}

/// Whether text before a colon is a key: after up to three spaces, letters, digits, `_` and `-`.
fn is_field_key(text: &str) -> bool {
    let key = text.trim_start_matches(' ');
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    text.len() - key.len() <= 3 && !key.is_empty() && key.bytes().all(is_key)
}

fn below_blank_lines<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    &lines[blank..]
}

/// The heading at the start of the lines, underlined and perhaps overlined, and the lines below it.
fn heading<'l, 't>(lines: &'l [&'t str]) -> Option<(&'t str, &'l [&'t str])> {
    match lines {
        [over, title, under, below @ ..] if is_adornment(over) && over == under => {
            Some((title.trim_start(), below))
        }
        [title, under, below @ ..] if !title.is_empty() && is_adornment(under) => {
            Some((title, below))
        }
        _ => None,
    }
}

/// Whether a line repeats one punctuation character.
fn is_adornment(line: &str) -> bool {
    let first = line.bytes().next().filter(u8::is_ascii_punctuation);
    line.len() > 1 && first.is_some_and(|first| line.bytes().all(|byte| byte == first))
}

fn is_plain(title: &str) -> bool {
    let is_reference = |word: &str| word.ends_with('_');
    !title.contains(RST_MARKUP) && !title.split_whitespace().any(is_reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fields: &Map<String, Value>, expected: &[(&str, &str)]) {
        let expected = expected
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Value::from(*value)));
        assert_eq!(*fields, expected.collect::<Map<_, _>>());
    }

    #[test]
    fn fields_of_markdown_end_at_the_first_other_line() {
        let of = markdown_fields;
        check(
            &of("Title: A: b\nDATE: 2024-01-02\n\nSlug: c\n"),
            &[("title", "A: b"), ("date", "2024-01-02")],
        );
        check(
            &of("---\nTitle: A\nSlug: b\n---\nLang: c\n"),
            &[("title", "A"), ("slug", "b")],
        );
        check(
            &of("Tags: a\n    b\nSlug: c\r\nSlug: d\n"),
            &[("tags", "a"), ("slug", "c")],
        );
        check(&of("A heading: text\nSlug: a\n"), &[]);
        check(&of("# Title\nSlug: a\n"), &[]);
        check(&of(""), &[]);
    }

    #[test]
    fn fields_of_restructured_text_follow_its_title() {
        let of = rst_fields;
        check(
            &of("\nA b\n###\n\n:date: 2024-01-02\n:tags: a,\n   b\n:slug: c\n\n:lang: d\n"),
            &[
                ("title", "A b"),
                ("date", "2024-01-02"),
                ("tags", "a,"),
                ("slug", "c"),
            ],
        );
        check(
            &of("====\n A b\n====\nSub\n---\n:slug: c\n"),
            &[("title", "A b"), ("slug", "c")],
        );
        check(
            &of(":title: A\n:slug: b\n"),
            &[("title", "A"), ("slug", "b")],
        );
        check(&of("A\n==\n\n:title: B\n"), &[("title", "B")]);
        check(&of("The `a` b\n=========\n\n:slug: c\n"), &[("slug", "c")]);
        check(&of("See a_\n======\n"), &[]);
        check(&of("Text.\n"), &[]);
    }
}
