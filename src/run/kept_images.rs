//! Images that only the replaced sitemap states, if the build wrote them.

use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code};
use crate::pages::Pages;
use crate::site::LoadedSite;
use crate::survey::{ReplacedEntry, file_at};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{MAX_IMAGES, quoted};

/// Gives the listed pages the images that the replaced sitemap states. Those that the build did not write
/// are reported.
pub(super) fn keep_images(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    replaced: &[ReplacedEntry],
    pages: &mut Pages,
) {
    for entry in replaced.iter().filter(|entry| !entry.images.is_empty()) {
        let Ok(url) = base.resolve(&entry.loc) else {
            continue;
        };
        let Some(index) = pages.index_at(base, &url) else {
            continue;
        };
        let page = &mut pages[index];
        let mut links = page.links.as_deref().cloned().unwrap_or_default();
        if !page.is_listed() || !links.images.is_empty() {
            continue;
        }
        let mut images = Vec::new();
        for image in &entry.images {
            let Ok(url) = base.resolve(image) else {
                continue;
            };
            if is_missing(&loaded.output, base, &url) {
                loaded.findings.add(missing_image(&page.file, &url));
            } else if images.len() < MAX_IMAGES && !images.contains(&url) {
                images.push(url);
            }
        }
        links.images = images.into();
        page.links = links.shared();
    }
}

/// Whether a file of the site at `base` is missing in its output directory. A file elsewhere is not
/// known, nor is one without an extension that a server may make by a query: `/_next/image?url=…`.
fn is_missing(output: &Tree, base: &BaseUrl, url: &PageUrl) -> bool {
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
    file_at(output, base, without_query.as_ref().unwrap_or(url)).is_none()
}

/// Reports a missing image that a page names.
fn missing_image(page: &SitePath, url: &PageUrl) -> Finding {
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
