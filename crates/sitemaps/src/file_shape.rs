//! The parts that files of entries are made of, whatever their format.

use super::SitemapEntry;
use super::split::HashBits;
use crate::group_name::GroupName;
use crate::lastmod::DateFormat;

/// What one file that lists entries consists of.
#[derive(Debug)]
pub(crate) struct FileLayout {
    /// The text before the entries.
    pub beginning: fn(&FileFrame<'_>) -> String,
    /// Appends an entry.
    pub push_entry: fn(&SitemapEntry, DateFormat, &mut String),
    /// The text after the entries.
    pub end: &'static str,
}

/// Parts of a file other than its entries.
pub(crate) struct FileFrame<'a> {
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    /// Extensions whose namespaces are declared.
    pub used: UsedExtensions,
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
