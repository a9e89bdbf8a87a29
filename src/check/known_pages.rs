//! What waypost knows of the pages of a site, to check the existing sitemaps against.

use std::collections::HashMap;

use crate::pages::{Inventory, Page, PageSource};
use crate::share::{FEW, is_most};
use crate::site::LoadedSite;
use git_last_modified::ObjectId;
use page_signals::PageLinks;
use sitemaps::files::tree::Tree;
use sitemaps::{Now, Plan};

/// What waypost knows of the pages of a site.
pub(super) struct KnownPages<'a> {
    /// The output directory.
    pub(super) output_dir: &'a Tree,
    /// The links of the home page.
    pub(super) home: &'a PageLinks,
    pub(super) inventory: &'a Inventory,
    pub(super) plan: &'a Plan,
    pub(super) now: Now,
    /// The commit of a deploy, which does not refute earlier dates.
    pub(super) deploy: Option<ObjectId>,
}

impl<'a> KnownPages<'a> {
    pub(super) fn of(loaded: &'a LoadedSite<'_>, inventory: &'a Inventory, plan: &'a Plan) -> Self {
        Self {
            output_dir: &loaded.output,
            home: &loaded.home,
            inventory,
            plan,
            now: loaded.now,
            deploy: deploy_of(inventory),
        }
    }

    /// Whether the page is dated by the commit of a deploy.
    pub(super) fn is_deployed(&self, page: &Page) -> bool {
        let commit = own_commit(page);
        commit.is_some() && commit == self.deploy
    }
}

/// Returns the commit that last changed more than half of the committed pages without a known source, if
/// these are more than a few. It may have changed only their templates, so it does not refute earlier
/// dates.
fn deploy_of(inventory: &Inventory) -> Option<ObjectId> {
    let mut counts: HashMap<ObjectId, usize> = HashMap::new();
    for commit in inventory.pages.iter().filter_map(own_commit) {
        *counts.entry(commit).or_default() += 1;
    }
    let pages: usize = counts.values().sum();
    let mut counts = counts.into_iter();
    let most = counts.find(|(_, count)| is_most(*count, pages));
    most.filter(|_| pages >= FEW).map(|(commit, _)| commit)
}

/// The commit of a page that is its own source.
fn own_commit(page: &Page) -> Option<ObjectId> {
    let is_itself = page.source == Some(PageSource::Itself);
    let change = page.dated.commit().filter(|_| is_itself)?;
    Some(change.commit)
}
