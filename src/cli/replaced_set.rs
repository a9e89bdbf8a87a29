//! The row of a summary on the sitemap of another program that a build replaces.

use super::numbers::grouped;
use super::printer::{FAINT, Verbosity, row, styled};
use sitemaps::{Plan, SitemapChanges};

/// Formats what that sitemap lacked or listed, and with `--verbose` each of these URLs. The dates
/// usually all differ, and the next build writes that sitemap again, so neither is a change of the
/// site. Empty if there was no such sitemap.
pub(super) fn replaced(
    plan: &Plan,
    changes: &SitemapChanges,
    whose: &str,
    volume: Verbosity,
) -> String {
    let mut out = String::new();
    if !changes.had_sitemap || plan.files().is_empty() {
        return out;
    }
    let difference = difference(changes.added.len(), changes.removed.len());
    let text = format!("{whose}, {}", styled(FAINT, difference));
    row(&mut out, "replaces", &text);
    if volume == Verbosity::Verbose {
        for url in plan.urls(&changes.added) {
            row(&mut out, "", &format!("+ {url}"));
        }
        for url in &changes.removed {
            row(&mut out, "", &format!("- {}", url.escape_debug()));
        }
    }
    for note in &changes.notes {
        row(&mut out, "", &styled(FAINT, note.escape_debug()));
    }
    out
}

fn difference(lacked: usize, others: usize) -> String {
    let others = match others {
        0 => None,
        1 => Some("lists one other".to_owned()),
        _ => Some(format!("lists {} others", grouped(others))),
    };
    match (lacked, others) {
        (0, None) => "which lists the same URLs".to_owned(),
        (0, Some(others)) => format!("which also {others}"),
        (_, None) => format!("which lacks {} of these URLs", grouped(lacked)),
        (_, Some(others)) => format!("which lacks {} of these URLs and {others}", grouped(lacked)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_described_in_words() {
        let check = |lacked, others, expected: &str| {
            assert_eq!(difference(lacked, others), expected);
        };
        check(0, 0, "which lists the same URLs");
        check(3, 0, "which lacks 3 of these URLs");
        check(0, 1, "which also lists one other");
        check(
            3,
            1200,
            "which lacks 3 of these URLs and lists 1,200 others",
        );
    }
}
