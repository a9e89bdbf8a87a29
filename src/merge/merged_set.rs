//! Merges everything that the sitemaps list into one set, laid out as by one build of the whole
//! site.
//!
//! The entry of a page does not depend on other pages, and the file that it goes into depends only
//! on its group and the hash of its URL. So the entries of all shards, laid out again, give exactly
//! the bytes of a single run.

use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::argument::{SitemapArgument, SitemapSource, parse_url, real};
use super::error::MergeError;
use super::part::{PartReader, PartSitemap};
use super::text::SitemapText;
use super::{MergePurpose, MergedSitemaps};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::set::{
    ChildProblem, FileRead, NamedChild, SetFile, SetPlace, SetWalk, Tolerances, roots_in,
};
use sitemaps::{ChangeFreq, GroupName, Priority};
use sitemaps::{
    EntryDetails, EntryExtent, EntryExtras, EntryLinks, ListedEntry, Plan, RuleValues,
    SitemapEntry, SitemapListing, file_has_mark, group_of_child,
};

/// Plans one set of everything that these sitemaps list. The children of an index are read too,
/// each file once.
pub fn plan_merged_set(
    named: &[SitemapArgument],
    purpose: &MergePurpose<'_>,
) -> Result<MergedSitemaps, MergeError> {
    let tolerances = Tolerances::of_merge(purpose.base, purpose.output_dir);
    let mut roots = Vec::new();
    for argument in named {
        roots.extend(with_further_indexes(&argument.source, &tolerances)?);
    }
    for root in &roots {
        refuse_own(root, purpose)?;
    }
    let walked =
        SetWalk::new(tolerances).in_parallel(roots, |walk, file| read_part(walk, file, purpose))?;
    let (mut entries, mut members, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    for file in walked {
        let mut part = file.value;
        entries.append(&mut part.entries);
        members.push(part.member);
        findings.append(&mut part.findings);
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
fn with_further_indexes(
    source: &SitemapSource,
    tolerances: &Tolerances<'_>,
) -> Result<Vec<SetPlace>, MergeError> {
    let file = match source {
        SitemapSource::Url(url) => return Ok(vec![SetPlace::Url(url.clone())]),
        SitemapSource::File(file) => file,
    };
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
        return Ok(vec![SetPlace::File(file.clone())]);
    };
    let dir = SitemapDir::containing(file);
    let names =
        roots_in(&dir, name, &BTreeSet::new(), tolerances).map_err(|source| MergeError::Read {
            path: file.clone(),
            source,
        })?;
    let place =
        |name: SitePath| SetPlace::File(name.below_dir(file.parent().unwrap_or(Path::new(""))));
    Ok(names.into_iter().map(place).collect())
}

/// Reports feeds that the settings ask for, because a merge cannot write them.
fn no_feeds(purpose: &MergePurpose<'_>) -> Option<Finding> {
    let formats = &purpose.settings.sitemap.formats;
    let feeds = formats.iter().any(|format| format.is_feed());
    let message = "a merge cannot write feeds, because sitemaps contain no page titles";
    let hint = "set `formats = [\"xml\"]` in a separate configuration file (`--config FILE`)";
    feeds.then(|| Finding::new(code::SITEMAP_VALUE, Subject::Site, message).with_hint(hint))
}

/// The content of one sitemap.
struct PartEntries {
    member: PartSitemap,
    entries: Vec<SitemapEntry>,
    findings: Vec<Finding>,
}

/// Rejects a file of the set to write. If each run read its own output, removed pages would never
/// disappear.
fn refuse_own(file: &SetPlace, purpose: &MergePurpose<'_>) -> Result<(), MergeError> {
    let SetPlace::File(file) = file else {
        return Ok(());
    };
    let place = real(file)?;
    let lies_there = place.parent() == Some(real(purpose.output_dir)?.as_path());
    if lies_there && file_has_mark(&place, &purpose.settings.sitemap.file) {
        return Err(MergeError::OwnFile(file.display().to_string()));
    }
    Ok(())
}

fn read_part(
    walk: &SetWalk<'_>,
    file: &SetFile,
    purpose: &MergePurpose<'_>,
) -> Result<(PartEntries, FileRead), MergeError> {
    refuse_own(&file.place, purpose)?;
    let source = SitemapSource::from(&file.place);
    let text = SitemapText::of(&source, purpose)?;
    let group = text
        .open()
        .ok()
        .and_then(|text| group_of(&source, text, purpose));
    let mut reading = PartReader::new(purpose, purpose.base.as_str(), source, None);
    let (mut entries, mut alike) = (Vec::new(), HashSet::new());
    let read = walk.read(
        file,
        text.open(),
        EntryExtent::Details,
        &mut |listing, listed| {
            let (Some(loc), lastmod) = reading.see(listing, listed) else {
                return;
            };
            if listing == SitemapListing::Pages {
                let (by_rule, links) = values_of(listed, group.as_ref(), &mut reading);
                entries.push(SitemapEntry {
                    loc,
                    lastmod,
                    by_rule: shared(by_rule, &mut alike),
                    links: links.shared(),
                });
            }
        },
    );
    let mut read = read.expect("a merge keeps errors, so none ends the walk");
    if reading.member.listing == SitemapListing::Sitemaps && file.parent.is_some() {
        reading.nested("name the sitemaps of that index instead");
    }
    read.children
        .retain(|child| is_readable(child, &mut reading));
    let (member, findings) = reading.finish(&text, read.error.as_ref());
    let part = PartEntries {
        member,
        entries,
        findings,
    };
    Ok((part, read))
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

/// Whether a child of an index can be read. The reason why not is reported.
fn is_readable(child: &NamedChild, reading: &mut PartReader<'_>) -> bool {
    let (code, what, hint) = match &child.file {
        Ok(SetPlace::Url(_)) => {
            return parse_url(&child.loc).is_some_and(|url| reading.is_allowed(&url));
        }
        Ok(_) => return true,
        // Reported with the entry: it is not a URL.
        Err(ChildProblem::NoPlace | ChildProblem::OtherHost) => return false,
        Err(ChildProblem::Missing) => (
            code::SITEMAP_MISSING,
            "which does not exist",
            "copy all sitemaps of a build together",
        ),
        Err(ChildProblem::Escapes) => (
            code::SITEMAP_INVALID,
            "a symlink that escapes its directory and repository",
            "name the target of the link",
        ),
    };
    let index = reading.member.source.name();
    let message = || {
        format!(
            "`{index}` names the sitemap `{}`, {what}",
            quoted(&child.loc)
        )
    };
    reading.report(code, child.place, message, hint);
    false
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
