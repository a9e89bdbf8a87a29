//! Reads a text sitemap strictly: one URL per line, and nothing else (sitemaps.org protocol, "Text
//! file").

use std::io::{self, BufRead};

use super::flaw_list::{FlawList, SitemapFlawKind};
use site_paths::finding::quoted;

/// Characters of a line in a message.
const MAX_SHOWN: usize = 60;

/// Reports each line that is not a URL. `start` is the offset of the input in the file.
pub(super) fn check_lines(
    input: &mut impl BufRead,
    start: u64,
    flaws: &mut FlawList,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut from = start;
    while input.read_until(b'\n', &mut line)? > 0 {
        let end = from + line.len() as u64;
        match std::str::from_utf8(&line) {
            Err(_) => {
                let message = "it is not UTF-8, which the protocol requires".to_owned();
                flaws.report(SitemapFlawKind::Encoding, from..end, message);
                return Ok(());
            }
            Ok(text) => {
                let wrong = text.split('\r').map(str::trim).find(|part| !is_line(part));
                if let Some(part) = wrong {
                    let shown: String = part.chars().take(MAX_SHOWN).collect();
                    let message = format!(
                        "the line `{}` is not an absolute http or https URL",
                        quoted(&shown)
                    );
                    flaws.report(SitemapFlawKind::Line, from..end, message);
                }
            }
        }
        from = end;
        line.clear();
    }
    Ok(())
}

/// Whether a line is empty or a URL.
fn is_line(text: &str) -> bool {
    let after = ["http://", "https://"].map(|scheme| text.strip_prefix(scheme));
    let mut after = after.into_iter().flatten();
    text.is_empty() || after.any(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}
