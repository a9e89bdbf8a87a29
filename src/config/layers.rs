//! The layers of settings, from the weakest to the strongest: defaults, files, environment, flags.
//!
//! This is the only file of the room that opens one.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::draft::{Draft, Explained};
use super::keys::KEYS;
use super::mistake::{Mistake, Mistakes, Origin, Texts, nearest};
use super::reader::Reader;
use super::settings::Settings;
use super::syntax::Syntax;
use super::value::{Data, Entry, Value};
use crate::finding::ALL;

/// The settings file that is read from the site root where it exists.
const OWN_FILE: &str = "waypost.toml";

/// Settings files are read whole; one larger than this is none.
const MOST_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Nobody reads on after so many mistakes.
const MOST_MISTAKES_SHOWN: usize = 100;

/// Variables that begin like ours and belong to others: the npm package's binary and the log level.
const FOREIGN_VARIABLES: [&str; 2] = ["WAYPOST_BIN", "WAYPOST_LOG"];

/// Where settings may stand, as the command line's room found it.
#[derive(Debug)]
pub struct Inputs<'a> {
    /// The folder that paths in settings are relative to.
    pub site_root: &'a Path,
    /// Tables in the generator's own files; the later ones win. A file that does not exist is passed over.
    pub homes: &'a [Home],
    /// `--config`: a file that must exist; where none is named, `waypost.toml` in the site root counts if it exists.
    pub config: Option<&'a Path>,
    /// The environment; only names that begin with `WAYPOST_` are looked at.
    pub environment: &'a [(String, String)],
    /// What was said on the command line.
    pub flags: Flags,
    /// Codes that `[levels]` may name beside those of findings: the reasons for which a page is left out.
    pub reasons: &'a [&'static str],
}

/// A place in a generator's own file where waypost's table may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The file, relative to the site root.
    pub file: PathBuf,
    /// The dotted path of the table: `extra.waypost`, or nothing where the whole file is ours. Letters count alike in
    /// upper and lower case, as Hugo has it.
    pub table: String,
    /// The language of the file.
    pub syntax: Syntax,
    /// Keys of the table that the generator reads itself: mdBook's `command` and `optional`.
    pub foreign_keys: Vec<String>,
}

/// The flags that are settings too.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--base-url`.
    pub base_url: Option<String>,
    /// `--output-dir`, absolute or from the site root: what was typed is relative to the working folder.
    pub output_dir: Option<PathBuf>,
}

/// The settings of a run, and where each came from.
#[derive(Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// Every key in documented order, then the levels that were set and the rules.
    pub explained: Vec<Explained>,
    /// The files that were read.
    pub texts: Texts,
}

/// Reads every layer and lays each over the one before.
///
/// Mistakes do not end the reading: all of them, of all layers, come back at once.
pub fn load(inputs: &Inputs<'_>) -> Result<Loaded, Mistakes> {
    let mut codes: Vec<_> = ALL.iter().map(|code| code.name).collect();
    codes.extend(inputs.reasons);
    let mut layers = Layers { draft: Draft::default(), codes, mistakes: Vec::new(), texts: Texts::default() };
    for home in inputs.homes {
        layers.lay_home(inputs.site_root, home);
    }
    layers.lay_own_file(inputs.site_root, inputs.config);
    layers.lay_environment(inputs.environment);
    layers.lay_flags(&inputs.flags);
    layers.finish()
}

struct Layers {
    draft: Draft,
    codes: Vec<&'static str>,
    mistakes: Vec<Mistake>,
    texts: Texts,
}

impl Layers {
    fn lay_home(&mut self, site_root: &Path, home: &Home) {
        match read_text(&site_root.join(&home.file)) {
            Ok(text) => self.lay_text(text, home),
            Err(Unread::Missing) => {}
            Err(error) => self.mistake(Origin::File(home.file.clone(), None), error.to_string(), None),
        }
    }

    /// `waypost.toml`, or the file that takes its place.
    fn lay_own_file(&mut self, site_root: &Path, config: Option<&Path>) {
        let own = site_root.join(OWN_FILE);
        let (path, shown) = config.map_or((own.as_path(), Path::new(OWN_FILE)), |config| (config, config));
        let home =
            Home { file: shown.to_owned(), table: String::new(), syntax: Syntax::Toml, foreign_keys: Vec::new() };
        match read_text(path) {
            Ok(text) => self.lay_text(text, &home),
            Err(Unread::Missing) if config.is_none() => {}
            Err(error) => self.mistake(Origin::File(home.file, None), error.to_string(), None),
        }
    }

    fn lay_text(&mut self, text: String, home: &Home) {
        // A generator's file that never names the table has none; whether it is well-formed is then not our affair.
        if !names_table(&text, &home.table) {
            return;
        }
        let parsed = home.syntax.parse(&text);
        self.texts.keep(home.file.clone(), text);
        let origin = Origin::File(home.file.clone(), None);
        match parsed {
            Ok(value) => {
                let earlier = self.mistakes.len();
                let mut reader = Reader::new(origin, &self.codes, &mut self.mistakes);
                lay_table_of(&mut self.draft, &value, &home.table, &home.foreign_keys, &mut reader);
                self.mistakes[earlier..].sort_by_key(|mistake| mistake.origin.place());
            }
            Err(error) => {
                let origin = Origin::File(home.file.clone(), error.place);
                self.mistake(origin, error.message, None);
            }
        }
    }

    fn lay_environment(&mut self, environment: &[(String, String)]) {
        // By name, so that the order in which the platform hands them over shows nowhere.
        let mut variables: Vec<_> = environment.iter().filter(|(name, _)| name.starts_with("WAYPOST_")).collect();
        variables.sort();
        for (name, text) in variables {
            // Pipelines set a variable that has no value to the empty text.
            if !text.trim().is_empty() && !FOREIGN_VARIABLES.contains(&name.as_str()) {
                self.lay_variable(name, text);
            }
        }
    }

    fn lay_variable(&mut self, name: &str, text: &str) {
        let mut reader = Reader::new(Origin::Environment(name.to_owned()), &self.codes, &mut self.mistakes);
        reader.turn_to(name);
        let value = Value::text(text.trim());
        if let Some(key) = KEYS.iter().find(|key| variable_of(key.name) == name) {
            self.draft.lay_key(key, &value, &mut reader);
        } else if let Some(code) = name.strip_prefix("WAYPOST_LEVELS_") {
            let code = code.to_ascii_lowercase().replace('_', "-");
            self.draft.lay_level(&Entry { key: code, key_place: None, value }, &mut reader);
        } else {
            let known: Vec<_> = KEYS.iter().map(|key| variable_of(key.name)).collect();
            let hint = nearest(name, known.iter().map(String::as_str)).map(|name| format!("did you mean `{name}`?"));
            reader.mistake(None, format!("unknown environment variable `{name}`"), hint);
        }
    }

    fn lay_flags(&mut self, flags: &Flags) {
        if let Some(text) = &flags.base_url {
            let mut reader = Reader::new(Origin::Flag("--base-url"), &self.codes, &mut self.mistakes);
            reader.turn_to("base_url");
            let key = KEYS.iter().find(|key| key.name == "base_url").expect("it stands in the table");
            self.draft.lay_key(key, &Value::text(text), &mut reader);
        }
        if let Some(folder) = &flags.output_dir {
            self.draft.lay_output_dir(folder);
        }
    }

    fn mistake(&mut self, origin: Origin, message: String, hint: Option<String>) {
        self.mistakes.push(Mistake { origin, message, hint });
    }

    fn finish(mut self) -> Result<Loaded, Mistakes> {
        if !self.mistakes.is_empty() {
            let more = self.mistakes.len().saturating_sub(MOST_MISTAKES_SHOWN);
            self.mistakes.truncate(MOST_MISTAKES_SHOWN);
            return Err(Mistakes { list: self.mistakes, more, texts: self.texts });
        }
        Ok(Loaded { explained: self.draft.explain(), settings: self.draft.finish(), texts: self.texts })
    }
}

/// Whether a text may hold a table: the last part of its path stands somewhere in it.
fn names_table(text: &str, table: &str) -> bool {
    let name = table.rsplit('.').next().unwrap_or_default().as_bytes();
    name.is_empty() || text.as_bytes().windows(name.len()).any(|window| window.eq_ignore_ascii_case(name))
}

/// Goes down a dotted path and lays the table at its end; where the path leads nowhere, there is nothing to lay.
fn lay_table_of(draft: &mut Draft, value: &Value, path: &str, foreign_keys: &[String], reader: &mut Reader<'_>) {
    if path.is_empty() {
        let entries = reader.table(value).unwrap_or_default();
        let ours = entries.iter().filter(|entry| !foreign_keys.contains(&entry.key));
        return draft.lay_table(ours, "", reader);
    }
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let Data::Table(entries) = &value.data else { return };
    for entry in entries.iter().filter(|entry| entry.key.eq_ignore_ascii_case(name)) {
        reader.turn_to(&entry.key);
        lay_table_of(draft, &entry.value, rest, foreign_keys, reader);
    }
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("WAYPOST_{}", key.replace('.', "_").to_ascii_uppercase())
}

/// Why a settings file could not be read.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error("the settings file does not exist")]
    Missing,
    #[error("the settings file cannot be read: {0}")]
    Io(io::Error),
    #[error("the settings file is larger than 16 MiB")]
    TooLarge,
    #[error("the settings file is not UTF-8 (its byte {0} is not)")]
    NotUtf8(usize),
}

/// Reads a text file; a byte order mark at its beginning is dropped.
fn read_text(path: &Path) -> Result<String, Unread> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unread::Missing,
        _ => Unread::Io(error),
    })?;
    let mut bytes = Vec::new();
    file.take(MOST_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(Unread::Io)?;
    if bytes.len() as u64 > MOST_FILE_BYTES {
        return Err(Unread::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|error| Unread::NotUtf8(error.utf8_error().valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
