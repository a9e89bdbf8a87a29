//! The path of a content file below its content folder, taken apart.

use super::languages::Languages;

/// A content file's path, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ContentName<'n> {
    /// The folders, the outermost first.
    pub(super) folders: Vec<&'n str>,
    /// The file's name without its ending and language.
    pub(super) stem: &'n str,
    /// The language's code, as the settings spell it; nothing where the site has none.
    pub(super) language: &'n str,
}

impl<'n> ContentName<'n> {
    /// Takes apart a path without its ending. A language at its end counts before the one of the content folder.
    pub(super) fn take_apart(
        path: &'n str,
        of_folder: Option<&'n str>,
        languages: &Languages<'n>,
    ) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folders = folder.split('/').filter(|part| !part.is_empty()).collect();
        let suffix = name
            .rsplit_once('.')
            .and_then(|(stem, code)| Some((stem, languages.known(code)?)));
        let (stem, language) = suffix.map_or((name, of_folder), |(stem, code)| (stem, Some(code)));
        Self {
            folders,
            stem,
            language: languages.or_default(language),
        }
    }
}
