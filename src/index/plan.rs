//! Plans the index: checks the given sitemaps, and lists each with its newest date. The sitemaps
//! themselves stay where they are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::argument::{SitemapArgument, real};
use super::listed_child::{ListedChild, parse_url};
use super::purpose::IndexPurpose;
use crate::check::{CheckedChild, CheckedFile, CheckedSet};
use sitemaps::gzip::name_without_gz;
use sitemaps::set::SitemapFileKind;
use sitemaps::site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::site_paths::{HintedError, MAX_SITEMAP_ENTRIES, PageUrl, containment};
use sitemaps::{Plan, SitemapListing, file_has_mark, read_sitemap};

/// The index to write.
#[derive(Debug)]
pub struct IndexPlan {
    /// The sitemaps that it lists, in the order in which they were named.
    pub children: Vec<ListedChild>,
    /// The files to write.
    pub plan: Plan,
    /// Problems of the sitemaps.
    pub findings: Vec<Finding>,
}

/// Plans an index over these sitemaps, in their order. A file that is named twice counts once.
///
/// An index written by an earlier run is skipped, because a pattern like `sitemap*.xml` matches it
/// too.
pub fn plan_index(
    named: &[SitemapArgument],
    purpose: &IndexPurpose<'_>,
) -> Result<IndexPlan, HintedError> {
    let (mut children, mut findings) = (Vec::new(), Vec::new());
    for argument in named {
        if is_earlier_index(argument, purpose)? {
            continue;
        }
        let mut set = argument.check(purpose)?;
        let of_set = children_of(argument, &mut set, purpose)?;
        findings.append(&mut set.findings);
        findings.extend(of_set.iter().flat_map(ListedChild::pages_elsewhere));
        children.extend(of_set);
    }
    if children.is_empty() && findings.is_empty() {
        return Err(HintedError::new(
            "the only sitemap named is the index itself",
            "name the sitemaps to list in the index",
        ));
    }
    let children = without_repeats(children)?;
    if children.len() > MAX_SITEMAP_ENTRIES {
        let count = children.len();
        return Err(HintedError::new(
            format!("{count} sitemaps are too many: an index lists up to 50,000"),
            "write two indexes, each with a part of the sitemaps",
        ));
    }
    refuse_pages_listed_twice(&children)?;
    for child in &children {
        if is_root_of(purpose, &child.url) {
            return Err(own_file(&child.name));
        }
        findings.extend(child.on_other_host(purpose.base.origin()));
    }
    let (settings, format) = (
        purpose.settings.sitemap.of_set(),
        purpose.settings.lastmod.format,
    );
    let listed = children
        .iter()
        .map(|child| (child.url.clone(), child.newest));
    let plan = Plan::index_over(listed.collect(), &settings, format, purpose.base);
    Ok(IndexPlan {
        children,
        plan,
        findings,
    })
}

/// The sitemaps of a given set: those that its indexes name, and its other files.
fn children_of(
    argument: &SitemapArgument,
    set: &mut CheckedSet,
    purpose: &IndexPurpose<'_>,
) -> Result<Vec<ListedChild>, HintedError> {
    let mut listed = Vec::new();
    for root in 0..set.files.len() {
        let file = &mut set.files[root];
        if file.is_child {
            continue;
        }
        if file.kind != SitemapFileKind::Index {
            let url = argument.served_at(purpose)?;
            listed.push(ListedChild::of(file, url));
            continue;
        }
        for child in std::mem::take(&mut file.children) {
            // The check reports a text that is not a URL.
            let url = parse_url(&child.loc);
            match (child.file, url) {
                (Some(number), Some(url)) => {
                    listed.push(ListedChild::of(&mut set.files[number], url));
                }
                (None, Some(_)) => set.findings.push(not_read(&set.files[root], &child)),
                (_, None) => {}
            }
        }
    }
    Ok(listed)
}

fn not_read(index: &CheckedFile, child: &CheckedChild) -> Finding {
    let subject = match index.subject.clone() {
        Subject::File(path, _) => Subject::File(path, Some(child.place)),
        Subject::Url(url, _) => Subject::Url(url, Some(child.place)),
        whole => whole,
    };
    let (name, loc) = (&index.name, quoted(&child.loc));
    let message = format!("`{name}` names the sitemap `{loc}`, which is not there");
    let hint = "copy all sitemaps of a set together, or name them instead of their index";
    Finding::new(code::SITEMAP_MISSING, subject, message).with_hint(hint)
}

/// Removes files that were named again. Two files at one URL are an error.
fn without_repeats(children: Vec<ListedChild>) -> Result<Vec<ListedChild>, HintedError> {
    let mut numbers = HashMap::new();
    let mut kept: Vec<ListedChild> = Vec::new();
    for child in children {
        match numbers.entry(child.url.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(kept.len());
                kept.push(child);
            }
            Entry::Occupied(first) => {
                let first = &kept[*first.get()];
                if !first.is_same_file(&child) {
                    let (first, second, url) = (&first.name, &child.name, &child.url);
                    return Err(HintedError::new(
                        format!("`{first}` and `{second}` are both served at `{url}`"),
                        "give the sitemaps of each part another name: set `sitemap.file` where it \
                         is built",
                    ));
                }
            }
        }
    }
    Ok(kept)
}

fn refuse_pages_listed_twice(children: &[ListedChild]) -> Result<(), HintedError> {
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    for (number, child) in children.iter().enumerate() {
        for page in child.pages() {
            let first = *first_of.entry(page).or_insert(number);
            if first != number {
                let (first, second) = (&children[first].name, &child.name);
                return Err(HintedError::new(
                    format!("`{page}` is listed in `{first}` and in `{second}`"),
                    "list it in one part: set `exclude` where the other is built; or name one of \
                     the two",
                ));
            }
        }
    }
    Ok(())
}

/// Whether this is the index to write, left by an earlier run. Another file in the place
/// of the index is an error: it would be overwritten.
fn is_earlier_index(
    argument: &SitemapArgument,
    purpose: &IndexPurpose<'_>,
) -> Result<bool, HintedError> {
    let file = &argument.path;
    let Some(url) = argument.file_url(file, purpose)? else {
        return Ok(false);
    };
    if !is_root_of(purpose, &url) {
        return Ok(false);
    }
    let root = &purpose.settings.sitemap.file;
    if file_has_mark(&real(file)?, root) && lists_sitemaps(file) {
        Ok(true)
    } else {
        Err(own_file(&file.display().to_string()))
    }
}

/// The error that a sitemap would be overwritten.
fn own_file(name: &str) -> HintedError {
    HintedError::new(
        format!("`{name}` is both input and output"),
        "choose another file with `--to`, or remove it from the arguments",
    )
}

/// Whether a URL is that of the index.
fn is_root_of(purpose: &IndexPurpose<'_>, url: &PageUrl) -> bool {
    let name = purpose.base.path_below(url);
    name.is_some_and(|name| name_without_gz(name) == purpose.settings.sitemap.file)
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
