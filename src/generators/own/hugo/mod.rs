//! Hugo: its URLs, the directories that it mounts, its bundles and what pages inherit.

mod bundles;
mod cascade;
mod modules;
mod names;
mod permalinks;

use std::collections::HashMap;

use crate::generators::conventions::Conventions;
use crate::generators::languages::Languages;
use crate::generators::listed_content::ListedContentFile;
use crate::generators::mounts::{MountingSite, Mounts};
use crate::generators::own_config::OwnConfig;
use crate::generators::prediction::PredictionInput;
use crate::generators::slug::SlugSubject;
use crate::generators::url_path::UrlPath;
use sitemaps::site_paths::SitePath;

#[derive(Debug)]
pub(super) struct Hugo;

impl Conventions for Hugo {
    fn mounts(&self, site: &MountingSite<'_>) -> Mounts {
        modules::mounts(site)
    }

    fn inherit(&self, languages: &Languages<'_>, files: &mut [ListedContentFile<'_>]) {
        cascade::inherit(languages, files);
    }

    fn resources(
        &self,
        languages: &Languages<'_>,
        files: &[ListedContentFile<'_>],
    ) -> HashMap<SitePath, Vec<SitePath>> {
        bundles::resources_of(languages, files)
    }

    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        if bundles::has_resource(content.dirs, content.name) {
            return Vec::new();
        }
        let page = permalinks::PermalinkPage::new(content);
        let stated = content.stated_paths(|token| page.value_of(token));
        stated
            .or_else(|| page.paths())
            .unwrap_or_else(|| self.paths_by_name(content, page.dated.slug))
    }

    fn slug(&self, config: &OwnConfig, name: &str, subject: SlugSubject) -> Option<String> {
        let slug = match subject {
            SlugSubject::FrontMatter => names::slug(name),
            SlugSubject::Dir | SlugSubject::Page | SlugSubject::Term => names::path(name),
        };
        Some(names::cased(slug, config))
    }

    fn date_order(&self, config: &OwnConfig) -> Vec<String> {
        names::lastmod_order(config)
    }
}
