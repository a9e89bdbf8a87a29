//! `waypost explain`: prints the inventory as text or as JSON Lines.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::build::prepare;
use super::command_error::CommandError;
use super::documentation::Section;
use super::exit_code::{EXIT_FAILURE, EXIT_SUCCESS};
use super::explain_text::{date_text, explain_page};
use super::findings::{RESULT_VERSION, RunFindings};
use super::numbers::grouped;
use super::opts::ExplainArgs;
use super::printer::{FAINT, Printer, STRONG, styled};
use super::settings;
use crate::config::nearest;
use crate::decide::Verdict;
use crate::inventory::{Inventory, InventoryPage};
use crate::pipeline::{PlannedSite, SiteInventory, build_inventory, plan_site};
use crate::site::LoadedSite;
use sitemaps::UrlFiles;
use sitemaps::site_paths::containment::absolute;
use sitemaps::site_paths::finding::Level;
use sitemaps::site_paths::{BaseUrl, SitePath, display_path, escaped};

/// Width of a date with its UTC offset.
const DATE_WIDTH: usize = 25;

/// Longer file names do not widen the column of all.
const MAX_FILE_WIDTH: usize = 40;

pub(super) fn explain(args: &ExplainArgs, printer: &Printer) -> Result<u8, CommandError> {
    if let Some(section) = section_named(&args.common.site) {
        Printer::text(&section.shown())?;
        return Ok(EXIT_SUCCESS);
    }
    let mut request = prepare(&args.common)?;
    let mut pages = args.pages.clone();
    if is_page(&request.site) {
        pages.insert(0, request.site.to_string_lossy().into_owned());
        request.site = PathBuf::from(".");
    }
    let given = request.site.clone();
    let loaded = LoadedSite::load(request)?;
    if args.settings {
        Printer::text(&settings::shown(&loaded))?;
        return Ok(EXIT_SUCCESS);
    }
    let SiteInventory {
        inventory,
        findings,
        ..
    } = build_inventory(&loaded)?;
    let PlannedSite { plan, findings, .. } = plan_site(&loaded, &inventory, findings);
    let url_files = plan.url_files();
    let root = &loaded.site.root;
    let root = (absolute(root) != absolute(&given)).then(|| display_path(root));
    let (lines, unknown) = find_pages(&loaded, &inventory, &pages);
    for page in &unknown {
        printer.error(
            &format!("no page matches `{}`", page.escape_debug()),
            Some(&unknown_page_hint(page, &loaded, &inventory)),
        );
    }
    let explained = lines
        .iter()
        .map(|line| ExplainedPage::of(line, &loaded, root.as_deref(), &url_files));
    if args.json {
        Printer::json_lines(
            explained.map(|page| serde_json::to_string(&page).expect("the keys are strings")),
        )?;
    } else if pages.is_empty() {
        RunFindings::of_site(&findings, &loaded, Level::Deny).show(printer);
        Printer::text_lines(table(explained, &lines))?;
        let listed = inventory.pages.iter();
        let listed = listed.filter(|page| page.verdict == Verdict::Listed);
        let sourced = listed.clone().filter(|page| page.source.is_some());
        let [sourced, listed] = [sourced.count(), listed.count()].map(grouped);
        let relative = root.as_ref().map(|root| format!(", relative to `{root}`"));
        let relative = relative.unwrap_or_default();
        printer.say(&format!(
            "{sourced} of {listed} listed pages have a source{relative}"
        ));
    } else {
        let lines = lines.iter();
        let pages = lines.map(|line| explain_page(&loaded, &inventory.base, line, &url_files));
        Printer::text(&pages.collect::<Vec<_>>().join("\n"))?;
    }
    Ok(if unknown.is_empty() {
        EXIT_SUCCESS
    } else {
        EXIT_FAILURE
    })
}

/// The documentation that the first argument names, unless it is a path on disk.
fn section_named(argument: &Path) -> Option<Section> {
    let section = Section::of(argument.to_str()?)?;
    (!argument.exists()).then_some(section)
}

/// Whether the first argument is a page of the site in the working directory: a URL, its path, or a
/// file name with an extension.
fn is_page(argument: &Path) -> bool {
    let is_url = ["http:", "https:"].iter().any(|s| argument.starts_with(s));
    let is_name = argument.extension().is_some() || argument.has_root();
    is_url || (is_name && !argument.is_dir())
}

/// The names of a page: its URL, the path of that, also below the base URL, its file and its source.
fn names_of(page: &InventoryPage, loaded: &LoadedSite<'_>, base: &BaseUrl) -> Vec<String> {
    let source = page.source_path(&loaded.site, loaded.output_dir());
    let source = source.map(|path| path.to_text().into_owned());
    let url = &page.url;
    let names = [url.as_str(), url.path_and_query()].into_iter();
    let names = names.chain(base.path_below(url)).map(str::to_owned);
    let file = page.file.to_text().into_owned();
    names.chain([file]).chain(source).collect()
}

/// The remedy for a name that no page has: the nearest URL path for a URL or a URL path, else the
/// nearest file or source.
fn unknown_page_hint(typed: &str, loaded: &LoadedSite<'_>, inventory: &Inventory) -> String {
    let base = &inventory.base;
    let path = typed.strip_prefix(base.origin()).unwrap_or(typed);
    let pages = inventory.pages.iter();
    let names = pages.flat_map(|page| names_of(page, loaded, base));
    let names = names.filter(|name| name.starts_with('/') == path.starts_with('/'));
    let names: Vec<String> = names.collect();
    if let Some(name) = nearest(path, names.iter().map(String::as_str)) {
        return format!("did you mean `{}`?", name.escape_debug());
    }
    match nearest(path, Section::names()) {
        Some(name) => format!("did you mean `waypost explain {name}`?"),
        None => "give a page's file, URL or source; without a page, all are shown".to_owned(),
    }
}

/// Finds the requested pages; the second value lists the names that match no page.
fn find_pages<'l>(
    loaded: &LoadedSite<'_>,
    inventory: &'l Inventory,
    requested: &[String],
) -> (Vec<&'l InventoryPage>, Vec<String>) {
    if requested.is_empty() {
        return (inventory.pages.iter().collect(), Vec::new());
    }
    let mut unknown = Vec::new();
    let mut found: Vec<&InventoryPage> = Vec::new();
    for typed in requested {
        let meanings = meanings(typed, loaded, &inventory.base);
        let known = found.len();
        found.extend(inventory.pages.iter().filter(|page| {
            let names = names_of(page, loaded, &inventory.base);
            let mut names = names.iter().map(|name| name.trim_end_matches('/'));
            names.any(|name| meanings.iter().any(|meant| meant == name))
        }));
        if found.len() == known {
            unknown.push(typed.clone());
        }
    }
    found.sort_by_key(|page| &page.file);
    found.dedup_by_key(|page| &page.file);
    (found, unknown)
}

/// The names that an argument may have, without final slashes: the text, without the base URL, its path,
/// a leading `/` or `./`; and its path from the working directory, below the output directory and below
/// the site root.
fn meanings(typed: &str, loaded: &LoadedSite<'_>, base: &BaseUrl) -> Vec<String> {
    let beginnings = ["", base.as_str(), base.path(), "/", "./"].into_iter();
    let texts = beginnings.filter_map(|beginning| typed.strip_prefix(beginning));
    let texts = texts.map(|text| text.trim_end_matches('/').to_owned());
    let dirs = [loaded.output_dir(), loaded.site.root.as_path()];
    let resolved = dirs.map(|dir| below(dir, typed));
    texts.chain(resolved.into_iter().flatten()).collect()
}

/// Resolves a path from the working directory and makes it relative to `dir`, if it is inside.
fn below(dir: &Path, typed: &str) -> Option<String> {
    let [path, dir] = [Path::new(typed), dir].map(std::path::absolute);
    SitePath::below(&dir.ok()?, &path.ok()?).map(|path| path.to_text().into_owned())
}

/// One line of `explain --json`.
#[derive(Debug, Serialize)]
struct ExplainedPage<'l> {
    version: u8,
    file: String,
    url: &'l str,
    listed: bool,
    reason: Option<&'static str>,
    evidence: Option<&'l str>,
    lastmod: Option<String>,
    lastmod_from: Option<&'static str>,
    source: Option<String>,
    source_from: Option<&'static str>,
    /// The site root, to which `source` is relative, if it is not the given site.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_root: Option<&'l str>,
    commit: Option<String>,
    dated_by: Option<String>,
    priority: Option<f64>,
    changefreq: Option<&'static str>,
    rules: &'l [usize],
    sitemap: Option<&'l str>,
    undated: Option<&'static str>,
}

impl<'l> ExplainedPage<'l> {
    fn of(
        line: &'l InventoryPage,
        loaded: &LoadedSite<'_>,
        root: Option<&'l str>,
        url_files: &UrlFiles<'l>,
    ) -> Self {
        let (site, output_dir) = (&loaded.site, loaded.output_dir());
        let exclusion = match &line.verdict {
            Verdict::Listed => None,
            Verdict::Excluded(exclusion) => Some(exclusion),
        };
        let text = |path: SitePath| path.to_text().into_owned();
        let values = &line.rule_outcome.entry;
        let sitemap = url_files.file_of(line.url.as_str());
        Self {
            version: RESULT_VERSION,
            file: line.file.to_text().into_owned(),
            url: line.url.as_str(),
            listed: exclusion.is_none(),
            reason: exclusion.map(|exclusion| exclusion.reason.code.name),
            evidence: exclusion.map(|exclusion| exclusion.evidence.as_str()),
            lastmod: date_text(line.lastmod, loaded.settings().lastmod.format),
            lastmod_from: line.dated.name(),
            source: line.source_path(site, output_dir).map(text),
            source_from: line.source.as_ref().map(|source| source.step().word()),
            source_root: root.filter(|_| line.source.is_some()),
            commit: line.dated.commit().map(|change| change.commit.to_string()),
            dated_by: line.dated_by(site, output_dir).map(text),
            priority: values.priority.map(sitemaps::Priority::value),
            changefreq: values.changefreq.map(sitemaps::ChangeFreq::as_str),
            rules: &line.rule_outcome.rules,
            sitemap: sitemap
                .filter(|_| exclusion.is_none())
                .map(|file| file.name.as_str()),
            undated: line.dated.absence(),
        }
    }
}

/// Formats all pages below a heading, one per line: in or out, date, file, and the source or why there
/// is no date or no entry.
fn table<'t>(
    pages: impl Iterator<Item = ExplainedPage<'t>>,
    lines: &[&InventoryPage],
) -> impl Iterator<Item = String> {
    let files = lines.iter().map(|line| line.file.to_string());
    let widths = files.map(|file| file.chars().count());
    let width = widths.filter(|width| *width <= MAX_FILE_WIDTH).max();
    let width = width.unwrap_or(0).max("page".len());
    let heading = format!(
        "     {:<DATE_WIDTH$}  {:<width$}  source, or reason\n",
        "lastmod", "page"
    );
    let formatted = pages.map(move |page| {
        let date = page.lastmod.as_deref().unwrap_or("-");
        let source = page.source.as_deref().unwrap_or("-");
        let (mark, why) = match (page.reason, page.evidence, page.undated) {
            (Some(reason), Some(evidence), _) => {
                (styled(FAINT, "out"), format!("{reason}: {evidence}"))
            }
            (.., Some(undated)) => (
                styled(STRONG, "in "),
                format!("{source} (no date: {undated})"),
            ),
            (.., None) => (styled(STRONG, "in "), source.to_owned()),
        };
        let file = escaped(&page.file);
        let why = styled(FAINT, escaped(&why));
        format!("{mark}  {date:<DATE_WIDTH$}  {file:<width$}  {why}\n")
    });
    std::iter::once(heading).chain(formatted)
}
