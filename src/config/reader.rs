//! Reads written values and collects all mistakes.

use std::fmt::Display;
use std::path::PathBuf;

use super::mistake::{Mistake, SettingOrigin, nearest, quoted};
use located_values::{SettingData, SettingEntry, SettingValue};
use site_paths::finding::Place;

/// Reads one layer of settings: tracks its origin, the current key and the mistakes.
pub(super) struct LayerReader<'a> {
    /// The origin of the layer; places are added per value.
    layer: SettingOrigin,
    /// The current key as shown in messages: `sitemap.file`, or the variable or flag that sets it.
    subject: String,
    /// Every code that `[levels]` accepts.
    pub(super) codes: &'a [&'static str],
    /// The mistakes of all layers so far.
    mistakes: &'a mut Vec<Mistake>,
}

/// The author of a value, which decides which paths it may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueAuthor {
    /// The repository. Its settings may come from an untrusted pull request, so their paths must
    /// stay within the site root.
    Repository,
    /// The user who runs waypost.
    User,
}

impl<'a> LayerReader<'a> {
    pub(super) fn new(
        layer: SettingOrigin,
        codes: &'a [&'static str],
        mistakes: &'a mut Vec<Mistake>,
    ) -> Self {
        Self {
            layer,
            subject: String::new(),
            codes,
            mistakes,
        }
    }

    /// Sets the current key.
    pub(super) fn set_key(&mut self, key: &str) {
        self.subject = match &self.layer {
            SettingOrigin::Environment(variable) => variable.clone(),
            SettingOrigin::Flag(flag) => (*flag).to_owned(),
            SettingOrigin::File(..) | SettingOrigin::Default => key.to_owned(),
        };
    }

    /// The author of the layer.
    pub(super) fn author(&self) -> ValueAuthor {
        match self.layer {
            SettingOrigin::File(..) => ValueAuthor::Repository,
            SettingOrigin::Default | SettingOrigin::Environment(_) | SettingOrigin::Flag(_) => {
                ValueAuthor::User
            }
        }
    }

    /// The origin of a value.
    pub(super) fn origin(&self, place: Option<Place>) -> SettingOrigin {
        match &self.layer {
            SettingOrigin::File(file, _) => SettingOrigin::File(file.clone(), place),
            layer => layer.clone(),
        }
    }

    /// The file and place of a value, as stored in a rule.
    pub(super) fn place_in_file(&self, place: Option<Place>) -> Option<(PathBuf, Place)> {
        match &self.layer {
            SettingOrigin::File(file, _) => Some((file.clone(), place?)),
            _ => None,
        }
    }

    /// Records that the current key is wrong; `what` follows its name in the message.
    pub(super) fn invalid_value(
        &mut self,
        place: Option<Place>,
        what: impl Display,
        hint: Option<String>,
    ) {
        let message = format!("`{}` {what}", self.subject);
        self.mistake(place, message, hint);
    }

    /// Records a mistake.
    pub(super) fn mistake(&mut self, place: Option<Place>, message: String, hint: Option<String>) {
        self.mistakes.push(Mistake {
            origin: self.origin(place),
            message,
            hint,
        });
    }

    /// Records that a value has the wrong type.
    pub(super) fn wrong_type(&mut self, value: &SettingValue, wanted: &str) {
        self.invalid_value(
            value.place,
            format_args!("must be {wanted}, not {}", value.type_name()),
            None,
        );
    }

    /// The entries of a table.
    pub(super) fn table<'v>(&mut self, value: &'v SettingValue) -> Option<&'v [SettingEntry]> {
        match &value.data {
            SettingData::Table(entries) => Some(entries),
            SettingData::Nothing => Some(&[]),
            _ => {
                self.wrong_type(value, "a table");
                None
            }
        }
    }

    /// Records an unknown key, with the nearest known one as a hint.
    pub(super) fn unknown_key(
        &mut self,
        entry: &SettingEntry,
        shown: &str,
        known: &[&str],
        elsewhere: &[&str],
    ) {
        let hint = nearest(&entry.key, known.iter().copied())
            .map(|name| format!("did you mean `{name}`?"))
            .or_else(|| hint_for_other_table(&entry.key, elsewhere))
            .unwrap_or_else(|| format!("known keys are {}", quoted(known.iter().copied())));
        self.mistake(
            entry.key_place,
            format!("unknown key `{shown}`"),
            Some(hint),
        );
    }
}

/// The hint for a key that belongs in another table.
fn hint_for_other_table(written: &str, names: &[&str]) -> Option<String> {
    let found = names
        .iter()
        .find(|name| name.rsplit('.').next() == Some(written))?;
    Some(format!("did you mean `{found}`?"))
}
