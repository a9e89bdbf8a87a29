//! Sitemaps of other programs in the output directory: which of them the site's generator wrote,
//! and which of the others list pages of this site.
//!
//! Only sitemaps count that a reader finds: those that robots.txt names, those with well-known
//! names, and the children of indexes.

use std::collections::BTreeSet;

use crate::findings::{Finding, HintedError, code};
use crate::generators::GeneratorSitemapNames;
use crate::pages::Inventory;
use crate::publish::{LockedOutputDir, written_names};
use crate::site::{LoadedSite, RobotsFile};
use crate::survey::{SiteSurvey, SurveyedEntry, SurveyedFile, file_below_base, roots_for_crawlers};
use sitemaps::Plan;
use sitemaps::gzip::name_without_gz;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// The sitemaps of the site's generator that may be removed.
pub(super) struct GeneratorSitemaps<'s> {
    own: GeneratorSitemapNames<'s>,
    /// Whether one of them has to stay, and so the others that it may name.
    is_one_kept: bool,
}

impl<'s> GeneratorSitemaps<'s> {
    /// None may be removed whose line in robots.txt would stay.
    pub(super) fn of(
        loaded: &'s LoadedSite,
        robots: &RobotsFile,
        base: &BaseUrl,
        plan: &Plan,
        dir: &LockedOutputDir<'_>,
    ) -> Result<Self, HintedError> {
        let own = GeneratorSitemapNames::of(&loaded.site);
        let named = if loaded.settings().robots_txt.update && robots.is_readable() {
            BTreeSet::new()
        } else {
            named_files(robots, base)
        };
        let written = written_names(plan);
        let kept = dir.names(|name| {
            !written.contains(name)
                && own.have_name(name)
                && (named.contains(&SitePath::from(name)) || own.are_copied_to(name))
        })?;
        // An index of another program, such as a copy of the generator's under another name.
        let is_named = loaded.survey.sitemaps.files().any(|(path, index)| {
            let name = path.to_text();
            let stays = !index.head.is_marked() && !written.contains(&*name);
            stays
                && !own.have_name(&name)
                && index.child_files().any(|child| {
                    let child = child.to_text();
                    own.have_name(&child) && !written.contains(&*child)
                })
        });
        Ok(Self {
            own,
            is_one_kept: is_named || !kept.is_empty(),
        })
    }

    /// Whether a file, relative to the output directory, is certainly one of them: by its name, and
    /// because no file of the site's sources is copied to there.
    pub(super) fn contains(&self, name: &str) -> bool {
        !self.is_one_kept && self.own.have_name(name) && !self.own.are_copied_to(name)
    }
}

/// The files of this site that robots.txt names as sitemaps.
fn named_files(robots: &RobotsFile, base: &BaseUrl) -> BTreeSet<SitePath> {
    robots
        .sitemaps()
        .iter()
        .filter_map(|url| file_below_base(url, base))
        .collect()
}

/// Reports sitemaps next to the set that list pages of this site: readers take both for true.
///
/// `handled` are files that this run removes or reports. Sitemaps of another run of waypost, of
/// news, images or videos, and of other pages are right beside the set.
pub fn other_sitemaps(
    loaded: &LoadedSite,
    robots: &RobotsFile,
    inventory: &Inventory,
    plan: &Plan,
    handled: &[SitePath],
) -> Vec<Finding> {
    let (survey, base) = (&loaded.survey, inventory.base());
    let named = named_files(robots, base);
    let dirs = survey.in_dirs().cloned();
    let mut readable: BTreeSet<SitePath> = roots_for_crawlers(&loaded.output, plan.root(), &named)
        .into_iter()
        .chain(dirs)
        .collect();
    let written = written_names(plan);
    readable.retain(|file| {
        survey.sitemaps.file(file).is_some()
            && !written.contains(&*file.to_text())
            && !handled.contains(file)
            && !survey.is_of_another_run(file)
            && lists_pages(survey, file, inventory, &written)
    });
    readable
        .iter()
        .map(|file| other_sitemap(survey, file))
        .collect()
}

fn other_sitemap(survey: &SiteSurvey, file: &SitePath) -> Finding {
    let (writer, hint) = if survey.is_generated(file) {
        (
            "the site's generator wrote it after the last run, or robots.txt names it",
            "run `waypost` after the last build, or disable the sitemap of the generator",
        )
    } else {
        (
            "another program may have written it, so it is not removed",
            "disable the sitemap of that program, or remove the file and its line in robots.txt",
        )
    };
    let message =
        format!("`{file}` also lists pages of this site, and readers may know it; {writer}");
    Finding::new(code::SITEMAP_STALE, file, message).with_hint(hint)
}

/// Whether a sitemap, or one that it names as an index, lists a page of the site. A child may be
/// one of the files that this run writes.
fn lists_pages(
    survey: &SiteSurvey,
    path: &SitePath,
    inventory: &Inventory,
    written: &BTreeSet<String>,
) -> bool {
    // A compressed copy is not read.
    let plain = SitePath::from(name_without_gz(&path.to_text()));
    let file = survey.sitemaps.file(&plain).or(survey.sitemaps.file(path));
    let has_page =
        |file: &SurveyedFile| file.entries.iter().any(|entry| is_page(inventory, &entry));
    file.is_some_and(|file| {
        has_page(file)
            || file.child_files().any(|child| {
                let child_file = survey.sitemaps.file(child);
                written.contains(&*child.to_text()) || child_file.is_some_and(has_page)
            })
    })
}

fn is_page(inventory: &Inventory, entry: &SurveyedEntry<'_>) -> bool {
    let is_special = entry.images > 0
        || entry
            .unread
            .is_some_and(|unread| !unread.elements.is_empty());
    let url = inventory.base().resolve(&entry.loc);
    !is_special && url.is_some_and(|url| inventory.page_at(&url).is_some())
}
