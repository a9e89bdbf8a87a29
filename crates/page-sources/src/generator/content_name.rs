//! Splits the path of a content file below its content directory into its components.

use super::languages::Languages;

/// Components of a content file's path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ContentName<'n> {
    /// Parent directories, outermost first.
    pub(super) dirs: Vec<&'n str>,
    /// The file name without extension and language code.
    pub(super) stem: &'n str,
    /// The language code as the settings spell it; empty if the site has no languages.
    pub(super) language: &'n str,
}

impl<'n> ContentName<'n> {
    /// Splits a path without extension. A language suffix takes precedence over the language of the
    /// content directory.
    pub(super) fn parse(
        path: &'n str,
        of_folder: Option<&'n str>,
        languages: &Languages<'n>,
    ) -> Self {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let dirs = dir.split('/').filter(|part| !part.is_empty()).collect();
        let suffix = name
            .rsplit_once('.')
            .and_then(|(stem, code)| Some((stem, languages.known(code)?)));
        let (stem, language) = suffix.map_or((name, of_folder), |(stem, code)| (stem, Some(code)));
        Self {
            dirs,
            stem,
            language: languages.or_default(language),
        }
    }
}
