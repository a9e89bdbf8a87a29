//! Finds the URL that a script redirects to, if redirecting at once is all it does.
//!
//! Knows the few statements that redirect pages consist of (such as Zola's `internal/alias.html`),
//! and gives up at anything else: a function, a condition, an unknown call. Nothing is executed. A
//! script that redirects on a click must never count as a redirect.

/// Returns the URL with which the script replaces its page's location.
pub(super) fn location_replaced_by(script: &str) -> Option<String> {
    if !script.contains("location") {
        return None;
    }
    let mut reader = ScriptReader {
        symbols: symbols(script)?,
        at: 0,
        variables: Vec::new(),
    };
    let mut url = None;
    while !reader.is_at_end() {
        let went_to = reader.statement()?;
        url = url.or(went_to);
        while reader.take_sign(';') {}
    }
    url.filter(|url| !url.is_empty())
}

#[derive(Debug, PartialEq)]
enum ScriptSymbol {
    /// A name or keyword.
    Word(String),
    /// A string literal without placeholders.
    Literal(String),
    Sign(char),
}

/// Value of an expression, as far as it is known.
#[derive(Clone, Default)]
struct ScriptValue {
    /// The known part of the text.
    text: String,
    /// Whether the fragment or query of the page's own URL follows the text.
    has_tail: bool,
}

struct ScriptReader {
    symbols: Vec<ScriptSymbol>,
    at: usize,
    variables: Vec<(String, ScriptValue)>,
}

impl ScriptReader {
    fn is_at_end(&self) -> bool {
        self.at == self.symbols.len()
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.symbols.get(self.at) == Some(&ScriptSymbol::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self) -> Option<String> {
        let Some(ScriptSymbol::Word(word)) = self.symbols.get(self.at) else {
            return None;
        };
        self.at += 1;
        Some(word.clone())
    }

    /// Parses `name.name.name`, without `window.` and the like in front.
    fn path(&mut self) -> Option<String> {
        let mut path = self.take_word()?;
        while self.take_sign('.') {
            let name = self.take_word()?;
            path = if ["window", "document", "self", "top"].contains(&path.as_str()) {
                name
            } else {
                format!("{path}.{name}")
            };
        }
        Some(path)
    }

    /// Parses a statement and returns the URL it goes to, if it does; the outer `None` is an
    /// unknown statement.
    #[expect(clippy::option_option, reason = "the outer one is failure, for `?`")]
    fn statement(&mut self) -> Option<Option<String>> {
        let path = self.path()?;
        if ["const", "let", "var"].contains(&path.as_str()) {
            let name = self.take_word()?;
            let value = self.take_sign('=').then(|| self.expression())??;
            self.variables.push((name, value));
            return Some(None);
        }
        let value = match path.as_str() {
            "location" | "location.href" if self.take_sign('=') => self.expression()?,
            "location.replace" | "location.assign" if self.take_sign('(') => {
                let value = self.expression()?;
                self.take_sign(')').then_some(value)?
            }
            _ => return None,
        };
        Some(Some(value.text))
    }

    /// Parses operands joined by `+`.
    fn expression(&mut self) -> Option<ScriptValue> {
        let mut value = self.operand()?;
        while self.take_sign('+') {
            let next = self.operand()?;
            if value.has_tail && !next.text.is_empty() {
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
        if let Some(ScriptSymbol::Literal(text)) = self.symbols.get(self.at) {
            let text = text.clone();
            self.at += 1;
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
        if self.take_sign('|') {
            let is_or_empty = self.take_sign('|') && self.operand()?.text.is_empty();
            is_or_empty.then_some(())?;
        }
        Some(ScriptValue {
            text: String::new(),
            has_tail: true,
        })
    }
}

/// Splits a script into symbols; `None` if one is of an unknown kind.
fn symbols(script: &str) -> Option<Vec<ScriptSymbol>> {
    let mut symbols = Vec::new();
    let mut rest = script.trim_start();
    while let Some(first) = rest.chars().next() {
        rest = if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")?.1
        } else if matches!(first, '"' | '\'') {
            let (literal, after) = literal(&rest[1..], first)?;
            symbols.push(ScriptSymbol::Literal(literal));
            after
        } else if is_of_word(first) {
            let (word, after) = rest.split_at(
                rest.find(|letter| !is_of_word(letter))
                    .unwrap_or(rest.len()),
            );
            symbols.push(ScriptSymbol::Word(word.to_owned()));
            after
        } else if ";.=+|()".contains(first) {
            symbols.push(ScriptSymbol::Sign(first));
            &rest[1..]
        } else {
            return None;
        };
        rest = rest.trim_start();
    }
    Some(symbols)
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// Parses a string literal after its opening quote; returns its value and the rest.
fn literal(text: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.chars();
    loop {
        match letters.next()? {
            letter if letter == quote => return Some((value, letters.as_str())),
            '\n' => return None,
            '\\' => value.push(match letters.next()? {
                'u' => by_number(&mut letters, 4)?,
                'x' => by_number(&mut letters, 2)?,
                letter @ ('/' | '\\' | '"' | '\'') => letter,
                _ => return None,
            }),
            letter => value.push(letter),
        }
    }
}

/// Parses the character of a `\u0026` or `\x26`, whose number has this many digits.
fn by_number(letters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let number: String = letters.by_ref().take(digits).collect();
    char::from_u32(u32::from_str_radix(&number, 16).ok()?)
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
        check("", None);
    }
}
