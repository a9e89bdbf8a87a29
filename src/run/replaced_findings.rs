//! Reports the losses when a new set replaces another program's sitemap: refusals, and warnings with
//! the setting that avoids the loss.

use std::collections::BTreeSet;
use std::fmt;

use super::replaced_content::sitemaps_of_dirs;
use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code, counted};
use crate::pages::{Inventory, is_single_page};
use crate::publish::written_names;
use crate::site::{LoadedSite, language_links_lost, set_replaced_shrunk};
use crate::sources::HistoryOptions;
use crate::survey::{SetPlace, SitemapChanges, file_at, file_of_sitemap};
use git_last_modified::{FileHistory, Source};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{Plan, quoted};

/// How many pages or URLs to name in a message.
const NAMED: usize = 3;

/// How many pages to name in a setting to copy.
const MOST_GLOBS: usize = 50;

/// Returns the findings about sitemaps of other programs that the plan replaces; `changes` are those
/// from the set on disk.
pub fn replaced_findings(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    changes: &SitemapChanges,
) -> Vec<Finding> {
    let is_foreign = !loaded.replaced.foreign.is_empty() && !changes.is_by_waypost;
    if !is_foreign || plan.files().is_empty() {
        return Vec::new();
    }
    let lost = LostEntries::of(&loaded.output, inventory, changes);
    let elsewhere = sitemaps_elsewhere(loaded, inventory.base());
    let settings = loaded.settings();
    let listed = plan.entries().len() - changes.added.len() + changes.removed.len();
    let unexplained = lost.files.len() + lost.missing.len();
    // A set without any of these pages was made for another base URL or of another build.
    let is_disjoint = plan.entries().len() == changes.added.len() && lost.respelt.is_empty();
    let is_of_another_base = lost.elsewhere > 0 && is_disjoint;
    let has_links = settings.sitemap.hreflang && !is_of_another_base;
    let links = has_links.then_some(changes.alternates);
    let findings = [
        set_replaced_shrunk(unexplained, listed),
        links.and_then(language_links_lost),
        not_ours(loaded, inventory, plan, changes, &elsewhere),
        lost.finding(&settings.extensions.0),
        lost.without_file(inventory.base()),
        index_lost(&elsewhere),
        (!is_disjoint)
            .then(|| omitted(loaded, inventory, plan, changes, &lost.respelt))
            .flatten(),
    ];
    findings.into_iter().flatten().collect()
}

/// The entries that the new set lacks although no page at their URL is excluded.
#[derive(Default)]
struct LostEntries {
    /// Files that are not pages.
    files: Vec<SitePath>,
    /// The URLs of entries without a file.
    missing: Vec<String>,
    /// Pages that it lists under another URL than the new set.
    respelt: BTreeSet<SitePath>,
    /// The number of entries outside the base URL: the program that wrote them knew another one.
    elsewhere: usize,
}

impl LostEntries {
    fn of(output: &Tree, inventory: &Inventory, changes: &SitemapChanges) -> Self {
        let mut lost = Self::default();
        for listed in &changes.removed {
            let Some(url) = inventory.base().resolve(listed) else {
                lost.missing.push(listed.clone());
                continue;
            };
            if inventory.base().path_below(&url).is_none() {
                lost.elsewhere += 1;
            } else if let Some(page) = inventory.page_at(&url) {
                lost.respelt.insert(page.file.clone());
            } else {
                match file_at(output, inventory.base(), &url) {
                    Some(file) => lost.files.push(file),
                    None => lost.missing.push(listed.clone()),
                }
            }
        }
        lost
    }

    /// Reports the files that are not pages, with the setting that lists them; `known` are the
    /// extensions of pages.
    fn finding(&self, known: &[String]) -> Option<Finding> {
        let first = self.files.first()?;
        let further = self.files.iter().filter_map(|file| {
            let ending = String::from_utf8_lossy(file.extension()?).to_ascii_lowercase();
            (!known.contains(&ending)).then_some(ending)
        });
        let further: BTreeSet<String> = further.collect();
        let all = known.iter().chain(&further);
        let all: Vec<String> = all.map(|ending| format!("\"{ending}\"")).collect();
        let message = format!(
            "the new sitemap lacks {} of the sitemap that it replaces, such as `{first}`, because of \
             their extensions",
            counted(self.files.len(), "file")
        );
        let hint = format!("to list them, set `extensions = [{}]`", all.join(", "));
        Some(Finding::new(code::ENTRIES_LOST, Subject::Site, message).with_hint(hint))
    }

    /// Reports the entries at whose URLs the build wrote no file: a server may answer there.
    fn without_file(&self, base: &BaseUrl) -> Option<Finding> {
        let message = format!(
            "the new sitemap lacks {} of the sitemap that it replaces, at which the build wrote no file: \
             {}",
            counted(self.missing.len(), "URL"),
            first_of(self.missing.iter().map(|url| quoted(url)))
        );
        let mut globs = Vec::new();
        for url in self.missing.iter().take(MOST_GLOBS) {
            if let Some(url) = base.resolve(url)
                && let Some(path) = base.path_below(&url)
            {
                globs.push(format!("\"/{path}\""));
            }
        }
        let hint = format!(
            "if a server answers there, set `sitemap.keep = [{}]`, or globs for them",
            globs.join(", ")
        );
        let finding = Finding::new(code::ENTRIES_LOST, Subject::Site, message).with_hint(hint);
        (!self.missing.is_empty()).then_some(finding)
    }
}

/// The URLs of sitemaps that only the replaced index names: of another build at this host, or of another host.
fn sitemaps_elsewhere(loaded: &LoadedSite, base: &BaseUrl) -> Vec<String> {
    let mut others = Vec::new();
    for root in &loaded.replaced.roots {
        let index = loaded.survey.sitemaps.file(root);
        for child in index.iter().flat_map(|index| &index.children) {
            // The sitemaps of most hosts have the name of this index.
            let nearest = child.file.as_ref().and_then(SetPlace::below);
            let nearest = nearest.filter(|file| *file != root).cloned();
            let is_here = child.loc.starts_with(base.as_str());
            let named = file_of_sitemap(&child.loc, base).filter(|_| is_here);
            let mut files = named.into_iter().chain(nearest);
            let is_url = PageUrl::parse(&child.loc).is_some();
            if is_url && !files.any(|file| loaded.output.has_file(&file)) {
                others.push(quoted(&child.loc));
            }
        }
    }
    others
}

/// Reports sitemaps that no index names any more.
fn index_lost(elsewhere: &[String]) -> Option<Finding> {
    let message = format!(
        "the new sitemap does not name {} of the index that it replaces, which this build did not write: {}",
        counted(elsewhere.len(), "sitemap"),
        first_of(elsewhere.iter())
    );
    let hint = "to keep the index, set `sitemap.file` to another name; `waypost index` writes one over several";
    let finding = Finding::new(code::ENTRIES_LOST, Subject::Site, message).with_hint(hint);
    (!elsewhere.is_empty()).then_some(finding)
}

/// The first of many names.
fn first_of(names: impl ExactSizeIterator<Item = impl fmt::Display>) -> String {
    let more = if names.len() > NAMED { ", …" } else { "" };
    let shown: Vec<String> = names.take(NAMED).map(|name| format!("`{name}`")).collect();
    shown.join(", ") + more
}

/// Refuses to replace a sitemap that a person keeps: a file of a source directory, or one that Git
/// tracks and that lists what the new set lacks.
fn not_ours(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    changes: &SitemapChanges,
    elsewhere: &[String],
) -> Option<Finding> {
    let site = &loaded.site;
    let written = written_names(plan);
    let mut replaced = loaded.replaced.foreign.iter().filter(|file| {
        // A text sitemap has no place for a mark, so it may be waypost's own.
        written.contains(&*file.to_text()) && file.extension() != Some(b"txt")
    });
    let copied_from = |file: &SitePath| {
        let copy = file.below_dir(loaded.output_dir());
        let bytes = std::fs::read(&copy).ok()?;
        for dir in site.generator?.static_dirs(&site.config) {
            let source = file.below_dir(&dir.below_dir(&site.root));
            if site.tree.is_file(&source)
                && site.tree.resolved(&source) != site.tree.resolved(&copy)
                && std::fs::read(&source).is_ok_and(|source| source == bytes)
            {
                return Some(source);
            }
        }
        None
    };
    if let Some((file, source)) = replaced
        .clone()
        .find_map(|file| Some((file, copied_from(file)?)))
    {
        let source = SitePath::below(&site.root, &source)?;
        let message = format!("`{file}` is a copy of `{source}`, which a person keeps");
        let hint = "remove that file";
        return Some(kept_by_person(file, message, hint));
    }
    let file = replaced.next().filter(|_| site.generator.is_none())?;
    // If the home page names the program that made it, that made the sitemap too.
    if !is_tracked(loaded, file) || loaded.home.states_generator {
        return None;
    }
    let elements: Vec<String> = changes
        .unread
        .elements
        .iter()
        .filter(|(name, _)| ["video", "news"].contains(&name.as_str()))
        .map(|(name, count)| format!("{count} `<{name}:{name}>`"))
        .collect();
    if !elements.is_empty() {
        let message = format!(
            "a person may keep `{file}`: Git tracks it, and it has {}, which the new sitemap would lack",
            elements.join(" and ")
        );
        return Some(kept_by_person(
            file,
            message,
            "move these to a sitemap of their own",
        ));
    }
    if let Some(first) = elsewhere.first() {
        let message = format!(
            "a person may keep `{file}`: Git tracks it, and it names `{first}`, which this build did not write"
        );
        return Some(kept_by_person(file, message, "remove it from the index"));
    }
    // Another spelling of a listed page, such as `/index.html`, is not lacking.
    let lacking = changes
        .removed
        .iter()
        .filter(|url| inventory.number_at(plan, url).is_none());
    let (first, number) = (lacking.clone().next()?, lacking.count());
    let message = format!(
        "a person may keep `{file}`: Git tracks it, and it lists {} that the new sitemap lacks, such as \
         `{}`",
        counted(number, "URL"),
        quoted(first)
    );
    Some(kept_by_person(
        file,
        message,
        "list these URLs, or remove the file",
    ))
}

fn kept_by_person(file: &SitePath, message: String, remedy: &str) -> Finding {
    let hint = format!(
        "{remedy}; to replace it, run once with `--accept {}`, or set `sitemap.file` to another name",
        code::SITEMAP_NOT_OURS.name
    );
    Finding::new(code::SITEMAP_NOT_OURS, file, message).with_hint(hint)
}

/// Whether the checked-out commit contains a file of the output. Problems of the history have been
/// reported where pages are dated.
fn is_tracked(loaded: &LoadedSite, file: &SitePath) -> bool {
    let options = HistoryOptions::of(loaded, None);
    let history = options.query([Source::File(file.below_dir(loaded.output_dir()))]);
    history.is_ok_and(|history| history.files.iter().any(FileHistory::is_tracked))
}

/// Reports single pages that the generator's own sitemap omits, which may be a decision of the
/// owner: a condition in a template, or a filter in the settings.
fn omitted(
    loaded: &LoadedSite,
    inventory: &Inventory,
    plan: &Plan,
    changes: &SitemapChanges,
    respelt: &BTreeSet<SitePath>,
) -> Option<Finding> {
    let generator = loaded.site.generator?;
    let writes = !generator.own_sitemaps.default_text().is_empty();
    let added: BTreeSet<&str> = plan.urls(&changes.added).collect();
    let mut omitted = Vec::new();
    for page in inventory.pages.listed() {
        if added.contains(page.url.as_str())
            && !respelt.contains(&page.file)
            && is_single_page(generator, page.source.as_ref())
        {
            omitted.push(&page.file);
        }
    }
    if !omitted.is_empty() {
        // Pages in a directory with a sitemap of its own are not those of this one.
        let mut others = sitemaps_of_dirs(&loaded.output, plan.root());
        others.retain(|other| !loaded.replaced.foreign.contains(other));
        omitted.retain(|file| {
            !others
                .iter()
                .any(|other| file.as_bytes().starts_with(other.dir()))
        });
    }
    let first = *omitted.first()?;
    // A sitemap that lacks most pages was not made for all of them.
    if !writes || omitted.len() * 2 > inventory.pages.listed().count() {
        return None;
    }
    let message = format!(
        "{}'s own sitemap omits {} with a known source: {}",
        generator.title,
        counted(omitted.len(), "page"),
        first_of(omitted.iter())
    );
    let globs: Vec<String> = omitted
        .iter()
        .take(MOST_GLOBS)
        .map(|file| format!("\"{file}\""))
        .collect();
    let hint = format!(
        "if that is on purpose, set `exclude = [{}]`, or `sitemap.omitted = \"exclude\"`",
        globs.join(", ")
    );
    Some(Finding::new(code::OWN_SITEMAP_OMITS, first, message).with_hint(hint))
}
