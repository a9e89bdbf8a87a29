//! Reads metadata that is not between fences: lines such as `Title: A page` at the top of Markdown,
//! and the title and field list at the top of reStructuredText.

use serde_json::{Map, Value};

/// The fields at the top of Markdown, by keys in lower case, as the extension `meta` of
/// Python-Markdown reads them. Lines of `---` may enclose them. The first value of a
/// repeated key counts.
pub(super) fn markdown_fields(text: &str) -> Map<String, Value> {
    let mut lines = text.lines().peekable();
    lines.next_if(|line| line.starts_with("---"));
    let is_key = |key: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        !key.is_empty() && key.bytes().all(is_part)
    };
    // An indented line continues a value, and has no part in a URL.
    let fields = lines
        .filter(|line| !line.starts_with("    "))
        .map_while(|line| {
            line.split_once(':')
                .filter(|(key, _)| is_key(key.trim_start()))
        });
    by_key(fields)
}

/// The title and the field list at the top of reStructuredText, by keys in lower case.
pub(super) fn rst_fields(text: &str) -> Map<String, Value> {
    let lines = text.lines().map(str::trim_end);
    let mut lines = lines
        .filter(|line| !line.is_empty() && !is_adornment(line))
        .peekable();
    let title = lines.next_if(|line| !line.starts_with(':'));
    // The text of a title with markup is not known.
    let title = title.filter(|title| !title.contains(['*', '`', '|', '\\', '_']));
    let fields = lines
        .filter(|line| !line.starts_with(' '))
        .map_while(|line| line.strip_prefix(':')?.split_once(':'));
    let title = title.map(|title| ("title", title));
    by_key(fields.chain(title))
}

/// Whether a line repeats one punctuation character.
fn is_adornment(line: &str) -> bool {
    let first = line.bytes().next().filter(u8::is_ascii_punctuation);
    line.len() > 1 && first.is_some_and(|first| line.bytes().all(|byte| byte == first))
}

fn by_key<'t>(fields: impl Iterator<Item = (&'t str, &'t str)>) -> Map<String, Value> {
    let mut found = Map::new();
    for (key, value) in fields {
        let field = found.entry(key.trim().to_lowercase());
        field.or_insert_with(|| Value::from(value.trim()));
    }
    found
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
        check(&of(""), &[]);
    }

    #[test]
    fn fields_of_restructured_text_follow_its_title() {
        let of = rst_fields;
        check(
            &of("\nA b\n###\n\n:date: 2024-01-02\n:tags: a,\n   b\n:slug: c\n\ntext\n:lang: d\n"),
            &[
                ("date", "2024-01-02"),
                ("tags", "a,"),
                ("slug", "c"),
                ("title", "A b"),
            ],
        );
        check(
            &of("====\n A b\n====\n:slug: c\n"),
            &[("slug", "c"), ("title", "A b")],
        );
        check(&of("A\n==\n\n:title: B\n"), &[("title", "B")]);
        check(&of("The `a` b\n=========\n\n:slug: c\n"), &[("slug", "c")]);
        check(&of("See a_\n======\n"), &[]);
    }
}
