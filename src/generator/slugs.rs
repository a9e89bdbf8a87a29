//! How one site makes slugs: the function of its generator, as the site's settings switch it.

use super::own_config::OwnConfig;
use super::profile::{Generator, SlugFunction};
use super::slug::{self, LetterCase};

/// What gave the name that a slug is made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum SlugSubject {
    /// A file, a folder, a taxonomy or a term.
    ByFile,
    /// The key `slug` of front matter.
    ByFrontMatter,
}

/// The slugs of one site.
#[derive(Debug)]
pub(super) struct SlugRules<'a> {
    /// None where names stay as they are.
    with: Option<SlugFunction>,
    /// What a key of the settings says: `on`, `safe` or `off`.
    mode: Option<&'a str>,
    case: LetterCase,
}

impl<'a> SlugRules<'a> {
    /// The slugs that a key of the settings switches, where the generator has such a key.
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

    /// Whether slugs keep upper case.
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
