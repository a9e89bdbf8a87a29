//! Reads literal settings from a program in JavaScript or Python.
//!
//! The program is not run. In JavaScript, the literals of the exported object count, with nested
//! objects as tables (`dir: { output: "dist" }`), and so do the arguments of method calls
//! (`setInputDirectory("src")`). In an array, a call is an entry with its name
//! (`integrations: [starlight({ … })]`). In Python, strings and arrays of strings that are assigned
//! at the start of a line count. A value that is computed or assigned more than once with different
//! values is `null`.

use std::collections::BTreeMap;

use super::script_tokens::{ScriptLanguage, ScriptToken, ScriptTokenKind, ScriptTokens};
use serde_json::{Map, Value};

/// Maximum depth of nested names, calls and tables to follow. Real settings are less deep.
const MAX_DEPTH: usize = 24;

/// The literals of a program, by the names they are assigned to.
pub(super) fn literals(program: &str, language: ScriptLanguage) -> Value {
    let script = Script::new(program, language);
    Value::Object(match language {
        ScriptLanguage::JavaScript => script.exported(),
        ScriptLanguage::Python => script.assigned(),
    })
}

/// A tokenized program.
struct Script<'t> {
    language: ScriptLanguage,
    tokens: Vec<ScriptToken<'t>>,
    /// For each opening bracket, the index of its closing one, or the number of tokens if it is never
    /// closed. For any other token, its own index.
    ends: Vec<usize>,
    /// The index of the value that each name of JavaScript is bound to, without those that have been
    /// followed; `None` if it is bound or assigned twice.
    names: BTreeMap<&'t str, Option<usize>>,
}

/// The value of a token that is a literal.
fn literal(kind: ScriptTokenKind<'_>) -> Option<Value> {
    match kind {
        ScriptTokenKind::Text(text) => Some(Value::from(text)),
        ScriptTokenKind::Name("true" | "True") => Some(Value::from(true)),
        ScriptTokenKind::Name("false" | "False") => Some(Value::from(false)),
        _ => None,
    }
}

/// Records an assignment. Conflicting values make the result unknown (`null`).
fn add(found: &mut Map<String, Value>, name: &str, value: Value) {
    match (found.get_mut(name), value) {
        (Some(Value::Object(old)), Value::Object(new)) => add_all(old, new),
        (Some(old), value) if *old != value => *old = Value::Null,
        (_, value) => {
            found.insert(name.to_owned(), value);
        }
    }
}

fn add_all(found: &mut Map<String, Value>, table: Map<String, Value>) {
    for (name, value) in table {
        add(found, &name, value);
    }
}

impl<'t> Script<'t> {
    fn new(program: &'t str, language: ScriptLanguage) -> Self {
        let tokens: Vec<_> = ScriptTokens::new(program, language).collect();
        let mut script = Self {
            language,
            ends: bracket_ends(&tokens),
            tokens,
            names: BTreeMap::new(),
        };
        for at in 0..script.tokens.len() {
            if let Some((name, value)) = script.binding_at(at) {
                let names = script.names.entry(name);
                names.and_modify(|known| *known = None).or_insert(value);
            }
        }
        script
    }

    /// The name or sign at an index; `;` past the last token.
    fn word(&self, at: usize) -> &'t str {
        match self.tokens.get(at).map(|token| token.kind) {
            Some(ScriptTokenKind::Name(word) | ScriptTokenKind::Sign(word)) => word,
            Some(_) => "",
            None => ";",
        }
    }

    /// Python's assignments at the start of a line. Names with unknown values are kept: their presence
    /// identifies a `conf.py` as Sphinx's.
    fn assigned(mut self) -> Map<String, Value> {
        let mut found = Map::new();
        for at in 0..self.tokens.len() {
            let token = &self.tokens[at];
            let (ScriptTokenKind::Name(name), Some(0), 0) = (token.kind, token.indent, token.depth)
            else {
                continue;
            };
            let mut sign = at + 1;
            if self.word(sign) == ":" {
                sign += 2; // the type, which may have brackets: `list[str]`
                if self.word(sign) == "[" {
                    sign = self.ends[sign] + 1;
                }
            }
            match self.word(sign) {
                "=" => add(&mut found, name, self.python_value(sign + 1)),
                "+=" => add(&mut found, name, Value::Null),
                _ => {}
            }
        }
        found
    }

    /// A Python literal, or a list of literals; `null` if a part is computed.
    fn python_value(&mut self, at: usize) -> Value {
        if self.word(at) != "[" {
            return self.whole_literal(at).unwrap_or_default();
        }
        let end = self.ends[at];
        if end == self.tokens.len() || !self.ends_value(end + 1) {
            return Value::Null;
        }
        let entries = self.array(at, MAX_DEPTH);
        if entries
            .iter()
            .all(|entry| entry.is_string() || entry.is_boolean())
        {
            Value::Array(entries)
        } else {
            Value::Null
        }
    }

    /// The literal at an index, if it is a whole value.
    fn whole_literal(&self, at: usize) -> Option<Value> {
        literal(self.tokens.get(at)?.kind).filter(|_| self.ends_value(at + 1))
    }

    /// The name bound at a token: by `const`, `let`, `var` or `function`, or by a later assignment.
    fn binding_at(&self, at: usize) -> Option<(&'t str, Option<usize>)> {
        let ScriptTokenKind::Name(name) = self.tokens[at].kind else {
            return None;
        };
        let value = match at.checked_sub(1).map_or("", |before| self.word(before)) {
            "const" | "let" | "var" => self.value_index(at + 1),
            "function" => Some(at - 1),
            "." | "," | "(" => return None,
            _ if matches!(self.word(at + 1), "=" | "+=") => None,
            _ => return None,
        };
        Some((name, value))
    }

    /// The index of the value after a name and its type annotation.
    fn value_index(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.word(at) {
                "=" => return Some(at + 1),
                ";" | ")" | "}" | "const" | "let" | "var" => return None,
                _ => at = self.ends[at] + 1,
            }
        }
    }

    /// The exported settings, and the arguments of method calls.
    fn exported(mut self) -> Map<String, Value> {
        let (mut found, mut methods) = (Map::new(), Map::new());
        for at in 0..self.tokens.len() {
            if self.tokens[at].depth == 0
                && self.exports(at)
                && let Value::Object(table) = self.value(at + 1, MAX_DEPTH)
            {
                add_all(&mut found, table);
            }
            if let (".", "(") = (self.word(at), self.word(at + 2)) {
                let argument = self.whole_literal(at + 3).unwrap_or_default();
                add(&mut methods, self.word(at + 1), argument);
            }
        }
        methods.retain(|name, value| !value.is_null() && !found.contains_key(name));
        found.extend(methods);
        found
    }

    /// Whether the value after this token is exported as the settings: `export default`,
    /// `module.exports =`, or an export named `config`.
    fn exports(&self, at: usize) -> bool {
        let words = [3, 2, 1, 0].map(|back| at.checked_sub(back).map_or("", |at| self.word(at)));
        matches!(
            words,
            [.., "export", "default"]
                | [.., "exports", "="]
                | ["exports", ".", "config", "="]
                | ["export", "const", "config", "="]
        )
    }

    /// The value of an expression: a literal, table or array, what a name is bound to, the only
    /// argument of a call, or what a function returns. `null` if it is computed.
    fn value(&mut self, at: usize, levels: usize) -> Value {
        let (Some(levels), Some(&end)) = (levels.checked_sub(1), self.ends.get(at)) else {
            return Value::Null;
        };
        let is_whole = self.ends_value(end + 1);
        match (self.word(at), self.word(end + 1)) {
            ("async" | "await", _) => self.value(at + 1, levels),
            ("function", _) => self.returned(at, levels),
            (_, "=>") if self.word(end + 2) == "{" => self.returned(end + 1, levels),
            (_, "=>") => self.value(end + 2, levels),
            ("(", _) if is_whole => self.value(at + 1, levels),
            ("{", _) if is_whole => Value::Object(self.table(at, levels)),
            ("[", _) if is_whole => Value::Array(self.array(at, levels)),
            (_, "(") if end == at => self.argument(at + 1, levels),
            (name, _) if is_whole => match literal(self.tokens[at].kind) {
                Some(value) => value,
                None => self.bound(name, levels),
            },
            _ => Value::Null,
        }
    }

    /// The value that a name is bound to. A binding is followed once, so none is read repeatedly.
    fn bound(&mut self, name: &str, levels: usize) -> Value {
        let Some(&Some(at)) = self.names.get(name) else {
            return Value::Null;
        };
        if let Some(value) = self.whole_literal(at) {
            return value;
        }
        self.names.remove(name);
        match self.value(at, levels) {
            value @ (Value::Object(_) | Value::Array(_)) => value,
            _ => Value::Null,
        }
    }

    /// The only argument of a call, if that is a table: `defineConfig({ … })`; of calls of their
    /// results, that of the last.
    fn argument(&mut self, open: usize, levels: usize) -> Value {
        let after = self.ends[open] + 1;
        match self.word(after) {
            "(" => self.argument(after, levels),
            _ if !self.ends_value(after) || self.after_comma(open + 1, after - 1) < after - 1 => {
                Value::Null
            }
            _ => Some(self.value(open + 1, levels))
                .filter(Value::is_object)
                .unwrap_or_default(),
        }
    }

    /// The table that a function returns, without the functions in it. Different values of a setting make
    /// it unknown.
    fn returned(&mut self, function: usize, levels: usize) -> Value {
        let mut found = Map::new();
        let body = self.next("{", function).unwrap_or(function);
        let (mut at, end) = (body + 1, self.ends[body]);
        while at < end {
            at = match (self.word(at), self.word(at + 1)) {
                ("return", _) => {
                    if let Value::Object(table) = self.value(at + 1, levels) {
                        add_all(&mut found, table);
                    }
                    self.ends[at + 1] + 1
                }
                ("function", _) => self.next("{", at).map_or(end, |body| self.ends[body] + 1),
                ("=>", "{") => self.ends[at + 1] + 1,
                _ => at + 1,
            };
        }
        Value::Object(found)
    }

    /// The next index of a sign, skipping the contents of brackets.
    fn next(&self, sign: &str, mut at: usize) -> Option<usize> {
        while self.word(at) != sign {
            at = self.ends.get(at)? + 1;
        }
        Some(at)
    }

    /// Reads an object literal; a computed value is `null`.
    fn table(&mut self, open: usize, levels: usize) -> Map<String, Value> {
        let (mut at, end) = (open + 1, self.ends[open]);
        let mut table = Map::new();
        while at < end {
            match (self.tokens[at].kind, self.word(at + 1)) {
                (ScriptTokenKind::Sign("..."), _) => {
                    if let Value::Object(spread) = self.value(at + 1, levels) {
                        table.extend(spread);
                    }
                }
                (ScriptTokenKind::Name(key) | ScriptTokenKind::Text(key), ":") => {
                    table.insert(key.to_owned(), self.value(at + 2, levels));
                }
                (ScriptTokenKind::Name(key), "," | "}") => {
                    table.insert(key.to_owned(), self.value(at, levels));
                }
                _ => {}
            }
            at = self.after_comma(at, end);
        }
        table
    }

    /// Reads an array literal; a computed entry is `null`, and a call is a table with its name.
    fn array(&mut self, open: usize, levels: usize) -> Vec<Value> {
        let (mut at, end) = (open + 1, self.ends[open]);
        let mut entries = Vec::new();
        while at < end {
            entries.push(match (self.tokens[at].kind, self.word(at + 1)) {
                (ScriptTokenKind::Name(called), "(") => {
                    let options = self.argument(at + 1, levels);
                    Value::Object(Map::from_iter([(called.to_owned(), options)]))
                }
                _ => self.value(at, levels),
            });
            at = self.after_comma(at, end);
        }
        entries
    }

    /// The index after the next comma.
    fn after_comma(&self, at: usize, end: usize) -> usize {
        self.next(",", at).map_or(end, |comma| comma + 1)
    }

    /// Whether the value before this token is complete.
    fn ends_value(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return true;
        };
        let begins_line = token.indent.is_some();
        match (token.kind, self.language) {
            // After `as`, there is a type of TypeScript.
            (
                ScriptTokenKind::Sign("," | ")" | "]" | "}" | ";")
                | ScriptTokenKind::Name("as" | "satisfies"),
                _,
            ) => true,
            (_, ScriptLanguage::Python) => begins_line && token.depth == 0,
            (ScriptTokenKind::Sign(_), _) => false,
            _ => begins_line,
        }
    }
}

/// Pairs the brackets of a program.
fn bracket_ends(tokens: &[ScriptToken<'_>]) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            ScriptTokenKind::Sign("(" | "[" | "{" | "${") => open.push(at),
            ScriptTokenKind::Sign(")" | "]" | "}") => {
                if let Some(opened) = open.pop() {
                    ends[opened] = at;
                }
            }
            _ => {}
        }
    }
    for opened in open {
        ends[opened] = tokens.len();
    }
    ends
}

#[cfg(test)]
mod tests;
