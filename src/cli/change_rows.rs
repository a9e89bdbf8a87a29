//! The rows of a summary on what differs from the sitemaps that were there before: URLs, dates,
//! language links and images.

use super::numbers::{counted, grouped};
use super::printer::{FAINT, Verbosity, row, rows, styled};
use crate::pipeline::ComparedSet;
use sitemaps::{ContentChange, Plan, SitemapChanges};

/// How many URLs and files of a kind to name without `--verbose`.
const NAMED_CHANGES: usize = 3;

/// How many characters to keep from the start and the end of a long URL.
const SHOWN_OF_A_URL: (usize, usize) = (70, 29);

/// Adds the changes since a sitemap, one line for each kind. They are `none` only if no file changes
/// either.
pub(super) fn changes(
    out: &mut String,
    plan: &Plan,
    changes: &SitemapChanges,
    compared: &ComparedSet,
    rewritten: bool,
    volume: Verbosity,
) {
    if !changes.had_sitemap || plan.files().is_empty() {
        return;
    }
    let counts = [&changes.added, &changes.redated].map(|numbers| grouped(numbers.len()));
    let removed = changes.removed.len();
    let text = format!(
        "{} added, {} removed, {} re-dated",
        counts[0],
        grouped(removed),
        counts[1]
    );
    let since = |name: &str| styled(FAINT, format!("since {name}"));
    let of_plan =
        |sign: &str, numbers: &[u32]| named_urls(sign, numbers.len(), plan.urls(numbers), volume);
    let removed_urls = changes.removed.iter();
    let removed_urls = removed_urls.map(|url| url.escape_debug().to_string());
    let lost = format!("{} lost:", counted(changes.undated.len(), "date"));
    let gained = counted(changes.first_dated.len(), "date");
    let gained = (!changes.first_dated.is_empty()).then(|| format!("{gained} gained"));
    let replaces = matches!(compared, ComparedSet::Replaced(_));
    let content = |change, what| content_row(change, what, replaces).into_iter().collect();
    let texts = [
        of_plan("+", &changes.added),
        named_urls("-", removed, removed_urls, volume),
        of_plan("~", &changes.redated),
        of_plan(&lost, &changes.undated),
        gained.into_iter().collect(),
        content(changes.alternates, "language link"),
        content(changes.images, "image"),
    ]
    .concat();
    let is_same = texts.is_empty() && !rewritten;
    match compared {
        ComparedSet::Replaced(whose) => row(out, "replaces", &format!("{whose}: {text}")),
        ComparedSet::Own if is_same => {
            row(
                out,
                "changes",
                &styled(FAINT, "none since the previous sitemap"),
            );
        }
        ComparedSet::Own => {
            let text = format!("{text} {}", since("the previous sitemap"));
            row(out, "changes", &text);
        }
        ComparedSet::Named(name) => row(out, "changes", &format!("{text} {}", since(name))),
    }
    rows(out, "", texts);
    for note in &changes.notes {
        row(out, "", &styled(FAINT, note.escape_debug()));
    }
}

/// The first of some URLs on one line, or with `--verbose` each on a line.
pub(super) fn named_urls<T: AsRef<str>>(
    sign: &str,
    count: usize,
    urls: impl Iterator<Item = T>,
    volume: Verbosity,
) -> Vec<String> {
    if count == 0 {
        return Vec::new();
    }
    if volume == Verbosity::Verbose {
        return urls.map(|url| format!("{sign} {}", url.as_ref())).collect();
    }
    let named = urls.take(NAMED_CHANGES);
    let named: Vec<String> = named.map(|url| shortened(url.as_ref())).collect();
    let mut text = format!("{sign} {}", named.join(", "));
    if count > named.len() {
        let more = format!(" and {} more", grouped(count - named.len()));
        text.push_str(&styled(FAINT, more));
    }
    vec![text]
}

/// Describes what became of the language links or images of the sitemap on disk. That all are kept
/// is only reported of another program's sitemap.
fn content_row(change: ContentChange, what: &str, replaces: bool) -> Option<String> {
    let ContentChange {
        before, lost, now, ..
    } = change;
    if lost > 0 {
        let (lost, before) = (grouped(lost), counted(before, what));
        return Some(format!("{lost} of {before} lost"));
    }
    if replaces && before > 0 {
        return Some(format!("{} kept", counted(before, what)));
    }
    let gained = now.saturating_sub(before);
    (gained > 0).then(|| format!("{} gained", counted(gained, what)))
}

/// Cuts the middle out of a URL that is too long for a line.
fn shortened(url: &str) -> String {
    let (before, after) = SHOWN_OF_A_URL;
    let count = url.chars().count();
    if count <= before + 1 + after {
        return url.to_owned();
    }
    url.chars()
        .take(before)
        .chain(['…'])
        .chain(url.chars().skip(count - after))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_url_is_shown_without_its_middle() {
        let check = |url: &str, expected: &str| assert_eq!(shortened(url), expected);
        check("https://example.com/a/", "https://example.com/a/");
        let fits = format!("https://example.com/{}", "é".repeat(80));
        check(&fits, &fits);
        let long = format!("https://example.com/{}/end.html", "é".repeat(80));
        check(
            &long,
            &format!(
                "https://example.com/{}…{}/end.html",
                "é".repeat(50),
                "é".repeat(20)
            ),
        );
    }
}
