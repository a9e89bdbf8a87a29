//! Adds the language versions that a replaced sitemap states to pages whose head states none.

use super::page::Pages;
use crate::decide::{INVALID_CODE_HINT, LanguageVersion, is_language_code};
use crate::findings::{Finding, Findings, Subject, code};
use crate::survey::ReplacedEntry;
use sitemaps::quoted;
use sitemaps::site_paths::BaseUrl;

/// Adds them to the listed pages; links that search engines ignore are reported. The links are then
/// checked like those of heads.
pub(super) fn add(
    pages: &mut Pages,
    base: &BaseUrl,
    replaced: &[ReplacedEntry],
    findings: &Findings,
) {
    let resolve = |href: &str| base.resolve(href).ok();
    for entry in replaced.iter().filter(|entry| !entry.alternates.is_empty()) {
        let url = resolve(&entry.loc).filter(|url| base.path_below(url).is_some());
        let Some(index) = url.and_then(|url| pages.index_at(base, &url)) else {
            continue;
        };
        let page = &pages[index];
        if !page.is_listed() || !page.alternates.is_empty() {
            continue;
        }
        let mut versions = Vec::with_capacity(entry.alternates.len());
        for (hreflang, href) in &entry.alternates {
            let code = hreflang.replace('_', "-");
            if !is_language_code(&code) {
                findings.add(invalid_code(entry, &code));
            } else if let Some(url) = resolve(href) {
                versions.push(LanguageVersion {
                    link: pages.link_names.link(&code, url),
                    place: None,
                });
            }
        }
        pages[index].alternates = versions.into_boxed_slice();
    }
}

fn invalid_code(entry: &ReplacedEntry, hreflang: &str) -> Finding {
    let message = format!(
        "`{}` in the replaced sitemap is not a valid hreflang code, so the link of `{}` is not kept",
        quoted(hreflang),
        quoted(&entry.loc)
    );
    let subject = Subject::Page(entry.file.clone(), None);
    Finding::new(code::HREFLANG_IGNORED, subject, message).with_hint(INVALID_CODE_HINT)
}
