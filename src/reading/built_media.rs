//! Whether the images and videos of this site that pages name were built.

use crate::decide::candidate_files;
use site_paths::containment::SitemapDir;
use site_paths::finding::{Finding, Subject, code, quoted};
use site_paths::{BaseUrl, PageUrl, SitePath};

/// Whether a file of this site is missing. A file elsewhere, or one that a server makes by a query,
/// is not known.
pub fn is_missing(output: &SitemapDir, base: &BaseUrl, url: &PageUrl) -> bool {
    base.path_below(url).is_some()
        && !url.as_str().contains('?')
        && !candidate_files(base, url)
            .iter()
            .any(|file| output.has_file(file))
}

/// Reports a missing file that a page names.
pub fn missing_media(page: &SitePath, what: &str, url: &PageUrl) -> Finding {
    let message = format!(
        "`{page}` names the {what} `{}`, which the build did not write, so the sitemap omits it",
        quoted(url.as_str())
    );
    let hint = "correct the link, or add the file";
    Finding::new(
        code::MEDIA_MISSING,
        Subject::Page(page.clone(), None),
        message,
    )
    .with_hint(hint)
}
