//! `waypost explain`: prints the inventory as text or as JSON Lines.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::build::prepare;
use super::command_error::CommandError;
use super::exit_code::{EXIT_FAILURE, EXIT_SUCCESS};
use super::explain_text::{date_text, explain_page};
use super::findings::{self, PlaceResolver};
use super::json_result::RESULT_VERSION;
use super::numbers::grouped;
use super::opts::ExplainArgs;
use super::printer::{FAINT, Printer, STRONG, styled};
use super::settings;
use crate::config::nearest;
use crate::decide::Verdict;
use crate::inventory::{Inventory, InventoryPage};
use crate::pipeline::{PlannedSite, SiteInventory, build_inventory, plan_site};
use crate::site::LoadedSite;
use page_sources::generator::Site;
use site_paths::containment::absolute;
use site_paths::finding::Level;
use site_paths::{BaseUrl, SitePath, display_path, escaped};
use sitemaps::{DateFormat, UrlFiles};

/// Width of a date with its UTC offset.
const DATE_WIDTH: usize = 25;

/// Longer file names do not widen the column of all.
const MAX_FILE_WIDTH: usize = 40;

pub(super) fn explain(args: &ExplainArgs, printer: &Printer) -> Result<u8, CommandError> {
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
    let (site, output_dir) = (&loaded.site, loaded.output_dir());
    let (levels, format) = (&loaded.settings().levels, loaded.settings().lastmod.format);
    let root = (absolute(&site.root) != absolute(&given)).then(|| display_path(&site.root));
    let (lines, unknown) = find_pages(site, output_dir, &inventory, &pages);
    for page in &unknown {
        printer.error(
            &format!("no page matches `{}`", page.escape_debug()),
            Some(&unknown_page_hint(page, site, output_dir, &inventory)),
        );
    }
    if args.json {
        Printer::json_lines(lines.into_iter().map(|line| {
            let files = DatedFiles {
                root: root.as_deref(),
                source: line.source_path(site, output_dir),
                dated_by: line.dated_by(site, output_dir),
            };
            let explained = ExplainedPage::of(line, &files, format, &url_files);
            serde_json::to_string(&explained).expect("the keys are strings")
        }))?;
    } else if pages.is_empty() {
        let mut pointers = PlaceResolver::new(&loaded);
        findings::show(printer, &findings, levels, Level::Deny, &mut pointers);
        Printer::text_lines(table(site, output_dir, format, &lines))?;
        let listed = || {
            inventory
                .pages
                .iter()
                .filter(|page| page.verdict == Verdict::Listed)
        };
        let sourced = listed().filter(|page| page.source.is_some()).count();
        let all = listed().count();
        let relative = root.map_or_else(String::new, |root| format!(", relative to `{root}`"));
        printer.say(&format!(
            "{} of {} listed pages have a source{relative}",
            grouped(sourced),
            grouped(all)
        ));
    } else {
        Printer::text(
            &lines
                .iter()
                .map(|line| explain_page(&loaded, &inventory.base, line, &url_files))
                .collect::<Vec<_>>()
                .join("\n"),
        )?;
    }
    Ok(if unknown.is_empty() {
        EXIT_SUCCESS
    } else {
        EXIT_FAILURE
    })
}

/// Whether the first argument is a page of the site in the working directory: a URL, its path, or a
/// file name with an extension.
fn is_page(argument: &Path) -> bool {
    let is_url = ["http:", "https:"].iter().any(|s| argument.starts_with(s));
    let is_name = argument.extension().is_some() || argument.has_root();
    is_url || (is_name && !argument.is_dir())
}

/// The remedy for a name that no page has: the nearest URL path for a URL or a URL path, else the
/// nearest file or source.
fn unknown_page_hint(
    typed: &str,
    site: &Site<'_>,
    output_dir: &Path,
    inventory: &Inventory,
) -> String {
    let base = &inventory.base;
    let origin = base.as_str().strip_suffix(base.path());
    let typed = origin
        .and_then(|origin| typed.strip_prefix(origin))
        .unwrap_or(typed);
    let names = |line: &InventoryPage| -> Vec<String> {
        if typed.starts_with('/') {
            return vec![line.url.path_and_query().to_owned()];
        }
        let source = line.source_path(site, output_dir);
        let source = source.map(|path| path.to_text().into_owned());
        let file = line.file.to_text().into_owned();
        [Some(file), source].into_iter().flatten().collect()
    };
    let names: Vec<String> = inventory.pages.iter().flat_map(names).collect();
    match nearest(typed, names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{}`?", name.escape_debug()),
        None => "give a page's file, URL or source; without a page, all are shown".to_owned(),
    }
}

/// Finds the requested pages; the second value lists the names that match no page.
fn find_pages<'l>(
    site: &Site<'_>,
    output_dir: &Path,
    inventory: &'l Inventory,
    pages: &[String],
) -> (Vec<&'l InventoryPage>, Vec<String>) {
    if pages.is_empty() {
        return (inventory.pages.iter().collect(), Vec::new());
    }
    let mut unknown = Vec::new();
    let mut found: Vec<&InventoryPage> = Vec::new();
    for page in pages {
        let meanings = meanings(page, site, output_dir, &inventory.base);
        let known = found.len();
        found.extend(inventory.pages.iter().filter(|line| {
            let source = line.source_path(site, output_dir);
            let source = source.map(|path| path.to_text().into_owned());
            let file = line.file.to_text();
            let below = inventory.base.path_below(&line.url);
            let names = [
                Some(line.url.as_str()),
                below,
                Some(&file),
                source.as_deref(),
            ];
            let mut names = names.into_iter().flatten();
            names.any(|name| {
                meanings
                    .iter()
                    .any(|meant| meant == name.trim_end_matches('/'))
            })
        }));
        if found.len() == known {
            unknown.push(page.clone());
        }
    }
    found.sort_by_key(|line| &line.file);
    found.dedup_by_key(|line| &line.file);
    (found, unknown)
}

/// The names that an argument may have, without final slashes: the text, without the base URL, its path,
/// a leading `/` or `./`; and its path from the working directory, below the output directory and below
/// the site root.
fn meanings(typed: &str, site: &Site<'_>, output_dir: &Path, base: &BaseUrl) -> Vec<String> {
    let beginnings = ["", base.as_str(), base.path(), "/", "./"].into_iter();
    let texts = beginnings.filter_map(|beginning| typed.strip_prefix(beginning));
    let texts = texts.map(|text| text.trim_end_matches('/').to_owned());
    let resolved = [output_dir, site.root.as_path()].map(|dir| below(dir, typed));
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

/// The source of a page and the file whose commit dates it.
struct DatedFiles<'r> {
    root: Option<&'r str>,
    source: Option<SitePath>,
    dated_by: Option<SitePath>,
}

fn text_of(path: Option<&SitePath>) -> Option<String> {
    path.map(|path| path.to_text().into_owned())
}

impl<'l> ExplainedPage<'l> {
    fn of(
        line: &'l InventoryPage,
        files: &DatedFiles<'l>,
        format: DateFormat,
        url_files: &UrlFiles<'l>,
    ) -> Self {
        let exclusion = match &line.verdict {
            Verdict::Listed => None,
            Verdict::Excluded(exclusion) => Some(exclusion),
        };
        Self {
            version: RESULT_VERSION,
            file: line.file.to_text().into_owned(),
            url: line.url.as_str(),
            listed: exclusion.is_none(),
            reason: exclusion.map(|exclusion| exclusion.reason.code.name),
            evidence: exclusion.map(|exclusion| exclusion.evidence.as_str()),
            lastmod: date_text(line.lastmod, format),
            lastmod_from: line.dated.name(),
            source: text_of(files.source.as_ref()),
            source_from: line.source.as_ref().map(|source| source.step().word()),
            source_root: files.root.filter(|_| line.source.is_some()),
            commit: line.dated.commit().map(|change| change.commit.to_string()),
            dated_by: text_of(files.dated_by.as_ref()),
            priority: line
                .rule_outcome
                .entry
                .priority
                .map(sitemaps::Priority::value),
            changefreq: line
                .rule_outcome
                .entry
                .changefreq
                .map(sitemaps::ChangeFreq::as_str),
            rules: &line.rule_outcome.rules,
            sitemap: exclusion
                .is_none()
                .then(|| {
                    url_files
                        .file_of(line.url.as_str())
                        .map(|file| file.name.as_str())
                })
                .flatten(),
            undated: line.dated.absence(),
        }
    }
}

/// Formats all pages below a heading, one per line: in or out, date, file, and the source or why there
/// is no date or no entry.
fn table<'t>(
    site: &'t Site<'_>,
    output_dir: &'t Path,
    format: DateFormat,
    lines: &'t [&InventoryPage],
) -> impl Iterator<Item = String> + 't {
    let files = lines.iter().map(|line| line.file.to_string());
    let widths = files.map(|file| file.chars().count());
    let width = widths.filter(|width| *width <= MAX_FILE_WIDTH).max();
    let width = width.unwrap_or(0).max("page".len());
    let heading = format!(
        "     {:<DATE_WIDTH$}  {:<width$}  source, or reason\n",
        "lastmod", "page"
    );
    let formatted = lines.iter().map(move |line| {
        let date = date_text(line.lastmod, format).unwrap_or_else(|| "-".to_owned());
        let (mark, why) = match &line.verdict {
            Verdict::Listed => (styled(STRONG, "in "), source_text(line, site, output_dir)),
            Verdict::Excluded(exclusion) => (
                styled(FAINT, "out"),
                format!("{}: {}", exclusion.reason.code.name, exclusion.evidence),
            ),
        };
        let file = line.file.to_string();
        let why = styled(FAINT, escaped(&why));
        format!("{mark}  {date:<DATE_WIDTH$}  {file:<width$}  {why}\n")
    });
    std::iter::once(heading).chain(formatted)
}

/// The source of a listed page, and why it has no date.
fn source_text(line: &InventoryPage, site: &Site<'_>, output_dir: &Path) -> String {
    let source = line.source_path(site, output_dir);
    let source = source.map_or_else(|| "-".to_owned(), |path| path.to_string());
    match line.dated.absence() {
        Some(reason) => format!("{source} (no date: {reason})"),
        None => source,
    }
}
