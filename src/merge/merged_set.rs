//! Merges everything that the sitemaps list into one set, laid out as by one build of the whole
//! site.
//!
//! The entry of a page does not depend on other pages, and the file that it goes into depends only
//! on its group and the hash of its URL. So the entries of all shards, laid out again, give exactly
//! the bytes of a single run.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::argument::{SitemapArgument, SitemapSource, parse_url, real};
use super::error::MergeError;
use super::part::{PartReader, PartSitemap};
use super::text::SitemapText;
use super::{MergePurpose, MergedSitemaps};
use site_paths::PageUrl;
use site_paths::containment::Containment;
use site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::SitemapFormat;
use sitemaps::{ChangeFreq, GroupName, Priority, further_indexes};
use sitemaps::{
    EntryDetails, EntryExtras, EntryLinks, ListedEntry, Plan, RuleValues, SitemapEntry,
    SitemapListing, file_has_mark, file_of_sitemap, group_of_child, read_entries,
};

/// Plans one set of everything that these sitemaps list. The children of an index are read too,
/// each file once.
pub fn plan_merged_set(
    named: &[SitemapArgument],
    purpose: &MergePurpose<'_>,
) -> Result<MergedSitemaps, MergeError> {
    let (mut entries, mut members, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    let named = named.iter().map(|named| &named.source);
    let mut level: Vec<SitemapSource> = named.flat_map(with_further_indexes).collect();
    for depth in [NestingDepth::Named, NestingDepth::InIndex] {
        let mut sources = Vec::new();
        for source in level.drain(..) {
            refuse_own(&source, purpose)?;
            if known.insert(identity(&source)?) {
                sources.push(source);
            }
        }
        let taken: Result<Vec<_>, _> = sources
            .par_iter()
            .map(|source| read_part(source, depth, purpose))
            .collect();
        for mut taken in taken? {
            entries.append(&mut taken.entries);
            members.push(taken.member);
            findings.append(&mut taken.findings);
            level.append(&mut taken.children);
        }
    }
    let settings = purpose.settings;
    findings.extend(no_feeds(purpose));
    let plan = Plan::lay_out(
        entries,
        EntryExtras::default(),
        &settings.sitemap,
        settings.lastmod.format,
        purpose.base,
    );
    Ok(MergedSitemaps {
        parts: members,
        plan,
        findings,
    })
}

/// A named sitemap and the further indexes of its set, which it does not name.
fn with_further_indexes(source: &SitemapSource) -> Vec<SitemapSource> {
    let mut all = vec![source.clone()];
    if let SitemapSource::File(file) = source
        && let Some(name) = file.file_name().and_then(|name| name.to_str())
    {
        let dir = file.parent().unwrap_or(Path::new(""));
        let further = further_indexes(dir, name).into_iter();
        all.extend(further.map(|name| SitemapSource::File(dir.join(name))));
    }
    all
}

/// Reports feeds that the settings ask for, because a merge cannot write them.
fn no_feeds(purpose: &MergePurpose<'_>) -> Option<Finding> {
    let formats = &purpose.settings.sitemap.formats;
    let feeds = formats
        .iter()
        .any(|format| matches!(format, SitemapFormat::Rss | SitemapFormat::Atom));
    let message = "a merge cannot write feeds, because sitemaps contain no page titles";
    let hint = "set `formats = [\"xml\"]` in a separate configuration file (`--config FILE`)";
    feeds.then(|| Finding::new(code::SITEMAP_VALUE, Subject::Site, message).with_hint(hint))
}

/// Whether a sitemap was named by the user or by an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NestingDepth {
    Named,
    InIndex,
}

/// The content of one sitemap.
struct PartEntries {
    member: PartSitemap,
    entries: Vec<SitemapEntry>,
    /// The sitemaps that it names, if it is an index.
    children: Vec<SitemapSource>,
    findings: Vec<Finding>,
}

/// Rejects a file of the set to write. If each run read its own output, removed pages would never
/// disappear.
fn refuse_own(source: &SitemapSource, purpose: &MergePurpose<'_>) -> Result<(), MergeError> {
    let SitemapSource::File(file) = source else {
        return Ok(());
    };
    let place = real(file)?;
    let lies_there = place.parent() == Some(real(purpose.output_dir)?.as_path());
    if lies_there && file_has_mark(&place, &purpose.settings.sitemap.file) {
        return Err(MergeError::OwnFile(source.name()));
    }
    Ok(())
}

/// A key that is the same for every name of a sitemap.
fn identity(source: &SitemapSource) -> Result<PathBuf, MergeError> {
    match source {
        SitemapSource::File(file) => real(file),
        SitemapSource::Url(_) => Ok(source.path()),
    }
}

fn read_part(
    source: &SitemapSource,
    depth: NestingDepth,
    purpose: &MergePurpose<'_>,
) -> Result<PartEntries, MergeError> {
    let text = SitemapText::of(source, purpose)?;
    let group = text
        .open()
        .ok()
        .and_then(|text| group_of(source, text, purpose));
    let mut reading = PartReader::new(purpose, purpose.base.as_str(), source.clone(), None);
    let (mut entries, mut children) = (Vec::new(), Vec::new());
    let (mut alike, reach) = (HashSet::new(), OnceCell::new());
    let read = text.open().map_err(Into::into).and_then(|input| {
        read_entries(input, &mut |listing, listed| {
            let (Some(loc), lastmod) = reading.see(listing, listed) else {
                return;
            };
            match listing {
                SitemapListing::Pages => {
                    let (by_rule, links) = values_of(listed, group.as_ref(), &mut reading);
                    entries.push(SitemapEntry {
                        loc,
                        lastmod,
                        by_rule: shared(by_rule, &mut alike),
                        links: links.shared(),
                    });
                }
                SitemapListing::Sitemaps => {
                    children.extend(child(source, &loc, listed, &reach, &mut reading));
                }
            }
        })
    });
    if reading.member.listing == SitemapListing::Sitemaps && depth == NestingDepth::InIndex {
        reading.nested("name the sitemaps of that index instead");
        children.clear();
    }
    let (member, findings) = reading.finish(&text, &read);
    Ok(PartEntries {
        member,
        entries,
        children,
        findings,
    })
}

fn group_of(
    source: &SitemapSource,
    text: impl Read,
    purpose: &MergePurpose<'_>,
) -> Option<GroupName> {
    let path = source.path();
    group_of_child(
        path.file_name()?.to_str()?,
        &purpose.settings.sitemap.file,
        text,
    )
}

/// The sitemap that an index names. If the index was fetched, this is a URL. If it is a file, this
/// is a file in its directory, at its path below the base URL or with its file name.
fn child(
    index: &SitemapSource,
    loc: &PageUrl,
    listed: &ListedEntry,
    reach: &OnceCell<Containment>,
    reading: &mut PartReader<'_>,
) -> Option<SitemapSource> {
    let SitemapSource::File(file) = index else {
        return reading
            .is_allowed(loc)
            .then(|| SitemapSource::Url(loc.to_string()));
    };
    let dir = file.parent().unwrap_or(Path::new(""));
    let below = file_of_sitemap(loc.as_str(), reading.purpose.base).map(|path| path.below_dir(dir));
    let name = loc.as_str().rsplit('/').next().map(|name| dir.join(name));
    let found = below.into_iter().chain(name).find(|path| path.is_file());
    let is_left_by = |path: &PathBuf| {
        reach
            .get_or_init(|| Containment::of_site(dir).and(reading.purpose.output_dir))
            .is_escaped_by(path)
    };
    let (code, what, hint) = match found {
        None => (
            code::SITEMAP_CHILD_MISSING,
            "which does not exist",
            "copy all sitemaps of a build together",
        ),
        Some(path) if is_left_by(&path) => (
            code::SITEMAP_UNREADABLE,
            "a symlink that escapes its directory and repository",
            "name the target of the link",
        ),
        Some(path) => return Some(SitemapSource::File(path)),
    };
    let message = || {
        format!(
            "`{}` names the sitemap `{}`, {what}",
            index.name(),
            quoted(&listed.loc)
        )
    };
    reading.report(code, listed.place, message, hint);
    None
}

/// The values of an entry besides its URL and its date. A value that cannot be parsed is reported
/// and dropped.
fn values_of(
    listed: &ListedEntry,
    group: Option<&GroupName>,
    reading: &mut PartReader<'_>,
) -> (RuleValues, EntryLinks) {
    let EntryDetails {
        changefreq,
        priority,
        alternates,
        images,
        unread_element: unread,
    } = &listed.details;
    if let Some(name) = unread {
        let message = || {
            format!(
                "`<{}>` is not supported in a merge, so it is dropped",
                quoted(name)
            )
        };
        let hint = "list this sitemap in an index instead, without `--merge`";
        reading.report(code::SITEMAP_VALUE, listed.place, message, hint);
    }
    let mut read = |what: &str, text: &str, is_read: bool| {
        if !is_read && !text.is_empty() {
            let message = || {
                format!(
                    "the {what} `{}` is not valid, so it is dropped",
                    quoted(text)
                )
            };
            reading.report(
                code::SITEMAP_VALUE,
                listed.place,
                message,
                "use a value that the protocol allows",
            );
        }
    };
    let word = ChangeFreq::parse(changefreq);
    read("changefreq", changefreq, word.is_some());
    let number = Priority::parse(priority);
    read("priority", priority, number.is_some());
    let mut url = |what: &str, text: &str| {
        let url = parse_url(text);
        read(what, text, url.is_some());
        url
    };
    let version = |(language, text): &(String, String)| {
        Some((language.as_str().into(), url("hreflang link", text)?))
    };
    let alternates = alternates.iter().filter_map(version).collect();
    let images = images
        .iter()
        .filter_map(|text| url("image", text))
        .collect();
    (
        RuleValues {
            changefreq: word,
            priority: number,
            group: group.cloned(),
        },
        EntryLinks { alternates, images },
    )
}

/// Returns a shared copy, because many entries have equal values.
fn shared(by_rule: RuleValues, alike: &mut HashSet<Arc<RuleValues>>) -> Arc<RuleValues> {
    if let Some(known) = alike.get(&by_rule) {
        return Arc::clone(known);
    }
    let new = Arc::new(by_rule);
    alike.insert(Arc::clone(&new));
    new
}
