//! Escapes text of the site for the places of a report: its data and its markup.

use std::borrow::Cow;

use sitemaps::site_paths::escape_json;

/// Escapes JSON so that nothing in it can end its `<script>` element or begin a comment.
///
/// JSON never requires a literal `<`. Control characters and CI commands are escaped too, because a
/// report may be printed to a terminal or a log.
pub(super) fn escape_for_script(json: &str) -> Cow<'_, str> {
    let escaped = escape_json(json);
    if escaped.contains('<') {
        escaped.replace('<', "\\u003c").into()
    } else {
        escaped
    }
}

/// Escapes text for HTML, in an element or in a quoted attribute, and its control characters.
pub(super) fn escaped(text: &str) -> String {
    let visible = sitemaps::site_paths::escaped(text);
    let mut out = String::with_capacity(visible.len());
    for character in visible.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // `##` begins a command when the report is printed to a CI log.
            '#' => out.push_str("&#35;"),
            _ => out.push(character),
        }
    }
    out
}

/// Escapes a message for HTML, with the names in backticks as `<code>`.
pub(super) fn message_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((name, after)) = after.split_once('`') else {
            break;
        };
        out.push_str(&escaped(before));
        out.push_str("<code>");
        out.push_str(&escaped(name));
        out.push_str("</code>");
        rest = after;
    }
    out + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn nothing_in_the_data_ends_its_script_element() {
        let hostile = json!(["</script><script>alert(1)</script>", "<!--<script>"]).to_string();
        let safe = escape_for_script(&hostile);
        assert!(!safe.contains('<'), "{safe}");
        assert_eq!(
            serde_json::from_str::<Value>(&safe).ok(),
            serde_json::from_str(&hostile).ok()
        );
    }

    #[test]
    fn escaped_text_contains_no_markup() {
        assert_eq!(
            escaped("<a b='c' d=\"e\">&"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;"
        );
    }

    #[test]
    fn names_in_backticks_are_code_and_a_single_backtick_is_text() {
        let check = |text: &str, expected: &str| assert_eq!(message_html(text), expected);
        check("`a` is `<b>`", "<code>a</code> is <code>&lt;b&gt;</code>");
        check("a ` b", "a ` b");
    }
}
