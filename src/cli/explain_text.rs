//! The text that `waypost explain` prints for one page: whether it is listed, the tag that excludes
//! it, its source and how it was found, the commit that dates it, and the rules that match it.

use serde::Serialize;

use super::diagnose::{Diagnostic, Excerpt};
use super::printer::{FAINT, STRONG, row, styled, terminal_width};
use crate::config::{PageOverrides, SettingOrigin};
use crate::decide::{Exclusion, Verdict};
use crate::hosts::UrlForm;
use crate::inventory::InventoryPage;
use crate::settings::Rule;
use crate::site::LoadedSite;
use crate::sources::{DateOrigin, PageSource, SourceStep};
use git_last_modified::{LastChange, RepositoryError, SHORT_HASH, subject_of};
use page_signals::text_of;
use sitemaps::site_paths::containment::absolute;
use sitemaps::site_paths::finding::Level;
use sitemaps::site_paths::glob::GlobPattern;
use sitemaps::site_paths::{BaseUrl, SitePath, display_path, escaped};
use sitemaps::{DateFormat, LastMod, UrlFiles};

/// Formats a page's date as the sitemap has it.
pub(super) fn date_text(date: Option<LastMod>, format: DateFormat) -> Option<String> {
    date.map(|date| date.to_text(format))
}

/// Formats the explanation of a page.
pub(super) fn explain_page(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    line: &InventoryPage,
    url_files: &UrlFiles<'_>,
) -> String {
    let mut explanation = PageExplanation {
        loaded,
        line,
        out: String::new(),
    };
    explanation.row("page", &line.file.to_string());
    explanation.url(base);
    match &line.verdict {
        Verdict::Listed => {
            // A feed contains only the newest pages, so there may be no file.
            let file = url_files.file_of(line.url.as_str());
            let file = file.map(|file| format!(", in {}", file.name));
            let text = format!("{}{}", styled(STRONG, "yes"), file.unwrap_or_default());
            explanation.row("listed", &text);
        }
        Verdict::Excluded(exclusion) => explanation.exclusion(exclusion),
    }
    if let Some(host) = &loaded.host {
        explanation.row("host", &escaped(&host.to_string()));
    }
    explanation.source();
    explanation.date();
    for &rule in &line.rule_outcome.rules {
        explanation.rule(&loaded.settings().rules[rule]);
    }
    if line.rule_outcome.page != PageOverrides::default() {
        let effects = values(&line.rule_outcome.page);
        let text = with_note(&effects, "(front matter of its source)");
        explanation.row("overrides", &text);
    }
    explanation.out
}

struct PageExplanation<'s> {
    loaded: &'s LoadedSite<'s>,
    line: &'s InventoryPage,
    out: String,
}

impl PageExplanation<'_> {
    fn row(&mut self, label: &str, text: &str) {
        row(&mut self.out, label, text);
    }

    fn url(&mut self, base: &BaseUrl) {
        let own = UrlForm::of(self.loaded.settings()).url_of(base, &self.line.file);
        let form = &self.loaded.url_form;
        let by = if own != self.line.url {
            "(as written in its canonical link)".to_owned()
        } else if own != UrlForm::default().url_of(base, &self.line.file) {
            format!("(in the form {form})")
        } else {
            String::new()
        };
        self.row("URL", &with_note(&self.line.url.to_string(), &by));
    }

    fn exclusion(&mut self, exclusion: &Exclusion) {
        self.row(
            "listed",
            &format!("no: {}", styled(STRONG, exclusion.reason.code.name)),
        );
        self.row("because", &escaped(&exclusion.evidence));
        let about = exclusion.reason.code.description();
        self.row("", &styled(FAINT, about));
        self.quote(exclusion);
    }

    /// Shows the tag that excludes the page.
    fn quote(&mut self, exclusion: &Exclusion) {
        let path = self.line.file.below_dir(self.loaded.output_dir());
        let Some((place, text)) = exclusion.place.and_then(|place| {
            let page = self.loaded.output.open_page(&self.line.file);
            Some((place, text_of(&page.ok()?).ok()?))
        }) else {
            return;
        };
        let quote = Diagnostic {
            path: Some(display_path(&path).into()),
            excerpt: Some(Excerpt { text: &text, place }),
            ..Diagnostic::new(Level::Note, "excluded by this tag", None)
        };
        let drawn = quote.render(terminal_width());
        for drawn_line in drawn.lines() {
            self.row("", drawn_line);
        }
    }

    fn source(&mut self) {
        let Some((path, source)) = self
            .line
            .source_path(&self.loaded.site, self.loaded.output_dir())
            .zip(self.line.source.as_ref())
        else {
            let hint = "(name it with a rule's `source` or with `<meta name=\"waypost:source\">`)";
            let hint = if self.line.verdict == Verdict::Listed {
                hint
            } else {
                ""
            };
            self.row("source", &with_note("unknown", hint));
            return self.tried();
        };
        let generator = self
            .loaded
            .site
            .generator
            .map_or("the generator", |generator| &generator.title);
        let how = match source.step() {
            SourceStep::Convention => format!("by {generator}'s convention"),
            step => step.as_str().to_owned(),
        };
        self.row("source", &with_note(&path.to_string(), &format!("({how})")));
        self.tried();
    }

    /// Lists the steps that were tried to find a listed page's source, up to the one that found it.
    fn tried(&mut self) {
        if self.line.verdict != Verdict::Listed {
            return;
        }
        let found = self.line.source.as_ref().map(PageSource::step);
        let settings = self.loaded.settings();
        let has_lists = !settings.source_map.is_empty() || !self.loaded.reported_sources.is_empty();
        let is_plain = self.loaded.site.generator.is_none();
        let mut answers = Vec::new();
        for step in SourceStep::ALL {
            let answer = match step {
                _ if found == Some(step) => "yes",
                SourceStep::Convention | SourceStep::Copied if is_plain => continue,
                SourceStep::Itself if !is_plain => continue,
                // Links are not read in a page that is its own source.
                SourceStep::EditLink if found == Some(SourceStep::Itself) => continue,
                SourceStep::SourceMap if !has_lists => "none given",
                _ => "no",
            };
            answers.push(format!("{}: {answer}", step.as_str()));
            if found == Some(step) {
                break;
            }
        }
        self.row("tried", &styled(FAINT, answers.join(", ")));
    }

    fn date(&mut self) {
        let date = date_text(self.line.lastmod, self.loaded.settings().lastmod.format)
            .unwrap_or_else(|| "none".to_owned());
        let dated = &self.line.dated;
        let by = match dated {
            DateOrigin::PageBelow(file)
            | DateOrigin::IncludeNotCommitted(file)
            | DateOrigin::IncludeEdited(file) => Some(&**file),
            DateOrigin::CommitOfInclude(include) => Some(&include.file),
            _ => None,
        };
        let by = by.map_or_else(String::new, |file| format!(": {file}"));
        let by = match dated {
            DateOrigin::Members(members) => {
                format!(
                    "(last page added, removed or renamed below `{}`)",
                    members.dir
                )
            }
            _ => format!("({}{by})", dated.as_str()),
        };
        self.row("lastmod", &with_note(&date, &by));
        let Some(commit) = self.line.dated.commit() else {
            return;
        };
        let hash = commit.commit.to_string();
        let (short, rest) = hash.split_at(SHORT_HASH);
        let subject = match self.commit_subject(commit) {
            Ok(subject) => subject.unwrap_or_default(),
            Err(error) => format!("({error})"),
        };
        let (short, rest) = (styled(STRONG, short), styled(FAINT, rest));
        self.row("commit", &format!("{short}{rest} {}", escaped(&subject)));
    }

    /// The file whose commit dates the page.
    fn dated_by(&self) -> Option<SitePath> {
        self.line
            .dated_by(&self.loaded.site, self.loaded.output_dir())
    }

    fn commit_subject(&self, change: &LastChange) -> Result<Option<String>, RepositoryError> {
        let Some(file) = self.dated_by() else {
            return Ok(None);
        };
        let file = file.below_dir(&absolute(&self.loaded.site.root));
        subject_of(&file, &change.commit)
    }

    /// Shows a rule that matches the page, what it sets, and its place in the settings.
    fn rule(&mut self, rule: &Rule) {
        let patterns: Vec<&str> = rule.patterns.iter().map(GlobPattern::as_str).collect();
        let effects = match values(rule) {
            none if none.is_empty() => "sets nothing".to_owned(),
            effects => effects,
        };
        let text = format!("`{}`: {effects}", patterns.join("`, `"));
        let place = rule.written_in.as_ref().map(|(path, place)| {
            let origin = SettingOrigin::File(path.clone(), Some(*place));
            format!("({})", self.loaded.loaded.texts.format_origin(&origin))
        });
        self.row("rule", &with_note(&text, &place.unwrap_or_default()));
    }
}

/// Formats a text followed by a dimmed note. Both may contain untrusted text of the site.
fn with_note(text: &str, less: &str) -> String {
    format!("{} {}", escaped(text), styled(FAINT, escaped(less)))
}

/// The values that a rule or a page sets, each after its key.
fn values(settings: &impl Serialize) -> String {
    let table = serde_json::to_value(settings).expect("the keys are strings");
    let entries = table.as_object().into_iter().flatten();
    let set = entries.filter(|(key, value)| *key != "match" && !value.is_null());
    let texts = set.map(|(key, value)| match value.as_str() {
        Some(text) => format!("{key} {text}"),
        None => format!("{key} {value}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}
