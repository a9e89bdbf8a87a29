//! The reader that goes over written values and collects every mistake on its way.

use std::fmt::Display;
use std::path::PathBuf;

use super::mistake::{Mistake, SettingOrigin, nearest, quoted};
use super::value::{SettingData, SettingEntry, SettingValue};
use crate::finding::Place;

/// What a layer of settings is read with: where it stands, which key is being read, and what was wrong so far.
pub(super) struct LayerReader<'a> {
    /// Where the layer stands; places are filled in value by value.
    layer: SettingOrigin,
    /// The key at hand as a message names it: `sitemap.file`, or the variable or flag that sets it.
    subject: String,
    /// Every code that `[levels]` may name.
    pub(super) codes: &'a [&'static str],
    /// What was wrong so far, in all layers.
    mistakes: &'a mut Vec<Mistake>,
}

/// Whose word a value is, and so what it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueAuthor {
    /// The repository: its settings may be a stranger's (a pull request), so they stay within the site root.
    Repository,
    /// Whoever runs waypost.
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

    /// Turns to another key.
    pub(super) fn turn_to(&mut self, key: &str) {
        self.subject = match &self.layer {
            SettingOrigin::Environment(variable) => variable.clone(),
            SettingOrigin::Flag(flag) => (*flag).to_owned(),
            SettingOrigin::File(..) | SettingOrigin::Default => key.to_owned(),
        };
    }

    /// Whose words are being read.
    pub(super) fn author(&self) -> ValueAuthor {
        match self.layer {
            SettingOrigin::File(..) => ValueAuthor::Repository,
            SettingOrigin::Default | SettingOrigin::Environment(_) | SettingOrigin::Flag(_) => {
                ValueAuthor::User
            }
        }
    }

    /// Where a value stands.
    pub(super) fn origin(&self, place: Option<Place>) -> SettingOrigin {
        match &self.layer {
            SettingOrigin::File(file, _) => SettingOrigin::File(file.clone(), place),
            layer => layer.clone(),
        }
    }

    /// Where a value stands, as a rule remembers it.
    pub(super) fn place_in_file(&self, place: Option<Place>) -> Option<(PathBuf, Place)> {
        match &self.layer {
            SettingOrigin::File(file, _) => Some((file.clone(), place?)),
            _ => None,
        }
    }

    /// Records that the key at hand is wrong: `what` follows its name.
    pub(super) fn wrong(&mut self, place: Option<Place>, what: impl Display, hint: Option<String>) {
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

    /// Records that a value is of the wrong kind.
    pub(super) fn wrong_kind(&mut self, value: &SettingValue, wanted: &str) {
        self.wrong(
            value.place,
            format_args!("must be {wanted}, not {}", value.kind()),
            None,
        );
    }

    /// Takes a table's entries.
    pub(super) fn table<'v>(&mut self, value: &'v SettingValue) -> Option<&'v [SettingEntry]> {
        match &value.data {
            SettingData::Table(entries) => Some(entries),
            SettingData::Nothing => Some(&[]),
            _ => {
                self.wrong_kind(value, "a table");
                None
            }
        }
    }

    /// Records a key that nobody knows, with the nearest that is known.
    pub(super) fn unknown_key(
        &mut self,
        entry: &SettingEntry,
        shown: &str,
        known: &[&str],
        elsewhere: &[&str],
    ) {
        let hint = nearest(&entry.key, known.iter().copied())
            .map(|name| format!("did you mean `{name}`?"))
            .or_else(|| of_another_table(&entry.key, elsewhere))
            .unwrap_or_else(|| format!("known keys are {}", quoted(known.iter().copied())));
        self.mistake(
            entry.key_place,
            format!("unknown key `{shown}`"),
            Some(hint),
        );
    }
}

/// A key that stands in the wrong table.
fn of_another_table(written: &str, names: &[&str]) -> Option<String> {
    let found = names
        .iter()
        .find(|name| name.rsplit('.').next() == Some(written))?;
    Some(format!("did you mean `{found}`?"))
}
