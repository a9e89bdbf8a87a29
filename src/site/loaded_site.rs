//! Finds the site, its settings and its environment, before any page is read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::base_evidence::{BaseUrlQuery, FoundBaseUrl, domain_in};
use super::host_settings::{HostDirs, form_at};
use super::misplaced_settings::{report_misplaced, settings_above};
use super::nowhere;
use super::output_dir::{OutputQuery, find_output};
use super::preview::{self, BuildKind, PreviewBuild};
use super::repository::repository_around;
use super::robots::RobotsFile;
use super::run_error::RunError;
use super::site_form::{
    ByLinks, FoundUrlForm, LinkedUrls, PageUrlSearch, PageUrls, agreed_links, form_of_site,
    linked_urls,
};
use super::site_host::{self, DetectedHost};
use super::site_location::{SiteLocation, locate};
use super::site_sample::{SiteSample, home_links, linked_sitemap};
use super::site_settings::{follow_stated_order, home_in_book, settings_tables};
use crate::config::{self, Flags, LayerInputs, LoadedSettings, SettingOrigin};
use crate::decide::reason_names;
use crate::files::tree::{Tree, absolute};
use crate::findings::{Finding, Findings, HintedError};
use crate::generators::finder::find_site;
use crate::generators::source_map::{MdbookBook, SourceMapEntry};
use crate::generators::{Pipelines, Site};
use crate::hosts::UrlForm;
use crate::settings::{PreviewMode, Settings, UrlStyle};
use crate::survey::{ReplacedSet, SiteSurvey, SurveyedFile};
use page_signals::PageLinks;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{EntryExtent, Now};

/// Input of a run, as given on the command line.
#[derive(Debug)]
pub struct RunRequest {
    /// The given site, or the working directory.
    pub site: PathBuf,
    /// The flags that set settings.
    pub flags: Flags,
    /// The whole environment, sorted by name.
    pub environment: BTreeMap<String, String>,
    /// The book that mdBook built, if it started this run.
    pub book: Option<MdbookBook>,
    /// The current time.
    pub now: Now,
}

/// A site with its settings and the environment of the run.
#[derive(Debug)]
pub struct LoadedSite {
    /// The site.
    pub site: Site,
    /// Its settings and the origin of each.
    pub loaded: LoadedSettings,
    /// Whether the user names the settings file.
    has_named_settings: bool,
    /// The directory of the rendered site, confined to the site.
    pub output: Tree,
    /// The finding about another directory that could be the output.
    rival: Option<Finding>,
    /// Pages and sources reported by the generator that started this run.
    pub reported_sources: Vec<SourceMapEntry>,
    /// The current time.
    pub now: Now,
    /// The top of the repository, if the site is in one.
    pub(crate) repository: Option<PathBuf>,
    /// The directories that may have the host's files.
    pub(crate) host_dirs: HostDirs,
    /// Where the site is served, and in which form.
    pub place: SitePlace,
    /// Whether this build is production or a preview.
    pub kind: BuildKind,
    /// The sitemaps that are in the output directory.
    pub survey: SiteSurvey,
    /// Those of them that this run replaces.
    pub(crate) replaced: ReplacedSet,
    /// The robots.txt of the output directory.
    pub robots: RobotsFile,
    pub(crate) home: PageLinks,
    /// The findings of the present stage of the run.
    pub findings: Findings,
}

impl LoadedSite {
    /// Finds the site and reads its settings, and the sitemaps that are there to this extent.
    pub fn load(request: RunRequest, extent: EntryExtent) -> Result<Self, RunError> {
        let output = request.flags.output_dir.as_deref();
        let mut site = find_site(&request.site, output, &request.environment)?;
        let mut homes = settings_tables(&site);
        homes.extend(request.book.as_ref().map(|book| home_in_book(&site, book)));
        let has_named_settings = request.flags.config.is_some();
        let mut loaded = config::load(&LayerInputs {
            site_root: &site.root,
            generator_tables: &homes,
            environment: &request.environment,
            flags: request.flags,
            reasons: &reason_names(),
        })?;
        let pipelines = Pipelines::new(&request.environment);
        let repository = repository_around(&absolute(&site.root), &site.tree);
        let host_dirs = HostDirs::new(&site.tree, repository.as_deref(), &site.output_dir);
        let mut rival = None;
        if loaded.settings.output_dir.is_none() {
            let found = OutputQuery {
                site: &site,
                given: &request.site,
                repository: repository.as_deref(),
                pipelines,
                host_dirs: &host_dirs,
                reach: &site.tree.clone().and(&request.site),
            }
            .find();
            if let Some((dir, other)) = found {
                (site.output_dir, site.unclear, rival) = (dir, None, other);
            }
        }
        let output = find_output(&site, &loaded, &request.site)?;
        let root = repository.as_deref();
        let kind = preview::kind_of_build(pipelines, &loaded.settings, root, &site.tree);
        if loaded.origin_of("lastmod.from") == Some(&SettingOrigin::Default) {
            follow_stated_order(&site, &mut loaded);
        }
        let robots = RobotsFile::read(&output);
        let mut named = robots.sitemaps();
        let (home, home_file) = home_links(&output);
        named.extend(linked_sitemap(&home, &nowhere()));
        let name = &loaded.settings.sitemap.file;
        let urls = named.iter().map(PageUrl::as_str);
        let survey = SiteSurvey::read(&site, &output, name, urls, extent);
        let host_dirs = host_dirs.with_output(output.path());
        let sample = SiteSample::new(&output, &survey, &robots, &home, home_file);
        let query = BaseUrlQuery {
            site: &site,
            sample: &sample,
            loaded: &loaded,
            repository: root,
            pipelines,
            host_dirs: &host_dirs,
            is_preview: kind.skipped(loaded.settings.preview).is_some(),
            domain: domain_in(&output, output.path()),
        };
        let place = SitePlace::find(&query);
        loaded.settings.url_style = place.form.style;
        loaded.settings.server = place
            .host
            .as_ref()
            .map(|host| host.model.server)
            .unwrap_or_default();
        let mut found = Self {
            survey,
            replaced: ReplacedSet::default(),
            robots,
            home,
            host_dirs,
            repository,
            site,
            loaded,
            has_named_settings,
            output,
            rival,
            reported_sources: request.book.map(|book| book.chapters).unwrap_or_default(),
            now: request.now,
            place,
            kind,
            findings: Findings::default(),
        };
        found.find_replaced();
        // All that follows depends on these files.
        found.output.check()?;
        Ok(found)
    }

    /// Finds the sitemaps that this run replaces, under the name that the new one has.
    fn find_replaced(&mut self) {
        let Ok(location) = &self.place.location else {
            return;
        };
        let base = location.base.url.clone();
        self.keep_root_name(&base);
        let root = &self.loaded.settings.sitemap.file;
        self.replaced = self.survey.replaced(&self.site, root);
        self.survey.rebase(&self.replaced, &self.output, &base);
    }

    /// Whether a setting has its default.
    pub(super) fn is_default(&self, key: &str) -> bool {
        self.loaded.origin_of(key) == Some(&SettingOrigin::Default)
    }

    /// Returns the URLs of the pages that have another form than the site's, unless the settings state a
    /// form or a host: else a set that was made with other settings would keep its URLs.
    pub(crate) fn page_urls(&self, base: &BaseUrl, pages: &[SitePath]) -> PageUrls {
        if !(self.is_default("url_style") && self.settings().host.is_none()) {
            return PageUrls::new();
        }
        let search = PageUrlSearch {
            base,
            form: UrlForm::of(self.settings()),
            by_links: self.place.form.by_links,
            pages,
        };
        let locs = self
            .replaced_files()
            .into_iter()
            .flat_map(SurveyedFile::locs);
        search.find(&self.place.linked_urls, locs)
    }

    /// The files of other programs that this run replaces; if there are none, those of waypost.
    pub(crate) fn replaced_files(&self) -> Vec<&SurveyedFile> {
        let sitemaps = &self.survey.sitemaps;
        let own = sitemaps.files_of_sets(&self.replaced.roots);
        let foreign = &self.replaced.foreign;
        let files = if foreign.is_empty() { &own } else { foreign };
        files
            .iter()
            .filter_map(|file| sitemaps.file(file))
            .collect()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// Reports the problems of settings files that do not prevent a run.
    pub(crate) fn report_settings(&self) {
        let findings = &self.findings;
        report_misplaced(&self.site, self.output_dir(), findings);
        findings.extend(self.rival.clone());
        if !self.has_named_settings {
            let repository = self.repository.as_deref();
            findings.extend(settings_above(&self.site, repository));
        }
        if let BuildKind::UnknownBranch(branch) = &self.kind
            && self.settings().preview == PreviewMode::Skip
        {
            findings.add(branch.finding());
        }
    }

    /// Returns the build pipelines of the manifest, evaluated in this run's environment.
    pub fn pipelines(&self) -> Pipelines<'_> {
        Pipelines::new(&self.site.environment)
    }

    /// Returns the directory of the rendered site.
    pub fn output_dir(&self) -> &Path {
        self.output.path()
    }

    /// Refuses to scan a directory of sources: that of waypost's settings is the site of the commands that read
    /// no page.
    pub(crate) fn refuse_sources(&self) -> Result<(), RunError> {
        match &self.site.unclear {
            Some(unclear) if self.settings().output_dir.is_none() => {
                Err(unclear.error(&self.site.root).into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the preview if this build is one that must write nothing.
    pub fn skipped_preview(&self) -> Option<&PreviewBuild> {
        self.kind.skipped(self.settings().preview)
    }

    /// Returns the base URL of the output directory: from the settings, or else from the evidence in
    /// the site.
    pub fn base_url(&self) -> Result<FoundBaseUrl, RunError> {
        Ok(self.location()?.base)
    }

    /// Returns the base URL with the evidence for and against it.
    pub(crate) fn location(&self) -> Result<SiteLocation, RunError> {
        Ok(self.place.location.clone()?)
    }
}

/// Where the site is served, and in which form.
#[derive(Debug)]
pub struct SitePlace {
    /// The base URL, or why it is not known.
    location: Result<SiteLocation, HintedError>,
    /// The host that serves the site, if it is known.
    pub host: Option<DetectedHost>,
    /// The form of URLs for pages without a canonical link.
    pub(crate) form: FoundUrlForm,
    /// The URLs of pages on which the links between the pages agree.
    linked_urls: PageUrls,
}

impl SitePlace {
    /// Finds the base URL, the host, and the URL style if it follows the host or the site.
    fn find(query: &BaseUrlQuery<'_>) -> Self {
        // An error is reported where the base URL is needed.
        let location = locate(query);
        let base = location.as_ref().ok().map(|location| &location.base.url);
        let host = site_host::detect(query, base);
        let set = query.loaded.settings.url_style;
        let linked = if set == UrlStyle::Host {
            linked_urls(query.sample, base)
        } else {
            LinkedUrls::new()
        };
        let form = match &host {
            _ if set != UrlStyle::Host => FoundUrlForm {
                style: set,
                origin: Some("the settings".to_owned()),
                by_links: ByLinks::default(),
            },
            Some(host) => FoundUrlForm {
                style: form_at(host.model, query.host_dirs, query.pipelines),
                origin: Some(host.model.title.clone()),
                by_links: ByLinks::default(),
            },
            None => form_of_site(query.site, query.sample, base, &linked),
        };
        Self {
            location,
            host,
            form,
            linked_urls: agreed_links(linked),
        }
    }
}
