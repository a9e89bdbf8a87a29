//! `sitemap.xml`: plans entries as one `<urlset>`, or as several children of an index.

use super::index::indexes_of;
use super::names::ENDING;
use super::plan::{FileRole, Plan, PlannedFile, PlannedFileKind, SitemapPart};
use crate::group_name::UNGROUPED;
use crate::lastmod::LastMod;
use crate::settings::SitemapSettings;

/// Lays out one file if everything fits and no page has a group; otherwise children, and an index
/// over them, or several if one cannot name all.
pub(super) fn lay_out(plan: &Plan, settings: &SitemapSettings) -> Vec<PlannedFile> {
    let kind = PlannedFileKind::Urlset;
    let mut parts = plan.split_entries(kind, settings, |entry| entry.by_rule.group.as_ref());
    if parts.len() == 1 && parts[0].group.is_none() {
        let name = plan.file_name("", ENDING);
        return vec![PlannedFile::from_part(
            name,
            kind,
            FileRole::Root,
            parts.remove(0),
        )];
    }
    let mut children = Vec::with_capacity(parts.len());
    for part in parts {
        let name = plan.file_name(&suffix_of(&part), ENDING);
        children.push(PlannedFile::from_part(name, kind, FileRole::Child, part));
    }
    children.sort_by(|one, other| one.name.cmp(&other.name));
    let dated_urls: Vec<_> = children
        .iter()
        .map(|child| {
            let url = plan.base.path_url(child.name.as_bytes());
            (url, newest(plan, child))
        })
        .collect();
    let mut files = indexes_of(plan, &dated_urls);
    files.append(&mut children);
    files
}

/// The newest date in a file.
fn newest(plan: &Plan, file: &PlannedFile) -> Option<LastMod> {
    file.numbers()
        .iter()
        .filter_map(|&number| plan.entries[number as usize].lastmod)
        .max()
}

/// File name suffix of a part: `blog`, or `blog-01` if the group is split. Without a group it is
/// `pages`, or `01` if split.
fn suffix_of(part: &SitemapPart<'_>) -> String {
    let bits = part.bits;
    match part.group {
        None if bits.is_empty() => UNGROUPED.to_owned(),
        None => bits.to_string(),
        Some(group) if bits.is_empty() => group.to_string(),
        Some(group) => format!("{group}-{bits}"),
    }
}
