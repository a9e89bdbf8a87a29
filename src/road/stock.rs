//! Every page, read, judged, dated and treated: the ledger.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use super::first_chapter::first_chapter;
use super::histories::{self, Asked, PageHistory, absolute};
use super::ledger::{Ledger, LedgerLine, Treatment};
use super::lists::date_lists;
use super::progress::Progress;
use super::reading::{ReadPage, read_all};
use super::robots::RobotsFile;
use super::sources::{PageSource, SourceFinder, SourceStep, files_of};
use super::survey::{Fault, Survey};
use crate::config::{DateSource, Lists};
use crate::date::{Candidates, Doubt, DoubtKind, choose};
use crate::decide::{self, SiteView, own_address, settle};
use crate::discover::{Page, discover};
use crate::finding::{Finding, Place, Subject, code};
use crate::generator::ContentIndex;
use crate::history::History;
use crate::location::{BaseUrl, SitePath, decode};
use crate::read::Fingerprint;
use crate::rule::{Outcome, Pattern, PatternSet, RuleSet, unused_rules};

/// Reads, judges and dates every page of a site.
pub fn take_stock(
    survey: &Survey<'_>,
    base: &BaseUrl,
    robots: &RobotsFile,
    progress: &Progress,
) -> Result<Ledger, Fault> {
    let found = discover(&survey.output_dir, &survey.settings().extensions)?;
    if found.pages.is_empty() {
        return Err(Fault::NoPages(survey.output_dir.clone()));
    }
    progress.found(found.pages.len());
    let mut findings = found.findings;
    let treated = treat(survey, base, &found.pages, &mut findings)?;

    let rules = robots.rules(survey, base);
    let for_everyone = rules.as_ref().map(crate::robots_txt::RobotsTxt::rules_for_everyone);
    let generic = &survey.manifest.generic;
    let site = SiteView {
        base,
        settings: survey.settings(),
        pages: &found.pages,
        robots_txt: for_everyone.as_ref(),
        error_pages: &PatternSet::of_globs(generic.error_pages.iter())?,
        not_pages: &PatternSet::of_globs(generic.not_pages.iter())?,
        now: survey.now,
    };
    let excluded_by = |index: usize| {
        let rule = &survey.settings().rules[treated.treatments[index].excluded_by?];
        rule.patterns.first().map(Pattern::as_str)
    };
    let fingerprint = if treated.first_chapter.is_some() { Fingerprint::Wanted } else { Fingerprint::Unwanted };
    // History and pages are read at the same time: the one waits for the processor, the other for the disk.
    let ((read, read_findings), history) = rayon::join(
        || read_all(&site, &survey.output_dir, &found.pages, fingerprint, excluded_by, progress),
        || treated.asked.ask(survey),
    );
    let history = history?;
    findings.extend(read_findings);
    histories::findings_of(survey, &history, &mut findings);

    let lines = date_all(survey, base, &treated, read, &history, &mut findings)?;
    findings.sort_by(|left, right| {
        (&left.subject, left.code.name, &left.message).cmp(&(&right.subject, right.code.name, &right.message))
    });
    Ok(Ledger { lines, findings, base: base.clone() })
}

/// What is known of every page before it is read.
struct Treated {
    treatments: Vec<Arc<Treatment>>,
    sources: Vec<Option<PageSource>>,
    asked: Asked,
    content: ContentIndex,
    first_chapter: Option<SitePath>,
}

/// Applies the rules to every page and finds its source.
fn treat(survey: &Survey<'_>, base: &BaseUrl, pages: &[Page], findings: &mut Vec<Finding>) -> Result<Treated, Fault> {
    let settings = survey.settings();
    let content = match survey.site.generator {
        Some((_, generator)) => ContentIndex::build(&survey.site.root, generator, &survey.site.config, findings),
        None => ContentIndex::default(),
    };
    let first_chapter = first_chapter(survey);
    let finder = SourceFinder::new(survey, &content, first_chapter.clone());
    let rules = RuleSet::new(&settings.rules)?;
    let root = absolute(&survey.site.root);
    let wants_history = settings.lastmod.from.contains(&DateSource::Git)
        || settings
            .rules
            .iter()
            .any(|rule| rule.lastmod_from.as_ref().is_some_and(|from| from.contains(&DateSource::Git)));

    let mut known: HashMap<Vec<usize>, Arc<Treatment>> = HashMap::new();
    let (mut treatments, mut sources) = (Vec::with_capacity(pages.len()), Vec::with_capacity(pages.len()));
    let mut asked = Asked::default();
    for page in pages {
        let outcome = rules.outcome(&page.file, &url_path(base, &page.file, survey));
        let treatment = shared(&mut known, &outcome);
        let excluded = treatment.excluded_by.is_some();
        let source = if excluded { None } else { finder.find(&page.file, &outcome, findings) };
        let is_dated = wants_history && !excluded && treatment.lastmod.is_none();
        let files = if is_dated { files_of(&root, source.as_ref(), treatment.also.as_deref()) } else { Vec::new() };
        asked.add(files);
        treatments.push(treatment);
        sources.push(source);
    }
    findings.extend(unused_rules(&settings.rules, treatments_used(&known)));
    Ok(Treated { treatments, sources, asked, content, first_chapter })
}

fn url_path(base: &BaseUrl, file: &SitePath, survey: &Survey<'_>) -> Vec<u8> {
    let url = own_address(base, file, survey.settings().urls);
    base.path_below(&url).map(|path| decode(path).into_owned()).unwrap_or_default()
}

/// Pages that the same rules match are treated alike, and share what is said of them.
fn shared(known: &mut HashMap<Vec<usize>, Arc<Treatment>>, outcome: &Outcome<'_>) -> Arc<Treatment> {
    if let Some(treatment) = known.get(&outcome.matched) {
        return Arc::clone(treatment);
    }
    let treatment = Arc::new(Treatment::of(outcome));
    known.insert(outcome.matched.clone(), Arc::clone(&treatment));
    treatment
}

fn treatments_used(known: &HashMap<Vec<usize>, Arc<Treatment>>) -> Vec<usize> {
    let mut used: Vec<usize> = known.keys().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// Settles the verdicts and dates every listed page.
fn date_all(
    survey: &Survey<'_>,
    base: &BaseUrl,
    treated: &Treated,
    read: Vec<ReadPage>,
    history: &History,
    findings: &mut Vec<Finding>,
) -> Result<Vec<LedgerLine>, Fault> {
    let mut judged = Vec::with_capacity(read.len());
    let mut said = Vec::with_capacity(read.len());
    for page in read {
        judged.push(page.judged);
        said.push((page.modified, page.source_hint, page.images));
    }
    let original = treated.first_chapter.as_ref().map(|_| SitePath::from("index.html"));
    let settled = settle(judged, base, original.as_ref(), findings);
    let hinted = Hinted::ask(survey, treated, &settled, &said, findings)?;

    let mut lines = Vec::with_capacity(settled.len());
    for (index, (line, (modified, _, images))) in settled.into_iter().zip(said).enumerate() {
        let (source, page_history) = match hinted.of(index) {
            Some(hinted) => hinted,
            None => (treated.sources[index].clone(), treated.asked.page(index, history)),
        };
        let mut line = LedgerLine {
            file: line.file,
            url: line.url,
            verdict: line.verdict,
            lastmod: None,
            dated_by: None,
            source: source.map(|source| (source.path, source.step)),
            commit: None,
            treatment: Arc::clone(&treated.treatments[index]),
            alternates: line.alternates,
            images,
        };
        if line.verdict == decide::Verdict::Listed {
            let page = modified.as_ref().map(|said| (said.value.as_str(), said.place));
            date(survey, &treated.content, &mut line, page_history, page, findings);
        }
        lines.push(line);
    }
    if survey.settings().lastmod.lists == Lists::NewestBelow {
        date_lists_of(survey, &treated.content, &mut lines);
    }
    Ok(lines)
}

/// The sources that pages name themselves, dated: known only once the pages are read.
struct Hinted {
    found: HashMap<usize, (PageSource, PageHistory)>,
}

type SaidBy = (Option<Box<crate::read::Said<String>>>, Option<Box<str>>, Box<[crate::location::PageUrl]>);

impl Hinted {
    fn ask(
        survey: &Survey<'_>,
        treated: &Treated,
        lines: &[decide::Line],
        said: &[SaidBy],
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Fault> {
        let finder = SourceFinder::new(survey, &treated.content, None);
        let root = absolute(&survey.site.root);
        let mut asked = Asked::default();
        let mut sources = Vec::new();
        for (index, (_, hint, _)) in said.iter().enumerate() {
            let Some(hint) = hint else { continue };
            let known = treated.sources[index].as_ref();
            let by_rule = known.is_some_and(|source| source.step == SourceStep::Rule);
            if by_rule || lines[index].verdict != decide::Verdict::Listed {
                continue;
            }
            let Some(source) = finder.by_hint(&lines[index].file, hint, findings) else { continue };
            // What the conventions said is dated already.
            if known.is_some_and(|known| known.path == source.path) {
                continue;
            }
            asked.add(files_of(&root, Some(&source), treated.treatments[index].also.as_deref()));
            sources.push((index, source));
        }
        if sources.is_empty() {
            return Ok(Self { found: HashMap::new() });
        }
        let history = asked.ask(survey)?;
        let with_history = |(position, (index, source))| (index, (source, asked.page(position, &history)));
        Ok(Self { found: sources.into_iter().enumerate().map(with_history).collect() })
    }

    fn of(&self, index: usize) -> Option<(Option<PageSource>, PageHistory)> {
        self.found.get(&index).map(|(source, history)| (Some(source.clone()), *history))
    }
}

/// Dates one listed page.
fn date(
    survey: &Survey<'_>,
    content: &ContentIndex,
    line: &mut LedgerLine,
    history: PageHistory,
    page: Option<(&str, Place)>,
    findings: &mut Vec<Finding>,
) {
    let settings = &survey.settings().lastmod;
    let treatment = Arc::clone(&line.treatment);
    let order = treatment.lastmod_from.as_deref().unwrap_or(&settings.from);
    let source = line.source.as_ref().map(|(path, _)| path);
    let front_matter = survey
        .site
        .generator
        .zip(source)
        .and_then(|((_, generator), path)| content.file(path)?.front_matter.date(&generator.lastmod_keys));
    let change = match history {
        PageHistory::Changed(change) => Some(change),
        _ => None,
    };
    let candidates = Candidates {
        fixed: treatment.lastmod.as_deref(),
        git: change.map(|change| (change.seconds, change.offset_minutes)),
        front_matter: front_matter.as_deref(),
        page: page.map(|(text, _)| text),
        mtime: source.filter(|_| order.contains(&DateSource::Mtime)).and_then(|path| mtime(survey, path)),
    };
    let mut doubts = Vec::new();
    let chosen = choose(order, &candidates, survey.now, &mut doubts);
    line.lastmod = chosen.map(|(date, _)| date);
    line.dated_by = chosen.map(|(_, by)| by);
    if line.dated_by == Some(crate::date::DatedBy::Git) {
        line.commit = change.map(|change| Box::new(change.commit));
    }
    let subject = |place| Subject::Page(line.file.clone(), place);
    findings.extend(doubts.iter().map(|doubt| doubtful(doubt, subject(page.map(|(_, place)| place)))));
    if order.contains(&DateSource::Git) && treatment.lastmod.is_none() {
        findings.extend(not_committed(line, history));
    }
}

fn mtime(survey: &Survey<'_>, source: &SitePath) -> Option<i64> {
    let modified = fs::metadata(source.below_folder(&survey.site.root)).ok()?.modified().ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

fn doubtful(doubt: &Doubt, subject: Subject) -> Finding {
    let (text, by) = (doubt.text.escape_debug(), doubt.by.as_str());
    let subject = match (subject, doubt.by) {
        (subject @ Subject::Page(..), crate::date::DatedBy::Page) => subject,
        (Subject::Page(file, _), _) => Subject::Page(file, None),
        (subject, _) => subject,
    };
    match doubt.kind {
        DoubtKind::False(why) => {
            Finding::new(code::LASTMOD_FALSE, subject, format!("the date `{text}` ({by}) {why}, so it is left out"))
        }
        DoubtKind::Unreadable => {
            let message = format!("the date `{text}` ({by}) cannot be read, so it is left out");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message)
                .with_hint("write a whole date: `2024-05-06` or `2024-05-06T07:08:09+02:00`")
        }
        DoubtKind::ZoneAssumed => {
            let message = format!("the date `{text}` ({by}) has a time without a zone; it is taken as UTC");
            Finding::new(code::LASTMOD_UNREADABLE, subject, message).with_hint("add the zone: `Z` or `+02:00`")
        }
    }
}

/// A source that somebody names and that is not as it was committed.
fn not_committed(line: &LedgerLine, history: PageHistory) -> Option<Finding> {
    let (path, step) = line.source.as_ref().filter(|(_, step)| *step != SourceStep::Itself)?;
    let subject = Subject::Page(line.file.clone(), None);
    match history {
        PageHistory::Untracked => {
            let message =
                format!("`{path}` ({}) is not committed, so history does not date `{}`", step.as_str(), line.file);
            Some(Finding::new(code::SOURCE_UNTRACKED, subject, message).with_hint("commit it before the build"))
        }
        PageHistory::Edited => {
            let message =
                format!("`{path}` has changes that are not committed, so history does not date `{}`", line.file);
            Some(Finding::new(code::SOURCE_DIRTY, subject, message).with_hint("commit them before the build"))
        }
        _ => None,
    }
}

fn date_lists_of(survey: &Survey<'_>, content: &ContentIndex, lines: &mut [LedgerLine]) {
    let Some((_, generator)) = survey.site.generator else { return };
    if generator.branch_index.is_empty() {
        return;
    }
    let languages =
        generator.languages.as_ref().map(|keys| survey.site.config.keys(&keys.table_key)).unwrap_or_default();
    let languages: Vec<String> = languages.into_iter().map(str::to_owned).collect();
    date_lists(lines, &languages, |line| {
        let is_folder_page = line.file.file_name() == b"index.html";
        let own_source = line.source.as_ref().and_then(|(path, _)| content.file(path));
        is_folder_page
            && !is_pager(&line.file)
            && own_source.is_none_or(|source| source.is_list)
            && line.treatment.lastmod.is_none()
    });
}

/// `…/page/2/index.html`: a further page of a list, which shows old entries.
fn is_pager(file: &SitePath) -> bool {
    let parts: Vec<&[u8]> = file.as_bytes().split(|&byte| byte == b'/').collect();
    matches!(parts[..], [.., b"page", number, _] if number.iter().all(u8::is_ascii_digit))
}
