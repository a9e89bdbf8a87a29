//! A content file whose front matter has been read.

use super::content_walk::ListedContentFile;
use super::front_matter::FrontMatter;
use super::includes::include_scanner::IncludeCall;

/// A content file with its front matter.
pub(super) struct ReadContentFile<'r> {
    pub(super) listed: ListedContentFile<'r>,
    pub(super) front_matter: FrontMatter,
    pub(super) include_calls: Vec<IncludeCall>,
}
