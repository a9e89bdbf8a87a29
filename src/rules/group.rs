//! The name of a child sitemap: what may stand in `group`, and which file names that leaves for everything else.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// A file name holds 255 bytes nearly everywhere; this leaves room for the sitemap's own name, bits and endings.
const MAX_CHARS: usize = 64;

/// Where the pages without a group go once there are groups: `sitemap-pages.xml`.
pub(crate) const UNNAMED: &str = "pages";

/// The news of the last days: `sitemap-news.xml`.
pub(crate) const NEWS: &str = "news";

/// Further indexes: `sitemap-index-2.xml`.
pub(crate) const INDEX: &str = "index";

/// Copies that bridge a move of pages between children: `sitemap-kept-1.xml`.
pub(crate) const KEPT: &str = "kept";

/// The checked name of a group: lower-case ASCII letters, digits and hyphens, and no name that waypost needs itself.
///
/// A million entries may carry one, so a clone shares its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupName(Arc<str>);

/// Why a text is no name of a group.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GroupNameError {
    /// Empty, or too long for a file name.
    #[error("`{0}` is no group: a name has 1 to 64 characters")]
    Length(String),
    /// Another character than those that are safe in every file name and URL.
    #[error(
        "`{0}` is no group: a name is made of `a` to `z`, `0` to `9` and `-`, and begins and ends with none of `-`"
    )]
    Characters(String),
    /// It ends as the parts of a divided group do.
    #[error(
        "`{0}` is no group: names that end in only the digits 0 and 1 are those of a group's parts"
    )]
    LooksLikeAPart(String),
    /// A name of waypost's own files.
    #[error(
        "`{0}` is no group: `pages`, `news`, `index` and `kept` are names of files that are written anyway"
    )]
    Reserved(String),
}

impl GroupName {
    /// Checks a name.
    pub fn new(name: &str) -> Result<Self, GroupNameError> {
        let shown = || name.escape_debug().to_string();
        if name.is_empty() || name.len() > MAX_CHARS {
            return Err(GroupNameError::Length(shown()));
        }
        let safe = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if !name.bytes().all(safe)
            || name.starts_with('-')
            || name.ends_with('-')
            || name.contains("--")
        {
            return Err(GroupNameError::Characters(shown()));
        }
        let last = name.rsplit('-').next().unwrap_or(name);
        if last.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
            return Err(GroupNameError::LooksLikeAPart(shown()));
        }
        let first = name.split('-').next().unwrap_or(name);
        if [UNNAMED, NEWS].contains(&name) || [INDEX, KEPT].contains(&first) {
            return Err(GroupNameError::Reserved(shown()));
        }
        Ok(Self(Arc::from(name)))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GroupName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_a_name_that_no_other_file_of_the_set_can_have() {
        let check =
            |name: &str, allowed: bool| assert_eq!(GroupName::new(name).is_ok(), allowed, "{name}");
        check("blog", true);
        check("blog-2024", true);
        check("blog-01", false);
        check("0110", false);
        check("2", true);
        check("pages", false);
        check("pages-old", true);
        check("news", false);
        check("news-old", true);
        check("index-2", false);
        check("kept", false);
        check("../blog", false);
        check("Blog", false);
        check("a--b", false);
        check("-a", false);
        check("", false);
        check(&"a".repeat(65), false);
    }
}
