//! Tokenizes settings written in JavaScript or Python, as far as reading their literals requires.
//!
//! Takes a text and returns its names, strings and signs without comments; each opening bracket has
//! the index of its closing one. Nothing is run, no input is an error, and every character is
//! examined once.

/// Programming languages of generator settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScriptLanguage {
    /// JavaScript and TypeScript.
    JavaScript,
    /// Python.
    Python,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScriptTokenKind<'t> {
    /// A name, a keyword or a number.
    Name(&'t str),
    /// A string literal without escapes or interpolation.
    Text(&'t str),
    /// A value that is not read: a string with escapes, a regular expression, or a template with
    /// substitutions.
    Computed,
    /// Any other sign. Brackets, including `${`, are always single tokens.
    Sign(&'t str),
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScriptToken<'t> {
    /// The kind of the token.
    pub kind: ScriptTokenKind<'t>,
    /// Number of characters before it in its line; `None` if it is not the first token in the line.
    pub indent: Option<usize>,
    /// Number of brackets open around it.
    pub depth: usize,
    /// For an opening bracket, the index of its closing one, or the number of tokens if it is never
    /// closed. For any other token, its own index.
    pub end: usize,
}

/// Tokenizes a program.
pub(super) fn tokens(program: &str, language: ScriptLanguage) -> Vec<ScriptToken<'_>> {
    let mut reader = ScriptTokenizer {
        language,
        rest: program,
        indent: Some(0),
        tokens: Vec::new(),
        open: Vec::new(),
    };
    while let Some(character) = reader.rest.chars().next() {
        reader.step(character);
    }
    let all = reader.tokens.len();
    for open in reader.open {
        reader.tokens[open].end = all;
    }
    reader.tokens
}

struct ScriptTokenizer<'t> {
    language: ScriptLanguage,
    rest: &'t str,
    indent: Option<usize>,
    tokens: Vec<ScriptToken<'t>>,
    /// Indexes of open brackets.
    open: Vec<usize>,
}

/// Signs of several characters, longest match first, so that `==` and `=>` are not read as `=`.
const LONG_SIGNS: [&str; 6] = ["===", "==", "=>", "+=", "...", "${"];

impl<'t> ScriptTokenizer<'t> {
    fn step(&mut self, first: char) {
        if let Some(length) = self.comment() {
            self.take(length);
        } else if first == '\n' {
            self.take(1);
            self.indent = Some(0);
        } else if first.is_whitespace() {
            self.take(first.len_utf8());
            self.indent = self.indent.map(|indent| indent + 1);
        } else if is_of_name(first) {
            let name = self.take(
                self.rest
                    .find(|character| !is_of_name(character))
                    .unwrap_or(self.rest.len()),
            );
            if !self.is_prefix(name) {
                self.push(ScriptTokenKind::Name(name));
            }
        } else if matches!(first, '"' | '\'') {
            self.text();
        } else if first == '`' && self.language == ScriptLanguage::JavaScript {
            self.template();
        } else if let Some(length) = self.regular_expression() {
            self.take(length);
            self.push(ScriptTokenKind::Computed);
        } else {
            self.sign(first);
        }
    }

    /// Whether a name is a Python string prefix that has no effect on a string without escapes.
    fn is_prefix(&self, name: &str) -> bool {
        self.language == ScriptLanguage::Python
            && self.rest.starts_with(['"', '\''])
            && matches!(name, "u" | "U" | "r" | "R")
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn push(&mut self, word: ScriptTokenKind<'t>) {
        let (depth, end) = (self.open.len(), self.tokens.len());
        self.tokens.push(ScriptToken {
            kind: word,
            indent: self.indent.take(),
            depth,
            end,
        });
    }

    fn sign(&mut self, first: char) {
        let long = LONG_SIGNS.iter().find(|sign| self.rest.starts_with(**sign));
        let sign = self.take(long.map_or(first.len_utf8(), |sign| sign.len()));
        let is_closing = matches!(first, ')' | ']' | '}');
        let opened = if is_closing { self.open.pop() } else { None };
        self.push(ScriptTokenKind::Sign(sign));
        let at = self.tokens.len() - 1;
        if matches!(sign, "(" | "[" | "{" | "${") {
            self.open.push(at);
        }
        if let Some(opened) = opened {
            self.tokens[opened].end = at;
            if self.tokens[opened].kind == ScriptTokenKind::Sign("${") {
                self.rest_of_template();
            }
        }
    }

    /// Reads a string from its opening quote. An unterminated string ends with its line.
    fn text(&mut self) {
        let triple = ["\"\"\"", "'''"]
            .into_iter()
            .find(|triple| self.rest.starts_with(triple));
        if let Some(triple) = triple.filter(|_| self.language == ScriptLanguage::Python) {
            let length = self.rest[3..]
                .find(triple)
                .map_or(self.rest.len(), |end| end + 6);
            self.take(length);
            return self.push(ScriptTokenKind::Computed);
        }
        let mark = self.take(1);
        let inner = self.take(length_before(self.rest, &[mark, "\n"]));
        let is_closed = self.rest.starts_with(mark);
        self.take(usize::from(is_closed));
        self.push(if is_closed && !inner.contains('\\') {
            ScriptTokenKind::Text(inner)
        } else {
            ScriptTokenKind::Computed
        });
    }

    /// Reads a template from its opening backtick.
    fn template(&mut self) {
        self.take(1);
        let piece = self.rest;
        let length = length_before(piece, &["`", "${"]);
        let is_plain = piece[length..].starts_with('`') && !piece[..length].contains(['\\', '\n']);
        self.push(if is_plain {
            ScriptTokenKind::Text(&piece[..length])
        } else {
            ScriptTokenKind::Computed
        });
        self.rest_of_template();
    }

    /// Skips a template to its end or to the next substitution.
    fn rest_of_template(&mut self) {
        self.take(length_before(self.rest, &["`", "${"]));
        if self.rest.starts_with('$') {
            self.sign('$');
        } else {
            self.take(self.rest.len().min(1));
        }
    }

    /// The length of the comment at the current position.
    fn comment(&self) -> Option<usize> {
        let (line, block) = match self.language {
            ScriptLanguage::Python => ("#", None),
            ScriptLanguage::JavaScript => ("//", Some("/*")),
        };
        if self.rest.starts_with(line) {
            return Some(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
        let is_block = block.is_some_and(|block| self.rest.starts_with(block));
        is_block.then(|| {
            self.rest[2..]
                .find("*/")
                .map_or(self.rest.len(), |end| end + 4)
        })
    }

    /// The length of the regular expression at the current position. A `/` after a value is a
    /// division. An unterminated expression ends with its line.
    fn regular_expression(&self) -> Option<usize> {
        let body = self
            .rest
            .strip_prefix('/')
            .filter(|_| self.language == ScriptLanguage::JavaScript)?;
        let divides = match self.tokens.last()?.kind {
            ScriptTokenKind::Name(name) => name != "return",
            ScriptTokenKind::Text(_) | ScriptTokenKind::Computed => true,
            ScriptTokenKind::Sign(sign) => matches!(sign, ")" | "]" | "}" | "<"),
        };
        if divides {
            return None;
        }
        let (mut end, mut is_in_class) = (0, false);
        loop {
            end += length_before(&body[end..], &["/", "[", "]", "\n"]);
            match body[end..].chars().next() {
                Some('/') if !is_in_class => return Some(end + 2),
                None | Some('\n') => return Some(end + 1),
                Some(bracket) => is_in_class = bracket == '[' || is_in_class && bracket == '/',
            }
            end += 1;
        }
    }
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The length of the text before the first unescaped stop.
fn length_before(text: &str, stops: &[&str]) -> usize {
    let mut is_escaped = false;
    let is_stop = |(at, character): &(usize, char)| {
        let stops_here = !is_escaped && stops.iter().any(|stop| text[*at..].starts_with(stop));
        is_escaped = !is_escaped && *character == '\\';
        stops_here
    };
    text.char_indices()
        .find(is_stop)
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a program, joined with spaces.
    fn words(program: &str, language: ScriptLanguage) -> String {
        let words = tokens(program, language)
            .into_iter()
            .map(|token| match token.kind {
                ScriptTokenKind::Name(name) => name.to_owned(),
                ScriptTokenKind::Text(text) => format!("'{text}'"),
                ScriptTokenKind::Computed => "?".to_owned(),
                ScriptTokenKind::Sign(sign) => sign.to_owned(),
            });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn brackets_in_strings_templates_regular_expressions_and_comments_are_ignored() {
        let check = |program: &str, expected: &str| {
            assert_eq!(
                words(program, ScriptLanguage::JavaScript),
                expected,
                "{program}"
            );
        };
        check("a = 'b}' // {\nc /* ' */ = \"d\";", "a = 'b}' c = 'd' ;");
        check("a(/[/'{]\\//g, b / c)", "a ( ? g , b / c )");
        check(
            "`a` + `b${c({ d: `e${f}` })}g` + `h\\``",
            "'a' + ? ${ c ( { d : ? ${ f } } ) } + ?",
        );
        check("a => b === c != d", "a => b === c ! = d");
        check("'never closed {\nb", "? b");
        check("`never closed ${ {\nb", "? ${ { b");
        check("(/never closed {\nb", "( ? b");
    }

    #[test]
    fn python_comments_and_triple_quoted_strings_are_recognized() {
        let check = |program: &str, expected: &str| {
            assert_eq!(
                words(program, ScriptLanguage::Python),
                expected,
                "{program}"
            );
        };
        check("a = 'b' # 'c\nd // e", "a = 'b' d / / e");
        check("a = \"\"\"\nb = 'c'\n\"\"\"\nd += f'e'", "a = ? d += f 'e'");
    }

    #[test]
    fn every_opening_bracket_has_the_index_of_its_closing_one() {
        let read = tokens("a({ b: [c] });\n  d({", ScriptLanguage::JavaScript);
        let ends: Vec<_> = read
            .iter()
            .enumerate()
            .filter(|(at, token)| token.end != *at)
            .collect();
        let ends: Vec<_> = ends
            .into_iter()
            .map(|(at, token)| (at, token.end, token.depth))
            .collect();
        assert_eq!(
            ends,
            [(1, 9, 0), (2, 8, 1), (5, 7, 2), (12, 14, 0), (13, 14, 1)]
        );
        assert_eq!(
            (read[0].indent, read[1].indent, read[11].indent),
            (Some(0), None, Some(2))
        );
    }
}
