//! `waypost explain`: prints the inventory as text or as JSON Lines.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::build::prepare;
use super::command_error::CommandError;
use super::diagnose::printable;
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
use site_paths::finding::Level;
use site_paths::{BaseUrl, SitePath};
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
        printer.say(&format!(
            "{} of {} listed pages have a source",
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

/// Whether the first argument is a page of the site in the working directory: a URL, or a file name
/// with an extension.
fn is_page(argument: &Path) -> bool {
    let is_url = ["http:", "https:"].iter().any(|s| argument.starts_with(s));
    is_url || (argument.extension().is_some() && !argument.is_dir())
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
        let called = |name: PageQuery| -> Vec<_> {
            inventory
                .pages
                .iter()
                .filter(|line| name.matches(line, site, output_dir, &inventory.base))
                .collect()
        };
        match PageQuery::interpretations(page, site, output_dir, &inventory.base)
            .map(called)
            .find(|lines| !lines.is_empty())
        {
            Some(lines) => found.extend(lines),
            None => unknown.push(page.clone()),
        }
    }
    found.sort_by_key(|line| &line.file);
    found.dedup_by_key(|line| &line.file);
    (found, unknown)
}

/// A page argument in each form that it can be matched against.
struct PageQuery {
    /// The argument itself.
    typed: String,
    /// Paths relative to the output directory: the argument itself, and the argument resolved
    /// from the working directory.
    files: Vec<String>,
    /// Paths relative to the site root, formed in the same ways.
    sources: Vec<String>,
}

impl PageQuery {
    /// Yields the possible meanings of an argument, the most literal first: as typed, then without
    /// the base URL, the base path or a leading `/`; each also without and with a final slash.
    fn interpretations(
        typed: &str,
        site: &Site<'_>,
        output_dir: &Path,
        base: &BaseUrl,
    ) -> impl Iterator<Item = Self> {
        let beginnings = ["", base.as_str(), base.path(), "/"];
        let texts = beginnings
            .into_iter()
            .filter_map(|beginning| typed.strip_prefix(beginning));
        texts.flat_map(|text| {
            let slashless = Self::of(text.strip_suffix('/').unwrap_or(text), site, output_dir);
            let slashed = slashless.with_final_slash();
            [Self::of(text, site, output_dir), slashless, slashed]
        })
    }

    fn of(typed: &str, site: &Site<'_>, output_dir: &Path) -> Self {
        let bare = typed.strip_prefix("./").unwrap_or(typed);
        let ways = |dir: &Path| {
            [Some(bare.to_owned()), below(dir, typed)]
                .into_iter()
                .flatten()
                .collect()
        };
        Self {
            typed: typed.to_owned(),
            files: ways(output_dir),
            sources: ways(&site.root),
        }
    }

    fn with_final_slash(&self) -> Self {
        let slashed = |names: &[String]| names.iter().map(|name| format!("{name}/")).collect();
        Self {
            typed: format!("{}/", self.typed),
            files: slashed(&self.files),
            sources: Vec::new(),
        }
    }

    /// Whether the query names this page: by file, by URL (whole or below the base) or by source.
    fn matches(
        &self,
        line: &InventoryPage,
        site: &Site<'_>,
        output_dir: &Path,
        base: &BaseUrl,
    ) -> bool {
        let (address, typed) = (line.url.as_str(), self.typed.as_str());
        let is_source = |source: &SitePath| {
            self.sources
                .iter()
                .any(|name| source.as_bytes() == name.as_bytes())
        };
        let is_file = |name: &String| {
            line.file.as_bytes() == name.as_bytes()
                || base.path_below(&line.url) == Some(name.as_str())
        };
        address == typed
            || typed.starts_with('/') && line.url.path_and_query() == typed
            || self.files.iter().any(is_file)
            || line
                .source_path(site, output_dir)
                .is_some_and(|source| is_source(&source))
    }
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
    commit: Option<String>,
    dated_by: Option<String>,
    priority: Option<f64>,
    changefreq: Option<&'static str>,
    rules: &'l [usize],
    sitemap: Option<&'l str>,
    undated: Option<&'static str>,
}

/// The source of a page and the file whose commit dates it.
struct DatedFiles {
    source: Option<SitePath>,
    dated_by: Option<SitePath>,
}

fn text_of(path: Option<&SitePath>) -> Option<String> {
    path.map(|path| path.to_text().into_owned())
}

impl<'l> ExplainedPage<'l> {
    fn of(
        line: &'l InventoryPage,
        files: &DatedFiles,
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
        let why = styled(FAINT, printable(&why));
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
