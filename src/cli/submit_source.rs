//! The pages to submit, from a live sitemap or a sitemap file, without the built site.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use url::Url;

use super::command_error::CommandError;
use crate::submit::{Network, parse_address};
use sitemaps::set::{ChildRule, SetPlace, SetWalk, Strictness};
use sitemaps::site_paths::containment::{self, SitemapDir};
use sitemaps::site_paths::{BaseUrl, HintedError, PageUrl, SitePath};
use sitemaps::{
    DateFormat, EntryExtent, LastMod, ListedEntry, Newest, Now, ParsedDate, Plan, RuleValues,
    SitemapEntry, SitemapListing, SitemapSettings,
};

/// The name of the sitemap of a site that is named by its URL.
const USUAL_NAME: &str = "sitemap.xml";

/// The pages of a set, laid out as a build would.
pub(super) struct PublishedPages {
    pub(super) base: BaseUrl,
    pub(super) plan: Plan,
}

/// The entry of a listed page; `None` if its URL is invalid, so that it cannot be submitted.
fn entry_of(listed: &ListedEntry, by_rule: &Arc<RuleValues>) -> Option<SitemapEntry> {
    let lastmod = match LastMod::parse(&listed.lastmod, Now(i64::MAX)) {
        ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
        ParsedDate::Invalid(_) | ParsedDate::Unreadable => None,
    };
    Some(SitemapEntry {
        loc: PageUrl::from_url(&Url::parse(&listed.loc).ok()?).ok()?,
        lastmod,
        by_rule: Arc::clone(by_rule),
        links: None,
    })
}

/// Scheme, host and port of most pages.
fn main_origin(entries: &[SitemapEntry]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.loc.origin()).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(_, count)| count);
    most.map(|(origin, _)| origin.to_owned())
}

impl PublishedPages {
    /// Lays out the pages on the site that the user names, or else on the host of most pages.
    fn new(entries: Vec<SitemapEntry>, named: Option<&str>) -> Result<Self, CommandError> {
        let base = match named {
            Some(named) => named.to_owned(),
            None => main_origin(&entries).ok_or_else(nothing_listed)?,
        };
        let base = BaseUrl::parse(&base).map_err(|error| {
            CommandError::new(
                format!("`{}` is not a base URL: {error}", base.escape_debug()),
                "name the URL of the site's top with `--base-url`",
            )
        })?;
        let plan = Plan::lay_out(
            entries,
            &Newest::default(),
            &SitemapSettings::default(),
            DateFormat::Datetime,
            &base,
        );
        Ok(Self { base, plan })
    }

    /// Fetches a live set. A URL that ends in a slash is a site with the usual name of its sitemap.
    pub(super) fn of_url(
        address: &str,
        network: &Network,
        base: Option<&str>,
    ) -> Result<Self, CommandError> {
        let mut url = parse_address(address)?;
        if url.path().ends_with('/') && url.query().is_none() {
            url.set_path(&format!("{}{USUAL_NAME}", url.path()));
        }
        let (mut entries, by_rule) = (Vec::new(), Arc::default());
        network.list_live_pages(url.as_str(), &mut |listed| {
            entries.extend(entry_of(listed, &by_rule));
        })?;
        let origin = url.origin().ascii_serialization();
        Self::new(entries, Some(base.unwrap_or(&origin)))
    }

    /// Reads a sitemap file, and those that it names in its directory. All of them must be complete.
    pub(super) fn of_file(path: &Path, base: Option<&str>) -> Result<Self, CommandError> {
        let dir = SitemapDir::named_by_user(path.parent().unwrap_or(Path::new("")));
        let name = SitePath::new(path.file_name().unwrap_or_default().as_encoded_bytes());
        let (mut entries, by_rule) = (Vec::new(), Arc::default());
        let root = [SetPlace::Below(name.clone())];
        let walk = SetWalk::new(ChildRule::InDirectory(dir.path()), Strictness::Strict);
        walk.in_order(root, |walk, file| {
            let below = file.place.below().unwrap_or(&name);
            let opened: io::Result<Box<dyn Read>> = if *below == name {
                containment::open(path).map(|file| Box::new(file) as Box<_>)
            } else {
                dir.open(below).map(|file| Box::new(file) as Box<_>)
            };
            let visit = &mut |listing, listed: &ListedEntry| {
                if listing == SitemapListing::Pages {
                    entries.extend(entry_of(listed, &by_rule));
                }
            };
            let read = walk.read(file, opened, EntryExtent::Urls, visit)?;
            Ok::<_, HintedError>(((), read))
        })?;
        Self::new(entries, base)
    }
}

/// The error for a site without pages to submit.
pub(super) fn nothing_listed() -> CommandError {
    CommandError::new(
        "no page is listed, so there is nothing to submit",
        "`waypost explain` shows the reason for each page",
    )
}
