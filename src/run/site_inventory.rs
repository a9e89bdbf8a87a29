//! The pipeline up to the inventory, which every command and the library need.

use super::refusals::page_refusals;
use super::take_inventory::take_inventory;
use crate::findings::{Finding, code};
use crate::pages::Inventory;
use crate::site::{FoundBaseUrl, LoadedSite, RunError, refusals_first};

/// The pages of a site, and what was read on the way to them.
#[derive(Debug)]
pub struct SiteInventory {
    /// The base URL and its origin.
    pub base: FoundBaseUrl,
    /// The pages.
    pub inventory: Inventory,
    /// Refusals, then problems of the pages, ordered by file and place, of robots.txt and of the base
    /// URL.
    pub findings: Vec<Finding>,
}

/// Takes the inventory of a loaded site, whose base URL and robots.txt [`LoadedSite::load`] has found,
/// and its refusals.
pub fn build_inventory(loaded: &mut LoadedSite) -> Result<SiteInventory, RunError> {
    loaded.refuse_sources()?;
    let location = loaded.location()?;
    let stated = loaded.survey.take_links(&loaded.replaced);
    let base = location.base;
    let inventory = take_inventory(loaded, &base.url, stated)?;
    let mut findings = loaded.findings.take_sorted();
    findings.extend(loaded.robots.unreadable());
    findings.extend(location.doubts);
    // A preview that writes nothing may name its own URLs.
    if loaded.skipped_preview().is_none() {
        let pages = page_refusals(loaded, &base, &inventory);
        let is_contradicted = |finding: &Finding| finding.code == code::BASE_URL_CONTRADICTED;
        if pages.iter().any(is_contradicted) {
            // All pages say more than the sample.
            findings.retain(|finding| !is_contradicted(finding));
        }
        findings = refusals_first(findings, pages, &loaded.settings().levels);
    }
    Ok(SiteInventory {
        base,
        inventory,
        findings,
    })
}
