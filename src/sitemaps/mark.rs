//! The ownership mark: an XML comment on the second line that names the set's own root file.
//!
//! A comment, and no record of files beside them, since it travels with each file: it cannot outlive it, cannot lie
//! after another tool has written a file of that name, and publishes nothing extra. Every reader of XML skips it. It
//! holds no version, so that a new release of waypost does not rewrite a site.

use super::xml::DECLARATION;
use crate::site_paths::encode_path;

/// The mark of the set whose root is `file`, with its line end.
pub(crate) fn mark_of(file: &str) -> String {
    let mut name = String::new();
    encode_path(file.as_bytes(), &mut name);
    // XML 1.0 section 2.5: `--` must not occur within comments.
    format!("<!-- waypost: {} -->\n", name.replace("--", "-%2D"))
}

/// The first bytes of every XML file of the set whose root is `file`.
pub(crate) fn opening_of(file: &str) -> String {
    DECLARATION.to_owned() + &mark_of(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_well_formed_comment_whatever_the_name() {
        assert_eq!(mark_of("sitemap.xml"), "<!-- waypost: sitemap.xml -->\n");
        assert_eq!(mark_of("a---b>.xml"), "<!-- waypost: a-%2D-b%3E.xml -->\n");
    }
}
