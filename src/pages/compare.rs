//! Gives all pages their final verdicts: checks canonical links to other pages, URLs claimed twice,
//! identical pages and language alternates.

use super::alternates;
use super::page::{Page, Pages};
use crate::decide::reason::{CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, REDIRECT};
use crate::decide::{DecidedBy, Exclusion, Verdict};
use crate::findings::{Finding, Findings, Level, Subject, code, counted};
use crate::hosts::UrlForm;
use crate::settings::LevelOverrides;
use crate::survey::ReplacedEntry;
use sitemaps::site_paths::SitePath;

/// Gives every page its final verdict. `original` is the page whose byte-identical copies are excluded:
/// mdBook's `index.html`. `replaced` are the entries of the sitemap that this run replaces.
/// `slashed_setting` is where the generator's base URL ends with a slash.
pub(crate) fn compare(
    pages: &mut Pages,
    form: UrlForm,
    original: Option<&SitePath>,
    replaced: &[ReplacedEntry],
    slashed_setting: Option<&str>,
    findings: &Findings,
) {
    if let Some(original) = original {
        exclude_copies(pages, original);
    }
    exclude_duplicates(pages, form, findings);
    exclude_hidden(pages, findings);
    report_targets(pages, findings);

    alternates::add_replaced(pages, replaced, findings);
    alternates::name_listed_urls(pages);
    findings.extend(two_slashes(pages, slashed_setting));
    alternates::select(pages, findings);
}

/// Excludes the pages that are byte-identical to `original`.
fn exclude_copies(pages: &mut Pages, original: &SitePath) {
    let Some(position) = pages.index_of(original) else {
        return;
    };
    let (fingerprint, url) = (pages[position].fingerprint(), pages[position].url.clone());
    if fingerprint.is_none() || !pages[position].is_listed() {
        return;
    }
    for (index, page) in pages.iter_mut().enumerate() {
        if index != position && page.fingerprint() == fingerprint && page.is_listed() {
            page.verdict = duplicate_of(page, format!("identical to {url}"));
        }
    }
}

/// Keeps one of the listed pages with the same URL: the one that a host serves, or else the first.
fn exclude_duplicates(pages: &mut Pages, form: UrlForm, findings: &Findings) {
    let mut listed: Vec<usize> = (0..pages.len())
        .filter(|&index| pages[index].is_listed())
        .collect();
    listed.sort_by(|&left, &right| pages[left].url.cmp(&pages[right].url));
    let same_address: Vec<Vec<usize>> = listed
        .chunk_by(|&left, &right| pages[left].url == pages[right].url)
        .filter(|group| group.len() > 1)
        .map(<[usize]>::to_vec)
        .collect();
    for group in same_address {
        let owner = owner_of(pages, form, &group);
        let first = pages[owner].file.clone();
        for index in group.into_iter().filter(|&index| index != owner) {
            let page = &mut pages[index];
            let message = format!(
                "`{first}` and `{}` claim the same URL, `{}`",
                page.file, page.url
            );
            findings.add(taken_twice(page, message));
            page.verdict = duplicate_of(page, format!("`{first}` has this URL"));
        }
    }
}

/// Excludes pages that claim the URL of an excluded page, because a host serves that page. An
/// exclusion by its author does not count: it may exist for the sake of the other page.
fn exclude_hidden(pages: &mut Pages, findings: &Findings) {
    for index in 0..pages.len() {
        let page = &pages[index];
        if !page.is_listed() || page.url == UrlForm::default().url_of(&pages.base, &page.file) {
            continue;
        }
        let Some(answer) = pages.index_at(&page.url) else {
            continue;
        };
        if let Page {
            file,
            verdict: Verdict::Excluded(exclusion),
            ..
        } = &pages[answer]
            && exclusion.reason.by != DecidedBy::Owner
        {
            let reason = exclusion.reason.code.name;
            let message = format!(
                "`{}` claims `{}`, which is the URL of `{file}` ({reason})",
                page.file, page.url
            );
            findings.add(taken_twice(page, message));
            let evidence = format!("`{file}` has this URL and is excluded ({reason})");
            pages[index].verdict = duplicate_of(&pages[index], evidence);
        }
    }
}

/// Returns the page whose file a host tries first for the shared URL.
fn owner_of(pages: &Pages, form: UrlForm, group: &[usize]) -> usize {
    let tried = form.files_at(&pages.base, &pages[group[0]].url);
    group
        .iter()
        .copied()
        .min_by_key(|&index| {
            let turn = tried.iter().position(|file| *file == pages[index].file);
            (turn.unwrap_or(usize::MAX), index)
        })
        .expect("a group has at least two pages")
}

fn taken_twice(page: &Page, message: String) -> Finding {
    Finding::new(code::URL_TAKEN_TWICE, &page.file, message)
        .with_hint("give each page a canonical link to its own URL")
}

fn duplicate_of(page: &Page, evidence: String) -> Verdict {
    Verdict::Excluded(Box::new(Exclusion {
        reason: CANONICAL_DUPLICATE,
        evidence,
        statement: Subject::for_page(&page.file),
        target: None,
    }))
}

/// Reports links and redirects that lead to no listed page: then neither page is listed. The target of
/// a redirect may be excluded for reasons of its own, as the redirect itself would not be listed.
fn report_targets(pages: &Pages, findings: &Findings) {
    for page in pages {
        let Some(exclusion) = page.verdict.exclusion() else {
            continue;
        };
        let target = exclusion.target.as_ref();
        let Some(target) = target.filter(|target| pages.base.path_below(target).is_some()) else {
            continue;
        };
        let is_redirect = exclusion.reason == REDIRECT;
        if is_redirect && exclusion.statement.page().is_none() {
            // The host may answer at the target of its rule without a file.
            continue;
        }
        let single = target.with_single_slashes();
        let url = single.as_ref().unwrap_or(target);
        let answer = pages.at_url(url);
        let (why, hint) = match answer {
            None => (
                "where the build has no page".to_owned(),
                "name a page that exists, or remove the link",
            ),
            Some(Page {
                verdict: Verdict::Excluded(other),
                file,
                ..
            }) if !is_redirect => dead_end(file, other),
            Some(_) => continue,
        };
        let what = if is_redirect {
            "the page redirects to"
        } else {
            "the canonical link names"
        };
        let message = format!("{what} `{target}`, {why}");
        let statement = exclusion.statement.clone();
        let finding = Finding::new(code::CANONICAL_NOT_LISTED, statement, message);
        findings.add(finding.with_hint(hint));
    }
}

/// The finding, once for the site, that links to its pages have two slashes where one belongs. `setting` is
/// where the generator's base URL ends with a slash.
fn two_slashes(pages: &Pages, setting: Option<&str>) -> Option<Finding> {
    let mut doubled = pages.iter().filter_map(Page::two_slashes);
    let first = doubled.next()?;
    let count = counted(1 + doubled.count(), "page");
    let message = format!(
        "the canonical or language links of {count} have two slashes where one belongs; they count as one"
    );
    let hint = match setting {
        Some(setting) => format!("remove the slash at the end of {setting}"),
        None => "write one slash between the base URL and the path in the template".to_owned(),
    };
    Some(Finding::new(code::CANONICAL_IGNORED, first.clone(), message).with_hint(hint))
}

/// Returns what is wrong with a canonical link to an excluded page, and the remedy.
fn dead_end(file: &SitePath, exclusion: &Exclusion) -> (String, &'static str) {
    if exclusion.reason == CANONICAL_ELSEWHERE {
        let why = format!("which itself names another page ({})", exclusion.evidence);
        return (why, "name the last page of the chain");
    }
    let reason = exclusion.reason.code.name;
    let why = format!("but `{file}` is itself excluded ({reason})");
    (why, "name an indexable page")
}

/// Reports each excluded page whose reason has a level other than `allow` in the settings. A reason that has
/// one of its own was reported where it was found.
pub(crate) fn report_by_level(levels: &LevelOverrides, pages: &Pages, findings: &Findings) {
    for page in pages {
        let Some(exclusion) = page.verdict.exclusion() else {
            continue;
        };
        let code = exclusion.reason.code;
        if code.level == Level::Allow && levels.level_of(code) != Level::Allow {
            let message = format!("`{}` is excluded: {}", page.file, exclusion.evidence);
            findings.add(Finding::new(code, exclusion.statement.clone(), message));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decide::SiteView;
    use crate::files::glob::PatternSet;
    use crate::hosts::HostRules;
    use crate::pages::read_pages::fill_in;
    use crate::settings::Settings;
    use page_signals::{PageReader, ReadOptions};
    use sitemaps::Now;
    use sitemaps::site_paths::BaseUrl;

    /// Judges pages with these heads, and returns them with all findings.
    fn judged(pages: &[(SitePath, String)]) -> (Pages, Vec<Finding>) {
        let base = BaseUrl::parse("https://example.com/docs/").expect("a base URL");
        let (settings, host_rules) = (Settings::default(), HostRules::default());
        let findings = Findings::default();
        let no_patterns = PatternSet::new(std::iter::empty());
        let files: Vec<SitePath> = pages.iter().map(|(file, _)| file.clone()).collect();
        let view = SiteView {
            base: &base,
            settings: &settings,
            pages: &files,
            page_urls: &std::collections::BTreeMap::new(),
            robots_txt: None,
            error_pages: &no_patterns,
            not_pages: &no_patterns,
            has_generator: false,
            lists_drafts: false,
            host_rules: &host_rules,
            now: Now(0),
            findings: &findings,
        };
        let reader = PageReader::new(ReadOptions::default());
        let mut judged = Pages::new(&files, &base);
        for (page, (_, head)) in judged.iter_mut().zip(pages) {
            let facts = reader.facts_of(format!("<!DOCTYPE html>{head}<p>x").as_bytes());
            let names = std::sync::Mutex::default();
            fill_in(page, &view, &facts, None, &names);
        }
        let form = UrlForm::default();
        compare(&mut judged, form, None, &[], None, &findings);
        (judged, findings.take_sorted())
    }

    proptest! {
        #[test]
        fn no_page_leaves_because_of_an_unlisted_page_without_a_word(
            heads in prop::collection::btree_map(
                "(a/|b/)?(index|a|b|v1\\.2)\\.html",
                (
                    "((\\.|/docs|https://example\\.com/docs)?/)?(a|b|v1\\.2|x\\.php|\\{\\{ u \\}\\})?(/|\\.html|\\?q)?",
                    0..4_u8,
                ),
                1..8,
            ),
        ) {
            let pages = heads.iter().map(|(file, (href, kind))| {
                let head = match kind {
                    0 => format!("<link rel=canonical href='{href}'>"),
                    1 => format!("<meta http-equiv=refresh content='0; url={href}'>"),
                    2 => format!("<link rel=canonical href='{href}'><meta name=robots content=noindex>"),
                    _ => String::new(),
                };
                (SitePath::from(file.as_str()), head)
            });
            let mut pages: Vec<(SitePath, String)> = pages.collect();
            pages.sort();
            let (judged, findings) = judged(&pages);
            let base = BaseUrl::parse("https://example.com/docs/").expect("a base URL");
            for page in &judged {
                let target = page.verdict.exclusion().and_then(|why| why.target.as_ref());
                let Some(target) = target.filter(|it| base.path_below(it).is_some()) else {
                    continue;
                };
                let single = target.with_single_slashes();
                let answer = judged.at_url(single.as_ref().unwrap_or(target));
                let is_redirect = page.verdict.exclusion().is_some_and(|why| why.reason == REDIRECT);
                let is_fine = answer.is_some_and(|answer| {
                    is_redirect || answer.is_listed()
                });
                let is_named = findings.iter().any(|finding| {
                    finding.code == code::CANONICAL_NOT_LISTED
                        && finding.subject.page() == Some(&page.file)
                });
                prop_assert!(is_fine != is_named, "{} {:?} {:?}", page.file, target, findings);
            }
        }
    }
}
