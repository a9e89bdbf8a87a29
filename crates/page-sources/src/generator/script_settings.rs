//! Reads literal settings from a program in JavaScript or Python.
//!
//! The program is not run. In JavaScript, the literals of the exported object count, with nested
//! objects as tables (`dir: { output: "dist" }`), and so do the arguments of method calls
//! (`setInputDirectory("src")`). In an array, a call is an entry with its name
//! (`integrations: [starlight({ … })]`). In Python, assignments at the start of a line count. Other uses of
//! a setting's name, such as a local variable or an option of a plugin, are ignored. A value that
//! is computed or assigned more than once with different values is unknown.

use std::collections::BTreeMap;

use page_signals::script_tokens::{ScriptLanguage, ScriptTokenKind};
use serde_json::{Map, Value};

use super::bracketed_tokens::{BracketedToken, bracketed_tokens};

/// Maximum depth of nested names, calls and tables to follow. Real settings are less deep.
const MAX_DEPTH: usize = 24;

/// Maximum number of tokens in the type arguments of a call.
const MAX_TYPE_TOKENS: usize = 64;

/// The literals of a program, by the names they are assigned to.
pub(super) fn literals(program: &str, language: ScriptLanguage) -> Value {
    let tokens = bracketed_tokens(program, language);
    Value::Object(match language {
        ScriptLanguage::JavaScript => {
            let mut found = ScriptSettings::new(&tokens).settings();
            found.retain(|_, value| !value.is_null());
            found
        }
        // Keep names with unknown values: their presence identifies a `conf.py` as Sphinx's.
        ScriptLanguage::Python => assigned(&tokens),
    })
}

/// Python's assignments at the start of a line; a computed value is `null`.
fn assigned(tokens: &[BracketedToken<'_>]) -> Map<String, Value> {
    let mut found = Map::new();
    for (at, token) in tokens.iter().enumerate() {
        let (ScriptTokenKind::Name(name), Some(0), 0) = (token.kind, token.indent, token.depth)
        else {
            continue;
        };
        let mut sign = at + 1;
        if word_at(tokens, sign) == Some(ScriptTokenKind::Sign(":")) {
            sign += 2; // the type, which may have brackets: `list[str]`
            if let Some(ScriptTokenKind::Sign("[")) = word_at(tokens, sign) {
                sign = tokens[sign].end + 1;
            }
        }
        let value = python_value(tokens, sign + 1);
        match word_at(tokens, sign) {
            Some(ScriptTokenKind::Sign("=")) => add(&mut found, name, value.unwrap_or_default()),
            Some(ScriptTokenKind::Sign("+=")) => add(&mut found, name, Value::Null),
            _ => {}
        }
    }
    found
}

/// The token at an index, if it does not begin a line.
fn word_at<'t>(tokens: &[BracketedToken<'t>], at: usize) -> Option<ScriptTokenKind<'t>> {
    let token = tokens.get(at).filter(|token| token.indent.is_none())?;
    Some(token.kind)
}

/// A Python literal, or a list or tuple of literals, that is the rest of a line.
fn python_value(tokens: &[BracketedToken<'_>], at: usize) -> Option<Value> {
    let value = match word_at(tokens, at)? {
        ScriptTokenKind::Sign("[" | "(") => python_list(tokens, at)?,
        word => literal(word)?,
    };
    let end = word_at(tokens, tokens[at].end + 1);
    matches!(end, None | Some(ScriptTokenKind::Sign(";"))).then_some(value)
}

/// A list or tuple of literals; `None` if a part is computed.
fn python_list(tokens: &[BracketedToken<'_>], open: usize) -> Option<Value> {
    let close = tokens[open].end;
    let inside = tokens.get(..=close)?.get(open + 1..close)?;
    let is_comma = |token: &BracketedToken<'_>| token.kind == ScriptTokenKind::Sign(",");
    let is_tuple = tokens[open].kind == ScriptTokenKind::Sign("[") || inside.iter().any(is_comma);
    let parts = inside.split(is_comma).filter(|part| !part.is_empty());
    let values = parts.map(|part| match part {
        [only] => literal(only.kind),
        _ => None,
    });
    is_tuple.then(|| values.collect::<Option<Vec<_>>>().map(Value::Array))?
}

/// The value of a token that is a literal.
fn literal(word: ScriptTokenKind<'_>) -> Option<Value> {
    match word {
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

/// A tokenized JavaScript program.
struct ScriptSettings<'p, 't> {
    tokens: &'p [BracketedToken<'t>],
    /// Bindings by name. A binding is removed when its table or function is followed, so none is
    /// read repeatedly.
    names: BTreeMap<&'t str, Binding>,
}

/// The value bound to a name.
struct Binding {
    /// Number of brackets open around it. The outermost binding wins, because settings refer to it.
    depth: usize,
    /// Index of the value's first token; `None` if the name is reassigned.
    at: Option<usize>,
}

impl<'p, 't> ScriptSettings<'p, 't> {
    fn new(tokens: &'p [BracketedToken<'t>]) -> Self {
        let mut script = Self {
            tokens,
            names: BTreeMap::new(),
        };
        for at in 0..tokens.len() {
            if let Some((name, named)) = script.binding_at(at) {
                let old = script.names.entry(name).or_insert(Binding {
                    depth: usize::MAX,
                    at: None,
                });
                if named.depth < old.depth {
                    *old = named;
                } else if named.depth == old.depth {
                    old.at = None;
                }
            }
        }
        script
    }

    /// The name bound at a token: by `const`, `let`, `var` or `function`, or by a later assignment.
    fn binding_at(&self, at: usize) -> Option<(&'t str, Binding)> {
        let ScriptTokenKind::Name(name) = self.tokens[at].kind else {
            return None;
        };
        let depth = self.tokens[at].depth;
        match at.checked_sub(1).map(|before| self.tokens[before].kind) {
            Some(ScriptTokenKind::Name("const" | "let" | "var")) => Some((
                name,
                Binding {
                    depth,
                    at: self.value_index(at + 1),
                },
            )),
            Some(ScriptTokenKind::Name("function")) => Some((
                name,
                Binding {
                    depth,
                    at: Some(at - 1),
                },
            )),
            Some(ScriptTokenKind::Sign("." | "," | "(")) => None,
            _ if matches!(self.word(at + 1), ScriptTokenKind::Sign("=" | "+=")) => {
                Some((name, Binding { depth: 0, at: None }))
            }
            _ => None,
        }
    }

    /// The index of the value after a name and its type annotation.
    fn value_index(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.word(at) {
                ScriptTokenKind::Sign("=") => return Some(at + 1),
                ScriptTokenKind::Sign(";" | ")" | "}")
                | ScriptTokenKind::Name("const" | "let" | "var") => return None,
                _ => at = self.tokens.get(at)?.end + 1,
            }
        }
    }

    /// The token at an index; `;` past the last one.
    fn word(&self, at: usize) -> ScriptTokenKind<'t> {
        self.tokens
            .get(at)
            .map_or(ScriptTokenKind::Sign(";"), |token| token.kind)
    }

    /// The exported settings, and the arguments of method calls.
    fn settings(mut self) -> Map<String, Value> {
        let mut found = Map::new();
        for at in (0..self.tokens.len()).filter(|at| self.tokens[*at].depth == 0) {
            let table = match self.renamed(at) {
                Some(name) => self.settings_of(name, MAX_DEPTH),
                None if self.exports(at) => self.settings_at(at + 1, MAX_DEPTH),
                None => None,
            };
            add_all(&mut found, table.unwrap_or_default());
        }
        let mut methods = Map::new();
        for at in 0..self.tokens.len() {
            if let [
                ScriptTokenKind::Sign("."),
                ScriptTokenKind::Name(name),
                ScriptTokenKind::Sign("("),
            ] = [0, 1, 2].map(|next| self.word(at + next))
            {
                let value = literal(self.word(at + 3)).filter(|_| self.ends_value(at + 4));
                add(&mut methods, name, value.unwrap_or_default());
            }
        }
        for (name, value) in methods {
            found.entry(name).or_insert(value);
        }
        found
    }

    /// Whether the value after this token is exported as the settings: `export default`,
    /// `module.exports =`, or an export named `config`.
    fn exports(&self, at: usize) -> bool {
        let before = |back: usize| {
            at.checked_sub(back)
                .map_or(ScriptTokenKind::Computed, |at| self.word(at))
        };
        matches!(
            (before(3), before(2), before(1), self.word(at)),
            (
                ..,
                ScriptTokenKind::Name("export"),
                ScriptTokenKind::Name("default")
            ) | (
                ..,
                ScriptTokenKind::Name("exports"),
                ScriptTokenKind::Sign("=")
            ) | (
                ScriptTokenKind::Name("exports"),
                ScriptTokenKind::Sign("."),
                ScriptTokenKind::Name("config"),
                ScriptTokenKind::Sign("=")
            ) | (
                ScriptTokenKind::Name("export"),
                ScriptTokenKind::Name("const"),
                ScriptTokenKind::Name("config"),
                ScriptTokenKind::Sign("=")
            )
        )
    }

    /// The name that an export list makes the default: `export { config as default }`.
    fn renamed(&self, open: usize) -> Option<&'t str> {
        if open == 0
            || self.word(open - 1) != ScriptTokenKind::Name("export")
            || self.word(open) != ScriptTokenKind::Sign("{")
        {
            return None;
        }
        let inside = &self.tokens[open + 1..self.tokens[open].end];
        inside
            .windows(3)
            .find_map(|tokens| match [0, 1, 2].map(|at| tokens[at].kind) {
                [
                    ScriptTokenKind::Name(name),
                    ScriptTokenKind::Name("as"),
                    ScriptTokenKind::Name("default"),
                ] => Some(name),
                _ => None,
            })
    }

    /// The table that an expression evaluates to, following names, enclosing calls and functions
    /// that return it.
    fn settings_at(&mut self, at: usize, levels: usize) -> Option<Map<String, Value>> {
        let levels = levels.checked_sub(1)?;
        match (self.word(at), self.word(at + 1)) {
            (ScriptTokenKind::Sign("{"), _) => Some(self.table(at, levels)),
            (ScriptTokenKind::Sign("=>"), ScriptTokenKind::Sign("{")) => {
                self.returned(at + 1, levels)
            }
            (ScriptTokenKind::Sign("=>") | ScriptTokenKind::Name("async" | "await"), _)
            | (ScriptTokenKind::Name(_), ScriptTokenKind::Sign("=>")) => {
                self.settings_at(at + 1, levels)
            }
            (ScriptTokenKind::Sign("("), _) => {
                let after = self.tokens[at].end + 1;
                let is_function = matches!(self.word(after), ScriptTokenKind::Sign("=>" | ":"));
                self.settings_at(
                    if is_function {
                        self.next("=>", after)?
                    } else {
                        at + 1
                    },
                    levels,
                )
            }
            (ScriptTokenKind::Name("function"), _) => self.returned(self.body(at)?, levels),
            (ScriptTokenKind::Name(_), ScriptTokenKind::Sign(".")) => {
                self.settings_at(at + 2, levels)
            }
            (ScriptTokenKind::Name(name), ScriptTokenKind::Sign("(" | "<")) => self
                .argument(self.past_types(at + 1)?, levels)
                .or_else(|| self.settings_of(name, levels)),
            (ScriptTokenKind::Name(name), _) => self.settings_of(name, levels),
            _ => None,
        }
    }

    fn settings_of(&mut self, name: &str, levels: usize) -> Option<Map<String, Value>> {
        let at = self.names.remove(name)?.at?;
        self.settings_at(at, levels)
    }

    /// The opening parenthesis of a call, after any type arguments: `defineConfig<Config>(`.
    fn past_types(&self, start: usize) -> Option<usize> {
        let mut open = 0_usize;
        for at in start..start + MAX_TYPE_TOKENS {
            match self.word(at) {
                ScriptTokenKind::Sign("<") => open += 1,
                ScriptTokenKind::Sign(">") if open > 0 => open -= 1,
                word if open == 0 => return (word == ScriptTokenKind::Sign("(")).then_some(at),
                _ => {}
            }
        }
        None
    }

    /// The first argument of a call that evaluates to a table: `defineConfig({ … })`.
    fn argument(&mut self, open: usize, levels: usize) -> Option<Map<String, Value>> {
        let (mut at, end) = (open + 1, self.tokens[open].end);
        while at < end {
            let table = self.settings_at(at, levels);
            if table.is_some() {
                return table;
            }
            at = self.after_comma(at, end);
        }
        None
    }

    /// The table that a function body returns. Nested functions are skipped.
    fn returned(&mut self, open: usize, levels: usize) -> Option<Map<String, Value>> {
        let (mut at, end) = (open + 1, self.tokens[open].end);
        let mut found: Option<Map<String, Value>> = None;
        while at < end {
            let is_block = matches!(
                self.word(at - 1),
                ScriptTokenKind::Sign(")") | ScriptTokenKind::Name("else" | "try" | "finally")
            );
            match self.word(at) {
                ScriptTokenKind::Name("return") => {
                    if let Some(table) = self.settings_at(at + 1, levels) {
                        add_all(found.get_or_insert_default(), table);
                    }
                    at += 1;
                }
                ScriptTokenKind::Name("function") => {
                    at = self.body(at).map_or(end, |body| self.tokens[body].end + 1);
                }
                ScriptTokenKind::Sign("{") if is_block => at += 1,
                _ => at = self.tokens[at].end + 1,
            }
        }
        found
    }

    /// The opening brace of a function body.
    fn body(&self, function: usize) -> Option<usize> {
        let parameters = self.next("(", function)?;
        self.next("{", self.tokens[parameters].end + 1)
    }

    /// The next index of a sign, skipping the contents of brackets.
    fn next(&self, sign: &str, mut at: usize) -> Option<usize> {
        while self.word(at) != ScriptTokenKind::Sign(sign) {
            at = self.tokens.get(at)?.end + 1;
        }
        Some(at)
    }

    /// Reads an object literal; a computed value is `null`.
    fn table(&mut self, open: usize, levels: usize) -> Map<String, Value> {
        let (mut at, end) = (open + 1, self.tokens[open].end);
        let mut table = Map::new();
        while at < end {
            match (self.word(at), self.word(at + 1)) {
                (ScriptTokenKind::Sign("..."), ScriptTokenKind::Name(name)) => {
                    table.extend(self.settings_of(name, levels).unwrap_or_default());
                }
                (
                    ScriptTokenKind::Name(key) | ScriptTokenKind::Text(key),
                    ScriptTokenKind::Sign(":"),
                ) => {
                    table.insert(key.to_owned(), self.value(at + 2, levels));
                }
                (ScriptTokenKind::Name(key), ScriptTokenKind::Sign("," | "}")) => {
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
        let (mut at, end) = (open + 1, self.tokens[open].end);
        let mut entries = Vec::new();
        while at < end {
            entries.push(match (self.word(at), self.word(at + 1)) {
                (ScriptTokenKind::Name(called), ScriptTokenKind::Sign("(")) => {
                    let options = self.argument(at + 1, levels);
                    let options = options.map_or(Value::Null, Value::Object);
                    Value::Object(Map::from_iter([(called.to_owned(), options)]))
                }
                _ => self.value(at, levels),
            });
            at = self.after_comma(at, end);
        }
        entries
    }

    /// The index after the next comma.
    fn after_comma(&self, mut at: usize, end: usize) -> usize {
        while at < end && self.word(at) != ScriptTokenKind::Sign(",") {
            at = self.tokens[at].end + 1;
        }
        at + 1
    }

    /// The value of a literal, an object, or a name bound to one; `null` if it is computed.
    fn value(&mut self, at: usize, levels: usize) -> Value {
        let Some(levels) = levels.checked_sub(1) else {
            return Value::Null;
        };
        if !self
            .tokens
            .get(at)
            .is_some_and(|token| self.ends_value(token.end + 1))
        {
            return Value::Null;
        }
        match self.word(at) {
            ScriptTokenKind::Sign("{") => Value::Object(self.table(at, levels)),
            ScriptTokenKind::Sign("[") => Value::Array(self.array(at, levels)),
            ScriptTokenKind::Sign("(") if self.word(at + 1) == ScriptTokenKind::Sign("{") => {
                self.value(at + 1, levels)
            }
            ScriptTokenKind::Name(name)
                if let Some(at) = self.names.get(name).and_then(|named| named.at) =>
            {
                if literal(self.word(at)).is_none() {
                    self.names.remove(name);
                }
                self.value(at, levels)
            }
            word => literal(word).unwrap_or_default(),
        }
    }

    /// Whether the value before this token is complete.
    fn ends_value(&self, at: usize) -> bool {
        match self.word(at) {
            ScriptTokenKind::Sign("," | ")" | "]" | "}" | ";") => true,
            ScriptTokenKind::Sign(_) => false,
            _ => self.tokens[at].indent.is_some(),
        }
    }
}

#[cfg(test)]
mod tests;
