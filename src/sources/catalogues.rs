//! Finds pages whose text may come from a catalogue of translations, which is newer or older than the
//! source that the page names: gettext and po4a.

use std::collections::BTreeSet;
use std::path::Path;

use crate::generators::Site;
use crate::pages::{DateOrigin, PageSource, Pages, SourceDirs, SourceStep};
use page_signals::MetadataRequest;
use sitemaps::site_paths::SitePath;

/// Directories of catalogues, below the site.
const DIRS: [&str; 6] = ["po", "locale", "locales", "i18n", "translations", "lang"];

/// Settings keys of plugins that translate by catalogues.
const PLUGINS: [&str; 3] = ["preprocessor.gettext", "plugins.gettext", "plugins.po"];

/// Settings of po4a.
const PO4A: [&str; 3] = ["po4a.cfg", "po4a.conf", "po4a/po4a.cfg"];

/// How deep catalogues are: `locale/de/LC_MESSAGES/index.po`.
const DEPTH: usize = 4;

/// The languages of catalogues in a site.
enum Catalogues {
    /// Those with a catalogue in the repository, in lower case.
    Of(BTreeSet<String>),
    /// Any, as the settings say.
    OfAny,
}

/// Marks the listed pages in another language than the site, if there is a catalogue of it and their source
/// was not named for them.
pub(crate) fn mark_translated(site: &Site, dirs: &SourceDirs, pages: &mut Pages) {
    let Some(catalogues) = Catalogues::find(site) else {
        return;
    };
    let stated = site
        .generator
        .and_then(|known| site.config.text(known.language_key.as_deref()?))
        .map(normal_code);
    let Some(own) = stated.or_else(|| language_of(dirs, &SitePath::from("index.html"))) else {
        return;
    };
    for page in pages.iter_mut().filter(|page| page.is_listed()) {
        let step = page.source.as_ref().map(PageSource::step);
        if matches!(step, Some(SourceStep::Convention | SourceStep::EditLink))
            && let Some(language) = language_of(dirs, &page.file)
            && language.split('-').next() != own.split('-').next()
            && catalogues.contain(&language)
        {
            page.dated = DateOrigin::Translated;
        }
    }
}

/// The language that a page states.
fn language_of(dirs: &SourceDirs, file: &SitePath) -> Option<String> {
    let read = dirs.metadata(file, MetadataRequest::Title);
    read.language.as_deref().map(normal_code)
}

fn normal_code(language: &str) -> String {
    language.to_lowercase().replace('_', "-")
}

impl Catalogues {
    fn find(site: &Site) -> Option<Self> {
        let has_plugin = PLUGINS.iter().any(|key| site.config.get(key).is_some());
        if has_plugin
            || PO4A
                .iter()
                .any(|file| site.tree.is_file(&site.root.join(file)))
        {
            return Some(Self::OfAny);
        }
        let mut languages = BTreeSet::new();
        for dir in DIRS {
            add_languages(site, &site.root.join(dir), "", DEPTH, &mut languages);
        }
        (!languages.is_empty()).then_some(Self::Of(languages))
    }

    fn contain(&self, language: &str) -> bool {
        match self {
            Self::OfAny => true,
            Self::Of(known) => {
                known.contains(language)
                    || language
                        .split('-')
                        .next()
                        .is_some_and(|main| known.contains(main))
            }
        }
    }
}

/// Adds the names of catalogues in a directory and below, and of the directories around them.
fn add_languages(
    site: &Site,
    dir: &Path,
    above: &str,
    depth: usize,
    languages: &mut BTreeSet<String>,
) {
    if depth == 0 || !site.tree.is_dir(dir) {
        return;
    }
    for entry in site.tree.entries(dir) {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if let Some(stem) = name.strip_suffix(".po") {
            languages.extend([stem, above].map(|name| name.replace('_', "-")));
        } else if !name.starts_with('.') {
            let above = if name == "lc_messages" { above } else { &name };
            add_languages(site, &entry.path(), above, depth - 1, languages);
        }
    }
}
