//! The evidence for the base URL: a table of its sources, in order of precedence. Each piece names where
//! it comes from.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::path::Path;

use super::base_of_pages::canonical_base_url;
use super::host_settings::HostDirs;
use super::pages_publication::{PagesSite, published_site};
use super::repository;
use super::site_sample::SiteSample;
use crate::config::{LoadedSettings, SettingOrigin};
use crate::files::tree::Tree;
use crate::generators::{Pipelines, Site};
use crate::hosts::UrlForm;
use crate::survey::{base_of_file, file_at, is_placeholder, most_named};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, without_scheme};

/// How many links between the pages to follow.
const MAX_LINKS: usize = 64;

/// A base URL and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBaseUrl {
    /// The base URL.
    pub url: BaseUrl,
    /// The kind of its origin.
    pub kind: BaseUrlKind,
    /// Where it comes from, in words.
    pub origin: String,
}

/// The kinds of origins of a base URL, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseUrlKind {
    /// A flag or an environment variable, whose name is the origin; it applies to this run only.
    User,
    /// waypost's own setting, in a file.
    Setting,
    /// The canonical links of pages.
    Canonical,
    /// A `CNAME` file in the output directory, which is published at the root of that domain.
    Domain,
    /// The sitemap that the generator wrote, or waypost's that replaced it.
    Sitemap,
    /// The generator's settings.
    Generator,
    /// A line or file written by hand: a `Sitemap` line, a `CNAME` at the top of the repository.
    Hand,
    /// Where the pipeline or the repository says that it is served.
    Guess,
    /// The set of an earlier run.
    Earlier,
    /// Where it might be served: only shown, in a hint.
    Suggestion,
}

impl FoundBaseUrl {
    pub(super) fn new(url: BaseUrl, kind: BaseUrlKind, origin: impl Into<String>) -> Self {
        let origin = origin.into();
        Self { url, kind, origin }
    }

    /// Whether it is where the site is served, rather than where it could be.
    pub fn is_statement(&self) -> bool {
        self.kind < BaseUrlKind::Guess
    }

    /// Whether the user gives it.
    pub(super) fn is_given(&self) -> bool {
        self.kind <= BaseUrlKind::Setting
    }

    /// Whether another URL has another path at the same host.
    pub(super) fn differs_in_path(&self, other: &BaseUrl) -> bool {
        other.origin() == self.url.origin() && other.path() != self.url.path()
    }
}

/// Where to look for the base URL.
pub(super) struct BaseUrlQuery<'q> {
    pub(super) site: &'q Site,
    /// A sample of the pages and sitemaps.
    pub(super) sample: &'q SiteSample<'q>,
    pub(super) loaded: &'q LoadedSettings,
    /// The top of the repository.
    pub(super) repository: Option<&'q Path>,
    pub(super) pipelines: Pipelines<'q>,
    /// The directories with files of the host.
    pub(super) host_dirs: &'q HostDirs,
    /// Whether nothing is written, as this is a preview.
    pub(super) is_preview: bool,
    /// The domain in the `CNAME` file of the output directory, in which GitHub Pages and similar hosts expect it.
    /// The directory is published at its root.
    pub(super) domain: Option<BaseUrl>,
}

/// A base URL, and where it comes from, in words.
type Stated = Option<(BaseUrl, String)>;

impl BaseUrlQuery<'_> {
    /// All evidence, in order of precedence.
    pub(super) fn evidence(&self) -> Vec<FoundBaseUrl> {
        // An entry for a home page alone could be of any path.
        let (sure, unsure) = match self.generator_sitemap() {
            Some(stated) if self.is_sure(&stated.0) => (Some(stated), None),
            stated => (None, stated),
        };
        let domain = self.domain.clone().map(|url| (url, "CNAME".to_owned()));
        let pipeline = self
            .pipelines
            .base_url()
            .map(|(variable, url)| (url, format!("the pipeline's {variable}")));
        let sources = [
            (BaseUrlKind::User, self.given(true)),
            (BaseUrlKind::Setting, self.given(false)),
            (BaseUrlKind::Canonical, canonical_base_url(self.sample)),
            (BaseUrlKind::Domain, domain),
            (
                BaseUrlKind::Sitemap,
                sure.or_else(|| self.standing_sitemap()),
            ),
            (BaseUrlKind::Generator, self.own_base_url()),
            (BaseUrlKind::Hand, unsure),
            (BaseUrlKind::Hand, self.robots_lines()),
            (BaseUrlKind::Hand, self.domain_of_repository()),
            (BaseUrlKind::Guess, pipeline),
            (BaseUrlKind::Earlier, self.earlier_sitemap()),
        ];
        let mut found: Vec<FoundBaseUrl> = Vec::new();
        for (kind, stated) in sources {
            found.extend(stated.map(|(url, origin)| FoundBaseUrl::new(url, kind, origin)));
        }
        // The repository is asked only where nothing else but an earlier run names a site.
        if !found
            .iter()
            .any(|found| found.kind < BaseUrlKind::Earlier && !is_placeholder(&found.url))
        {
            found.extend(pages_urls(self));
            found.sort_by_key(|found| found.kind);
        }
        found
    }

    /// The base URL that the user gives, for this run or in a file.
    fn given(&self, for_this_run: bool) -> Stated {
        let url = self.loaded.settings.base_url.clone()?;
        let origin = match self.loaded.origin_of("base_url") {
            Some(SettingOrigin::Flag(flag)) => Some((*flag).to_owned()),
            Some(SettingOrigin::Environment(variable)) => Some(variable.clone()),
            _ => None,
        };
        (origin.is_some() == for_this_run)
            .then(|| (url, origin.unwrap_or_else(|| "the settings".to_owned())))
    }

    /// The base URL of the generator's own sitemap.
    fn generator_sitemap(&self) -> Stated {
        self.sample
            .sitemaps()
            .iter()
            .take_while(|sitemap| !sitemap.has_mark)
            .find_map(|sitemap| {
                let url = sitemap.base.clone()?;
                Some((url, format!("the generator's {}", sitemap.name)))
            })
    }

    /// How many pages at the base URL of the generator's sitemap are, by their paths, pages here.
    pub(super) fn same_pages(&self, own: &FoundBaseUrl) -> Option<String> {
        if own.kind != BaseUrlKind::Sitemap {
            return None;
        }
        let mut sitemaps = self.sample.sitemaps().iter();
        let urls = &sitemaps
            .find(|sitemap| sitemap.base.as_ref() == Some(&own.url))?
            .urls;
        let same = urls
            .iter()
            .filter(|url| file_at(self.sample.output, &own.url, url).is_some())
            .count();
        Some(format!(" (the same pages: {same} of {})", urls.len()))
    }

    /// Whether the base URL of a sitemap is certain: at the root of a host, or with a page below it besides the
    /// home page.
    fn is_sure(&self, base: &BaseUrl) -> bool {
        let sitemaps = self.sample.sitemaps();
        let mut urls = sitemaps.iter().flat_map(|sitemap| &sitemap.urls);
        base.is_host_root() || urls.any(|url| self.has_page_below(base, url))
    }

    /// waypost's set that replaced the generator's sitemap, if it adds to the path in the generator's settings,
    /// at the same host, or if links prove its path against that one.
    fn standing_sitemap(&self) -> Stated {
        let writes = !self.site.generator?.own_sitemaps.default_text().is_empty();
        let (settings, _) = self.own_base_url()?;
        let (url, origin) = self.earlier_sitemap().filter(|_| writes)?;
        let is_proved = url.as_str().starts_with(settings.as_str())
            || self.link_proof(&settings).other.as_ref() == Some(&url);
        (is_proved && self.generator_sitemap().is_none()).then_some((url, origin))
    }

    /// Reads the base URL of an earlier run from the sitemap that it wrote over the evidence. Without it, `waypost`
    /// would find a base URL only once, and `waypost check` never.
    fn earlier_sitemap(&self) -> Stated {
        let mut sitemaps = self.sample.sitemaps().iter();
        let sitemap = sitemaps.find(|sitemap| sitemap.has_mark)?;
        let url = sitemap.base.clone()?;
        Some((url, format!("waypost's earlier {}", sitemap.name)))
    }

    /// The base URL in the generator's settings.
    pub(super) fn own_base_url(&self) -> Stated {
        let (key, url) = self.site.own_base_url(self.sample.output.path())?;
        Some((url, format!("`{key}` in the generator's settings")))
    }

    /// Reads the lines of robots.txt, unless waypost wrote the set that they name.
    fn robots_lines(&self) -> Stated {
        let sitemaps = self.sample.sitemaps();
        if sitemaps.first().is_some_and(|sitemap| sitemap.has_mark) {
            return None;
        }
        let bases = self.sample.robots.sitemaps().into_iter().filter_map(|url| {
            base_of_file(&url, self.sample.output).or_else(|| {
                let is_at_root = url.path_and_query().matches('/').count() == 1;
                is_at_root.then(|| BaseUrl::parse(&format!("{}/", url.origin())).ok())?
            })
        });
        Some((most_named(bases)?.0, "robots.txt".to_owned()))
    }

    /// Reads the `CNAME` file at the top of the site or of the repository, with the path in the generator's
    /// settings, unless the output directory has it too.
    fn domain_of_repository(&self) -> Stated {
        let host = [Some(self.site.root.as_path()), self.repository]
            .into_iter()
            .find_map(|dir| domain_in(self.sample.output, dir?))?;
        let path = self.site.own_base_path().unwrap_or_default();
        let url = BaseUrl::parse(&format!("{host}{}", path.trim_start_matches('/'))).ok()?;
        let is_known = self.domain.as_ref() == Some(&url);
        (!is_known).then(|| (url, "CNAME in the repository".to_owned()))
    }
}

/// The root of the domain in the `CNAME` file of a directory.
pub(super) fn domain_in(output: &Tree, dir: &Path) -> Option<BaseUrl> {
    let text = output.text(&dir.join("CNAME")).ok()?;
    // The file has a domain, but a URL is a common mistake that means the same.
    let host = without_scheme(text.lines().next()?.trim().trim_end_matches('/'));
    (!host.is_empty()).then(|| BaseUrl::parse(&format!("https://{host}/")).ok())?
}

/// The proof by the root-relative links between the pages of the path of a base URL.
pub(super) struct LinkProof {
    /// The base URL below which they lead to files instead.
    pub(super) other: Option<BaseUrl>,
    /// Whether they lead to files below the one in use.
    pub(super) proves_used: bool,
}

impl BaseUrlQuery<'_> {
    /// Compares the paths below which root-relative links lead to files. Two prove a path, if they are at
    /// least four times as many as below the one in use. A directory below that one is never a path, and
    /// pages that relative links reach too are those of another version, with the same names, unless the
    /// repository has the path.
    pub(super) fn link_proof(&self, used: &BaseUrl) -> LinkProof {
        let output = self.sample.output;
        let mut here = 0;
        let mut elsewhere = Vec::new();
        let reached = LazyCell::new(|| self.relatively_linked(used));
        let pages = LazyCell::new(|| self.pages_url());
        for link in self.root_links() {
            let Some(url) = used.resolve(link) else {
                continue;
            };
            let is_home = url.as_str() == used.as_str() && !used.is_host_root();
            if is_home || self.has_page_below(used, &url) {
                here += 1;
            } else if let Some(base) = base_of_file(&url, output)
                && (!file_at(output, &base, &url).is_some_and(|file| reached.contains(&file))
                    || pages.as_ref().is_some_and(|own| own.path() == base.path()))
            {
                elsewhere.push(base);
            }
        }
        elsewhere.retain(|base| base != used && !self.is_directory_here(used, base));
        let other = most_named(elsewhere).filter(|(_, count, _)| *count >= 2 && *count >= 4 * here);
        LinkProof {
            proves_used: here >= 2 && other.is_none(),
            other: other.map(|(base, ..)| base),
        }
    }

    /// The pages to which others have relative links, which are right below any path.
    fn relatively_linked(&self, used: &BaseUrl) -> BTreeSet<SitePath> {
        let mut found = BTreeSet::new();
        for (file, page) in self.sample.links() {
            let url = UrlForm::default().url_of(used, file);
            for link in page.links.iter().take(MAX_LINKS) {
                if page.base.is_none()
                    && !link.starts_with('/')
                    && !link.contains(':')
                    && let Some(target) = url.resolve(link)
                    && let Some(target) = file_at(self.sample.output, used, &target)
                    && target != *file
                {
                    found.insert(target);
                }
            }
        }
        found
    }

    /// Whether a base URL is that of a directory below the one in use.
    pub(super) fn is_directory_here(&self, used: &BaseUrl, other: &BaseUrl) -> bool {
        let below = other.as_str().strip_prefix(used.as_str());
        below.is_some_and(|below| {
            let output = self.sample.output.path();
            !below.is_empty() && self.site.tree.is_dir(&output.join(below))
        })
    }

    /// Whether a URL below a base URL is that of a file, other than the home page.
    fn has_page_below(&self, base: &BaseUrl, url: &PageUrl) -> bool {
        base.path_below(url).is_some_and(|path| !path.is_empty())
            && file_at(self.sample.output, base, url).is_some()
    }

    /// The root-relative links of the sample, each once and without that to the root.
    fn root_links(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for (_, links) in self.sample.links() {
            for link in links.links.iter().chain(&links.resources) {
                let path = link.split(['?', '#']).next().unwrap_or_default().trim();
                if found.len() < MAX_LINKS
                    && path.len() > 1
                    && path.starts_with('/')
                    && !path.starts_with("//")
                {
                    found.insert(path);
                }
            }
        }
        found
    }

    /// The URL of the repository's Pages, by its pipeline or its remote.
    pub(super) fn pages_url(&self) -> Option<BaseUrl> {
        let by_remote = || repository::pages_url_of(self.repository?, self.sample.output);
        self.pipelines.pages_url().or_else(by_remote)
    }

    /// Where the repository publishes itself, if a base URL is another place of Pages: each repository has a
    /// path of its own there, and each owner a host.
    pub(super) fn published_elsewhere(&self, used: &FoundBaseUrl) -> Option<BaseUrl> {
        // GitHub redirects its own host to the domain of a site.
        if used.url.host().ends_with(".github.io")
            && let Some(domain) = &self.domain
            && domain.host() != used.url.host()
            && !is_placeholder(domain)
        {
            return Some(domain.clone());
        }
        let url = self.pages_url()?;
        let has_path = used
            .url
            .path()
            .get(..url.path().len())
            .is_some_and(|path| path.eq_ignore_ascii_case(url.path()));
        let is_own_host = used.url.host() == url.host();
        let is_rival = if is_own_host {
            !has_path
        } else {
            let host = Pipelines::host_of_domain(&used.url);
            host.is_some()
                && host == Pipelines::host_of_domain(&url)
                && !is_unique_domain(&used.url, &url)
        };
        if !is_rival {
            return None;
        }
        match self.publication(&url) {
            PagesSite::Own => self.domain.clone().or(Some(url)),
            PagesSite::Domain(domain) => Some(domain),
            // GitHub publishes the files at the top of a repository without any step.
            PagesSite::Unknown
                if is_own_host
                    && url.host().ends_with(".github.io")
                    && matches!(used.kind, BaseUrlKind::Generator | BaseUrlKind::Hand)
                    && self.is_top_of_repository() =>
            {
                Some(url)
            }
            PagesSite::Unknown | PagesSite::Elsewhere => None,
        }
    }

    /// Whether the generator's settings have a key with the path of a URL.
    pub(super) fn states_path_of(&self, url: &BaseUrl) -> bool {
        let mut paths = self.site.base_paths();
        paths.any(|(_, path)| path.trim_matches('/') == url.path().trim_matches('/'))
    }

    /// Whether the output directory is the top of the repository, and not what a build writes.
    pub(super) fn is_top_of_repository(&self) -> bool {
        let output = self.sample.output;
        self.repository
            .is_some_and(|top| output.is_same(top, output.path()))
    }

    fn publication(&self, url: &BaseUrl) -> PagesSite {
        self.repository.map_or(PagesSite::Unknown, |repository| {
            published_site(repository, url, self.host_dirs)
        })
    }
}

/// Whether a base URL is a unique domain, which GitLab gives a project: its name, `-` and a code of six or more
/// hexadecimal digits.
fn is_unique_domain(used: &BaseUrl, pages: &BaseUrl) -> bool {
    let path = pages.path().trim_end_matches('/').to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let label = used.host().split('.').next().unwrap_or_default();
    pages.host().ends_with(".gitlab.io")
        && used.is_host_root()
        && label.starts_with(&format!("{}-", name.replace(['.', '_'], "-")))
        && label.rsplit('-').next().is_some_and(|code| {
            code.len() >= 6 && code.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// The Pages URLs of the repository: answers, as far as what is in it says that it is published there,
/// or else suggestions.
fn pages_urls(query: &BaseUrlQuery<'_>) -> Vec<FoundBaseUrl> {
    let variable = "GITHUB_REPOSITORY";
    let in_actions = query.pipelines.has_value("GITHUB_ACTIONS", "true");
    let project = query.pipelines.value(variable).filter(|_| in_actions);
    let project_url = project.and_then(|project| repository::pages_url(project, "github.io"));
    [
        (project_url, format!("the pipeline's {variable}")),
        (query.pages_url(), "the repository's remote".to_owned()),
    ]
    .into_iter()
    .filter_map(|(url, origin)| pages_answer(query, url?, origin))
    .collect()
}

/// Decides whether a Pages URL is an answer. A repository `OWNER.github.io` of that owner has no other
/// use, and a path with the name of the repository is made for Pages. On GitLab a project has a unique
/// domain by default, to which its path redirects.
fn pages_answer(query: &BaseUrlQuery<'_>, url: BaseUrl, origin: String) -> Option<FoundBaseUrl> {
    let published = query.publication(&url);
    let is_named = if url.is_host_root() {
        url.host().ends_with(".github.io")
    } else {
        query.states_path_of(&url)
    };
    match published {
        PagesSite::Domain(domain) => {
            let origin = "the custom domain of the repository's pages";
            Some(FoundBaseUrl::new(domain, BaseUrlKind::Guess, origin))
        }
        PagesSite::Unknown | PagesSite::Elsewhere if is_named => {
            Some(FoundBaseUrl::new(url, BaseUrlKind::Guess, origin))
        }
        PagesSite::Own
            if !is_named && !url.is_host_root() && url.host().ends_with(".gitlab.io") =>
        {
            let origin = format!("{origin}, unless its Pages have a unique domain");
            Some(FoundBaseUrl::new(url, BaseUrlKind::Suggestion, origin))
        }
        PagesSite::Own => Some(FoundBaseUrl::new(url, BaseUrlKind::Guess, origin)),
        PagesSite::Unknown => Some(FoundBaseUrl::new(url, BaseUrlKind::Suggestion, origin)),
        PagesSite::Elsewhere => None,
    }
}
