//! Validates group names, which become part of the file names of child sitemaps.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Most file systems limit a file name to 255 bytes. This leaves room for the sitemap's name, the
/// part's bits and the extension.
const MAX_CHARS: usize = 64;

/// The child sitemap of pages without a group: `sitemap-pages.xml`.
pub const UNGROUPED: &str = "pages";

/// A name that readers take for an index: `sitemap-index.xml`.
pub const INDEX: &str = "index";

/// A validated group name: lower-case ASCII letters, digits and hyphens, and not a name reserved by
/// waypost.
///
/// Up to a million entries may have one, so clones share the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupName(Arc<str>);

/// Error for an invalid group name.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a valid group name: {1}")]
pub struct GroupNameError(String, &'static str);

impl GroupName {
    /// Checks a name.
    pub fn new(name: &str) -> Result<Self, GroupNameError> {
        let last = name.rsplit('-').next().unwrap_or(name);
        let first = name.split('-').next().unwrap_or(name);
        let problem = if name.is_empty() || name.len() > MAX_CHARS {
            "it must have 1 to 64 characters"
        } else if !name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            || name.split('-').any(str::is_empty)
        {
            "use `a` to `z`, `0` to `9`, and single `-` in between"
        } else if last.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
            "endings of only 0 and 1 are reserved for parts of a group"
        } else if name == UNGROUPED || first == INDEX {
            "`pages` and `index` are reserved"
        } else {
            return Ok(Self(Arc::from(name)));
        };
        Err(GroupNameError(name.escape_debug().to_string(), problem))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for GroupName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name).map_err(|error| format!("is invalid: {error}"))
    }
}

impl From<GroupName> for String {
    fn from(name: GroupName) -> Self {
        name.to_string()
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
    fn a_group_name_cannot_collide_with_other_files() {
        let check =
            |name: &str, allowed: bool| assert_eq!(GroupName::new(name).is_ok(), allowed, "{name}");
        check("blog", true);
        check("blog-2024", true);
        check("blog-01", false);
        check("0110", false);
        check("2", true);
        check("pages", false);
        check("pages-old", true);
        check("news", true);
        check("news-old", true);
        check("index-2", false);
        check("kept", true);
        check("../blog", false);
        check("Blog", false);
        check("a--b", false);
        check("-a", false);
        check("", false);
        check(&"a".repeat(65), false);
    }
}
