//! Words of strangers in messages.

/// Characters of what a message quotes.
const LONGEST_QUOTED: usize = 160;

/// What a stranger wrote, as messages quote it: of a long text the beginning, since the place shows all of it.
pub fn quoted(text: &str) -> String {
    let beginning: String = text.chars().take(LONGEST_QUOTED).collect();
    let more = if beginning.len() < text.len() { "…" } else { "" };
    format!("{}{more}", beginning.escape_debug())
}
