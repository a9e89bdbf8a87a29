//! `waypost explain`: prints the inventory as JSON Lines, as a table, or a page in full: whether it is
//! listed, its source, the commit that dates it, and the rules that match it.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::command_error::{CommandError, EXIT_FAILURE, EXIT_SUCCESS};
use super::documentation::Section;
use super::environment::prepare;
use super::findings::{RESULT_VERSION, RunFindings};
use super::opts::ExplainArgs;
use super::printer::Printer;
use super::settings;
use super::text_layout::{FAINT, STRONG, columns, styled, summary, wrapped};
use crate::config::{PageOverrides, SettingOrigin, nearest};
use crate::decide::Exclusion;
use crate::files::glob::GlobPattern;
use crate::files::tree::absolute;
use crate::findings::{Level, grouped};
use crate::pages::{DateOrigin, Inventory, Page};
use crate::run::{SiteInventory, build_inventory, compare_plan, plan_of};
use crate::site::LoadedSite;
use git_last_modified::subject_of;
use sitemaps::site_paths::{BaseUrl, SitePath, display_path, escaped};
use sitemaps::{EntryExtent, UrlFiles};

/// Width of a date with its UTC offset, and of its day, which narrow terminals show.
const DATE_WIDTH: usize = 25;
const DAY_WIDTH: usize = 10;

/// A terminal with fewer columns is narrow.
const WIDE: usize = 110;

/// Longer file names do not widen the column of all.
const MAX_FILE_WIDTH: usize = 40;

pub(super) fn explain(args: &ExplainArgs, printer: &Printer) -> Result<u8, CommandError> {
    let named = &args.common.site;
    if let Some(section) = named.to_str().and_then(Section::of)
        && !named.exists()
    {
        Printer::text(&section.shown())?;
        return Ok(EXIT_SUCCESS);
    }
    let mut request = prepare(&args.common)?;
    let mut pages = args.pages.clone();
    if is_page(&request.site) {
        pages.insert(0, request.site.to_string_lossy().into_owned());
        request.site = PathBuf::from(".");
    }
    let mut loaded = LoadedSite::load(request, EntryExtent::All)?;
    if args.settings {
        Printer::text(&settings::shown(&loaded))?;
        return Ok(EXIT_SUCCESS);
    }
    let SiteInventory {
        inventory,
        findings,
        ..
    } = build_inventory(&mut loaded)?;
    let plan = plan_of(&loaded, &inventory);
    let findings = compare_plan(&loaded, &inventory, &plan, findings, None).findings;
    let url_files = plan.url_files();
    let (found, unknown) = find_pages(&loaded, &inventory, &pages);
    for page in &unknown {
        printer.error(
            &format!("no page matches `{}`", page.escape_debug()),
            Some(&unknown_page_hint(page, &loaded, &inventory)),
        );
    }
    let explained = found
        .iter()
        .map(|page| ExplainedPage::of(page, &loaded, &url_files));
    if args.json {
        Printer::json_lines(
            explained.map(|page| serde_json::to_string(&page).expect("the keys are strings")),
        )?;
    } else if pages.is_empty() {
        RunFindings::for_site(&findings, &loaded, Level::Deny).show(printer);
        Printer::text_lines(table(explained, &found))?;
        printer.say(&sources_found(&loaded, &inventory));
    } else {
        let texts: Vec<_> = explained
            .zip(&found)
            .map(|(explained, page)| page_text(&loaded, page, &explained))
            .collect();
        Printer::text(&texts.join("\n"))?;
    }
    Ok(if unknown.is_empty() {
        EXIT_SUCCESS
    } else {
        EXIT_FAILURE
    })
}

/// How many listed pages have a source, and what the sources are relative to.
fn sources_found(loaded: &LoadedSite, inventory: &Inventory) -> String {
    let listed = inventory.pages.listed();
    let sourced = listed.clone().filter(|page| page.source.is_some());
    let [sourced, listed] = [sourced.count(), listed.count()].map(grouped);
    let relative = match &*display_path(&loaded.site.root) {
        "." => String::new(),
        root => format!(", relative to `{root}`"),
    };
    format!("{sourced} of {listed} listed pages have a source{relative}")
}

/// Whether the first argument is a page of the site in the working directory: a URL, its path, or a
/// file name with an extension.
fn is_page(argument: &Path) -> bool {
    let is_url = ["http:", "https:"].iter().any(|s| argument.starts_with(s));
    let is_name = argument.extension().is_some() || argument.has_root();
    is_url || (is_name && !argument.is_dir())
}

/// The names of a page: its URL below the base URL, its file and its source.
fn names_of(page: &Page, loaded: &LoadedSite, base: &BaseUrl) -> Vec<String> {
    let source = page.source_path(&loaded.site, loaded.output_dir());
    let mut names = Vec::from_iter(base.path_below(&page.url).map(str::to_owned));
    names.push(page.file.to_text().into_owned());
    names.extend(source.map(|path| path.to_text().into_owned()));
    names
}

/// The remedy for a name that no page has: the nearest name of a page, code or setting.
fn unknown_page_hint(typed: &str, loaded: &LoadedSite, inventory: &Inventory) -> String {
    let base = inventory.base();
    let mut names = Vec::new();
    for page in &inventory.pages {
        names.extend(names_of(page, loaded, base));
    }
    for meant in meanings(typed, loaded, base) {
        if let Some(name) = nearest(&meant, names.iter().map(String::as_str)) {
            return format!("did you mean `{}`?", name.escape_debug());
        }
    }
    match nearest(typed, Section::names()) {
        Some(name) => format!("did you mean `waypost explain {name}`?"),
        None => "give a page's file, URL or source; without a page, all are shown".to_owned(),
    }
}

/// Finds the requested pages; the second value lists the names that match no page.
fn find_pages<'l>(
    loaded: &LoadedSite,
    inventory: &'l Inventory,
    requested: &[String],
) -> (Vec<&'l Page>, Vec<String>) {
    if requested.is_empty() {
        return (inventory.pages.iter().collect(), Vec::new());
    }
    let mut unknown = Vec::new();
    let mut found: Vec<&Page> = Vec::new();
    for typed in requested {
        let meanings = meanings(typed, loaded, inventory.base());
        let known = found.len();
        found.extend(inventory.pages.iter().filter(|page| {
            let names = names_of(page, loaded, inventory.base());
            names.iter().any(|name| {
                let name = name.trim_end_matches('/');
                meanings.iter().any(|meant| meant == name)
            })
        }));
        if found.len() == known {
            unknown.push(typed.clone());
        }
    }
    found.sort_by_key(|page| &page.file);
    found.dedup_by_key(|page| &page.file);
    (found, unknown)
}

/// The names that an argument may mean, without slashes at their ends: the text, without the base URL, its
/// path or `./`; and its path from the working directory, below the output directory and below the site
/// root.
fn meanings(typed: &str, loaded: &LoadedSite, base: &BaseUrl) -> Vec<String> {
    let mut found = Vec::new();
    for beginning in ["", base.as_str(), base.path(), "./"] {
        let rest = typed.strip_prefix(beginning.trim_end_matches('/'));
        found.extend(rest.map(|rest| rest.trim_matches('/').to_owned()));
    }
    for dir in [loaded.output_dir(), loaded.site.root.as_path()] {
        found.extend(below(dir, typed));
    }
    found
}

/// Resolves a path from the working directory and makes it relative to `dir`, if it is inside.
fn below(dir: &Path, typed: &str) -> Option<String> {
    let [path, dir] = [Path::new(typed), dir].map(std::path::absolute);
    SitePath::below(&dir.ok()?, &path.ok()?).map(|path| path.to_text().into_owned())
}

/// One line of `explain --json`.
#[derive(Serialize)]
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

impl<'l> ExplainedPage<'l> {
    fn of(page: &'l Page, loaded: &LoadedSite, url_files: &UrlFiles<'l>) -> Self {
        let (site, output_dir) = (&loaded.site, loaded.output_dir());
        let exclusion = page.verdict.exclusion();
        let values = &page.rule_outcome.entry;
        let sitemap = url_files.file_of(page.url.as_str());
        Self {
            version: RESULT_VERSION,
            file: page.file.to_text().into_owned(),
            url: page.url.as_str(),
            listed: exclusion.is_none(),
            reason: exclusion.map(|exclusion| exclusion.reason.code.name),
            evidence: exclusion.map(|exclusion| exclusion.evidence.as_str()),
            lastmod: page
                .lastmod
                .map(|date| date.to_text(loaded.settings().lastmod.format)),
            lastmod_from: page.dated.name(),
            source: page
                .source_path(site, output_dir)
                .map(|path| path.to_text().into_owned()),
            source_from: page.source.as_ref().map(|source| source.step().word()),
            commit: page.dated.commit().map(|change| change.commit.to_string()),
            dated_by: page
                .dated_by(site, output_dir)
                .map(|path| path.to_text().into_owned()),
            priority: values.priority.map(sitemaps::Priority::value),
            changefreq: values.changefreq.map(sitemaps::ChangeFreq::as_str),
            rules: &page.rule_outcome.rules,
            sitemap: sitemap
                .filter(|_| exclusion.is_none())
                .map(|file| file.name.as_str()),
            undated: page.dated.absence(),
        }
    }
}

/// Formats all pages below a heading, one per line: in or out, date, file, and the source or why there
/// is no date or no entry.
fn table<'t>(
    explained: impl Iterator<Item = ExplainedPage<'t>>,
    pages: &[&Page],
) -> impl Iterator<Item = String> {
    let width = pages
        .iter()
        .map(|page| page.file.to_string().chars().count())
        .filter(|width| *width <= MAX_FILE_WIDTH)
        .fold("page".len(), usize::max);
    let dates = if columns() < WIDE {
        DAY_WIDTH
    } else {
        DATE_WIDTH
    };
    // A row continues in its last column, or else in the second last.
    let below = match dates + width + 9 {
        last if last <= columns() / 3 * 2 => last,
        _ => dates + 7,
    };
    let heading = format!(
        "     {:<dates$}  {:<width$}  source, or reason",
        "lastmod", "page"
    );
    let heading = format!("{}\n", wrapped(&heading, 0, below));
    let formatted = explained.map(move |page| {
        let date = page.lastmod.as_deref().unwrap_or("-");
        let date = date.get(..dates).unwrap_or(date);
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
        let line = format!("{mark}  {date:<dates$}  {file:<width$}  {why}");
        format!("{}\n", wrapped(&line, 0, below))
    });
    std::iter::once(heading).chain(formatted)
}

/// Formats the explanation of a page.
fn page_text(loaded: &LoadedSite, page: &Page, explained: &ExplainedPage<'_>) -> String {
    let mut parts = Vec::new();
    let mut add = |label: &'static str, text: &str, less: &str| {
        let less = styled(FAINT, escaped(less));
        parts.push((label, vec![format!("{text} {less}")]));
    };
    add("page", &escaped(&explained.file), "");
    add("URL", explained.url, "");
    match page.verdict.exclusion() {
        None => {
            // A feed contains only the newest pages, so there may be no file.
            let file = explained.sitemap.map(|file| format!(", in {file}"));
            let yes = styled(STRONG, "yes");
            add("listed", &format!("{yes}{}", file.unwrap_or_default()), "");
        }
        Some(Exclusion {
            reason, evidence, ..
        }) => {
            let name = styled(STRONG, reason.code.name);
            add("listed", &format!("no: {name}"), "");
            add("because", &escaped(evidence), "");
            add("", &styled(FAINT, reason.code.description()), "");
        }
    }
    match (&explained.source, explained.source_from) {
        (Some(source), Some(from)) => add("source", &escaped(source), &format!("({from})")),
        _ if page.dated == DateOrigin::NoSource => add(
            "source",
            "unknown",
            "(name it with a rule's `source` or with `<meta name=\"waypost:source\">`)",
        ),
        _ if page.dated.is_dated() => add("source", "none", "(its date is not from one)"),
        _ => add("source", "unknown", ""),
    }
    let date = explained.lastmod.as_deref().unwrap_or("none");
    add(
        "lastmod",
        date,
        &format!("({})", dating_of(page, explained)),
    );
    if let Some(commit) = &explained.commit {
        add("commit", commit, &subject(loaded, page).unwrap_or_default());
    }
    for &rule in explained.rules {
        let rule = &loaded.settings().rules[rule];
        let patterns: Vec<&str> = rule.patterns.iter().map(GlobPattern::as_str).collect();
        let place = rule.written_in.as_ref().map(|(path, place)| {
            let origin = SettingOrigin::File(path.clone(), Some(*place));
            format!("({})", loaded.loaded.texts.format_origin(&origin))
        });
        let text = format!("`{}`: {}", patterns.join("`, `"), values(rule));
        add("rule", &escaped(&text), &place.unwrap_or_default());
    }
    if page.rule_outcome.page != PageOverrides::default() {
        let effects = values(&page.rule_outcome.page);
        add(
            "overrides",
            &escaped(&effects),
            "(front matter of its source)",
        );
    }
    summary(parts) + "\n"
}

/// Where the date of a page is from, or why there is none, with the file if that is not its source.
fn dating_of(page: &Page, explained: &ExplainedPage<'_>) -> String {
    let file = match &page.dated {
        DateOrigin::Members(members) => {
            let dir = &members.path;
            return format!("last page added, removed or renamed below `{dir}`");
        }
        DateOrigin::PageBelow(file)
        | DateOrigin::IncludeNotCommitted(file)
        | DateOrigin::IncludeEdited(file)
        | DateOrigin::MemberUnknown(file) => Some(file.to_string()),
        _ => explained
            .dated_by
            .clone()
            .filter(|_| explained.dated_by != explained.source),
    };
    let origin = page.dated.as_str();
    file.map_or_else(|| origin.to_owned(), |file| format!("{origin}: {file}"))
}

/// The first line of the message of the commit that dates a page.
fn subject(loaded: &LoadedSite, page: &Page) -> Option<String> {
    let file = page.dated_by(&loaded.site, loaded.output_dir())?;
    let commit = &page.dated.commit()?.commit;
    subject_of(&file.below_dir(&absolute(&loaded.site.root)), commit).ok()?
}

/// The values that a rule or a page sets, each after its key.
fn values(settings: &impl Serialize) -> String {
    let table = serde_json::to_value(settings).expect("the keys are strings");
    let mut texts = Vec::new();
    for (key, value) in table.as_object().into_iter().flatten() {
        if key != "match" && !value.is_null() {
            texts.push(match value.as_str() {
                Some(text) => format!("{key} {text}"),
                None => format!("{key} {value}"),
            });
        }
    }
    texts.join(", ")
}
