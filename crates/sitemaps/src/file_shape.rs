//! The parts that files of entries are made of, whatever their format.

use std::collections::BTreeMap;

use super::SitemapEntry;
use super::extras::Video;
use super::split::HashBits;
use crate::group_name::GroupName;
use crate::lastmod::DateFormat;
use site_paths::PageUrl;

/// Functions that measure and render one file that lists entries.
#[derive(Debug)]
pub(crate) struct FileLayout {
    /// Bytes before and after the entries.
    pub frame_len: fn(&FileFrame<'_>) -> usize,
    /// Bytes of one entry with these videos.
    pub entry_len: fn(&SitemapEntry, &[Video], DateFormat) -> usize,
    /// Appends the whole file.
    pub render: fn(&FileFrame<'_>, &mut dyn Iterator<Item = &SitemapEntry>, &mut String),
}

/// Parts of a file other than its entries.
pub(crate) struct FileFrame<'a> {
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    /// Extensions whose namespaces are declared.
    pub used: UsedExtensions,
    /// Videos by page.
    pub videos: &'a BTreeMap<PageUrl, Vec<Video>>,
    /// Format of dates.
    pub dates: DateFormat,
}

/// Extensions that the entries of a file use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UsedExtensions {
    pub alternates: bool,
    pub images: bool,
    pub videos: bool,
}

/// Entries that share a file. Their numbers are in URL order.
pub(crate) struct SitemapPart<'a> {
    pub group: Option<&'a GroupName>,
    pub bits: HashBits,
    pub numbers: Vec<u32>,
    /// Size of the file in bytes.
    pub bytes: usize,
    pub used: UsedExtensions,
}

/// The videos of an entry's page; usually none.
pub(super) fn videos_of<'v>(
    videos: &'v BTreeMap<PageUrl, Vec<Video>>,
    entry: &SitemapEntry,
) -> &'v [Video] {
    if videos.is_empty() {
        &[]
    } else {
        videos.get(&entry.loc).map_or(&[], Vec::as_slice)
    }
}
