//! What is wrong with the settings, and the nearest name that may have been meant.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::finding::Place;

/// Where a setting was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingOrigin {
    /// Nowhere: waypost's own default.
    Default,
    /// In a file, at these bytes where they are known.
    File(PathBuf, Option<Place>),
    /// In an environment variable of this name.
    Environment(String),
    /// In a flag, as it is typed: `--base-url`.
    Flag(&'static str),
}

impl SettingOrigin {
    /// The bytes in the file, where they are known.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::File(_, place) => *place,
            _ => None,
        }
    }

    /// Whether it is whoever runs waypost who said it, not the site: such a setting may name any folder of the machine.
    pub fn is_of_user(&self) -> bool {
        matches!(self, Self::Environment(_) | Self::Flag(_))
    }
}

/// One mistake in the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where it was made.
    pub origin: SettingOrigin,
    /// What is wrong: lower case first letter, no full stop, names in backticks.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// The texts of the files that were read, by the path under which they are shown.
///
/// Places in [`Origin::File`] and in a rule's `written_in` are offsets into these texts.
#[derive(Debug, Clone, Default)]
pub struct SettingsTexts(BTreeMap<PathBuf, SettingsText>);

#[derive(Debug, Clone)]
struct SettingsText {
    whole: String,
    line_breaks: Vec<usize>,
}

impl SettingsTexts {
    /// The text of a file that was read.
    pub fn of(&self, file: &Path) -> Option<&str> {
        self.0.get(file).map(|text| text.whole.as_str())
    }

    /// An origin in words: `default`, `waypost.toml:3`, `WAYPOST_BASE_URL`, `--base-url`.
    pub fn shown(&self, origin: &SettingOrigin) -> String {
        match origin {
            SettingOrigin::Default => "default".to_owned(),
            SettingOrigin::Environment(variable) => variable.clone(),
            SettingOrigin::Flag(flag) => (*flag).to_owned(),
            SettingOrigin::File(file, place) => {
                match place.and_then(|place| self.line(file, place)) {
                    Some(line) => format!("{}:{line}", file.display()),
                    None => file.display().to_string(),
                }
            }
        }
    }

    pub(super) fn keep(&mut self, file: PathBuf, text: String) {
        let line_breaks = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        self.0.insert(
            file,
            SettingsText {
                whole: text,
                line_breaks,
            },
        );
    }

    /// The 1-based line of a place.
    fn line(&self, file: &Path, place: Place) -> Option<usize> {
        let breaks_before = self
            .0
            .get(file)?
            .line_breaks
            .partition_point(|&at| at < place.start as usize);
        Some(breaks_before + 1)
    }
}

/// Every mistake in the settings, in the order of the layers and of their files.
#[derive(Debug)]
pub struct Mistakes {
    /// The first hundred; never empty.
    pub list: Vec<Mistake>,
    /// How many there are beside these.
    pub more: usize,
    /// The files they were made in.
    pub texts: SettingsTexts,
}

impl Mistakes {
    /// The same, with each file known under another path: as people find it, who do not stand in the site's folder.
    #[must_use]
    pub fn with_paths(self, path_of: impl Fn(&Path) -> PathBuf) -> Self {
        let renamed = |mistake: Mistake| match mistake.origin {
            SettingOrigin::File(file, place) => Mistake {
                origin: SettingOrigin::File(path_of(&file), place),
                ..mistake
            },
            _ => mistake,
        };
        let texts = self
            .texts
            .0
            .into_iter()
            .map(|(file, text)| (path_of(&file), text))
            .collect();
        Self {
            list: self.list.into_iter().map(renamed).collect(),
            texts: SettingsTexts(texts),
            ..self
        }
    }
}

impl std::error::Error for Mistakes {}

/// One line a mistake, for callers that draw no sources; control characters are escaped.
impl fmt::Display for Mistakes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.list.iter().map(|mistake| match &mistake.origin {
            origin @ SettingOrigin::File(..) => {
                format!("{}: {}", self.texts.shown(origin), mistake.message)
            }
            // The variable or flag stands in the message.
            _ => mistake.message.clone(),
        });
        let more = (self.more > 0).then(|| format!("and {} more", self.more));
        for (index, line) in lines.chain(more).enumerate() {
            out.write_str(if index > 0 { "\n" } else { "" })?;
            out.write_str(&escape_controls(&line))?;
        }
        Ok(())
    }
}

/// A text whose control characters are written `\u001b`, as TOML and JSON have it.
pub(super) fn escape_controls(text: &str) -> String {
    let escaped = |character: char| match character {
        character if character.is_control() => format!("\\u{:04x}", u32::from(character)),
        character => character.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The known name that was most likely meant, or none that is near enough to be worth a line.
///
/// Near is what differs in a third of its letters at most, as in rustc's suggestions.
pub(crate) fn nearest<'n>(
    written: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // A name far longer than any that is known is near none, and comparing takes its length in memory.
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

/// Names in backticks, with commas: `` `a`, `b`, `c` ``.
pub(super) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
