//! The slug rules of a site: its generator's slug function and the settings that modify it.

use super::own_config::OwnConfig;
use super::profile::{Generator, SlugFunction};
use super::slug::{self, LetterCase};

/// The origin of a name that a slug is made from.
#[derive(Debug, Clone, Copy)]
pub(super) enum SlugSubject {
    /// A file, a directory, a taxonomy or a term.
    ByFile,
    /// The front matter key `slug`.
    ByFrontMatter,
}

/// The slug rules of one site.
#[derive(Debug)]
pub(super) struct SlugRules<'a> {
    /// `None` if names are used unchanged.
    with: Option<SlugFunction>,
    /// The slug mode in the settings: `on`, `safe` or `off`.
    mode: Option<&'a str>,
    case: LetterCase,
}

impl<'a> SlugRules<'a> {
    /// Reads the slug rules of a site. `mode_key` is the settings key of the slug mode, if there is
    /// one.
    pub(super) fn new(
        generator: &Generator,
        config: &'a OwnConfig,
        mode_key: Option<&String>,
    ) -> Self {
        let slug = generator.slug.as_ref();
        let keeps_case = slug
            .and_then(|slug| slug.keep_case_key.as_ref())
            .is_some_and(|key| config.is_on(key));
        Self {
            with: slug.map(|slug| slug.with),
            mode: mode_key.and_then(|key| config.text(key)),
            case: if keeps_case {
                LetterCase::Kept
            } else {
                LetterCase::Lower
            },
        }
    }

    /// The letter case of slugs.
    pub(super) fn case(&self) -> LetterCase {
        self.case
    }

    /// The slug of a name.
    pub(super) fn of(&self, name: &str, named: SlugSubject) -> String {
        match (self.with, self.mode, named) {
            (None, ..) | (_, Some("off"), _) => name.to_owned(),
            (Some(SlugFunction::Slug), Some("safe"), _) => slug::zola_safe(name),
            (Some(SlugFunction::Slug), ..) => slug::zola(name),
            (Some(SlugFunction::HugoUrlize), _, SlugSubject::ByFile) => {
                slug::hugo_path(name, self.case)
            }
            (Some(SlugFunction::HugoUrlize), _, SlugSubject::ByFrontMatter) => {
                slug::hugo_slug(name, self.case)
            }
            (Some(SlugFunction::GithubSlugger), ..) => slug::github(name),
        }
    }
}
