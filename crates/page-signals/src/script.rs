//! Finds the URL that a script redirects to, if redirecting at once is all it does.
//!
//! Knows the few statements that redirect pages consist of (such as Zola's `internal/alias.html`),
//! and gives up at anything else: a function, a condition, an unknown call. Nothing is executed. A
//! script that redirects on a click must never count as a redirect.

use std::iter::Peekable;

use super::script_tokens::{ScriptLanguage, ScriptTokenKind, ScriptTokens};

/// No redirect has a longer target; the limit of a `loc` is 2,048 characters.
const LONGEST_URL: usize = 8192;

/// Returns the URL with which the script replaces its page's location.
pub(super) fn location_replaced_by(script: &str) -> Option<String> {
    if !script.contains("location") {
        return None;
    }
    let mut reader = ScriptReader {
        tokens: ScriptTokens::new(script, ScriptLanguage::JavaScript).peekable(),
        variables: Vec::new(),
    };
    let mut url = None;
    while reader.tokens.peek().is_some() {
        match reader.statement()? {
            StatementEffect::Declares => {}
            StatementEffect::GoesTo(target) => url = url.or(Some(target)),
        }
        while reader.take_sign(";") {}
    }
    url.filter(|url| !url.is_empty())
}

/// Effect of a known statement.
enum StatementEffect {
    /// It declares a variable.
    Declares,
    /// It leaves the page for this URL.
    GoesTo(String),
}

/// Value of an expression, as far as it is known.
#[derive(Clone, Default)]
struct ScriptValue {
    /// The known part of the text.
    text: String,
    /// Whether the fragment or query of the page's own URL follows the text.
    has_tail: bool,
}

struct ScriptReader<'t> {
    tokens: Peekable<ScriptTokens<'t>>,
    variables: Vec<(&'t str, ScriptValue)>,
}

impl<'t> ScriptReader<'t> {
    fn take_sign(&mut self, sign: &str) -> bool {
        let is_sign = |kind| kind == ScriptTokenKind::Sign(sign);
        self.tokens.next_if(|token| is_sign(token.kind)).is_some()
    }

    fn take_word(&mut self) -> Option<&'t str> {
        let ScriptTokenKind::Name(word) = self.tokens.peek()?.kind else {
            return None;
        };
        self.tokens.next();
        // Not every letter and digit outside ASCII may be in a name.
        word.is_ascii().then_some(word)
    }

    /// Takes a string literal and returns its value. `None` if there is none, or if an escape is
    /// unknown.
    fn take_literal(&mut self) -> Option<String> {
        let value = match self.tokens.peek()?.kind {
            ScriptTokenKind::Text(text) => text.to_owned(),
            ScriptTokenKind::Escaped(text) => unescaped(text)?,
            _ => return None,
        };
        self.tokens.next();
        Some(value)
    }

    /// Parses `name.name.name`, without `window.` and the like in front.
    fn path(&mut self) -> Option<String> {
        let mut path = self.take_word()?.to_owned();
        while self.take_sign(".") {
            let name = self.take_word()?;
            path = if ["window", "document", "self", "top"].contains(&path.as_str()) {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            };
        }
        Some(path)
    }

    /// Parses a statement; `None` if it is unknown.
    fn statement(&mut self) -> Option<StatementEffect> {
        let path = self.path()?;
        if ["const", "let", "var"].contains(&path.as_str()) {
            let name = self.take_word()?;
            let value = self.take_sign("=").then(|| self.expression())??;
            self.variables.push((name, value));
            return Some(StatementEffect::Declares);
        }
        let value = match path.as_str() {
            "location" | "location.href" if self.take_sign("=") => self.expression()?,
            "location.replace" | "location.assign" if self.take_sign("(") => {
                let value = self.expression()?;
                self.take_sign(")").then_some(value)?
            }
            _ => return None,
        };
        Some(StatementEffect::GoesTo(value.text))
    }

    /// Parses operands joined by `+`.
    fn expression(&mut self) -> Option<ScriptValue> {
        let mut value = self.operand()?;
        while self.take_sign("+") {
            let next = self.operand()?;
            let length = value.text.len() + next.text.len();
            // Variables that are doubled again and again would fill the memory.
            if length > LONGEST_URL || (value.has_tail && !next.text.is_empty()) {
                return None;
            }
            value = ScriptValue {
                text: value.text + &next.text,
                has_tail: value.has_tail || next.has_tail,
            };
        }
        Some(value)
    }

    /// Parses a literal, a variable, or the page's own fragment or query (`location.hash || ""`).
    fn operand(&mut self) -> Option<ScriptValue> {
        if let Some(text) = self.take_literal() {
            return Some(ScriptValue {
                text,
                has_tail: false,
            });
        }
        let path = self.path()?;
        if !["location.hash", "location.search"].contains(&path.as_str()) {
            return self
                .variables
                .iter()
                .find(|(name, _)| *name == path)
                .map(|(_, value)| value.clone());
        }
        if self.take_sign("|") {
            let is_or_empty = self.take_sign("|") && self.operand()?.text.is_empty();
            is_or_empty.then_some(())?;
        }
        Some(ScriptValue {
            text: String::new(),
            has_tail: true,
        })
    }
}

/// The value of a string literal, from what is between its quotes.
fn unescaped(literal: &str) -> Option<String> {
    let mut value = String::with_capacity(literal.len());
    let mut letters = literal.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => match letters.next()? {
                'u' => by_number(&mut letters, 4)?,
                'x' => by_number(&mut letters, 2)?,
                letter @ ('/' | '\\' | '"' | '\'') => letter,
                _ => return None,
            },
            letter => letter,
        });
    }
    Some(value)
}

/// Parses the character of a `\u0026` or `\x26`, whose number has this many digits.
fn by_number(letters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let number: String = letters.by_ref().take(digits).collect();
    let is_whole = number.len() == digits;
    char::from_u32(u32::from_str_radix(&number, 16).ok().filter(|_| is_whole)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_script_that_redirects_immediately_is_a_redirect() {
        let check = |script: &str, expected: Option<&str>| {
            assert_eq!(
                location_replaced_by(script).as_deref(),
                expected,
                "{script}"
            );
        };
        let zola = "\n  const target = \"https://example.com/new/\";\n  const hash = \
                    window.location.hash || \"\";\n  window.location.replace(target + hash);\n";
        check(zola, Some("https://example.com/new/"));
        check("location=\"/other.html\"", Some("/other.html"));
        let doubled: Vec<String> = (0..60)
            .map(|at| format!("let a{}=a{at}+a{at};", at + 1))
            .collect();
        let doubled = doubled.concat();
        check(&format!("let a0='/a';{doubled}location=a60"), None);
        check(
            "window.location.href = '/a' + '/b' + location.search + location.hash",
            Some("/a/b"),
        );
        check(
            "// moved\nlocation.assign('\\/a\\u0026b') /* for good */;;",
            Some("/a&b"),
        );
        check("location.replace('/a')\nlocation.replace('/b')", Some("/a"));
        check(
            "document.addEventListener('click', function () { location.replace('/other.html'); });",
            None,
        );
        check("if (x) location.replace('/a')", None);
        check("setTimeout(() => location.replace('/a'), 5000)", None);
        check("location.replace(target)", None);
        check("location.replace('/a/' + location.hash + '/b')", None);
        check("location.replace('/a', 1)", None);
        check("location.replace('')", None);
        check("var x = location.hash", None);
        check("location.reload()", None);
        check("location.replace('/a", None);
        check("location.replace('\\u26')", None);
        check("location.replace('/a') /* never closed", None);
        check("const \u{bd} = '/a'; location.replace(\u{bd})", None);
        check("", None);
    }
}
