//! Checks which sitemaps exist and whether they are complete: none at all, compressed copies that
//! differ, index entries that readers cannot follow, and pages that none of them lists; and that robots.txt
//! names the sitemaps and lets crawlers fetch them.

use super::existing::{CheckContext, ExistingSitemaps, path_of};
use super::file_form::CheckedFile;
use crate::findings::{Code, Finding, Findings, Subject, code};
use crate::site::linked_sitemap;
use crate::survey::{NamedChild, file_below_base, file_of_sitemap};
use sitemaps::robots_txt::RobotsTxt;
use sitemaps::site_paths::SitePath;
use sitemaps::{contents_equal, quoted};

/// Maximum number of URLs named in a message.
const MAX_NAMED_URLS: usize = 3;

/// Reports missing sitemaps, and what is wrong with those that exist. `missing` are the planned entries that
/// they lack.
pub(super) fn check(
    case: &CheckContext<'_>,
    set: &ExistingSitemaps,
    missing: &[u32],
    findings: &Findings,
) {
    findings.extend(no_sitemap(case, set));
    findings.extend(missing_pages(case, set, missing));
    for sitemap in &set.files {
        findings.extend(differing_twin(case, sitemap));
    }
    check_names(case, set, findings);
    if applies(case) {
        findings.extend(unnamed(case, set));
        report_disallowed(case, set, findings);
    }
}

/// Reports links, indexes and the lines of an applying robots.txt that name a sitemap which exists neither
/// now nor after the build.
pub(super) fn check_names(case: &CheckContext<'_>, set: &ExistingSitemaps, findings: &Findings) {
    findings.extend(missing_link(case));
    for index in &set.files {
        for child in &index.read.children {
            findings.extend(missing_child(case, index, child));
        }
    }
    for url in set.missing_in_robots.iter().filter(|_| applies(case)) {
        let message =
            format!("robots.txt names the sitemap `{url}`, which the build did not write");
        let finding = robots_finding(case, code::ROBOTS_TXT_SITEMAP_UNREADABLE, message);
        let hint = "correct or remove the line, unless another deployment serves it";
        findings.add(finding.with_hint(hint));
    }
}

fn no_sitemap(case: &CheckContext<'_>, set: &ExistingSitemaps) -> Option<Finding> {
    if !set.files.is_empty() || set.has_feed || case.pages.plan.files().is_empty() {
        return None;
    }
    let subject = Subject::File(case.pages.loaded.output_dir().to_owned(), None);
    let message = "no sitemap found in the output directory";
    let finding = Finding::new(code::SITEMAP_MISSING, subject, message);
    Some(finding.with_hint("run `waypost` as the last step of the build"))
}

/// Reports a link of the home page to a sitemap that does not exist.
fn missing_link(case: &CheckContext<'_>) -> Option<Finding> {
    let base = case.pages.inventory.base();
    let url = linked_sitemap(&case.pages.loaded.home, base)?;
    file_below_base(&url, base).filter(|file| !case.has(file))?;
    let message = format!("`<link rel=\"sitemap\">` names `{url}`, which the build did not write");
    let hint = "correct the link, or set `sitemap.file` to this name";
    let subject = Subject::Page(SitePath::from("index.html"), None);
    Some(Finding::new(code::SITEMAP_MISSING, subject, message).with_hint(hint))
}

/// Reports that the sitemap is older than the site, or that its generator knew less about the site.
fn missing_pages(
    case: &CheckContext<'_>,
    set: &ExistingSitemaps,
    missing: &[u32],
) -> Option<Finding> {
    let own = case.pages.loaded.settings().sitemap.file.as_bytes();
    let first = set
        .pages()
        .find(|sitemap| path_of(&sitemap.file.place).as_bytes() == own)
        .or(set.pages().next())
        .or(set.files.first())?;
    let named: Vec<String> = case
        .pages
        .plan
        .urls(missing)
        .take(MAX_NAMED_URLS)
        .map(|url| format!("`{url}`"))
        .collect();
    if named.is_empty() {
        return None;
    }
    let count = missing.len();
    let more = if count > named.len() { ", …" } else { "" };
    let named = named.join(", ");
    let message = format!("no sitemap lists these pages ({count} in total): {named}{more}");
    let subject = first.value.subject.clone();
    let hint = "run `waypost`; `--verbose` lists all of them";
    Some(Finding::new(code::SITEMAP_LACKS_PAGES, subject, message).with_hint(hint))
}

/// Reports a compressed copy of a sitemap with different content. An identical copy is not checked
/// again.
fn differing_twin(case: &CheckContext<'_>, sitemap: &CheckedFile) -> Option<Finding> {
    let (dir, file) = (&case.pages.loaded.output, path_of(&sitemap.file.place));
    let twin = SitePath::new([file.as_bytes(), b".gz"].concat());
    if !dir.has_file(&twin) {
        return None;
    }
    let plain = dir.open(file);
    let message = match plain.and_then(|plain| contents_equal(plain, dir.open(&twin)?)) {
        Ok(true) => return None,
        Ok(false) => format!("`{twin}` differs from `{file}`"),
        Err(error) => format!("`{twin}` cannot be compared with `{file}`: {error}"),
    };
    let hint = "write both in one run, or remove the compressed one";
    let subject = Subject::Page(twin, None);
    Some(Finding::new(code::SITEMAP_STALE, subject, message).with_hint(hint))
}

/// Reports a child below the base URL that the build did not write.
fn missing_child(
    case: &CheckContext<'_>,
    index: &CheckedFile,
    child: &NamedChild,
) -> Option<Finding> {
    let base = case.pages.inventory.base();
    if !child.loc.starts_with(base.as_str())
        || child.file.is_some()
        || file_of_sitemap(&child.loc, base).is_some_and(|file| case.built.written.contains(&file))
    {
        return None;
    }
    let (named, name) = (quoted(&child.loc), &index.value.name);
    let message = format!("`{name}` names the sitemap `{named}`, which the build did not write");
    let subject = index.value.subject.at(child.place);
    let finding = Finding::new(code::SITEMAP_MISSING, subject, message);
    let hint = "create it, or remove it from the index; if another deployment serves it, set \
                `sitemap-missing = \"warn\"` in `[levels]`";
    Some(finding.with_hint(hint))
}

/// Whether crawlers read the file: only that at the root of a host applies (RFC 9309 section 2.3).
fn applies(case: &CheckContext<'_>) -> bool {
    case.pages.inventory.base().is_host_root() && case.robots.is_readable()
}

fn robots_finding(
    case: &CheckContext<'_>,
    code: &'static Code,
    message: impl Into<String>,
) -> Finding {
    Finding::new(code, Subject::File(case.robots.path.clone(), None), message)
}

/// Reports that robots.txt names none of the sitemaps.
fn unnamed(case: &CheckContext<'_>, set: &ExistingSitemaps) -> Option<Finding> {
    let mut roots = set.files.iter().filter(|file| file.file.parent.is_none());
    let root = roots.next().filter(|_| set.named_in_robots.is_empty())?;
    let message = match case.robots.bytes() {
        Some(_) => "robots.txt does not name a sitemap of this site",
        None => "no robots.txt names a sitemap of this site",
    };
    let base = case.pages.inventory.base();
    let url = base.file_url(path_of(&root.file.place));
    let hint = format!("add the line `Sitemap: {url}`");
    Some(robots_finding(case, code::ROBOTS_TXT_NO_SITEMAP, message).with_hint(hint))
}

/// Reports the sitemaps that crawlers may not fetch.
fn report_disallowed(case: &CheckContext<'_>, set: &ExistingSitemaps, findings: &Findings) {
    let robots_txt = case
        .robots
        .bytes()
        .map(RobotsTxt::parse)
        .unwrap_or_default();
    let agents = &case.pages.loaded.settings().robots_txt.agents;
    let rules = robots_txt.rules_for_agents(agents);
    for sitemap in &set.files {
        let file = path_of(&sitemap.file.place);
        let url = case.pages.inventory.base().file_url(file);
        if let Some(how) = rules.disallowed_by(&url, "robots.txt") {
            let message = format!("`{file}` is {how}");
            let hint = format!("add `Allow: {}`", url.path_and_query());
            let found = robots_finding(case, code::ROBOTS_TXT_SITEMAP_UNREADABLE, message);
            findings.add(found.with_hint(hint));
        }
    }
}
