//! The facts of a set that no file has alone: URLs that several files of one index list, children that
//! are indexes themselves, and language versions that do not link back. They are the same for a file,
//! a URL and a site.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::entry_facts::{UrlHash, hash_of};
use super::file_form::{CheckedFile, read_again};
use super::file_source::FileSource;
use crate::decide::{LinkBack, ReturnLinks};
use crate::findings::code;
use crate::survey::{SetFile, SetPlace};
use sitemaps::site_paths::BaseUrl;
use sitemaps::{SitemapFileKind, quoted};

/// Checks all files together. `source_of` opens one again: only files with problems are read a second time.
/// `complete_site` is the base URL if the files are all sitemaps of a site.
pub(super) fn check_set<'s>(
    files: &mut [CheckedFile],
    source_of: &dyn Fn(&SetFile) -> FileSource<'s>,
    complete_site: Option<&BaseUrl>,
) {
    nested_indexes(files, source_of);
    repeated_urls(files, source_of);
    ignored_versions(files, source_of, complete_site);
    for file in files {
        file.value.urls = HashSet::new();
        file.value.version_links = Vec::new();
    }
}

/// Reports children of indexes that are indexes themselves: readers do not follow them.
fn nested_indexes<'s>(files: &[CheckedFile], source_of: &dyn Fn(&SetFile) -> FileSource<'s>) {
    let indexes = files
        .iter()
        .filter(|walked| walked.read.head.kind == SitemapFileKind::Index);
    let places: BTreeSet<&SetPlace> = indexes.clone().map(|walked| &walked.file.place).collect();
    for index in indexes {
        let source = source_of(&index.file);
        for child in &index.read.children {
            if child
                .file
                .as_ref()
                .is_some_and(|place| places.contains(place))
            {
                let (name, named) = (&source.name, quoted(&child.loc));
                let message =
                    format!("the index `{name}` names `{named}`, which is an index itself");
                let hint = "name the sitemaps of that index instead";
                source.report(code::SITEMAP_MISSING, child.place, message, hint);
            }
        }
    }
}

/// Reports URLs that several children of one index list. Roots may list the same URLs, such as a
/// text sitemap next to an XML one.
fn repeated_urls<'s>(files: &[CheckedFile], source_of: &dyn Fn(&SetFile) -> FileSource<'s>) {
    let mut siblings: BTreeMap<&SetPlace, Vec<&CheckedFile>> = BTreeMap::new();
    for walked in files {
        if let Some(index) = &walked.file.parent
            && walked.read.head.kind != SitemapFileKind::Index
        {
            siblings.entry(index).or_default().push(walked);
        }
    }
    for children in siblings.into_values().filter(|files| files.len() > 1) {
        let mut first: HashMap<UrlHash, &CheckedFile> = HashMap::new();
        for child in children {
            let mut repeated: HashSet<UrlHash> = HashSet::new();
            for &url in &child.value.urls {
                let lister = *first.entry(url).or_insert(child);
                if !std::ptr::eq(lister, child) {
                    repeated.insert(url);
                }
            }
            if repeated.is_empty() {
                continue;
            }
            let source = source_of(&child.file);
            read_again(&source, &mut |url, listed| {
                let hash = hash_of(url);
                if repeated.remove(&hash) {
                    let (loc, other) = (quoted(&listed.loc), &first[&hash].value.name);
                    let message = format!("`{loc}` is already listed in `{other}`");
                    let hint = "list each URL in one sitemap only";
                    source.report(code::LOC_TWICE, listed.place, message, hint);
                }
            });
        }
    }
}

/// Reports language versions that search engines ignore: they are listed but do not link back, or no
/// sitemap of the site lists them (developers.google.com, "localized versions").
fn ignored_versions<'s>(
    files: &[CheckedFile],
    source_of: &dyn Fn(&SetFile) -> FileSource<'s>,
    complete_site: Option<&BaseUrl>,
) {
    let links = files.iter().flat_map(|walked| &walked.value.version_links);
    let links: Vec<(UrlHash, UrlHash)> = links.copied().collect();
    if links.is_empty() {
        return;
    }
    let urls = files.iter().flat_map(|walked| &walked.value.urls);
    let links = ReturnLinks::new(urls.copied().collect(), links);
    let ignored: HashMap<(UrlHash, UrlHash), LinkBack> = links
        .unreturned()
        .filter(|(.., answer)| complete_site.is_some() || *answer == LinkBack::Missing)
        .map(|(from, to, answer)| ((from, to), answer))
        .collect();
    for walked in files {
        let own = &walked.value.version_links;
        if ignored.is_empty() || !own.iter().any(|link| ignored.contains_key(link)) {
            continue;
        }
        let source = source_of(&walked.file);
        read_again(&source, &mut |url, entry| {
            for (language, href) in &entry.alternates {
                let Some(version) = url.resolve(href) else {
                    continue;
                };
                let Some(answer) = ignored.get(&(hash_of(url), hash_of(&version))) else {
                    continue;
                };
                let shown = quoted(version.as_str());
                let (message, hint) = if *answer == LinkBack::Missing {
                    let loc = quoted(&entry.loc);
                    let hint = "list all versions of a page in the entry of each version";
                    (format!("`{shown}` does not link back to `{loc}`"), hint)
                } else if complete_site.is_some_and(|base| base.path_below(&version).is_some()) {
                    let language = quoted(language);
                    let message = format!("no sitemap lists the {language} version `{shown}`");
                    (message, "link only to listed versions")
                } else {
                    // Whether a page on another host links back is unknown.
                    continue;
                };
                source.report(code::HREFLANG_IGNORED, entry.place, message, hint);
            }
        });
    }
}
