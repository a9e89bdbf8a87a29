//! A pipeline's file as text and as values, and the changes to both.
//!
//! A change edits a few bytes, so that comments, indentation and line ends stay. Each change also
//! states its effect on the values. [`Document::patched`] parses the new text and compares: a file
//! whose style is not understood is refused, never damaged. Nothing here knows a pipeline.

use std::ops::Range;

use serde_json::Value as Json;

use super::unfit::Unfit;
use located_values::{SettingData, SettingEntry, SettingValue, Syntax};
use site_paths::finding::Place;

/// One step from a value to a value in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// The key of a table.
    Name(String),
    /// The index of an array.
    Index(usize),
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for Key {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// The keys that lead from the root of a document to a value.
pub(super) fn path<const N: usize>(keys: [&str; N]) -> Vec<Key> {
    keys.map(Key::from).to_vec()
}

/// A path with one more key.
pub(super) fn below(path: &[Key], key: impl Into<Key>) -> Vec<Key> {
    let mut longer = path.to_vec();
    longer.push(key.into());
    longer
}

/// A change of a document: bytes to replace, and what becomes of its values.
#[derive(Debug, Clone)]
pub(super) struct Change {
    at: Range<usize>,
    text: String,
    effects: Vec<Effect>,
}

/// A change of one value.
#[derive(Debug, Clone)]
enum Effect {
    /// The value of a path, which is new or replaces another.
    Set(Vec<Key>, Json),
    /// An item to insert at a path, whose last key is an index.
    Insert(Vec<Key>, Json),
}

/// A parsed file.
#[derive(Debug)]
pub(super) struct Document<'t> {
    text: &'t str,
    syntax: Syntax,
    root: SettingValue,
}

impl<'t> Document<'t> {
    pub(super) fn parse(text: &'t str, syntax: Syntax) -> Result<Self, Unfit> {
        let root = syntax
            .parse(text)
            .map_err(|error| Unfit::Syntax(error.message))?;
        Ok(Self { text, syntax, root })
    }

    /// The value at a path.
    pub(super) fn get(&self, path: &[Key]) -> Option<&SettingValue> {
        path.iter().try_fold(&self.root, |value, key| match key {
            Key::Name(name) => value.get(name),
            Key::Index(index) => value.items().get(*index),
        })
    }

    /// The string at a path.
    pub(super) fn text_at(&self, path: &[Key]) -> Option<&str> {
        self.get(path)?.as_text()
    }

    /// The entries of the table at a path; none if there is no table.
    pub(super) fn entries(&self, path: &[Key]) -> &[SettingEntry] {
        match self.get(path).map(|value| &value.data) {
            Some(SettingData::Table(entries)) => entries,
            _ => &[],
        }
    }

    /// Applies the changes; `None` if there are none.
    pub(super) fn patched(&self, changes: &[Change]) -> Result<Option<String>, Unfit> {
        if changes.is_empty() {
            return Ok(None);
        }
        let mut edits: Vec<&Change> = changes.iter().collect();
        edits.sort_by_key(|change| change.at.start);
        let (mut new, mut done) = (String::new(), 0);
        for edit in edits {
            new += self.text.get(done..edit.at.start).ok_or(Unfit::Style)?;
            new += &edit.text;
            done = edit.at.end;
        }
        new += &self.text[done..];
        let mut expected = json_of(&self.root);
        for effect in changes.iter().flat_map(|change| &change.effects) {
            effect.apply(&mut expected).ok_or(Unfit::Style)?;
        }
        let actual = self.syntax.parse(&new).map_err(|_| Unfit::Style)?;
        if json_of(&actual) == expected {
            Ok(Some(new))
        } else {
            Err(Unfit::OtherValues)
        }
    }

    /// Appends to a string on one line, in its own quotes.
    pub(super) fn append(&self, path: &[Key], suffix: &str) -> Result<Change, Unfit> {
        let value = self.get(path).ok_or(Unfit::Style)?;
        let old = value.as_text().ok_or(Unfit::Style)?;
        if old.contains('\n') {
            return Err(Unfit::SeveralLines);
        }
        let written = self.range(value.place)?;
        let raw = &self.text[written.clone()];
        let end = written.end - usize::from(raw.ends_with(['"', '\'']));
        let new = Json::String(format!("{old}{suffix}"));
        Ok(Change {
            at: end..end,
            text: suffix.to_owned(),
            effects: vec![Effect::Set(path.to_vec(), new)],
        })
    }

    /// Replaces a value that is written on one line.
    pub(super) fn replace(&self, path: &[Key], text: &str) -> Result<Change, Unfit> {
        let at = self.range(self.get(path).and_then(|value| value.place))?;
        let new = self.syntax.parse(&self.fragment("x", text));
        let new = new.map_err(|_| Unfit::Style)?;
        let new = json_of(new.get("x").ok_or(Unfit::Style)?);
        Ok(Change {
            at,
            text: text.to_owned(),
            effects: vec![Effect::Set(path.to_vec(), new)],
        })
    }

    /// Inserts an entry after the entry `anchor` of a table. `lines` are those of the value, of
    /// which the first follows the key; in JSON and TOML there is only one.
    pub(super) fn insert_after(
        &self,
        table: &[Key],
        anchor: &str,
        (key, lines): (&str, &[&str]),
    ) -> Result<Change, Unfit> {
        let entry = self.entries(table).iter().find(|entry| entry.key == anchor);
        let entry = entry.ok_or(Unfit::Style)?;
        let value = self.fragment(key, &lines.join("\n"));
        let value = self.syntax.parse(&value).map_err(|_| Unfit::Style)?;
        let value = json_of(value.get(key).ok_or(Unfit::Style)?);
        let effects = vec![Effect::Set(below(table, key), value)];
        let start = self.range(entry.key_place)?.start;
        let line = self.line_start(start);
        let indent = &self.text[line..start];
        if self.syntax == Syntax::Json {
            let end = self.range(entry.value.place)?.end;
            let gap = self.json_gap(indent);
            let text = format!(",{gap}\"{key}\": {}", lines.concat());
            return Ok(Change {
                at: end..end,
                text,
                effects,
            });
        }
        if !indent.chars().all(|c| matches!(c, ' ' | '-')) {
            return Err(Unfit::Flow);
        }
        let is_list = matches!(entry.value.data, SettingData::List(_));
        let end = self.block_end(line, indent.len(), ListIndent::of(is_list));
        let written = key_and_lines(key, lines);
        Ok(self.insert_lines(end, &" ".repeat(indent.len()), &written, effects))
    }

    /// Inserts an item after the item at `path` of a block sequence in YAML. `lines` are those of the
    /// item, without its dash.
    pub(super) fn insert_item_after(&self, path: &[Key], lines: &[&str]) -> Result<Change, Unfit> {
        let (Some(Key::Index(index)), Some(item)) = (path.last(), self.get(path)) else {
            return Err(Unfit::Style);
        };
        let start = match &item.data {
            SettingData::Table(entries) => {
                self.range(entries.first().and_then(|entry| entry.key_place))?
            }
            _ => self.range(item.place)?,
        };
        let line = self.line_start(start.start);
        let dash = self.text[line..start.start].trim_end_matches(' ');
        let indent = dash.strip_suffix('-').ok_or(Unfit::Flow)?;
        if !indent.bytes().all(|byte| byte == b' ') {
            return Err(Unfit::Flow);
        }
        let value = Syntax::Yaml.parse(&lines.join("\n"));
        let value = json_of(&value.map_err(|_| Unfit::Style)?);
        let mut at = path.to_vec();
        at.pop();
        let effects = vec![Effect::Insert(below(&at, index + 1), value)];
        let end = self.block_end(line, indent.len(), ListIndent::Deeper);
        let written = lines.iter().enumerate().map(|(at, line)| {
            let start = if at == 0 { "- " } else { "  " };
            format!("{start}{line}")
        });
        Ok(self.insert_lines(end, indent, &written.collect::<Vec<_>>(), effects))
    }

    /// Inserts entries at the start of a JSON object.
    pub(super) fn insert_first(&self, entries: &[(&str, &str)]) -> Result<Change, Unfit> {
        let start = self.text.find('{').ok_or(Unfit::Style)? + 1;
        let first = self.entries(&[]).first();
        let key = first.map(|entry| self.range(entry.key_place)).transpose()?;
        let gap = key.map_or_else(
            || format!("{}  ", self.line_end()),
            |key| self.json_gap(&self.text[self.line_start(key.start)..key.start]),
        );
        let written = entries.iter().map(|(key, value)| {
            let value = Json::from(*value);
            format!("{gap}\"{key}\": {value}")
        });
        let mut text = written.collect::<Vec<_>>().join(",");
        text += if first.is_some() {
            ","
        } else {
            self.line_end()
        };
        let effects = entries
            .iter()
            .map(|(key, value)| Effect::Set(vec![Key::from(*key)], Json::from(*value)));
        Ok(Change {
            at: start..start,
            text,
            effects: effects.collect(),
        })
    }

    /// Inserts a line with a string into a table of TOML, after its header; appends the table if
    /// there is none.
    pub(super) fn insert_into_table(
        &self,
        table: &str,
        (key, value): (&str, &str),
    ) -> Result<Change, Unfit> {
        let line_end = self.line_end();
        let written = format!("{key} = {}{line_end}", Json::from(value));
        let effects = vec![Effect::Set(path([table, key]), Json::from(value))];
        let entry = self.entries(&[]).iter().find(|entry| entry.key == table);
        if entry.is_none() {
            let at = self.text.len();
            let before = if self.text.is_empty() { "" } else { line_end };
            let open = if self.ends_open(at) { line_end } else { "" };
            let text = format!("{open}{before}[{table}]{line_end}{written}");
            return Ok(Change {
                at: at..at,
                text,
                effects,
            });
        }
        let header = format!("[{table}]");
        let mut lines = self.lines_from(0);
        let header = lines.find(|(_, line)| line.trim() == header);
        let (start, line) = header.ok_or(Unfit::Style)?;
        let indent = self.lines_from(start + line.len()).next();
        let indent = indent.map_or("", |(_, line)| {
            &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
        });
        let at = start + line.len();
        let open = if self.ends_open(at) { line_end } else { "" };
        Ok(Change {
            at: at..at,
            text: format!("{open}{indent}{written}"),
            effects,
        })
    }

    /// A text of this syntax with one entry.
    fn fragment(&self, key: &str, value: &str) -> String {
        match self.syntax {
            Syntax::Toml => format!("{key} = {value}"),
            Syntax::Yaml => key_and_lines(key, &value.lines().collect::<Vec<_>>()).join("\n"),
            Syntax::Json => format!("{{\"{key}\": {value}}}"),
        }
    }

    fn insert_lines(
        &self,
        at: usize,
        indent: &str,
        lines: &[String],
        effects: Vec<Effect>,
    ) -> Change {
        let line_end = self.line_end();
        let mut written = String::new();
        for line in lines {
            written.extend([indent, line, line_end]);
        }
        let text = if self.ends_open(at) {
            format!("{line_end}{}", written.trim_end())
        } else {
            written
        };
        Change {
            at: at..at,
            text,
            effects,
        }
    }

    /// The end of the block that begins in the line at `start` and whose key or dash has the column
    /// `column`. Comments and empty lines after its last value are not part of it.
    fn block_end(&self, start: usize, column: usize, list: ListIndent) -> usize {
        let mut lines = self.lines_from(start);
        let mut end = lines.next().map_or(start, |(at, line)| at + line.len());
        for (at, line) in lines {
            let content = line.trim_start_matches(' ');
            let indent = line.len() - content.len();
            if content.trim().is_empty() || content.starts_with('#') && indent <= column {
                continue;
            }
            let is_item = list == ListIndent::SameColumn
                && indent == column
                && (content.starts_with("- ") || content.trim_end() == "-");
            if indent <= column && !is_item {
                break;
            }
            end = at + line.len();
        }
        end
    }

    /// The lines from a position, each with its position and line end.
    fn lines_from(&self, start: usize) -> impl Iterator<Item = (usize, &'t str)> {
        let mut at = start;
        self.text[start..].split_inclusive('\n').map(move |line| {
            let position = at;
            at += line.len();
            (position, line)
        })
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Whether a position follows text that has no line end.
    fn ends_open(&self, at: usize) -> bool {
        at > 0 && !self.text[..at].ends_with('\n')
    }

    /// The line end of the file: that of its first line.
    fn line_end(&self) -> &'static str {
        match self.text.split_once('\n') {
            Some((line, _)) if line.ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    /// The white space before a new entry of a JSON object whose other entry has this before it.
    fn json_gap(&self, indent: &str) -> String {
        if indent.trim().is_empty() {
            format!("{}{indent}", self.line_end())
        } else {
            " ".to_owned()
        }
    }

    fn range(&self, place: Option<Place>) -> Result<Range<usize>, Unfit> {
        let place = place.ok_or(Unfit::Style)?;
        let range = place.start as usize..place.end as usize;
        self.text.get(range.clone()).ok_or(Unfit::Style)?;
        Ok(range)
    }
}

/// The lines of an entry in YAML: a value of several lines is below its key.
fn key_and_lines(key: &str, lines: &[&str]) -> Vec<String> {
    match lines {
        [line] if !line.contains(": ") && !line.starts_with("- ") => {
            vec![format!("{key}: {line}")]
        }
        _ => {
            let below = lines.iter().map(|line| format!("  {line}"));
            std::iter::once(format!("{key}:")).chain(below).collect()
        }
    }
}

/// How the items of a sequence may be indented below their key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListIndent {
    /// More than the key.
    Deeper,
    /// As the key, which YAML allows.
    SameColumn,
}

impl ListIndent {
    fn of(is_list: bool) -> Self {
        if is_list {
            Self::SameColumn
        } else {
            Self::Deeper
        }
    }
}

impl Effect {
    /// Applies the effect; `None` if there is no such path.
    fn apply(&self, root: &mut Json) -> Option<()> {
        let (Self::Set(path, value) | Self::Insert(path, value)) = self;
        let (last, parents) = path.split_last()?;
        let mut parent = root;
        for key in parents {
            parent = match key {
                Key::Name(name) => parent
                    .as_object_mut()?
                    .entry(name)
                    .or_insert_with(|| Json::Object(serde_json::Map::new())),
                Key::Index(index) => parent.get_mut(index)?,
            };
        }
        match (self, last) {
            (Self::Insert(..), Key::Index(index)) => {
                let items = parent.as_array_mut()?;
                (*index <= items.len()).then(|| items.insert(*index, value.clone()))
            }
            (Self::Set(..), Key::Name(name)) => {
                parent.as_object_mut()?.insert(name.clone(), value.clone());
                Some(())
            }
            (Self::Set(..), Key::Index(index)) => {
                *parent.get_mut(index)? = value.clone();
                Some(())
            }
            (Self::Insert(..), Key::Name(_)) => None,
        }
    }
}

/// The value without places, for comparisons.
fn json_of(value: &SettingValue) -> Json {
    match &value.data {
        SettingData::Nothing => Json::Null,
        SettingData::Flag(flag) => Json::from(*flag),
        SettingData::Whole(number) => Json::from(*number),
        SettingData::Number(number) => Json::from(number.to_string()),
        SettingData::Text(text) => Json::from(text.as_str()),
        SettingData::List(items) => items.iter().map(json_of).collect(),
        SettingData::Table(entries) => entries
            .iter()
            .map(|entry| (entry.key.clone(), json_of(&entry.value)))
            .collect(),
    }
}
