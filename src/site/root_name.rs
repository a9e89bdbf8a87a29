//! The file name of the sitemap where the settings do not state one: the URL that search engines
//! know is kept.

use super::loaded_site::LoadedSite;
use super::site_sample::{WELL_KNOWN, linked_sitemap};
use crate::generators::GeneratorSitemapNames;
use sitemaps::gzip::ENDING;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{GzipMode, SetFileNames, SitemapFormat};

impl LoadedSite {
    /// Keeps the URL of the sitemap that is there, and its compressed copy, unless the settings
    /// state another.
    pub(super) fn keep_root_name(&mut self, base: &BaseUrl) {
        let mut sitemap = self.settings().sitemap.clone();
        if !sitemap.formats.contains(&SitemapFormat::Xml) {
            return;
        }
        let own = GeneratorSitemapNames::of(&self.site);
        if self.is_default("sitemap.file") {
            sitemap.file = self.kept_root(&own, base).unwrap_or(sitemap.file);
        }
        if self.is_default("sitemap.gzip") && self.has_twin(&own, &sitemap.file) {
            sitemap.gzip = GzipMode::Also;
        }
        if self.is_default("sitemap.formats") && self.has_text(&own, base, &sitemap.file) {
            sitemap.formats.push(SitemapFormat::Txt);
        }
        self.loaded.settings.sitemap = sitemap;
    }

    /// Returns the name of waypost's earlier root, or else that of the generator's own entry point,
    /// or else the one that the home page names in `<link rel="sitemap">`, or else the one that the
    /// only `Sitemap` line of robots.txt names.
    ///
    /// An earlier root under another name may belong to another run, for a part of the site.
    fn kept_root(&self, own: &GeneratorSitemapNames<'_>, base: &BaseUrl) -> Option<String> {
        let exists = |name: &str| self.output.has_file(&SitePath::from(name));
        let entry = own
            .names()
            .next()
            .and_then(|name| root_at(base, &base.path_url(name.as_bytes())));
        let linked = linked_sitemap(&self.home, base).and_then(|url| root_at(base, &url));
        WELL_KNOWN
            .into_iter()
            .map(str::to_owned)
            .chain(entry.clone())
            .chain(linked.clone())
            .find(|name| self.survey.is_waypost_root(name))
            .or_else(|| entry.filter(|name| self.is_generators(name)))
            .or_else(|| linked.filter(|name| !exists(name) || self.is_generators(name)))
            .or_else(|| {
                let robots = self.robots.sitemaps();
                let only = robots.first().filter(|_| robots.len() == 1)?;
                let name = root_at(base, only)?;
                let is_free = WELL_KNOWN.contains(&&*name) && !exists(&name);
                (is_free || self.is_generators(&name)).then_some(name)
            })
    }

    /// Whether the generator writes a compressed copy of this root, so that one stays beside it.
    fn has_twin(&self, own: &GeneratorSitemapNames<'_>, root: &str) -> bool {
        let twin = format!("{root}{ENDING}");
        own.have_name(&twin)
            && (self.is_generators(&twin)
                || self.output.has_file(&SitePath::from(&*twin))
                    && self.survey.is_waypost_root(root))
    }

    /// Whether the text sitemap beside this root is the owner's wish: robots.txt or the generator's
    /// settings name it.
    fn has_text(&self, own: &GeneratorSitemapNames<'_>, base: &BaseUrl, root: &str) -> bool {
        let name = format!("{}.txt", SetFileNames { root }.stem());
        let url = base.path_url(name.as_bytes());
        self.output.has_file(&SitePath::from(&*name))
            && (own.have_name(&name) || self.robots.sitemaps().contains(&url))
            && !own.are_copied_to(&name)
    }

    fn is_generators(&self, name: &str) -> bool {
        self.survey.is_generated(&SitePath::from(name))
    }
}

/// The name of the file at a URL, if it may be the root of the set: at the top of the site.
fn root_at(base: &BaseUrl, url: &PageUrl) -> Option<String> {
    let name = base.path_below(url)?;
    let is_plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (is_plain && !name.strip_suffix(".xml")?.is_empty()).then(|| name.to_owned())
}
