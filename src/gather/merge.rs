//! Sitemaps → one set of all that they list, laid out as one build over the whole would.
//!
//! What a page's entry says does not depend on the pages beside it, and which file it goes into depends on nothing but its
//! group and the hash of its address. So the entries of all shards, laid out once more, give the very bytes of one run.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::error::GatherError;
use super::member::{Member, Reading};
use super::named::{Named, Source, address, real};
use super::text::Text;
use super::{Gathered, Purpose};
use crate::bounds::Reach;
use crate::config::Format;
use crate::finding::{Finding, Subject, code, quoted};
use crate::location::PageUrl;
use crate::rule::{ChangeFreq, GroupName, Priority};
use crate::write::{
    ByRule, Details, Entry, Extras, Links, Listed, Listing, Plan, carries_mark, file_of_sitemap,
    group_of_child, read_entries,
};

/// Lays out all that these sitemaps list; the children of an index are read as well, each file once.
pub fn gather_entries(named: &[Named], purpose: &Purpose<'_>) -> Result<Gathered, GatherError> {
    let (mut entries, mut members, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    let mut level: Vec<Source> = named.iter().map(|named| named.source.clone()).collect();
    for depth in [Depth::Named, Depth::InIndex] {
        let mut sources = Vec::new();
        for source in level.drain(..) {
            refuse_own(&source, purpose)?;
            if known.insert(identity(&source)?) {
                sources.push(source);
            }
        }
        let taken: Result<Vec<_>, _> = sources
            .par_iter()
            .map(|source| take(source, depth, purpose))
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
        Extras::default(),
        &settings.sitemap,
        settings.lastmod.format,
        purpose.base,
    );
    Ok(Gathered {
        members,
        plan,
        findings,
    })
}

/// What the settings ask for and no sitemap holds.
fn no_feeds(purpose: &Purpose<'_>) -> Option<Finding> {
    let formats = &purpose.settings.sitemap.formats;
    let feeds = formats
        .iter()
        .any(|format| matches!(format, Format::Rss | Format::Atom));
    let message = "a merge writes no feeds, since sitemaps hold no titles of pages";
    let hint = "say `formats = [\"xml\"]` in settings of its own (`--config FILE`)";
    feeds.then(|| Finding::new(code::SITEMAP_VALUE, Subject::Site, message).with_hint(hint))
}

/// What led to a sitemap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Named,
    InIndex,
}

/// What one sitemap gives.
struct Taken {
    member: Member,
    entries: Vec<Entry>,
    /// The sitemaps that it names, where it is an index.
    children: Vec<Source>,
    findings: Vec<Finding>,
}

/// A file of the set that is to be written: read again in every run, its pages would never go.
fn refuse_own(source: &Source, purpose: &Purpose<'_>) -> Result<(), GatherError> {
    let Source::File(file) = source else {
        return Ok(());
    };
    let place = real(file)?;
    let lies_there = place.parent() == Some(real(purpose.output_dir)?.as_path());
    if lies_there && carries_mark(&place, &purpose.settings.sitemap.file) {
        return Err(GatherError::OwnFile(source.name()));
    }
    Ok(())
}

/// What stands for one and the same sitemap, whatever it is called.
fn identity(source: &Source) -> Result<PathBuf, GatherError> {
    match source {
        Source::File(file) => real(file),
        Source::Address(_) => Ok(source.path()),
    }
}

fn take(source: &Source, depth: Depth, purpose: &Purpose<'_>) -> Result<Taken, GatherError> {
    let text = Text::of(source, purpose)?;
    let group = text
        .open()
        .ok()
        .and_then(|text| group_of(source, text, purpose));
    let mut reading = Reading::new(purpose, purpose.base.as_str(), source.clone(), None);
    let (mut entries, mut children) = (Vec::new(), Vec::new());
    let (mut alike, reach) = (HashSet::new(), OnceCell::new());
    let read = text.open().map_err(Into::into).and_then(|input| {
        read_entries(input, &mut |listing, listed| {
            let (Some(loc), lastmod) = reading.see(listing, listed) else {
                return;
            };
            match listing {
                Listing::Pages => {
                    let (by_rule, links) = words_of(listed, group.as_ref(), &mut reading);
                    entries.push(Entry {
                        loc,
                        lastmod,
                        by_rule: shared(by_rule, &mut alike),
                        links: links.shared(),
                    });
                }
                Listing::Sitemaps => {
                    children.extend(child(source, &loc, listed, &reach, &mut reading))
                }
            }
        })
    });
    if reading.member.listing == Listing::Sitemaps && depth == Depth::InIndex {
        reading.nested("name the sitemaps of that index in place of it");
        children.clear();
    }
    let (member, findings) = reading.finish(&text, &read);
    Ok(Taken {
        member,
        entries,
        children,
        findings,
    })
}

fn group_of(source: &Source, text: impl Read, purpose: &Purpose<'_>) -> Option<GroupName> {
    let path = source.path();
    group_of_child(
        path.file_name()?.to_str()?,
        &purpose.settings.sitemap.file,
        text,
    )
}

/// The sitemap that an index names: of one on the web at its address; of a file at its place below the base URL, or
/// beside the index.
fn child(
    index: &Source,
    loc: &PageUrl,
    listed: &Listed,
    reach: &OnceCell<Reach>,
    reading: &mut Reading<'_>,
) -> Option<Source> {
    let Source::File(file) = index else {
        return reading
            .is_at_home(loc)
            .then(|| Source::Address(loc.to_string()));
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let below =
        file_of_sitemap(loc.as_str(), reading.purpose.base).map(|path| path.below_folder(folder));
    let name = loc
        .as_str()
        .rsplit('/')
        .next()
        .map(|name| folder.join(name));
    let found = below.into_iter().chain(name).find(|path| path.is_file());
    let is_left_by = |path: &PathBuf| {
        reach
            .get_or_init(|| Reach::of_site(folder).and(reading.purpose.output_dir))
            .is_left_by(path)
    };
    let (code, what, hint) = match found {
        None => (
            code::SITEMAP_CHILD_MISSING,
            "which is not there",
            "bring all sitemaps of a build together",
        ),
        Some(path) if is_left_by(&path) => (
            code::SITEMAP_UNREADABLE,
            "a link that leads out of its folder and repository",
            "name the file that it leads to",
        ),
        Some(path) => return Some(Source::File(path)),
    };
    let message = || {
        format!(
            "`{}` names the sitemap `{}`, {what}",
            index.name(),
            quoted(&listed.loc)
        )
    };
    reading.tell(code, listed.place, message, hint);
    None
}

/// What an entry says beside its address and its date; what cannot be read is reported and left out.
fn words_of(
    listed: &Listed,
    group: Option<&GroupName>,
    reading: &mut Reading<'_>,
) -> (ByRule, Links) {
    let Details {
        changefreq,
        priority,
        alternates,
        images,
        unread,
    } = &listed.details;
    if let Some(name) = unread {
        let message = || {
            format!(
                "`<{}>` is no part of a merged entry, so it is left out",
                quoted(name)
            )
        };
        let hint = "name this sitemap in an index without `--merge` instead";
        reading.tell(code::SITEMAP_VALUE, listed.place, message, hint);
    }
    let mut read = |what: &str, text: &str, is_read: bool| {
        if !is_read && !text.is_empty() {
            let message = || {
                format!(
                    "the {what} `{}` cannot be read, so it is left out",
                    quoted(text)
                )
            };
            reading.tell(
                code::SITEMAP_VALUE,
                listed.place,
                message,
                "write it in the protocol's form",
            );
        }
    };
    let word = ChangeFreq::of_word(changefreq);
    read("changefreq", changefreq, word.is_some());
    let number = Priority::of_text(priority);
    read("priority", priority, number.is_some());
    let mut url = |what: &str, text: &str| {
        let url = address(text);
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
        ByRule {
            changefreq: word,
            priority: number,
            group: group.cloned(),
        },
        Links { alternates, images },
    )
}

/// Entries of which rules said the same share it.
fn shared(by_rule: ByRule, alike: &mut HashSet<Arc<ByRule>>) -> Arc<ByRule> {
    if let Some(known) = alike.get(&by_rule) {
        return Arc::clone(known);
    }
    let new = Arc::new(by_rule);
    alike.insert(Arc::clone(&new));
    new
}
