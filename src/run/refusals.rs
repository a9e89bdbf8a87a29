//! Collects the evidence against a result: the pages, the generator's settings, the previous set.

use std::path::Path;

use crate::decide::Verdict;
use crate::decide::reason::REDIRECT;
use crate::findings::{Finding, code};
use crate::pages::{Inventory, by_count};
use crate::settings::Settings;
use crate::share::FEW;
use crate::site::{
    BaseUrlKind, FoundBaseUrl, LoadedSite, PageBases, base_contradicted, base_path_twice,
    canonical_home, dates_lost, generator_setting, set_shrunk,
};
use crate::survey::SitemapChanges;
use sitemaps::Plan;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// Returns the findings about the base URL and the pages: a contradicted base URL, a path that it
/// has twice, canonical links to the home page, no listed page.
pub fn page_refusals(
    loaded: &LoadedSite,
    base: &FoundBaseUrl,
    inventory: &Inventory,
) -> Vec<Finding> {
    let output_dir = loaded.output_dir();
    let bases = page_bases(inventory);
    let is_empty = inventory.pages.listed().next().is_none();
    let setting = generator_setting(&loaded.site);
    let contradicted = base_contradicted(base, &bases, setting.as_deref());
    let listed = inventory.pages.listed().map(|page| &page.file);
    // A host that adds the path itself has the home page there, whatever directories are below it.
    let home = inventory.pages.by_file(&SitePath::from("index.html"));
    let is_added = base.kind == BaseUrlKind::Guess && home.is_some();
    let twice = base_path_twice(base, output_dir, listed).filter(|_| !is_added);
    let copies = canonical_home(inventory.base(), &bases);
    contradicted
        .into_iter()
        .chain(twice)
        .chain(copies)
        .chain(is_empty.then(|| nothing_listed(output_dir, inventory)))
        .collect()
}

/// Returns the findings about what the new set lacks of the previous one.
///
/// A user who disables dates loses them on purpose.
/// Dates of restless pages are not lost: a finding says that they were not known.
pub fn set_refusals(
    settings: &Settings,
    inventory: &Inventory,
    plan: &Plan,
    changes: &SitemapChanges,
) -> Vec<Finding> {
    if !changes.is_by_waypost {
        return Vec::new();
    }
    let kept = plan.entries().len() - changes.added.len();
    let dropped = changes.removed.len();
    let undated = changes.undated.iter().filter(|&&number| {
        let url = &plan.entries()[number as usize].loc;
        !inventory.restless.contains(url)
    });
    let has_dates = !settings.lastmod.from.is_empty();
    let lost = dates_lost(undated.count(), changes.dated).filter(|_| has_dates);
    // What replaces a small set may explain it.
    let is_small = dropped <= FEW;
    let shrunk = set_shrunk(dropped, kept + dropped).filter(|_| {
        !(is_small && (plan.entries().is_empty() || is_explained(inventory, plan, changes)))
    });
    shrunk.into_iter().chain(lost).collect()
}

/// Whether the pages of a small set are the same at another base URL, or its home page now leads to
/// one of the new set: a directory for a language was introduced.
fn is_explained(inventory: &Inventory, plan: &Plan, changes: &SitemapChanges) -> bool {
    let home = inventory.pages.by_file(&SitePath::from("index.html"));
    home.and_then(|page| page.verdict.exclusion())
        .is_some_and(|exclusion| exclusion.reason == REDIRECT)
        || changes.removed.iter().any(|removed| {
            plan.entries().iter().any(|entry| {
                let path = inventory.base().path_below(&entry.loc).unwrap_or_default();
                !path.is_empty() && removed.ends_with(&format!("/{path}"))
            })
        })
}

/// Counts the base URLs that the pages name.
fn page_bases(inventory: &Inventory) -> PageBases {
    let mut bases = PageBases::default();
    for page in &inventory.pages {
        match &page.verdict {
            Verdict::Listed => bases.add_listed(),
            Verdict::Excluded(exclusion) => {
                if let Some(target) = &exclusion.target
                    && exclusion.reason != REDIRECT
                {
                    bases.add_elsewhere(inventory.base(), &page.file, target, || {
                        inventory.page_at(target).is_some()
                    });
                }
            }
        }
    }
    bases
}

fn nothing_listed(output_dir: &Path, inventory: &Inventory) -> Finding {
    let reasons: Vec<String> = by_count(&inventory.exclusion_counts())
        .into_iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let mut evidence = inventory
        .pages
        .iter()
        .filter_map(|page| Some(page.verdict.exclusion()?.evidence.as_str()));
    let why = match evidence.next() {
        Some(first) if evidence.all(|other| other == first) => format!(": {first}"),
        _ => String::new(),
    };
    let message = format!(
        "every page is excluded ({}{why}), so no sitemap is written",
        reasons.join(", ")
    );
    let hint = match redirecting_host(inventory) {
        Some(host) => format!(
            "`{}` redirects to `{host}`: build the site with that base URL, and name it in canonical links",
            inventory.base()
        ),
        None => {
            "`waypost explain` shows the reason for each page; an existing sitemap is not changed"
                .to_owned()
        }
    };
    Finding::new(code::NOTHING_LISTED, output_dir, message).with_hint(hint)
}

/// The other host to which a rule redirects pages of this one.
fn redirecting_host(inventory: &Inventory) -> Option<BaseUrl> {
    inventory.pages.iter().find_map(|page| {
        let exclusion = page
            .verdict
            .exclusion()
            .filter(|exclusion| exclusion.reason == REDIRECT)?;
        let host = BaseUrl::parse(exclusion.target.as_ref()?.origin()).ok()?;
        (host.origin() != inventory.base().origin()).then_some(host)
    })
}
