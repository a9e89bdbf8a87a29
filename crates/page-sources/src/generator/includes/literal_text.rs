//! Finds the parts of a text in which a generator does not look for includes.

use std::ops::Range;

use super::include_pattern::LiteralText;

/// MyST directives whose content is literal, as the documentation of MyST and Sphinx lists them.
const LITERAL_DIRECTIVES: [&str; 6] = [
    "code",
    "code-block",
    "code-cell",
    "sourcecode",
    "parsed-literal",
    "literalinclude",
];

/// Size limit of a tag of Liquid, in bytes.
const MAX_TAG: usize = 4 << 10;

/// Returns the literal parts of a text, sorted.
pub(super) fn literal_ranges(text: &[u8], kind: LiteralText) -> Vec<Range<usize>> {
    match kind {
        LiteralText::Nothing => Vec::new(),
        LiteralText::MarkdownCode => fenced_code(text),
        LiteralText::RstLiteral => rst_literals(text),
        LiteralText::LiquidRaw => liquid_raw(text),
        LiteralText::EscapedBraces => escaped_braces(text),
    }
}

/// The rest of each line from the first `\{{` on.
fn escaped_braces(text: &[u8]) -> Vec<Range<usize>> {
    let escaped = lines(text).filter_map(|(start, line)| {
        let at = memchr::memmem::find(line, br"\{{")?;
        Some(start + at..start + line.len())
    });
    escaped.collect()
}

/// The lines of a text with their offsets.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|&byte| byte == b'\n')
        .map(move |line| {
            let start = at;
            at += line.len();
            (start, line)
        })
}

/// A fence of Markdown.
struct Fence<'t> {
    mark: u8,
    length: usize,
    info: &'t [u8],
}

impl<'t> Fence<'t> {
    fn of(line: &'t [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let mark = *line.first().filter(|mark| b"`~:".contains(mark))?;
        let length = line.iter().take_while(|&&byte| byte == mark).count();
        let info = line[length..].trim_ascii();
        let is_fence = length >= 3 && !(mark == b'`' && info.contains(&b'`'));
        is_fence.then_some(Self { mark, length, info })
    }

    fn closes(&self, open: &Self) -> bool {
        self.info.is_empty() && self.mark == open.mark && self.length >= open.length
    }

    /// Whether the fenced text is literal: code, and not the content of a directive.
    fn is_literal(&self) -> bool {
        let directive = self.info.strip_prefix(b"{").and_then(|info| {
            let end = info.iter().position(|&byte| byte == b'}')?;
            Some(&info[..end])
        });
        match directive {
            Some(name) => LITERAL_DIRECTIVES
                .iter()
                .any(|known| known.as_bytes() == name),
            // A colon fence without a directive is a container of another dialect.
            None => self.mark != b':',
        }
    }
}

/// The content of fenced code, without the fences.
fn fenced_code(text: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Vec<(Fence<'_>, usize)> = Vec::new();
    for (start, line) in lines(text) {
        let Some(fence) = Fence::of(line) else {
            continue;
        };
        let end = start + line.len();
        match open.last() {
            Some((last, content)) if fence.closes(last) => {
                if last.is_literal() {
                    ranges.push(*content..start);
                }
                open.pop();
            }
            Some((last, _)) if last.is_literal() => {}
            _ => open.push((fence, end)),
        }
    }
    // An open fence ends with the text.
    let unclosed = open.last().filter(|(fence, _)| fence.is_literal());
    ranges.extend(unclosed.map(|(_, content)| *content..text.len()));
    ranges
}

/// Literal blocks, code directives and comments: the lines that are indented more than the line that
/// introduces them.
fn rst_literals(text: &[u8]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut introduced_at: Option<usize> = None;
    for (start, line) in lines(text) {
        let content = line.trim_ascii();
        if content.is_empty() {
            continue;
        }
        let indent = line.len() - line.trim_ascii_start().len();
        if introduced_at.is_some_and(|outer| indent > outer) {
            ranges.push(start..start + line.len());
            continue;
        }
        introduced_at = introduces_literal(content).then_some(indent);
    }
    ranges
}

/// Whether the indented lines below a line are literal.
fn introduces_literal(line: &[u8]) -> bool {
    let Some(markup) = line.strip_prefix(b".. ") else {
        return line.ends_with(b"::") || line == b"..";
    };
    let name_length = memchr::memmem::find(markup, b"::");
    match name_length {
        Some(length) => LITERAL_DIRECTIVES
            .iter()
            .any(|known| known.as_bytes() == markup[..length].trim_ascii()),
        // Targets, footnotes and substitutions are not comments.
        None => !matches!(markup.first(), Some(b'_' | b'[' | b'|')),
    }
}

/// The content of Liquid's `raw` and `comment`.
fn liquid_raw(text: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some((end_tag, content)) = next_liquid_tag(text, at, &[b"raw", b"comment"]) {
        let closing = [b"end", end_tag].concat();
        let Some((_, after)) = next_liquid_tag(text, content, &[&closing]) else {
            ranges.push(content..text.len());
            break;
        };
        ranges.push(content..after);
        at = after;
    }
    ranges
}

/// The next tag with one of these names from an offset on, and where it ends.
fn next_liquid_tag<'n>(text: &[u8], from: usize, names: &[&'n [u8]]) -> Option<(&'n [u8], usize)> {
    memchr::memmem::find_iter(&text[from..], b"{%").find_map(|found| {
        let start = from + found + 2;
        let tag = text[start..].strip_prefix(b"-").unwrap_or(&text[start..]);
        let tag = tag.trim_ascii_start();
        let name = names.iter().find(|name| {
            let after = tag.strip_prefix(**name).and_then(<[u8]>::first);
            after.is_some_and(|byte| byte.is_ascii_whitespace() || b"-%".contains(byte))
        })?;
        let length = memchr::memmem::find(&tag[..tag.len().min(MAX_TAG)], b"%}")?;
        Some((*name, text.len() - tag.len() + length + 2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `#` is in literal text, and no `+` is.
    #[track_caller]
    fn check(kind: LiteralText, text: &str) {
        let ranges = literal_ranges(text.as_bytes(), kind);
        for (at, mark) in text.match_indices(['#', '+']) {
            let is_literal = ranges.iter().any(|range| range.contains(&at));
            assert_eq!(is_literal, mark == "#", "offset {at} of {text:?}");
        }
    }

    #[test]
    fn fenced_code_is_literal_but_not_the_content_of_a_directive() {
        let check = |text| check(LiteralText::MarkdownCode, text);
        check("+\n```\n#\n```\n+\n");
        check("~~~ py\n#\n```\n#\n~~~\n+\n");
        check("````{note}\n+\n```\n#\n```\n+\n````\n+\n");
        check("```{code}\n#\n```\n+\n:::{note}\n+\n:::\n+\n");
        check("- a\n  ```\n  #\n  ```\n  +\n");
        check("``` `a` ```\n+\n```\n#\n");
    }

    #[test]
    fn indented_text_below_a_double_colon_is_literal_in_rst() {
        let check = |text| check(LiteralText::RstLiteral, text);
        check("+::\n\n  #\n\n  #\n\n+\n");
        check(".. include:: a\n\n   +\n\n.. code::\n\n   #\n+\n");
        check(".. note::\n\n   +::\n\n      #\n   +\n");
        check(".. a comment\n   #\n\n.. _target:\n   +\n");
    }

    #[test]
    fn the_rest_of_a_line_after_escaped_braces_is_literal() {
        let check = |text| check(LiteralText::EscapedBraces, text);
        check("+ {{+}} \\{{#}} {{#}}\n+\n");
        check("\\{ + }\n\\{{#");
    }

    #[test]
    fn raw_and_comments_are_literal_in_liquid() {
        let check = |text| check(LiteralText::LiquidRaw, text);
        check("+{% raw %}#{% include a %}#{% endraw %}+{%- comment -%}#");
        check("{%-comment-%}#{% raw %}#{%endcomment%}+{%raw%}#");
    }
}
