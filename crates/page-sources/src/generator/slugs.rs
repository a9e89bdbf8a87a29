//! The slug rules of a site: its generator's slug function and the settings that modify it.

use super::content_keys::SlugFunction;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::slug::{self, LetterCase};

/// Hugo's setting that preserves upper case.
const HUGO_KEEPS_CASE: &str = "disablePathToLower";

/// The origin of a name that a slug is made from.
#[derive(Debug, Clone, Copy)]
pub(super) enum SlugSubject {
    /// A file, a directory, a taxonomy or a term.
    ByFile,
    /// The front matter key `slug`.
    ByFrontMatter,
}

/// Zola's settings keys of the slug modes of paths, and of taxonomies and terms.
pub(super) const ZOLA_PATHS: &str = "slugify.paths";
pub(super) const ZOLA_TERMS: &str = "slugify.taxonomies";

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
    /// Reads the slug rules of a site, of which Zola has two modes.
    pub(super) fn new(generator: &Generator, config: &'a OwnConfig, zola_key: &str) -> Self {
        let with = generator.slug;
        let mode = match with {
            Some(SlugFunction::Zola) => config.text(zola_key),
            _ => None,
        };
        let keeps_case = with == Some(SlugFunction::Hugo) && config.is_on(HUGO_KEEPS_CASE);
        Self {
            with,
            mode,
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
            (Some(SlugFunction::Zola), Some("safe"), _) => slug::zola_safe(name),
            (Some(SlugFunction::Zola), ..) => slug::zola(name),
            (Some(SlugFunction::Hugo), _, SlugSubject::ByFile) => slug::hugo_path(name, self.case),
            (Some(SlugFunction::Hugo), _, SlugSubject::ByFrontMatter) => {
                slug::hugo_slug(name, self.case)
            }
            (Some(SlugFunction::GithubSlugger), ..) => slug::github(name),
        }
    }
}
