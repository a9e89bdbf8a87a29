//! Whether the images of this site that pages name were built.

use crate::hosts::candidate_files;
use sitemaps::files::tree::Tree;
use sitemaps::findings::{Finding, Subject, code, quoted};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Whether a file of the site at `base` is missing in its output directory. A file elsewhere is not
/// known, nor is one without an extension that a server may make by a query: `/_next/image?url=…`.
pub fn is_missing(output: &Tree, base: &BaseUrl, url: &PageUrl) -> bool {
    let Some(path) = base.path_below(url) else {
        return false;
    };
    let (path, query) = path
        .split_once('?')
        .map_or((path, None), |(p, q)| (p, Some(q)));
    let name = path.rsplit('/').next().unwrap_or(path);
    if query.is_some() && !name.contains('.') {
        return false;
    }
    let text = url.as_str();
    let without_query = query.and_then(|_| url.resolve(text.split_once('?')?.0).ok());
    let files = candidate_files(base, without_query.as_ref().unwrap_or(url));
    !files.iter().any(|file| output.has_file(file))
}

/// Reports a missing image that a page names.
pub fn missing_image(page: &SitePath, url: &PageUrl) -> Finding {
    let message = format!(
        "`{page}` names the image `{}`, which the build did not write, so the sitemap omits it",
        quoted(url.as_str())
    );
    let hint = "correct the link, or add the file";
    Finding::new(
        code::IMAGE_OMITTED,
        Subject::Page(page.clone(), None),
        message,
    )
    .with_hint(hint)
}
