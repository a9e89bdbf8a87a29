//! Quotes text from untrusted sources in messages.

/// The maximum number of characters to quote.
const LONGEST_QUOTED: usize = 160;

/// Escapes untrusted text for use in a message and truncates it if it is long, because the place
/// shows all of it. Quotation marks are not escaped, because messages quote in backticks.
pub fn quoted(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(LONGEST_QUOTED)
        .map_or(text.len(), |(end, _)| end);
    let (beginning, more) = (&text[..end], if end < text.len() { "…" } else { "" });
    let shown = beginning
        .escape_debug()
        .to_string()
        .replace("\\\"", "\"")
        .replace("\\'", "'");
    format!("{shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_quotation_marks_are_not() {
        let link = "<https://example.com/a>; rel=\"canonical\"";
        assert_eq!(quoted(link), link);
        assert_eq!(quoted("it's\u{1b}[2J\n"), "it's\\u{1b}[2J\\n");
        assert_eq!(quoted(&"é".repeat(161)), format!("{}…", "é".repeat(160)));
    }
}
