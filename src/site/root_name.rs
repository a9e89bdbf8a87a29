//! The file name of the sitemap where the settings do not state one: the URL that search engines
//! know is kept.

use std::fs::File;

use super::robots::RobotsFile;
use super::site_sample::WELL_KNOWN;
use crate::hosts::UrlForm;
use crate::survey::{SiteSurvey, SitemapOwner};
use page_signals::{PageLinks, links_of};
use page_sources::generator::OwnSitemaps;
use sitemaps::SetFileNames;
use sitemaps::files::tree::Tree;
use sitemaps::gzip::ENDING;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Opens the home page and reads its links.
pub(super) fn home_links(output: &Tree) -> (PageLinks, Option<File>) {
    let home = SitePath::from("index.html");
    let opened = output.open_page(&home);
    let opened = output.note(&home.below_dir(output.path()), opened).ok();
    let links = opened.as_ref().map(links_of).unwrap_or_default();
    (links, opened)
}

/// Returns the sitemap that the home page names in `<link rel="sitemap">`.
pub(crate) fn linked_sitemap(home: &PageLinks, base: &BaseUrl) -> Option<PageUrl> {
    let own = UrlForm::default().url_of(base, &SitePath::from("index.html"));
    let document = match &home.base {
        Some(base) => own.resolve(base).ok()?,
        None => own,
    };
    document.resolve(home.sitemap.as_deref()?).ok()
}

/// The files with which a generator's sitemap, or waypost's earlier one, begins.
pub(super) struct RootNames<'s> {
    pub(super) own: OwnSitemaps<'s>,
    pub(super) output: &'s Tree,
    pub(super) survey: &'s SiteSurvey,
    pub(super) robots: &'s RobotsFile,
    pub(super) home: &'s PageLinks,
    pub(super) base: &'s BaseUrl,
}

impl RootNames<'_> {
    /// Returns the name of waypost's earlier root, or else that of the generator's own entry point,
    /// or else the one that the home page names in `<link rel="sitemap">`, or else the one that the
    /// only `Sitemap` line of robots.txt names.
    ///
    /// An earlier root under another name may belong to another run, for a part of the site.
    pub(super) fn kept(&self) -> Option<String> {
        let entry = self.own.names().next();
        let entry = entry.and_then(|name| self.name_of(&self.base.of_path(name.as_bytes())));
        let linked = linked_sitemap(self.home, self.base);
        let linked = linked.and_then(|url| self.name_of(&url));
        let known = WELL_KNOWN.into_iter().map(str::to_owned);
        let mut known = known.chain(entry.clone()).chain(linked.clone());
        let earlier = known.find(|name| self.is_ours(name));
        earlier
            .or_else(|| entry.filter(|name| self.is_generators(name)))
            .or_else(|| linked.filter(|name| !self.exists(name) || self.is_generators(name)))
            .or_else(|| {
                let robots = self.robots.sitemaps();
                let only = robots.first().filter(|_| robots.len() == 1)?;
                let name = self.name_of(only)?;
                let is_free = WELL_KNOWN.contains(&&*name) && !self.exists(&name);
                (is_free || self.is_generators(&name)).then_some(name)
            })
    }

    /// Whether the generator writes a compressed copy of this root, so that one stays beside it.
    pub(super) fn has_twin(&self, root: &str) -> bool {
        let twin = format!("{root}{ENDING}");
        let is_ours = || self.exists(&twin) && self.is_ours(root);
        self.own.have_name(&twin) && (self.is_generators(&twin) || is_ours())
    }

    /// Whether the text sitemap beside this root is the owner's wish: robots.txt or the generator's
    /// settings name it.
    pub(super) fn has_text(&self, root: &str) -> bool {
        let name = format!("{}.txt", SetFileNames { root }.stem());
        let url = self.base.of_path(name.as_bytes());
        self.exists(&name)
            && (self.own.have_name(&name) || self.robots.sitemaps().contains(&url))
            && !self.own.are_copied_to(&name)
    }

    /// The name of the file at a URL, if it may be the root of the set: at the top of the site.
    fn name_of(&self, url: &PageUrl) -> Option<String> {
        let name = self.base.path_below(url)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_root = name
            .strip_suffix(".xml")
            .is_some_and(|stem| !stem.is_empty());
        (is_root && name.bytes().all(is_plain)).then(|| name.to_owned())
    }

    fn exists(&self, name: &str) -> bool {
        self.output.has_file(&SitePath::from(name))
    }

    fn is_ours(&self, root: &str) -> bool {
        self.survey.is_own_root(root)
    }

    fn is_generators(&self, name: &str) -> bool {
        self.survey.owner(&SitePath::from(name)) == Some(SitemapOwner::Generator)
    }
}
