//! The form of URLs for pages without a canonical link, and where it comes from.

use std::cell::LazyCell;
use std::fmt;

use super::site_sample::SiteSample;
use super::url_votes::{DirForm, FileForm, canonical_votes, link_votes, sitemap_votes};
use crate::settings::UrlStyle;
use page_sources::generator::Site;
use sitemaps::site_paths::BaseUrl;

/// A form of URLs and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundUrlForm {
    /// The form.
    pub style: UrlStyle,
    /// Where it comes from, in words; `None` if nothing names a form.
    pub origin: Option<String>,
}

impl fmt::Display for FoundUrlForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = match self.style {
            UrlStyle::Host | UrlStyle::Keep | UrlStyle::KeepSlashed => "/x.html and /x/",
            UrlStyle::KeepSlashless => "/x.html and /x",
            UrlStyle::Clean => "/x and /x/",
            UrlStyle::CleanSlashless => "/x",
            UrlStyle::CleanSlashed => "/x/",
            UrlStyle::Exact => "/x.html and /x/index.html",
        };
        match &self.origin {
            Some(origin) => write!(out, "{example} from {origin}"),
            None => write!(out, "{example} by default"),
        }
    }
}

/// Finds the form that the site itself names: by its canonical links, its generator's setting, its
/// links, the sitemap that the generator wrote, or else the sitemap of an earlier run. The form of
/// files and that of directories may come from different places. A sitemap comes last, because this
/// run replaces it: the next run finds the other answers again.
pub(super) fn form_of_site(
    site: &Site<'_>,
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
) -> FoundUrlForm {
    let canonicals = canonical_votes(sample);
    let listed = LazyCell::new(|| sitemap_votes(sample));
    let file = canonicals
        .file()
        .or_else(|| stated_form(site))
        .or_else(|| link_votes(sample, base).file())
        .or_else(|| listed.file());
    let dir = canonicals.dir().or_else(|| listed.dir());
    let ((file, of_files), (dir, of_dirs)) = (file.unzip(), dir.unzip());
    let mut origins: Vec<String> = of_files.into_iter().chain(of_dirs).collect();
    origins.dedup();
    FoundUrlForm {
        style: style_of(file, dir),
        origin: (!origins.is_empty()).then(|| origins.join(" and ")),
    }
}

fn style_of(file: Option<FileForm>, dir: Option<DirForm>) -> UrlStyle {
    match (file, dir) {
        (None | Some(FileForm::Html), None | Some(DirForm::Slash)) => UrlStyle::Keep,
        (None | Some(FileForm::Html), Some(DirForm::Bare)) => UrlStyle::KeepSlashless,
        (Some(FileForm::Bare), None | Some(DirForm::Slash)) => UrlStyle::Clean,
        (Some(FileForm::Bare), Some(DirForm::Bare)) => UrlStyle::CleanSlashless,
        (Some(FileForm::Slash), _) => UrlStyle::CleanSlashed,
    }
}

/// The form of files in the generator's settings, if they state one.
fn stated_form(site: &Site<'_>) -> Option<(FileForm, String)> {
    let condition = site.generator?.clean_urls_if.as_ref()?;
    site.config
        .get(&condition.key)
        .filter(|value| !value.is_null())?;
    let form = if site.config.meets(condition) {
        FileForm::Bare
    } else {
        FileForm::Html
    };
    Some((
        form,
        format!("`{}` in the generator's settings", condition.key),
    ))
}
