//! What can be read of settings that are a program: the literals that it gives to names, in JavaScript or Python.
//!
//! Nothing is run. `url: 'https://example.com'`, `html_baseurl = "…"`, `setInputDirectory("src")` and `from "package"`
//! are read wherever they stand, comments apart. A name that gets two different literals, or once something that is
//! computed, has none: `url: process.env.URL` is not answered by the `url` of something else.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The literals of a program by the names they are given to.
pub(super) fn literals(program: &str) -> Value {
    let mut found: BTreeMap<&str, Option<Value>> = BTreeMap::new();
    let mut rest = program;
    let mut name = "";
    while let Some(character) = rest.chars().next() {
        if let Some(after) = past_comment(rest, program) {
            rest = after;
        } else if let Some((text, after)) = quoted(rest) {
            // A quoted key of JavaScript: `"url": "…"`.
            name = if after.trim_start().starts_with(':') { text } else { "" };
            rest = after;
        } else if is_of_name(character) {
            let end = rest.find(|character| !is_of_name(character)).unwrap_or(rest.len());
            name = &rest[..end];
            rest = &rest[end..];
        } else if let Some(after) = past_type(rest) {
            rest = after;
        } else if matches!(character, ':' | '=' | '(') {
            rest = &rest[1..];
            if let Some((value, after)) = literal(rest.trim_start()) {
                let once = |old: &mut Option<Value>| *old = old.take().filter(|old| *old == value);
                found.entry(name).and_modify(once).or_insert(Some(value.clone()));
                rest = after;
            } else if gives(character, rest) && word(rest, &[name]).is_none() {
                found.insert(name, None);
            }
            name = "";
        } else {
            rest = &rest[character.len_utf8()..];
            name = if character.is_whitespace() { name } else { "" };
        }
    }
    let named = found.into_iter().filter(|(name, _)| !name.is_empty());
    Value::Object(named.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>())
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Types that TypeScript and Python write between a name and its literal: `const url: string = '…'`.
const TYPES: [&str; 6] = ["string", "boolean", "number", "str", "bool", "int"];

/// What follows the type that a text begins with, where it stands for no value.
fn past_type(text: &str) -> Option<&str> {
    let annotated = text.strip_prefix(':')?;
    word(annotated, &TYPES)
}

/// Whether a colon or an equals sign, by what follows it, gives a name a value: those of `==` and `=>` do not.
fn gives(character: char, after: &str) -> bool {
    character == ':' || character == '=' && !after.starts_with(['=', '>'])
}

/// What follows one of these words where a text begins with it and goes on with nothing to compute: `url: url,`.
fn word<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let text = text.trim_start();
    let end = text.find(|character| !is_of_name(character)).unwrap_or(text.len());
    let (found, after) = text.split_at(end);
    let is_whole = ends_value(after) || after.trim_start().strip_prefix('=').is_some_and(|after| gives('=', after));
    (words.contains(&found) && is_whole).then_some(after)
}

/// A text without anything to compute in it, or a switch; and what follows it.
fn literal(text: &str) -> Option<(Value, &str)> {
    if let Some((value, after)) = quoted(text) {
        // `"a" + b` is no literal.
        return ends_value(after).then(|| (Value::from(value), after));
    }
    let words = [("true", true), ("false", false), ("True", true), ("False", false)];
    words.into_iter().find_map(|(word, value)| {
        let after = text.strip_prefix(word).filter(|after| !after.starts_with(is_of_name))?;
        Some((Value::from(value), after))
    })
}

/// Whether a value is complete with what precedes this.
fn ends_value(after: &str) -> bool {
    let ends_line =
        after.trim_start_matches([' ', '\t', '\r']).chars().next().is_none_or(|character| character == '\n');
    ends_line || after.trim_start().starts_with([',', ')', '}', ';', '#', '/'])
}

/// A text between quotes that holds no escape and, between back quotes, nothing to fill in.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|character| matches!(character, '"' | '\'' | '`'))?;
    let end = text[1..].find([quote, '\\', '\n'])?;
    let (inner, after) = (&text[1..=end], &text[end + 1..]);
    let is_plain = after.starts_with(quote) && !(quote == '`' && inner.contains("${"));
    is_plain.then(|| (inner, &after[1..]))
}

/// What follows the comment that a text begins with; `#` counts at the beginning of a line or after a blank.
fn past_comment<'t>(text: &'t str, program: &str) -> Option<&'t str> {
    if let Some(inner) = text.strip_prefix("/*") {
        return Some(inner.find("*/").map_or("", |end| &inner[end + 2..]));
    }
    let before = program.as_bytes()[..program.len() - text.len()].last();
    let may_begin = before.is_none_or(u8::is_ascii_whitespace);
    let is_comment = text.starts_with("//") || text.starts_with('#') && may_begin;
    is_comment.then(|| text.find('\n').map_or("", |end| &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_by_name() {
        let check = |program: &str, expected: &str| {
            assert_eq!(literals(program).to_string(), expected, "{program}");
        };
        check(
            "const config = {\n  url: 'https://example.com',\n  \"baseUrl\": `/a/`,\n};",
            r#"{"baseUrl":"/a/","url":"https://example.com"}"#,
        );
        check(
            "html_baseurl = \"https://example.com/\" # it\nproject = 'X'\n",
            r#"{"html_baseurl":"https://example.com/","project":"X"}"#,
        );
        check(
            "config.setInputDirectory(\"src\"); dir: { input: 'a', output: \"b\" }",
            r#"{"input":"a","output":"b","setInputDirectory":"src"}"#,
        );
        check("trailingSlash: false, x: trueish", r#"{"trailingSlash":false}"#);
    }

    #[test]
    fn what_gives_a_name_no_value_of_its_own_takes_none_from_it() {
        let check = |program: &str| {
            assert_eq!(literals(program).get("url"), Some(&Value::from("a")), "{program}");
        };
        check("const url = 'a'; module.exports = { url: url };");
        check("const url = 'a'; export default { url: url\n}");
        check("url = 'a'\nbuild(url=url)");
        check("const url: string = 'a';");
        check("url: str = 'a'\n");
        check("interface Site { url: string; title: string }\nconst site: Site = { url: 'a' };");
        check("if (url == other || url === other || url != other) {}\nconst url = 'a';");
        check("links.map(url => url.href); const url = 'a';");
    }

    #[test]
    fn what_is_computed_said_twice_or_commented_out_is_not_read() {
        let check = |program: &str| assert_eq!(literals(program).to_string(), "{}", "{program}");
        check("// url: 'a'\n/* url: 'b' */ # url = 'c'\n");
        check("url: 'a' + host");
        check("url: `https://${host}`");
        check("url: process.env.URL");
        check("a({ url: 'a' }); b({ url: 'b' })");
        check("a({ url: process.env.URL }); b({ url: 'b' })");
        check("a({ url: process.env.URL ?? 'a', b: { url: 'b' } })");
        check("url = 'a'\nurl = os.environ.get(name)");
        check("a({ 'url': production ? 'a' : b }); b({ url: 'b' })");
        check("const url = 'a'; c({ url: url + b })");
        check("const url = 'a'; c({ url: string(b) })");
        check("url: 'never closed\n");
        check("'url'");
    }
}
