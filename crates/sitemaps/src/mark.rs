//! The ownership mark: an XML comment on the second line that names the root file of the set.
//!
//! Unlike a separate record of written files, a comment travels with its file: it cannot outlive
//! the file, cannot be wrong after another tool has replaced the file, and publishes nothing extra.
//! XML readers skip it. It has no version, so a new release of waypost does not rewrite a site.

use crate::site_paths::encode_path;

/// First bytes of every XML file in the set.
pub(super) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The line after the mark in a set with such entries, so that only such a set is read for them.
pub(crate) const KEPT_MARK: &str =
    "<!-- images, and links marked as kept, are those of the sitemap that this one replaced -->\n";

/// Begins the line after that in a set without pages that a replaced sitemap omits. Their URLs are
/// not published.
pub(crate) const OMITTED_MARK: &str = "<!-- omitted: ";

/// Ends that line.
pub(crate) const COMMENT_END: &str = " -->\n";

/// The mark of the set whose root is `file`, including the line end.
pub fn mark_of(file: &str) -> String {
    format!("<!-- waypost: {} -->\n", marked_name(file))
}

/// The name of a root in its mark.
pub(crate) fn marked_name(file: &str) -> String {
    let mut name = String::new();
    encode_path(file.as_bytes(), &mut name);
    // XML 1.0 section 2.5: `--` must not occur within comments.
    name.replace("--", "-%2D")
}

/// The first bytes of every XML file in the set whose root is `file`.
pub fn opening_of(file: &str) -> String {
    DECLARATION.to_owned() + &mark_of(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_well_formed_comment_for_any_name() {
        assert_eq!(mark_of("sitemap.xml"), "<!-- waypost: sitemap.xml -->\n");
        assert_eq!(mark_of("a---b>.xml"), "<!-- waypost: a-%2D-b%3E.xml -->\n");
    }
}
