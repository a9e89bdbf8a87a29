//! The comments of waypost in a file: the ownership mark, on the second line, that names the root file
//! of the set, and what later runs must know of the set.
//!
//! Unlike a separate record of written files, a comment travels with its file: it cannot outlive
//! the file, cannot be wrong after another tool has replaced the file, and publishes nothing extra.
//! XML readers skip it. It has no version, so a new release of waypost does not rewrite a site.

use std::collections::BTreeSet;

use crate::file_kind::SitemapFileKind;
use crate::site_paths::encode_path;

/// First bytes of every XML file in the set.
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The comment after the mark in a set with such entries, so that only such a set is read for them.
pub(crate) const KEPT: &str =
    " images, and links marked as kept, are those of the sitemap that this one replaced ";

/// Begins the comment after that in a set without pages that a replaced sitemap omits. Their URLs are
/// not published.
pub(crate) const OMITTED: &str = " omitted: ";

/// The name of a root in its mark.
fn marked_name(file: &str) -> String {
    let mut name = String::new();
    encode_path(file.as_bytes(), &mut name);
    // XML 1.0 section 2.5: `--` must not occur within comments.
    name.replace("--", "-%2D")
}

/// The first bytes of every XML file in the set whose root is `file`.
pub(crate) fn opening_of(file: &str) -> String {
    format!("{DECLARATION}<!-- waypost: {} -->\n", marked_name(file))
}

/// Maximum number of bytes before the root element in which lines of waypost are looked for.
const MAX_MARKS: u64 = 1 << 20;

/// The root element of a file, and the comments of waypost before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileHead {
    /// The kind of the file.
    pub kind: SitemapFileKind,
    /// The root of the set, as the mark of waypost has it.
    mark: Option<String>,
    /// Whether entries have content that waypost kept from a sitemap that it replaced.
    pub has_kept: bool,
    /// The pages that the set omits because the sitemap that it replaced did, as hashes.
    pub omitted: BTreeSet<u64>,
    /// The number of other comments.
    pub comments: usize,
}

impl FileHead {
    /// Whether the file begins like those of the set with this root.
    pub fn has_mark(&self, root: &str) -> bool {
        self.mark.as_deref() == Some(&*marked_name(root))
    }

    /// Whether waypost wrote the file.
    pub fn is_marked(&self) -> bool {
        self.mark.is_some()
    }

    /// Forgets a mark: the file is a link, which waypost does not write.
    pub fn forget_mark(&mut self) {
        self.mark = None;
    }

    /// Records a comment outside the entries, at an offset in the decompressed file.
    pub(crate) fn record_comment(&mut self, at: u64, comment: &str) {
        let is_before_root = self.kind == SitemapFileKind::OtherXml && at < MAX_MARKS;
        if at == DECLARATION.len() as u64 {
            let name = comment.strip_prefix(" waypost: ");
            self.mark = name
                .and_then(|name| name.strip_suffix(' '))
                .map(str::to_owned);
        }
        if self.mark.is_none() || !is_before_root {
            self.comments += 1;
        } else if comment == KEPT {
            self.has_kept = true;
        } else if let Some(hashes) = comment.strip_prefix(OMITTED) {
            let hashes = hashes.split(' ');
            self.omitted
                .extend(hashes.filter_map(|hash| u64::from_str_radix(hash, 16).ok()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_well_formed_comment_for_any_name() {
        assert_eq!(marked_name("sitemap.xml"), "sitemap.xml");
        assert_eq!(marked_name("a---b>.xml"), "a-%2D-b%3E.xml");
    }
}
