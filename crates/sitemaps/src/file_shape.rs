//! The parts that files of entries are made of, whatever their format.

use super::SitemapEntry;
use super::split::HashBits;
use crate::group_name::GroupName;
use crate::lastmod::DateFormat;

/// Functions that measure and render one file that lists entries.
#[derive(Debug)]
pub(crate) struct FileLayout {
    /// Bytes before and after the entries.
    pub frame_len: fn(&FileFrame<'_>) -> usize,
    /// Bytes of one entry.
    pub entry_len: fn(&SitemapEntry, DateFormat) -> usize,
    /// Appends the whole file.
    pub render: fn(&FileFrame<'_>, &mut dyn Iterator<Item = &SitemapEntry>, &mut String),
}

/// Parts of a file other than its entries.
pub(crate) struct FileFrame<'a> {
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    /// Extensions whose namespaces are declared.
    pub used: UsedExtensions,
    /// Format of dates.
    pub dates: DateFormat,
}

/// Extensions that the entries of a file use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UsedExtensions {
    pub alternates: bool,
    pub images: bool,
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
