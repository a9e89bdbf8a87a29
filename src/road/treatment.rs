//! What is known of every page before it is read: what the rules say of it, and its source.

use std::collections::HashMap;
use std::sync::Arc;

use super::first_chapter::first_chapter;
use super::histories::{Asked, absolute};
use super::sources::{PageSource, SourceFinder, files_of};
use super::survey::{Fault, Survey};
use crate::config::DateSource;
use crate::decide::own_path;
use crate::discover::Page;
use crate::finding::Finding;
use crate::generator::ContentIndex;
use crate::location::SitePath;
use crate::rule::{ChangeFreq, GroupName, Outcome, Priority, RuleSet, unused_rules};

/// What a set of rules says of the pages that they match.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Treatment {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date.
    pub lastmod: Option<String>,
    /// Where the date comes from.
    pub lastmod_from: Option<Vec<DateSource>>,
    /// Further sources.
    pub also: Option<Vec<String>>,
    /// The child sitemap.
    pub group: Option<GroupName>,
    /// The rule that excludes the page.
    pub excluded_by: Option<usize>,
    /// The rules that match, by their position, in order.
    pub rules: Vec<usize>,
}

impl Treatment {
    pub(super) fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            priority: outcome.priority,
            changefreq: outcome.changefreq,
            lastmod: outcome.lastmod.map(str::to_owned),
            lastmod_from: outcome.lastmod_from.map(<[DateSource]>::to_vec),
            also: outcome.also.map(<[String]>::to_vec),
            group: outcome.group.cloned(),
            excluded_by: outcome.excluded_by,
            rules: outcome.matched.clone(),
        }
    }
}

/// What is known of every page before it is read.
pub(super) struct Treated {
    pub(super) treatments: Vec<Arc<Treatment>>,
    pub(super) sources: Vec<Option<PageSource>>,
    pub(super) asked: Asked,
    pub(super) content: ContentIndex,
    pub(super) first_chapter: Option<SitePath>,
}

/// Applies the rules to every page and finds its source.
pub(super) fn treat(survey: &Survey<'_>, pages: &[Page], findings: &mut Vec<Finding>) -> Result<Treated, Fault> {
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
        let outcome = rules.outcome(&page.file, &own_path(&page.file, settings.urls));
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
