//! The form of URLs for pages without a canonical link, and where it comes from.

use std::fmt;

use super::site_sample::{SampledCanonical, SiteSample};
use super::url_votes::{
    DirForm, FileForm, canonical_votes, earlier_votes, link_votes, sitemap_votes,
};
use crate::settings::UrlStyle;
use page_sources::generator::Site;
use sitemaps::site_paths::BaseUrl;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};

/// A form of URLs and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundUrlForm {
    /// The form.
    pub style: UrlStyle,
    /// Where it comes from.
    pub origin: UrlFormOrigin,
}

/// Origin of the form of URLs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum UrlFormOrigin {
    /// waypost's own setting.
    Setting,
    /// The host, by its title.
    Host(String),
    /// The site itself, in words.
    Site(String),
    /// Nothing names a form.
    #[default]
    Default,
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
        let origin = match &self.origin {
            UrlFormOrigin::Setting => "the settings",
            UrlFormOrigin::Host(title) => title,
            UrlFormOrigin::Site(origin) => origin,
            UrlFormOrigin::Default => return write!(out, "{example} by default"),
        };
        write!(out, "{example} from {origin}")
    }
}

/// One place that names a form.
struct FormAnswer {
    file: Option<FileForm>,
    dir: Option<DirForm>,
    origin: String,
}

/// Finds the form that the site itself names: by its canonical links, its generator's setting, its
/// links, the sitemap that the generator wrote, or else the sitemap of an earlier run. The form of
/// files and that of directories may come from different places.
pub(super) fn form_of_site(
    site: &Site<'_>,
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
) -> WithFindings<FoundUrlForm> {
    let lacking = LackingPages::of(sample);
    let answers = answers(site, sample, base, &lacking);
    // It does not count against the others, because this run replaces it.
    let earlier = earlier_answer(sample);
    let mut known = answers.iter().chain(&earlier);
    let file = known.clone().find(|answer| answer.file.is_some());
    let dir = known.find(|answer| answer.dir.is_some());
    let file_form = file.and_then(|answer| answer.file);
    let dir_form = dir.and_then(|answer| answer.dir);
    let mut origins: Vec<&str> = [file, dir]
        .into_iter()
        .flatten()
        .map(|answer| answer.origin.as_str())
        .collect();
    origins.dedup();
    let origin = if origins.is_empty() {
        UrlFormOrigin::Default
    } else {
        UrlFormOrigin::Site(origins.join(" and "))
    };
    let style = style_of(file_form, dir_form);
    let files = lacking.files.then(|| file_disagreement(&answers));
    let dirs = lacking.dirs.then(|| dir_disagreement(&answers));
    let findings = [files, dirs].into_iter().flatten().flatten().collect();
    WithFindings::new(FoundUrlForm { style, origin }, findings)
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

/// Whether the sample has pages that get the form: they have no canonical link.
struct LackingPages {
    files: bool,
    dirs: bool,
}

impl LackingPages {
    fn of(sample: &SiteSample<'_>) -> Self {
        let pages = sample.pages().iter();
        // An error page is not listed, and seldom has a canonical link.
        let lacks = pages.filter(|page| {
            page.canonical == SampledCanonical::None && page.file.file_name() != b"404.html"
        });
        let mut found = Self {
            files: false,
            dirs: false,
        };
        for page in lacks {
            match page.file.index_of() {
                Some(b"") => {}
                Some(_) => found.dirs = true,
                None => found.files = true,
            }
        }
        found
    }
}

/// The answers in order of precedence. Links are read only if a page gets the form. The generator's
/// sitemap comes last, because this run replaces it: the next run finds the other answers again.
fn answers(
    site: &Site<'_>,
    sample: &SiteSample<'_>,
    base: Option<&BaseUrl>,
    lacking: &LackingPages,
) -> Vec<FormAnswer> {
    let canonicals = canonical_votes(sample);
    let mut answers = vec![FormAnswer {
        file: canonicals.file(),
        dir: canonicals.dir(),
        origin: "the canonical links".to_owned(),
    }];
    let condition = site
        .generator
        .and_then(|known| known.clean_urls_if.as_ref());
    let is_known = |key: &str| site.config.get(key).is_some_and(|value| !value.is_null());
    let setting = condition.filter(|condition| is_known(&condition.key));
    answers.extend(setting.map(|condition| FormAnswer {
        file: Some(if site.config.meets(condition) {
            FileForm::Bare
        } else {
            FileForm::Html
        }),
        dir: None,
        origin: format!("`{}` in the generator's settings", condition.key),
    }));
    if lacking.files {
        answers.push(FormAnswer {
            file: link_votes(sample, base).file(),
            dir: None,
            origin: "the pages' links".to_owned(),
        });
    }
    answers.extend(sitemap_votes(sample).map(|(name, votes)| FormAnswer {
        file: votes.file(),
        dir: votes.dir(),
        origin: format!("the generator's {name}"),
    }));
    answers
}

/// The form of URLs of an earlier run, which may have replaced the sitemap that named it. Only a
/// form other than the default, and one that all of its URLs have, is an answer: with `_redirects`,
/// the URL of a page can have another form than that of the site.
fn earlier_answer(sample: &SiteSample<'_>) -> Option<FormAnswer> {
    let (name, votes) = earlier_votes(sample)?;
    let file = votes.only_file().filter(|form| *form != FileForm::Html);
    let dir = votes.only_dir().filter(|form| *form != DirForm::Slash);
    (file.is_some() || dir.is_some()).then(|| FormAnswer {
        file,
        dir,
        origin: format!("waypost's earlier {name}"),
    })
}

fn file_disagreement(answers: &[FormAnswer]) -> Option<Finding> {
    let named = answers
        .iter()
        .filter_map(|answer| Some((answer.file?, answer)));
    let text = |form| match form {
        FileForm::Html => "/x.html",
        FileForm::Bare => "/x",
        FileForm::Slash => "/x/",
    };
    disagreement("x.html", named.map(|(form, answer)| (text(form), answer)))
}

fn dir_disagreement(answers: &[FormAnswer]) -> Option<Finding> {
    let named = answers
        .iter()
        .filter_map(|answer| Some((answer.dir?, answer)));
    let text = |form| match form {
        DirForm::Slash => "/x/",
        DirForm::Bare => "/x",
    };
    disagreement(
        "x/index.html",
        named.map(|(form, answer)| (text(form), answer)),
    )
}

/// Reports answers that differ from the first, which is in use.
fn disagreement<'a>(
    file: &str,
    mut answers: impl Iterator<Item = (&'static str, &'a FormAnswer)>,
) -> Option<Finding> {
    let (used, origin) = answers.next()?;
    let (other, contrary) = answers.find(|(form, _)| *form != used)?;
    let message = format!(
        "`{file}` is listed as `{used}` where it has no canonical link, as in {}, but as `{other}` in {}",
        origin.origin, contrary.origin
    );
    let finding = Finding::new(code::URL_FORM_DISAGREEMENT, Subject::Site, message);
    Some(finding.with_hint("set `host` or `url_style` in waypost.toml"))
}
