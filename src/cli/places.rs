//! Resolves the file, line and column of findings.

use std::path::{Path, PathBuf};

use super::diagnose::Excerpt;
use crate::check::PublishedTexts;
use crate::pages::Page;
use crate::site::LoadedSite;
use page_signals::text_of;
use sitemaps::files::tree;
use sitemaps::findings::{Finding, Place, Subject};
use sitemaps::site_paths::display_path;

/// Resolves places to lines and columns.
///
/// The text of the last file is cached, because findings are sorted by file.
#[derive(Default)]
pub(super) struct PlaceResolver<'s> {
    site: Option<&'s LoadedSite<'s>>,
    /// The texts of files that were fetched.
    published: Option<&'s PublishedTexts>,
    last: Option<(PathBuf, Option<String>)>,
}

impl<'s> PlaceResolver<'s> {
    pub(super) fn new(loaded: &'s LoadedSite<'s>) -> Self {
        Self {
            site: Some(loaded),
            ..Self::default()
        }
    }

    /// A resolver for findings about files without a site, of which some may have been fetched.
    pub(super) fn of_files(published: Option<&'s PublishedTexts>) -> Self {
        Self {
            published,
            ..Self::default()
        }
    }

    /// The path of a page's source; `None` for a page outside the site, for which no file of the
    /// repository can be shown.
    pub(super) fn source_of(&self, page: &Page) -> Option<PathBuf> {
        let loaded = self.site?;
        let source = page.source_path(&loaded.site, loaded.output_dir())?;
        Some(source.below_dir(&loaded.site.root))
    }

    /// The file of a subject, and the faulty bytes.
    pub(super) fn file_of(&self, subject: &Subject) -> (Option<PathBuf>, Option<Place>) {
        match subject {
            Subject::Site => (None, None),
            Subject::Page(file, place) => {
                let dir = self.site.map(LoadedSite::output_dir);
                (dir.map(|dir| file.below_dir(dir)), *place)
            }
            Subject::File(file, place) => (Some(file.clone()), *place),
            Subject::Url(url, place) => (Some(PathBuf::from(url)), *place),
        }
    }

    /// The file of a finding for display, and its line and column counted from 1.
    pub(super) fn resolve(
        &mut self,
        finding: &Finding,
    ) -> (Option<String>, Option<(usize, usize)>) {
        let (path, place) = self.file_of(&finding.subject);
        let Some(path) = path else {
            return (None, None);
        };
        let line_column = place.and_then(|place| {
            let text = self.text(&path)?;
            Some(Excerpt { text, place }.line_and_column())
        });
        (Some(display_path(&path)), line_column)
    }

    /// The text that places in a file refer to: the settings as they were loaded, what was fetched,
    /// or the file. `None` if the file can no longer be read.
    pub(super) fn text(&mut self, path: &Path) -> Option<&str> {
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            let url = path.to_str();
            let fetched = url.and_then(|url| self.published?.of(url));
            let kept = fetched.or_else(|| self.site?.loaded.texts.of(path));
            let kept = kept.map(str::to_owned);
            let text = kept.or_else(|| text_of(&tree::open(path).ok()?).ok());
            self.last = Some((path.to_owned(), text));
        }
        self.last.as_ref()?.1.as_deref()
    }
}
