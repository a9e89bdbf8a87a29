//! Reads a text sitemap strictly: one URL per line, and nothing else (sitemaps.org protocol, "Text
//! file").

use super::flaw_list::{FlawList, SitemapFlawKind};
use crate::site_paths::finding::quoted;

/// Characters of a line in a message.
const MAX_SHOWN: usize = 60;

/// Reports each line that is not a URL. `start` is the offset of the text in the file.
pub(super) fn check_lines(text: &str, start: usize, flaws: &mut FlawList) {
    let mut from = start;
    for line in text.split_inclusive('\n') {
        let wrong = line.split('\r').map(str::trim).find(|part| !is_line(part));
        if let Some(part) = wrong {
            let shown: String = part.chars().take(MAX_SHOWN).collect();
            let message = format!(
                "the line `{}` is not an absolute http or https URL",
                quoted(&shown)
            );
            let here = from as u64..(from + line.len()) as u64;
            flaws.report(SitemapFlawKind::Line, here, message);
        }
        from += line.len();
    }
}

/// Whether a line is empty or a URL.
fn is_line(text: &str) -> bool {
    let after = ["http://", "https://"].map(|scheme| text.strip_prefix(scheme));
    let mut after = after.into_iter().flatten();
    text.is_empty() || after.any(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}
