//! Mistakes in the settings, and suggestions for misspelt names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use sitemaps::Place;
use sitemaps::site_paths::{display_path, escaped};

/// The origin of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The built-in default.
    Default,
    /// A file, with the byte range if known.
    File(PathBuf, Option<Place>),
    /// An environment variable of this name.
    Environment(String),
    /// A command-line flag, such as `--base-url`.
    Flag(&'static str),
    /// The documentation of the generator with this name.
    Generator(String),
}

impl SettingOrigin {
    /// The byte range in the file, if known.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::File(_, place) => *place,
            _ => None,
        }
    }

    /// The same origin at another place of its file.
    pub(super) fn at(&self, place: Option<Place>) -> Self {
        match self {
            Self::File(file, _) => Self::File(file.clone(), place),
            other => other.clone(),
        }
    }

    /// The file and the place in it, if known.
    pub(super) fn written_in(&self) -> Option<(PathBuf, Place)> {
        match self {
            Self::File(file, Some(place)) => Some((file.clone(), *place)),
            _ => None,
        }
    }

    /// A mistake in a setting of this origin: its message and its hint.
    pub(super) fn mistake(&self, (message, hint): (String, Option<String>)) -> Mistake {
        Mistake {
            origin: self.clone(),
            message,
            hint,
        }
    }

    /// Whether the user who runs waypost set it. Such a setting may name any directory of the
    /// machine.
    pub fn is_set_by_user(&self) -> bool {
        matches!(self, Self::Environment(_) | Self::Flag(_))
    }
}

/// One mistake in the settings.
#[derive(Debug)]
pub struct Mistake {
    /// The origin of the wrong setting.
    pub origin: SettingOrigin,
    /// The message: lower case first letter, no full stop, names in backticks.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
}

/// Texts of the files that were read, by the path under which they are shown.
///
/// Places in [`SettingOrigin::File`] and in a rule's `written_in` are offsets into these texts.
#[derive(Debug, Default)]
pub struct SettingsTexts(BTreeMap<PathBuf, String>);

impl SettingsTexts {
    /// The text of a file that was read.
    pub fn of(&self, file: &Path) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }

    /// Formats an origin: `default`, `waypost.toml:3`, `WAYPOST_BASE_URL`, `--base-url`.
    pub fn format_origin(&self, origin: &SettingOrigin) -> String {
        match origin {
            SettingOrigin::Default => "default".to_owned(),
            SettingOrigin::Environment(name) | SettingOrigin::Generator(name) => name.clone(),
            SettingOrigin::Flag(flag) => (*flag).to_owned(),
            SettingOrigin::File(file, place) => {
                match place.and_then(|place| self.line(file, place)) {
                    Some(line) => format!("{}:{line}", display_path(file)),
                    None => display_path(file),
                }
            }
        }
    }

    pub(super) fn insert(&mut self, file: PathBuf, text: String) {
        self.0.insert(file, text);
    }

    /// The 1-based line of a place.
    fn line(&self, file: &Path, place: Place) -> Option<usize> {
        let before = self.0.get(file)?.as_bytes().get(..place.start as usize)?;
        Some(memchr::memchr_iter(b'\n', before).count() + 1)
    }
}

/// The first mistake in the settings, and the files that were read.
#[derive(Debug)]
pub struct SettingsError {
    /// The mistake.
    pub mistake: Mistake,
    /// The files, one of which may contain it.
    pub texts: SettingsTexts,
}

impl std::error::Error for SettingsError {}

/// For callers that do not show the source; control characters are escaped.
impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake {
            origin, message, ..
        } = &self.mistake;
        let text = match origin {
            SettingOrigin::File(..) => format!("{}: {message}", self.texts.format_origin(origin)),
            // The message already names the variable or flag.
            _ => message.clone(),
        };
        out.write_str(&escaped(&text))
    }
}

/// The known name most similar to `written`, if any is similar enough to suggest.
///
/// A name is similar if at most a third of its letters differ, as in rustc's suggestions.
pub(crate) fn nearest<'n>(
    written: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // A name far longer than every known one matches none, and the comparison uses memory in
    // proportion to its length.
    if written.len() > 64 {
        return None;
    }
    let written = written.to_lowercase();
    let length = written.chars().count();
    let limit = (length / 3).max(1);
    known
        .into_iter()
        .filter(|name| name.len().abs_diff(length) <= limit)
        .map(|name| {
            (
                strsim::damerau_levenshtein(&written, &name.to_lowercase()),
                name,
            )
        })
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The message and the hint for an error that serde found in the value of a key. `known` are the keys of
/// all tables.
pub(super) fn text_of(
    error: &serde_json::Error,
    key: &str,
    known: &[String],
) -> (String, Option<String>) {
    let text = error.to_string();
    // The second line of our own errors is their hint.
    if let Some((message, hint)) = text.split_once('\n') {
        return (format!("`{key}` {message}"), Some(hint.to_owned()));
    }
    let Some((wrong, right)) = text.split_once(", expected ") else {
        let text = text.replace("missing field", "has no");
        return (format!("`{key}` {text}"), None);
    };
    let written = wrong.split('`').nth(1).unwrap_or_default();
    let meant = nearest(written, right.split('`').skip(1).step_by(2));
    if wrong.starts_with("unknown field") {
        let meant = meant.or_else(|| {
            let mut keys = known.iter().map(String::as_str);
            // The key of another table.
            keys.find(|known| known.rsplit('.').next() == Some(written))
        });
        let hint = match meant {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known keys are {}", right.trim_start_matches("one of ")),
        };
        // The wrong part may be the table of the key.
        let table = key.find(&format!("{written}."));
        let wrong = table.map_or(key, |at| &key[..at + written.len()]);
        return (format!("unknown key `{wrong}`"), Some(hint));
    }
    let right = match right {
        "a sequence" => "an array",
        "a map" => "a table",
        "string or map" => "a string",
        "i64" => "an integer",
        "f64" => "a number",
        right => right,
    };
    let wrong = wrong
        .trim_start_matches("unknown variant ")
        .trim_start_matches("invalid type: ");
    let text = wrong
        .strip_prefix("string ")
        .filter(|_| right == "an array");
    let hint = match text {
        Some(text) => Some(format!("write `[{text}]`")),
        None => meant.map(|name| format!("did you mean `{name}`?")),
    };
    (format!("`{key}` must be {right}, not {wrong}"), hint)
}
