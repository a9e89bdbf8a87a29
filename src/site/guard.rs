//! Refusals: results that cannot be right, so nothing is written. Each is a finding at level `deny`
//! that the user may accept.

use std::collections::BTreeMap;
use std::path::Path;

use super::base_evidence::{BaseUrlKind, FoundBaseUrl};
use crate::settings::LevelOverrides;
use crate::share::{FEW, is_most};
use crate::survey::{is_placeholder, named_base};
use sitemaps::ContentChange;
use sitemaps::findings::{Code, Finding, Level, Subject, code};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath, display_path};

/// The codes that stop a run before it writes, in the order in which one explains the next: a wrong
/// base URL excludes every page, which shrinks the set.
const REFUSALS: [&Code; 7] = [
    code::BASE_URL_PLACEHOLDER,
    code::BASE_URL_CONTRADICTED,
    code::BASE_PATH_TWICE,
    code::NOTHING_LISTED,
    code::SET_SHRUNK,
    code::DATES_LOST,
    code::SITEMAP_NOT_OURS,
];

/// Fewer pages than this may be copies of the home page, or have moved.
const FEW_PAGES: usize = 3;

/// Orders findings by cause, and drops those that an earlier one explains.
pub fn by_cause(found: impl IntoIterator<Item = Finding>, levels: &LevelOverrides) -> Vec<Finding> {
    let mut findings: Vec<Finding> = found
        .into_iter()
        .filter(|finding| levels.level_of(finding.code) != Level::Allow)
        .collect();
    findings.sort_by_key(|finding| rank(finding.code));
    let mut causes = findings.iter().map(|finding| finding.code);
    if let Some(cause) = causes.find(|code| levels.level_of(code) == Level::Deny) {
        findings.retain(|finding| finding.code == cause || !explains(cause, finding.code));
    }
    findings
}

/// Whether one of the findings stops a run before it writes or sends anything.
pub fn stop_run(findings: &[Finding], levels: &LevelOverrides) -> bool {
    let mut codes = findings.iter().map(|finding| finding.code);
    codes.any(|code| is_refusal(code) && levels.level_of(code) == Level::Deny)
}

/// Whether a code is one of a refusal.
pub fn is_refusal(code: &Code) -> bool {
    REFUSALS.contains(&code)
}

/// The place of a refusal in the order of causes.
fn rank(code: &Code) -> Option<usize> {
    REFUSALS.iter().position(|known| *known == code)
}

/// Whether one refusal is the likely cause of another.
fn explains(cause: &Code, effect: &Code) -> bool {
    // Losses have causes of their own, except that nothing is kept if no page is listed.
    rank(cause) < rank(effect) && ![code::SET_SHRUNK, code::DATES_LOST].contains(&cause)
}

/// How many pages name themselves under which base URL.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PageBases {
    /// Pages that are listed, or excluded only because of their canonical link.
    pub pages: usize,
    /// Pages by the other base URL that their canonical link implies.
    others: BTreeMap<String, usize>,
    /// Pages other than the home page whose canonical link is the home page.
    to_home: usize,
}

impl PageBases {
    /// Counts a page that is listed.
    pub fn add_listed(&mut self) {
        self.pages += 1;
    }

    /// Counts a page that is excluded because of a canonical link to `url`. `is_here` reports
    /// whether the output directory has the target: then the page is a copy of that page.
    pub fn add_elsewhere(
        &mut self,
        base: &BaseUrl,
        file: &SitePath,
        url: &PageUrl,
        is_here: impl FnOnce() -> bool,
    ) {
        self.pages += 1;
        self.to_home += usize::from(url.as_str() == base.as_str());
        let Some(named) = named_base(file, url).filter(|named| named != base) else {
            return;
        };
        if named.origin() != base.origin() || !is_here() {
            *self.others.entry(named.as_str().to_owned()).or_insert(0) += 1;
        }
    }
}

/// Refuses a base URL that more than half of the pages contradict. `setting` is where the generator
/// has its base URL.
pub fn base_contradicted(
    used: &FoundBaseUrl,
    bases: &PageBases,
    setting: Option<&str>,
) -> Option<Finding> {
    let contradicting: usize = bases.others.values().sum();
    if contradicting * 2 <= bases.pages {
        return None;
    }
    let (other, count) = bases.others.iter().max_by_key(|(_, count)| **count)?;
    let message = format!(
        "{count} of {} pages name `{other}` as their base URL, not `{}`, from {}: was the site \
         built with another base URL?",
        bases.pages, used.url, used.origin
    );
    let rebuild = match setting {
        Some(setting) => format!("set {setting} to `{}` and build the site again", used.url),
        None => format!("build the site again with `{}`", used.url),
    };
    let is_template = !is_placeholder(&used.url)
        && BaseUrl::parse(other).is_ok_and(|other| is_placeholder(&other));
    let hint = if is_template {
        rebuild
    } else {
        let code = code::BASE_URL_CONTRADICTED.name;
        format!("{rebuild}, or pass `--base-url {other}`; `--accept {code}` overrules this")
    };
    let finding = Finding::new(code::BASE_URL_CONTRADICTED, Subject::Site, message);
    Some(finding.with_hint(hint))
}

/// Refuses a base URL whose path is that of the directory which contains all listed pages: their
/// URLs would have it twice.
pub fn base_path_twice<'p>(
    used: &FoundBaseUrl,
    output_dir: &Path,
    listed: impl IntoIterator<Item = &'p SitePath>,
) -> Option<Finding> {
    let dir = used.url.path().trim_matches('/');
    if dir.is_empty() || used.kind == BaseUrlKind::Pages {
        return None;
    }
    let prefix = format!("{dir}/");
    let mut listed = listed.into_iter().peekable();
    if listed.peek().is_none() || !listed.all(|file| file.as_bytes().starts_with(prefix.as_bytes()))
    {
        return None;
    }
    let below = display_path(&output_dir.join(dir));
    let message = format!(
        "every listed page is in `{below}`, so the URLs would begin with `{}{prefix}`: the base URL, \
         from {}, has the path already",
        used.url, used.origin
    );
    let hint = format!(
        "pass the directory that is served at it, `-o {below}`, or the URL of the output directory, \
         `--base-url {}/`",
        used.url.origin()
    );
    Some(Finding::new(code::BASE_PATH_TWICE, Subject::Site, message).with_hint(hint))
}

/// Reports that most pages are excluded because of a canonical link to the home page.
pub fn canonical_home(base: &BaseUrl, bases: &PageBases) -> Option<Finding> {
    let count = bases.to_home;
    if count < FEW_PAGES || count * 2 <= bases.pages {
        return None;
    }
    let message = format!(
        "{count} of {} pages have the home page `{base}` as canonical link, so they are excluded",
        bases.pages
    );
    let hint = "write the URL of each page, not of the site, in the template's canonical link";
    Some(Finding::new(code::CANONICAL_HOME, Subject::Site, message).with_hint(hint))
}

/// Refuses a set that lacks most of the URLs of the one that waypost wrote last, or each of a small one.
pub fn set_shrunk(dropped: usize, listed: usize) -> Option<Finding> {
    let message = format!(
        "{dropped} of the {listed} URLs in the previous sitemap are not in the new one: is the build \
         complete, and is the base URL still the same?"
    );
    is_shrunk(dropped, listed).then(|| overruled(code::SET_SHRUNK, message))
}

/// Refuses a set that would replace another program's and lacks most of its entries, of which
/// `unexplained` are not those of excluded pages.
pub fn set_replaced_shrunk(unexplained: usize, listed: usize) -> Option<Finding> {
    let message = format!(
        "{unexplained} of the {listed} URLs in the sitemap that this one replaces are not in the new \
         one, and no page at them is excluded: is the build complete, and is the base URL right?"
    );
    is_shrunk(unexplained, listed).then(|| overruled(code::SET_SHRUNK, message))
}

/// Refuses a set that would replace another program's and keeps none of its language links, unless
/// the pages themselves state others.
pub fn language_links_lost(links: ContentChange) -> Option<Finding> {
    let stated = links.before - links.overruled;
    if stated <= FEW || links.lost < links.before {
        return None;
    }
    let message = format!(
        "none of the {stated} language links in the sitemap that this one replaces can be kept"
    );
    Some(overruled(code::SET_SHRUNK, message))
}

/// Refuses a set in which most of the dates are missing that pages of both sets had.
pub fn dates_lost(undated: usize, dated: usize) -> Option<Finding> {
    let message = format!(
        "{undated} of the {dated} pages with a date in the previous sitemap have none now: is the Git \
         history complete, and are the sources in the repository?"
    );
    is_too_many(undated, dated).then(|| overruled(code::DATES_LOST, message))
}

/// Whether a share of pages is a sign of a mistake: more than half, and more than a few.
fn is_too_many(part: usize, whole: usize) -> bool {
    part > FEW && is_most(part, whole)
}

/// Whether a set lacks too many URLs, or nothing is left of a small one. Of one or two pages, both may have
/// moved.
fn is_shrunk(part: usize, whole: usize) -> bool {
    is_too_many(part, whole) || part == whole && (FEW_PAGES..=FEW).contains(&whole)
}

fn overruled(code: &'static Code, message: String) -> Finding {
    let hint = format!(
        "`waypost explain` shows the reason for each page; if this is intended, run once with \
         `--accept {}`",
        code.name
    );
    Finding::new(code, Subject::Site, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> BaseUrl {
        BaseUrl::parse(text).expect("a base URL")
    }

    fn found(text: &str, kind: BaseUrlKind) -> FoundBaseUrl {
        FoundBaseUrl::new(base(text), kind, "a test")
    }

    #[test]
    fn a_base_url_is_contradicted_only_by_more_than_half_of_the_pages() {
        let check = |listed: usize, links: &[(&str, &str)], here: &str, expected: bool| {
            let used = found("https://example.com/", BaseUrlKind::Generator);
            let mut bases = PageBases::default();
            (0..listed).for_each(|_| bases.add_listed());
            for (file, url) in links {
                let page = used.url.resolve(url).expect("a URL");
                let is_here = || *url == here;
                bases.add_elsewhere(&used.url, &SitePath::from(*file), &page, is_here);
            }
            let finding = base_contradicted(&used, &bases, None);
            assert_eq!(finding.is_some(), expected, "{listed} {links:?}");
        };
        let staging = ("a.html", "https://staging.example.com/a");
        check(0, &[staging], "", true);
        check(1, &[staging], "", false);
        check(1, &[staging, staging], "", true);
        check(0, &[("a/index.html", "http://example.com/a/")], "", true);
        check(
            0,
            &[("a/index.html", "https://example.com/docs/a/")],
            "",
            true,
        );
        // A copy of a page of this site.
        let copy = "https://example.com/en/a/";
        check(0, &[("a/index.html", copy)], copy, false);
        // Posts that first appeared elsewhere.
        check(
            0,
            &[("a/index.html", "https://example.org/post/7")],
            "",
            false,
        );
        check(0, &[], "", false);
    }

    #[test]
    fn a_set_shrinks_by_more_than_half_and_more_than_ten() {
        let check = |dropped: usize, listed: usize, expected: bool| {
            assert_eq!(set_shrunk(dropped, listed).is_some(), expected);
            assert_eq!(dates_lost(dropped, listed).is_some(), expected);
        };
        assert!(dates_lost(10, 10).is_none());
        check(10, 11, false);
        check(11, 11, true);
        check(11, 22, false);
        check(12, 22, true);
        check(0, 0, false);
        check(400, 1000, false);
    }
}
