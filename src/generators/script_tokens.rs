//! Tokenizes programs in JavaScript or Python, as far as reading their literals requires.
//!
//! Takes a text and returns its names, strings and signs without comments, one at a time. Nothing
//! is run, no input is an error, and every character is examined once.

/// Programming languages that can be tokenized.
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
    /// A string literal without escapes, or a template in one line without escapes or substitutions.
    Text(&'t str),
    /// A value that is not read: any other string or template, a regular expression, or whatever is
    /// never closed.
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
}

/// The tokens of a program, in order.
#[derive(Debug)]
pub(super) struct ScriptTokens<'t> {
    language: ScriptLanguage,
    rest: &'t str,
    indent: Option<usize>,
    /// Open brackets.
    open: Vec<&'t str>,
    /// The kind of the last token.
    last: Option<ScriptTokenKind<'t>>,
    /// Whether `rest` continues a template.
    is_in_template: bool,
    /// Whether `rest` begins with a raw Python string.
    is_raw: bool,
}

impl<'t> Iterator for ScriptTokens<'t> {
    type Item = ScriptToken<'t>;

    fn next(&mut self) -> Option<ScriptToken<'t>> {
        loop {
            let kind = if std::mem::take(&mut self.is_in_template) {
                self.rest_of_template()
            } else {
                let first = self.rest.chars().next()?;
                self.step(first)
            };
            if let Some(kind) = kind {
                return Some(self.token(kind));
            }
        }
    }
}

/// Signs of several characters, longest match first, so that `==` and `=>` are not read as `=`.
const LONG_SIGNS: [&str; 6] = ["===", "==", "=>", "+=", "...", "${"];

impl<'t> ScriptTokens<'t> {
    /// Starts at the beginning of a program.
    pub(super) fn new(program: &'t str, language: ScriptLanguage) -> Self {
        Self {
            language,
            rest: program,
            indent: Some(0),
            open: Vec::new(),
            last: None,
            is_in_template: false,
            is_raw: false,
        }
    }

    /// Takes a token, a comment or white space.
    fn step(&mut self, first: char) -> Option<ScriptTokenKind<'t>> {
        if let Some(length) = self.comment() {
            let comment = self.take(length);
            let is_closed = comment.len() >= 4 && comment.ends_with("*/");
            return (comment.starts_with("/*") && !is_closed).then_some(ScriptTokenKind::Computed);
        }
        if first == '\n' {
            self.take(1);
            self.indent = Some(0);
            None
        } else if first.is_whitespace() {
            self.take(first.len_utf8());
            self.indent = self.indent.map(|indent| indent + 1);
            None
        } else if is_of_name(first) {
            let length = self.rest.find(|character| !is_of_name(character));
            let name = self.take(length.unwrap_or(self.rest.len()));
            let is_prefix = self.is_prefix(name);
            self.is_raw = is_prefix && name.eq_ignore_ascii_case("r");
            (!is_prefix).then_some(ScriptTokenKind::Name(name))
        } else if matches!(first, '"' | '\'') {
            Some(self.text())
        } else if first == '`' && self.language == ScriptLanguage::JavaScript {
            Some(self.template())
        } else if let Some(length) = self.regular_expression() {
            self.take(length);
            Some(ScriptTokenKind::Computed)
        } else {
            Some(self.sign(first))
        }
    }

    /// Whether a name is the prefix of a Python string that is plain text, or is without escapes.
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

    fn token(&mut self, kind: ScriptTokenKind<'t>) -> ScriptToken<'t> {
        let depth = self.open.len();
        if let ScriptTokenKind::Sign(sign @ ("(" | "[" | "{" | "${")) = kind {
            self.open.push(sign);
        }
        self.last = Some(kind);
        ScriptToken {
            kind,
            indent: self.indent.take(),
            depth,
        }
    }

    fn sign(&mut self, first: char) -> ScriptTokenKind<'t> {
        let long = LONG_SIGNS.iter().find(|sign| self.rest.starts_with(**sign));
        let sign = self.take(long.map_or(first.len_utf8(), |sign| sign.len()));
        let is_closing = matches!(first, ')' | ']' | '}');
        self.is_in_template = is_closing && self.open.pop() == Some("${");
        ScriptTokenKind::Sign(sign)
    }

    /// Reads a string from its opening quote. An unterminated string ends with its line.
    fn text(&mut self) -> ScriptTokenKind<'t> {
        let triple = ["\"\"\"", "'''"]
            .into_iter()
            .find(|triple| self.rest.starts_with(triple));
        if let Some(triple) = triple.filter(|_| self.language == ScriptLanguage::Python) {
            let length = self.rest[3..]
                .find(triple)
                .map_or(self.rest.len(), |end| end + 6);
            self.take(length);
            return ScriptTokenKind::Computed;
        }
        let mark = self.take(1);
        let inner = self.take(length_before(self.rest, &[mark, "\n"]));
        let is_closed = self.rest.starts_with(mark);
        self.take(usize::from(is_closed));
        let is_raw = std::mem::take(&mut self.is_raw);
        let is_escaped = inner.contains('\\') && (!is_raw || inner.contains(['"', '\'']));
        if is_closed && !is_escaped {
            ScriptTokenKind::Text(inner)
        } else {
            ScriptTokenKind::Computed
        }
    }

    /// Reads the first piece of a template, from its opening backtick.
    fn template(&mut self) -> ScriptTokenKind<'t> {
        self.take(1);
        self.is_in_template = true;
        let (piece, after) = self.rest.split_at(length_before(self.rest, &["`", "${"]));
        if after.starts_with('`') && !piece.contains(['\\', '\n']) {
            ScriptTokenKind::Text(piece)
        } else {
            ScriptTokenKind::Computed
        }
    }

    /// Skips a template to its end or to the next substitution.
    fn rest_of_template(&mut self) -> Option<ScriptTokenKind<'t>> {
        self.take(length_before(self.rest, &["`", "${"]));
        if self.rest.starts_with('$') {
            return Some(self.sign('$'));
        }
        self.take(self.rest.len().min(1));
        None
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
        let divides = match self.last? {
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
    for (at, character) in text.char_indices() {
        if !is_escaped && stops.iter().any(|stop| text[at..].starts_with(stop)) {
            return at;
        }
        is_escaped = !is_escaped && character == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a program, joined with spaces.
    fn words(program: &str, language: ScriptLanguage) -> String {
        let words = ScriptTokens::new(program, language).map(|token| match token.kind {
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
        check("'a\\'{' + 'b'", "? + 'b'");
        check("'never closed {\nb", "? b");
        check("a /* never closed {", "a ?");
        check("a /*/", "a ?");
        check("a /**/ b", "a b");
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
    fn a_token_has_its_indent_and_depth() {
        let program = "a({ b: [c] });\n  d({";
        let read = ScriptTokens::new(program, ScriptLanguage::JavaScript);
        let positions: Vec<_> = read.map(|token| (token.indent, token.depth)).collect();
        assert_eq!(positions[..3], [(Some(0), 0), (None, 0), (None, 1)]);
        assert_eq!(
            positions[7..],
            [
                (None, 2),
                (None, 1),
                (None, 0),
                (None, 0),
                (Some(2), 0),
                (None, 0),
                (None, 1)
            ]
        );
    }
}
