//! What differs from the sitemaps that were there before: URLs, dates, language links and images.

use serde::Serialize;

use super::numbers::{counted, grouped};
use super::printer::{FAINT, Verbosity, row, rows, styled};
use crate::pipeline::ComparedSet;
use sitemaps::{ContentChange, Plan, SitemapChanges};

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
    /// All changed URLs; `None` if there was no previous sitemap.
    urls: Option<ChangedUrlLists<'a>>,
    #[serde(skip)]
    compared: &'a ComparedSet,
    #[serde(skip)]
    is_planned: bool,
    #[serde(skip)]
    notes: &'a [String],
}

#[derive(Serialize)]
struct ChangedUrlLists<'a> {
    added: Vec<&'a str>,
    removed: Vec<&'a str>,
    redated: Vec<&'a str>,
    undated: Vec<&'a str>,
    newly_dated: Vec<&'a str>,
}

impl<'a> ChangesResult<'a> {
    pub(super) fn new(
        changes: &'a SitemapChanges,
        plan: &'a Plan,
        compared: &'a ComparedSet,
    ) -> Self {
        let urls = changes.had_sitemap.then(|| ChangedUrlLists {
            added: plan.urls(&changes.added).collect(),
            removed: changes.removed.iter().map(String::as_str).collect(),
            redated: plan.urls(&changes.redated).collect(),
            undated: plan.urls(&changes.undated).collect(),
            newly_dated: plan.urls(&changes.first_dated).collect(),
        });
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
            newly_dated: changes.first_dated.len(),
            language_links: changes.alternates,
            images: changes.images,
            since: changes.had_sitemap.then_some(since),
            urls,
            compared,
            is_planned: !plan.files().is_empty(),
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
        let text = format!("{added} added, {removed} removed, {redated} re-dated");
        let gone = urls.removed.iter();
        let gone: Vec<String> = gone.map(|url| url.escape_debug().to_string()).collect();
        let lost = format!("{} lost:", counted(self.undated, "date"));
        let gained =
            (self.newly_dated > 0).then(|| format!("{} gained", counted(self.newly_dated, "date")));
        let texts = [
            named_urls("+", &urls.added, volume),
            named_urls("-", &gone, volume),
            named_urls("~", &urls.redated, volume),
            named_urls(&lost, &urls.undated, volume),
            gained.into_iter().collect(),
            self.content_row(self.language_links, "language link"),
            self.content_row(self.images, "image"),
        ]
        .concat();
        let since = |name: &str| styled(FAINT, format!("since {name}"));
        let (label, text) = match self.compared {
            ComparedSet::Replaced(whose) => ("replaces", format!("{whose}: {text}")),
            ComparedSet::Own if texts.is_empty() && !rewritten => {
                let text = styled(FAINT, "none since the previous sitemap");
                ("changes", text)
            }
            ComparedSet::Own => (
                "changes",
                format!("{text} {}", since("the previous sitemap")),
            ),
            ComparedSet::Named(name) => ("changes", format!("{text} {}", since(name))),
        };
        row(out, label, &text);
        let notes = self.notes.iter();
        let notes = notes.map(|note| styled(FAINT, note.escape_debug()));
        rows(out, "", texts.into_iter().chain(notes));
    }

    /// Describes what became of the language links or images of the sitemap on disk. That all are
    /// kept is only reported of another program's sitemap.
    fn content_row(&self, change: ContentChange, what: &str) -> Vec<String> {
        let ContentChange {
            before, lost, now, ..
        } = change;
        let gained = now.saturating_sub(before);
        let text = if lost > 0 {
            format!("{} of {} lost", grouped(lost), counted(before, what))
        } else if before > 0 && matches!(self.compared, ComparedSet::Replaced(_)) {
            format!("{} kept", counted(before, what))
        } else if gained > 0 {
            format!("{} gained", counted(gained, what))
        } else {
            return Vec::new();
        };
        vec![text]
    }
}

/// The first of some URLs on one line, or with `--verbose` each on a line.
pub(super) fn named_urls(sign: &str, urls: &[impl AsRef<str>], volume: Verbosity) -> Vec<String> {
    if volume == Verbosity::Verbose || urls.is_empty() {
        let urls = urls.iter().map(AsRef::as_ref);
        return urls.map(|url| format!("{sign} {url}")).collect();
    }
    let named = urls.iter().take(NAMED_CHANGES);
    let named: Vec<&str> = named.map(AsRef::as_ref).collect();
    let mut text = format!("{sign} {}", named.join(", "));
    if urls.len() > named.len() {
        let more = format!(" and {} more", grouped(urls.len() - named.len()));
        text.push_str(&styled(FAINT, more));
    }
    vec![text]
}
