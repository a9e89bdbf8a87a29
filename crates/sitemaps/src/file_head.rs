//! The statements of a file of a set before and between its entries.

use std::collections::BTreeSet;

use crate::file_kind::SitemapFileKind;
use crate::mark::{COMMENT_END, DECLARATION, KEPT_MARK, OMITTED_MARK, marked_name};

/// The beginning of a comment.
const COMMENT: &str = "<!--";

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
        let body = |line: &'static str| {
            let body = line.strip_prefix(COMMENT).unwrap_or(line);
            body.strip_suffix("-->\n").unwrap_or(body)
        };
        let is_before_root = self.kind == SitemapFileKind::OtherXml && at < MAX_MARKS;
        if at == DECLARATION.len() as u64 {
            let name = comment.strip_prefix(" waypost: ");
            self.mark = name
                .and_then(|name| name.strip_suffix(' '))
                .map(str::to_owned);
        }
        if self.mark.is_none() || !is_before_root {
            self.comments += 1;
        } else if comment == body(KEPT_MARK) {
            self.has_kept = true;
        } else if let Some(hashes) = comment.strip_prefix(body(OMITTED_MARK)) {
            let hashes = hashes.trim_end_matches(body(COMMENT_END)).split(' ');
            self.omitted
                .extend(hashes.filter_map(|hash| u64::from_str_radix(hash, 16).ok()));
        }
    }
}
