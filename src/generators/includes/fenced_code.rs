//! Finds fenced code in Markdown, in which some generators do not look for includes.

use std::ops::Range;

/// A fence: a line of at least three backticks or tildes.
struct Fence<'t> {
    mark: u8,
    length: usize,
    /// What follows the marks, such as a language.
    info: &'t [u8],
}

impl<'t> Fence<'t> {
    fn of(line: &'t [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let mark = *line.first().filter(|mark| b"`~".contains(mark))?;
        let length = line.iter().take_while(|&&byte| byte == mark).count();
        let info = line[length..].trim_ascii();
        let is_fence = length >= 3 && !(mark == b'`' && info.contains(&b'`'));
        is_fence.then_some(Self { mark, length, info })
    }

    fn closes(&self, open: &Self) -> bool {
        self.info.is_empty() && self.mark == open.mark && self.length >= open.length
    }

    /// Whether it contains code, and not the text of a directive: ` ```{note} `.
    fn is_code(&self) -> bool {
        !self.info.starts_with(b"{")
    }
}

/// The byte ranges of fenced code in a text, in ascending order.
pub(super) fn fenced_code(text: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    // The open fences, each with the offset of its content.
    let mut open: Vec<(Fence<'_>, usize)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let (at, end) = (start, start + line.len());
        start = end;
        let Some(fence) = Fence::of(line) else {
            continue;
        };
        match open.last() {
            Some((last, content)) if fence.closes(last) => {
                if last.is_code() {
                    ranges.push(*content..at);
                }
                open.pop();
            }
            Some((last, _)) if last.is_code() => {}
            _ => open.push((fence, end)),
        }
    }
    // An open fence ends with the text.
    if let Some((fence, content)) = open.last()
        && fence.is_code()
    {
        ranges.push(*content..text.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_fenced_but_not_the_text_of_a_directive() {
        // Every `#` is in code, and no `+` is.
        let check = |text: &str| {
            let ranges = fenced_code(text.as_bytes());
            for (at, mark) in text.match_indices(['#', '+']) {
                let is_code = ranges.iter().any(|range| range.contains(&at));
                assert_eq!(is_code, mark == "#", "offset {at} of {text:?}");
            }
        };
        check("+\n```\n#\n```\n+\n");
        check("~~~ py\n#\n```\n#\n~~~\n+\n");
        check("````{note}\n+\n```\n#\n```\n+\n````\n+\n");
        check("- a\n  ```\n  #\n  ```\n  +\n");
        check("``` `a` ```\n+\n```\n#\n");
    }
}
