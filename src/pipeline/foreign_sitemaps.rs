//! Sitemaps of other programs in the output directory: which of them the site's generator wrote,
//! and which of the others list pages of this site.
//!
//! Opens only sitemaps that a reader finds: those that robots.txt names, those with well-known
//! names, and the children of indexes.

use std::collections::BTreeSet;

use crate::inventory::Inventory;
use crate::publish::{DiskError, LockedOutputDir, written_names};
use crate::site::{LoadedSite, RobotsFile};
use page_sources::generator::OwnSitemaps;
use sitemaps::files::tree::Tree;
use sitemaps::findings::{Finding, Subject, code};
use sitemaps::gzip::name_without_gz;
use sitemaps::previous::has_mark_in;
use sitemaps::set::roots_for_crawlers;
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{
    ListedEntry, Plan, SitemapListing, file_of_own_sitemap, file_of_sitemap, read_sitemap,
};

/// The sitemaps of the site's generator that may be removed.
pub(super) struct GeneratorSitemaps<'s> {
    own: OwnSitemaps<'s>,
    /// Whether one of them has to stay, and so the others that it may name.
    is_one_kept: bool,
}

impl<'s> GeneratorSitemaps<'s> {
    /// None may be removed whose line in robots.txt would stay.
    pub(super) fn of(
        loaded: &'s LoadedSite<'_>,
        robots: &RobotsFile,
        base: &BaseUrl,
        plan: &Plan,
        dir: &LockedOutputDir<'_>,
    ) -> Result<Self, DiskError> {
        let own = OwnSitemaps::of(&loaded.site);
        let named = if loaded.settings().robots_txt.update && robots.is_readable() {
            BTreeSet::new()
        } else {
            named_files(robots, base)
        };
        let written = written_names(plan);
        let kept = dir.names(|name| {
            let is_named = || named.contains(&SitePath::from(name));
            !written.contains(name)
                && own.have_name(name)
                && (is_named() || own.are_copied_to(name))
        })?;
        let is_one_kept = !kept.is_empty();
        Ok(Self { own, is_one_kept })
    }

    /// Whether a file, relative to the output directory, is certainly one of them: by its name, and
    /// because no file of the site's sources is copied to there.
    pub(super) fn contains(&self, name: &str) -> bool {
        !self.is_one_kept && self.own.have_name(name) && !self.own.are_copied_to(name)
    }
}

/// The files of this site that robots.txt names as sitemaps.
fn named_files(robots: &RobotsFile, base: &BaseUrl) -> BTreeSet<SitePath> {
    let urls = robots.sitemaps().into_iter();
    urls.filter_map(|url| file_of_own_sitemap(&url, base))
        .collect()
}

/// Reports sitemaps next to the set that list pages of this site: readers take both for true. They may
/// also know those that the generator wrote into the directories of languages.
///
/// `handled` are files that this run removes or reports. Sitemaps of another run of waypost, of
/// news, images or videos, and of other pages are right beside the set.
pub fn other_sitemaps(
    loaded: &LoadedSite<'_>,
    robots: &RobotsFile,
    inventory: &Inventory,
    plan: &Plan,
    handled: &[SitePath],
) -> Vec<Finding> {
    let (dir, base) = (&loaded.output, &inventory.base);
    let mut named = named_files(robots, base);
    named.retain(|file| dir.has_file(file));
    let mut readable = roots_for_crawlers(dir, plan.root(), &named);
    let of_languages = sitemaps_of_languages(loaded, inventory);
    readable.extend(
        of_languages
            .into_iter()
            .filter(|file| !named.contains(file)),
    );
    let written = written_names(plan);
    let others = readable.into_iter().filter(|file| {
        !written.contains(&*file.to_text())
            && !handled.contains(file)
            && !is_of_another_run(dir, file)
            && lists_pages(dir, file, inventory, &written)
    });
    others.map(|file| other_sitemap(&file)).collect()
}

/// The sitemaps that the generator has written into directories with pages.
fn sitemaps_of_languages(loaded: &LoadedSite<'_>, inventory: &Inventory) -> BTreeSet<SitePath> {
    let names: Vec<&str> = OwnSitemaps::of(&loaded.site).names_in_dirs().collect();
    if names.is_empty() {
        return BTreeSet::new();
    }
    let top_dir = |file: &'_ SitePath| {
        let end = file.as_bytes().iter().position(|&byte| byte == b'/')?;
        Some(SitePath::new(&file.as_bytes()[..end]))
    };
    let pages = inventory.pages.iter();
    let dirs: BTreeSet<SitePath> = pages.filter_map(|page| top_dir(&page.file)).collect();
    let files = dirs.into_iter().flat_map(|dir| {
        let names = names.iter();
        names.map(move |name| SitePath::from(&*format!("{dir}/{name}")))
    });
    files.filter(|file| loaded.output.has_file(file)).collect()
}

fn other_sitemap(file: &SitePath) -> Finding {
    let message = format!(
        "`{file}` also lists pages of this site, and readers may know it; another program may have \
         written it, so it is not removed"
    );
    let subject = Subject::of_page(file);
    let hint = "disable the sitemap of that program, or remove the file and its line in robots.txt";
    Finding::new(code::SITEMAP_STALE, subject, message).with_hint(hint)
}

/// Whether another run of waypost wrote a file: for a part of the site, for example.
fn is_of_another_run(dir: &Tree, file: &SitePath) -> bool {
    let name = String::from_utf8_lossy(file.file_name()).into_owned();
    has_mark_in(dir, file, name_without_gz(&name))
}

/// Whether a sitemap, or one that it names as an index, lists a page of the site. A child may be
/// one of the files that this run writes.
fn lists_pages(
    dir: &Tree,
    file: &SitePath,
    inventory: &Inventory,
    written: &BTreeSet<String>,
) -> bool {
    let (mut found, mut children) = (false, Vec::new());
    let mut read = |file: &SitePath, children: &mut Vec<SitePath>| {
        // A file that is not a sitemap has no entries, and readers use those before an error too.
        let input = dir.open(file);
        drop(input.map(|input| {
            read_sitemap(input, &mut |listing, listed| match listing {
                SitemapListing::Pages => found = found || is_page(inventory, listed),
                SitemapListing::Sitemaps => {
                    children.extend(file_of_sitemap(&listed.loc, &inventory.base));
                }
            })
        }));
        found
    };
    read(file, &mut children)
        || children
            .iter()
            .any(|child| written.contains(&*child.to_text()) || read(child, &mut Vec::new()))
}

fn is_page(inventory: &Inventory, listed: &ListedEntry) -> bool {
    let is_special = listed.unread_element.is_some() || !listed.images.is_empty();
    let url = inventory.base.resolve(&listed.loc).ok();
    !is_special && url.is_some_and(|url| inventory.page_at(&url).is_some())
}
