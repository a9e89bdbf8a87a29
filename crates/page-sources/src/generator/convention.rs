//! Predicts which output files a generator writes for a content file, from the conventions in the
//! manifest.

use std::collections::BTreeMap;

use serde_json::Value;

use super::content_keys::{ContentUrlStyle, PermalinkRules};
use super::content_name::ContentName;
use super::convention_input::ConventionInput;
use super::front_matter_url::FrontMatterUrl;
use super::jekyll::JekyllUrls;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::path_urls::PathUrls;
use super::pelican::PelicanUrls;
use super::permalinks::{HugoPageKind, Permalink, Permalinks};
use super::profile::Generator;
use super::root_permalink::RootPermalinks;
use super::setting_texts::SettingTexts;
use super::slug::{self, LetterCase};
use super::url_path::{UrlPath, files_of};
use super::vitepress::VitePressUrls;
use sitemaps::site_paths::SitePath;

/// Hugo's settings key of URL patterns.
const HUGO_PERMALINKS: &str = "permalinks";

/// The URL conventions of one site.
#[derive(Debug)]
pub(super) struct Convention<'a> {
    urls: PathUrls<'a>,
    permalinks: Permalinks,
    /// The patterns of languages that have their own: these replace the others.
    permalinks_of_languages: BTreeMap<&'a str, Permalinks>,
    jekyll: Option<JekyllUrls<'a>>,
    pelican: Option<PelicanUrls<'a>>,
    vitepress: Option<VitePressUrls>,
    roots: RootPermalinks,
}

impl<'a> Convention<'a> {
    pub(super) fn new(
        generator: &'a Generator,
        config: &'a OwnConfig,
        languages: &'a Languages<'a>,
    ) -> Self {
        let (mut permalinks, mut of_languages) = (Permalinks::default(), BTreeMap::new());
        let (mut jekyll, mut pelican, mut vitepress) = (None, None, None);
        match generator.permalinks {
            Some(PermalinkRules::Hugo) => {
                permalinks = Permalinks::read(HUGO_PERMALINKS, config);
                of_languages = permalinks_of_languages(generator, config, languages);
            }
            Some(PermalinkRules::Jekyll) => jekyll = Some(JekyllUrls::new(config)),
            Some(PermalinkRules::Pelican) => pelican = Some(PelicanUrls::new(config)),
            Some(PermalinkRules::Vitepress) => vitepress = Some(VitePressUrls::new(config)),
            None => {}
        }
        Self {
            urls: PathUrls::new(generator, config, languages),
            permalinks,
            permalinks_of_languages: of_languages,
            jekyll,
            pelican,
            vitepress,
            roots: RootPermalinks::new(config),
        }
    }

    /// The output files that a content file may become. Empty if they cannot be predicted. If there
    /// are several, exactly one of them is written.
    pub(super) fn outputs_of(&self, content: &ConventionInput<'_>) -> Vec<SitePath> {
        if self.is_not_a_page(content) {
            return Vec::new();
        }
        if let Some(jekyll) = &self.jekyll {
            return jekyll.outputs_of(content);
        }
        if let Some(pelican) = &self.pelican {
            return pelican.outputs_of(content.name, content.front_matter);
        }
        if let Some(vitepress) = &self.vitepress {
            return vitepress.outputs_of(content.name);
        }
        let kind = self.urls.kind_of(content.name);
        let paths = match FrontMatterUrl::of(&self.urls, content, kind) {
            FrontMatterUrl::Set(own) => vec![own],
            FrontMatterUrl::Unclear => Vec::new(),
            FrontMatterUrl::Unset => match &content.root.spec.permalink {
                Some(permalink) => self.by_root(content, permalink).into_iter().collect(),
                None => self.by_settings(content, kind),
            },
        };
        let style = self.style();
        let files = paths.into_iter().map(|path| files_of(path, kind, style));
        files.flatten().collect()
    }

    /// The URL path of a page by the pattern of its content directory.
    fn by_root(&self, content: &ConventionInput<'_>, permalink: &SettingTexts) -> Option<UrlPath> {
        let pattern = self.urls.config.text_of(permalink);
        let date = content
            .front_matter
            .date(&self.urls.generator.published_keys);
        self.roots.path(pattern, date, content)
    }

    /// The URL path of a page that its own front matter does not set.
    fn by_settings(&self, content: &ConventionInput<'_>, kind: HugoPageKind) -> Vec<UrlPath> {
        let own = self.permalinks_of_languages.get(content.name.language);
        let permalinks = own.unwrap_or(&self.permalinks);
        match permalinks.of(kind, &self.logical_path(content.name)) {
            Permalink::Unclear => Vec::new(),
            Permalink::By(pattern) => {
                let by_pattern = self.urls.by_pattern(content, kind, pattern);
                by_pattern.into_iter().collect()
            }
            Permalink::ByPath => self.urls.by_path(content, kind),
        }
    }

    /// The URL style of pages. Hugo's `uglyURLs` may be a table by section, which is not read.
    fn style(&self) -> ContentUrlStyle {
        let generator = self.urls.generator;
        match generator.file_style_if.as_ref() {
            Some(ugly) if self.urls.config.meets(ugly) => ContentUrlStyle::File,
            Some(ugly)
                if self
                    .urls
                    .config
                    .get(&ugly.key)
                    .is_some_and(Value::is_object) =>
            {
                ContentUrlStyle::Either
            }
            _ => generator.url_style,
        }
    }

    fn is_not_a_page(&self, content: &ConventionInput<'_>) -> bool {
        let generator = self.urls.generator;
        let mut marks = generator.front_matter.no_page.iter();
        marks.any(|mark| content.front_matter.has(mark))
            || generator.needs_front_matter && !content.front_matter.is_present()
            || content.dirs.is_part_of_bundle(generator, content.name)
            || content.dirs.has_bundle_of(content.name)
            || content.dirs.has_better_index(generator, content.name)
    }

    /// Hugo's logical path of a page: `blog/first`.
    fn logical_path(&self, name: &ContentName<'_>) -> String {
        let is_index = self.urls.is_index(name) || self.urls.generator.is_branch_index(name.stem);
        let parts = name
            .dirs
            .iter()
            .copied()
            .chain((!is_index).then_some(name.stem));
        parts
            .map(|part| slug::hugo_path(part, LetterCase::Lower))
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// The URL patterns in the tables of languages.
fn permalinks_of_languages<'a>(
    generator: &Generator,
    config: &OwnConfig,
    languages: &Languages<'a>,
) -> BTreeMap<&'a str, Permalinks> {
    let Some(keys) = &generator.languages else {
        return BTreeMap::new();
    };
    let own = languages.codes().iter().filter_map(|&code| {
        let key = keys.key_of(code, HUGO_PERMALINKS);
        config.get(&key)?;
        Some((code, Permalinks::read(&key, config)))
    });
    own.collect()
}
