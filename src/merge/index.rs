//! Builds an index over existing sitemaps, each listed with its newest date. The sitemaps
//! themselves stay where they are.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::argument::{SitemapArgument, SitemapSource, real};
use super::error::MergeError;
use super::part::{PartReader, PartSitemap};
use super::text::SitemapText;
use super::{AllowedHosts, MergePurpose, MergedSitemaps};
use site_paths::PageUrl;
use site_paths::containment;
use site_paths::finding::{Finding, Subject, code};
use sitemaps::{Plan, SitemapListing, file_has_mark, read_sitemap};

/// Plans an index over these sitemaps, in their order and without duplicates.
///
/// An index written by an earlier run is skipped, because a pattern like `sitemap*.xml` matches it
/// too.
pub fn plan_index(
    named: &[SitemapArgument],
    purpose: &MergePurpose<'_>,
) -> Result<MergedSitemaps, MergeError> {
    let settings = &purpose.settings.sitemap;
    let mut seen = BTreeSet::new();
    let mut wanted = Vec::new();
    for named in named {
        let url = named.served_at(purpose)?;
        if is_the_index(named, &url, purpose)? {
            continue;
        }
        if seen.insert(url.clone()) {
            wanted.push((named, url));
        }
    }
    if wanted.is_empty() {
        return Err(MergeError::Nothing);
    }
    let read: Result<Vec<_>, _> = wanted
        .par_iter()
        .map(|(named, url)| read(named, url, purpose))
        .collect();
    let (members, findings): (Vec<PartSitemap>, Vec<Vec<Finding>>) = read?.into_iter().unzip();
    let newest = members.iter().map(|member| member.newest);
    let children = wanted.into_iter().map(|(_, url)| url).zip(newest).collect();
    let plan = Plan::index_over(
        children,
        settings,
        purpose.settings.lastmod.format,
        purpose.base,
    );
    Ok(MergedSitemaps {
        parts: members,
        plan,
        findings: findings.into_iter().flatten().collect(),
    })
}

/// Whether this is a file of the index to write, left by an earlier run. A sitemap at the main
/// file's URL that is not an index written by waypost is an error: it would be overwritten.
fn is_the_index(
    named: &SitemapArgument,
    url: &PageUrl,
    purpose: &MergePurpose<'_>,
) -> Result<bool, MergeError> {
    let root = purpose.settings.sitemap.file.as_str();
    let Some(name) = purpose.base.path_below(url) else {
        return Ok(false);
    };
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let is_root = plain == root;
    let is_further = plain
        .strip_prefix(root.strip_suffix(".xml").unwrap_or(root))
        .is_some_and(|rest| rest.starts_with("-index-"));
    if !is_root && !is_further {
        return Ok(false);
    }
    let is_ours = match &named.source {
        SitemapSource::File(file) => file_has_mark(&real(file)?, root) && lists_sitemaps(file),
        SitemapSource::Url(_) => false,
    };
    if is_root && !is_ours {
        Err(MergeError::OwnFile(named.source.name()))
    } else {
        Ok(is_ours)
    }
}

fn lists_sitemaps(file: &Path) -> bool {
    let mut found = false;
    let read = containment::open(file)
        .map_err(Into::into)
        .and_then(|input| {
            read_sitemap(input, &mut |listing, _| {
                found |= listing == SitemapListing::Sitemaps;
            })
        });
    found && read.is_ok()
}

fn read(
    named: &SitemapArgument,
    url: &PageUrl,
    purpose: &MergePurpose<'_>,
) -> Result<(PartSitemap, Vec<Finding>), MergeError> {
    let text = SitemapText::of(&named.source, purpose)?;
    let host = format!("{}/", url.origin());
    let mut reading = PartReader::new(purpose, &host, named.source.clone(), Some(url.clone()));
    let mut outside = None;
    let dir = folder_of(url);
    let read = text.open().map_err(Into::into).and_then(|input| {
        read_sitemap(input, &mut |listing, listed| {
            let (loc, _) = reading.see(listing, listed);
            if listing == SitemapListing::Pages
                && loc.is_some_and(|loc| !loc.as_str().starts_with(dir))
            {
                outside.get_or_insert(listed.place);
            }
        })
    });
    if reading.member.listing == SitemapListing::Sitemaps {
        reading.nested("name its sitemaps instead, or merge them into one set with `--merge`");
    }
    if let Some(place) = outside {
        let message = || {
            format!(
                "`{}` lists URLs outside `{dir}`, where it is served",
                named.source.name()
            )
        };
        let hint = "serve it from a directory above everything it lists, \
             or merge parts of one site with `--merge`";
        reading.report(code::SITEMAP_ELSEWHERE, place, message, hint);
    }
    if purpose.hosts == AllowedHosts::Own && url.origin() != purpose.base.origin() {
        let (path, base) = (named.source.path(), purpose.base);
        let message =
            || format!("`{url}` is on another host, scheme or port than the index at `{base}`");
        let hint = "write one index per host, or verify both hosts with each search engine and use \
                    `--other-hosts`";
        reading.tally.report(
            code::LOC_ELSEWHERE,
            Subject::File(path, None),
            message,
            hint,
        );
    }
    Ok(reading.finish(&text, read.err().as_ref()))
}

/// A URL up to its last slash.
fn folder_of(url: &PageUrl) -> &str {
    let text = url.as_str();
    let path = text.split(['?', '#']).next().unwrap_or(text);
    &path[..=path.rfind('/').expect("a URL has a path")]
}
