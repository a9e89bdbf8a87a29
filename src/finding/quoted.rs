//! Words of strangers in messages.

/// Characters of what a message quotes.
const LONGEST_QUOTED: usize = 160;

/// What a stranger wrote, as messages quote it: of a long text the beginning, since the place shows all of it. Quotation
/// marks stand as they were written; messages quote in backticks.
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
    fn words_are_quoted_as_they_were_written_but_for_what_steers() {
        let link = "<https://example.com/a>; rel=\"canonical\"";
        assert_eq!(quoted(link), link);
        assert_eq!(quoted("it's\u{1b}[2J\n"), "it's\\u{1b}[2J\\n");
        assert_eq!(quoted(&"é".repeat(161)), format!("{}…", "é".repeat(160)));
    }
}
