//! What differs from the sitemaps that were there before: URLs, dates, language links and images.

use std::collections::BTreeMap;

use serde::Serialize;

use super::printer::{FAINT, Verbosity, row, rows, styled};
use crate::run::ComparedSet;
use sitemaps::findings::{counted, grouped};
use sitemaps::site_paths::escaped;
use sitemaps::{ContentChange, Plan, SitemapChanges, UnreadContent};

/// How many URLs and files of a kind to name without `--verbose`.
const NAMED_CHANGES: usize = 3;

/// How the plan differs from the previous sitemaps.
#[derive(Serialize)]
pub(super) struct ChangesResult<'a> {
    added: usize,
    removed: usize,
    redated: usize,
    /// Pages in both sets that lost their date.
    undated: usize,
    /// Pages in both sets that have their first date.
    newly_dated: usize,
    language_links: ContentChange,
    images: ContentChange,
    /// Who wrote the sitemaps that were compared; `None` if there was none.
    since: Option<&'static str>,
    /// All changed URLs by the kind of their change; `None` if there was no previous sitemap.
    urls: Option<BTreeMap<&'static str, Vec<&'a str>>>,
    #[serde(skip)]
    compared: &'a ComparedSet,
    #[serde(skip)]
    is_planned: bool,
    #[serde(skip)]
    unread: Option<&'a UnreadContent>,
    #[serde(skip)]
    notes: &'a [String],
}

impl<'a> ChangesResult<'a> {
    pub(super) fn new(
        changes: &'a SitemapChanges,
        plan: &'a Plan,
        compared: &'a ComparedSet,
    ) -> Self {
        let urls = || {
            BTreeMap::from([
                ("added", plan.urls(&changes.added).collect()),
                (
                    "removed",
                    changes.removed.iter().map(String::as_str).collect(),
                ),
                ("redated", plan.urls(&changes.redated).collect()),
                ("undated", plan.urls(&changes.undated).collect()),
                ("newly_dated", plan.urls(&changes.newly_dated).collect()),
            ])
        };
        let since = if changes.is_by_waypost {
            "waypost"
        } else {
            "another-program"
        };
        Self {
            added: changes.added.len(),
            removed: changes.removed.len(),
            redated: changes.redated.len(),
            undated: changes.undated.len(),
            newly_dated: changes.newly_dated.len(),
            language_links: changes.alternates,
            images: changes.images,
            since: changes.had_sitemap.then_some(since),
            urls: changes.had_sitemap.then(urls),
            compared,
            is_planned: !plan.files().is_empty(),
            unread: (!changes.is_by_waypost).then_some(&changes.unread),
            notes: &changes.notes,
        }
    }

    /// The number of URLs that are not as before.
    pub(super) fn count(&self) -> usize {
        self.added + self.removed + self.redated
    }

    /// Adds the rows of a summary, one for each kind. They are `none` only if no file changes either.
    pub(super) fn rows(&self, out: &mut String, rewritten: bool, volume: Verbosity) {
        let Some(urls) = self.urls.as_ref().filter(|_| self.is_planned) else {
            return;
        };
        let [added, removed, redated] = [self.added, self.removed, self.redated].map(grouped);
        let mut text = format!("{added} added, {removed} removed, {redated} re-dated");
        if let ComparedSet::Replaced {
            other_base: Some(_),
            ..
        } = self.compared
            && self.added + self.removed == 0
        {
            text = format!("same pages, {redated} re-dated");
        }
        let lost = format!("{} lost:", counted(self.undated, "date"));
        let named = [
            ("+", "added"),
            ("-", "removed"),
            ("~", "redated"),
            (&*lost, "undated"),
        ];
        let mut texts: Vec<String> = named
            .into_iter()
            .flat_map(|(sign, kind)| named_urls(sign, &urls[kind], volume))
            .collect();
        if self.newly_dated > 0 {
            texts.push(format!("{} gained", counted(self.newly_dated, "date")));
        }
        texts.extend(self.content_row(self.language_links, "language link"));
        texts.extend(self.content_row(self.images, "image"));
        texts.extend(self.unread_row());
        let (label, whose, since) = match self.compared {
            ComparedSet::Replaced { whose, other_base } => {
                let whose = match other_base {
                    Some(base) => format!("{whose} at {base}: "),
                    None => format!("{whose}: "),
                };
                ("replaces", whose, None)
            }
            ComparedSet::Own if texts.is_empty() && !rewritten => {
                return row(
                    out,
                    "changes",
                    &styled(FAINT, "none since the previous sitemap"),
                );
            }
            ComparedSet::Own => ("changes", String::new(), Some("the previous sitemap")),
            ComparedSet::Named(name) => ("changes", String::new(), Some(name.as_str())),
        };
        let since = since.map(|name| styled(FAINT, format!(" since {name}")));
        let since = since.unwrap_or_default();
        row(out, label, &format!("{whose}{text}{since}"));
        let notes = self.notes.iter();
        let notes = notes.map(|note| styled(FAINT, note.escape_debug()));
        rows(out, "", texts.into_iter().chain(notes));
    }

    /// Counts the content of another program's sitemap that has no equivalent.
    fn unread_row(&self) -> Option<String> {
        let unread = self
            .unread
            .filter(|_| matches!(self.compared, ComparedSet::Replaced { .. }))?;
        let known = [
            (unread.priorities, "priority", "priorities"),
            (unread.changefreqs, "changefreq", "changefreqs"),
            (unread.comments, "comment", "comments"),
        ];
        let elements = unread.elements.iter();
        let elements = elements.map(|(name, count)| (*count, &**name, &**name));
        let counts = known
            .into_iter()
            .chain(elements)
            .filter(|(count, ..)| *count > 0);
        let texts: Vec<String> = counts
            .map(|(count, one, many)| {
                format!("{} {}", grouped(count), if count == 1 { one } else { many })
            })
            .collect();
        (!texts.is_empty()).then(|| format!("not kept: {}", texts.join(", ")))
    }

    /// Describes what became of the language links or images of the sitemap on disk. That all are
    /// kept is only reported of another program's sitemap.
    fn content_row(&self, change: ContentChange, what: &str) -> Option<String> {
        let ContentChange {
            before, lost, now, ..
        } = change;
        let gained = now.saturating_sub(before);
        let of_all = |part: usize| format!("{} of {}", grouped(part), counted(before, what));
        let dropped = change.dropped > 0;
        let dropped = dropped.then(|| {
            format!(
                "{} dropped: their pages are not listed",
                of_all(change.dropped)
            )
        });
        let text = if lost > 0 {
            let lost = format!("{} lost", of_all(lost));
            dropped.map_or(lost.clone(), |dropped| format!("{lost}, {dropped}"))
        } else if let Some(dropped) = dropped {
            dropped
        } else if before > 0 && matches!(self.compared, ComparedSet::Replaced { .. }) {
            format!("{} kept", counted(before, what))
        } else if gained > 0 {
            format!("{} gained", counted(gained, what))
        } else {
            return None;
        };
        Some(text)
    }
}

/// The first of some URLs on one line, or with `--verbose` each on a line.
pub(super) fn named_urls(sign: &str, urls: &[impl AsRef<str>], volume: Verbosity) -> Vec<String> {
    let named = urls.iter().take(volume.limit(NAMED_CHANGES));
    let named: Vec<_> = named.map(|url| escaped(url.as_ref())).collect();
    if volume == Verbosity::Verbose || urls.is_empty() {
        return named.iter().map(|url| format!("{sign} {url}")).collect();
    }
    let more = match urls.len() - named.len() {
        0 => String::new(),
        more => styled(FAINT, format!(" and {} more", grouped(more))),
    };
    vec![format!("{sign} {}{more}", named.join(", "))]
}
