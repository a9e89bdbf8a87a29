//! Source maps in JSON: the output of `eleventy --to=json` or `--to=ndjson`.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::entry::{PageName, SourceMapEntry};
use crate::PageSourcesError;

/// Prefix of Eleventy's log lines.
const ELEVENTY_LOG: &str = "[11ty]";

/// A page. Other keys are ignored; some contain the text of whole pages.
#[derive(Debug, Deserialize)]
struct JsonPage {
    #[serde(rename = "inputPath")]
    input_path: String,
    /// `false` if the page is not written.
    #[serde(default)]
    url: Value,
}

pub(super) fn is_json(text: &str) -> bool {
    let (_, list) = after_log(text);
    list.starts_with(['[', '{'])
}

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let (lines_before, list) = after_log(text);
    let read: Result<Vec<JsonPage>, _> = if list.starts_with('[') {
        serde_json::from_str(list)
    } else {
        let values = serde_json::Deserializer::from_str(list).into_iter();
        values.collect()
    };
    let pages = read.map_err(|error| PageSourcesError::InvalidSourceMap {
        file: file.to_owned(),
        line: error.line() + lines_before,
        what: format!("cannot be read: {error}"),
    })?;
    // Eleventy's URLs do not include the path of the base URL.
    let written = pages.into_iter().filter_map(|page| match page.url {
        Value::String(url) => Some(SourceMapEntry::new(PageName::Below(url), page.input_path)),
        _ => None,
    });
    let entries: Vec<SourceMapEntry> = written.collect();
    if entries.is_empty() {
        return Err(PageSourcesError::EmptySourceMap(file.to_owned()));
    }
    Ok(entries)
}

/// Skips the log lines before the JSON. Returns their number and the rest of the text.
fn after_log(text: &str) -> (usize, &str) {
    let mut rest = text;
    let mut lines = 0;
    loop {
        let is_log = rest.starts_with(ELEVENTY_LOG) || rest.starts_with(['\n', '\r']);
        match rest.split_once('\n') {
            Some((_, after)) if is_log => (rest, lines) = (after, lines + 1),
            _ => return (lines, rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        assert!(is_json(text), "{text}");
        let entries = match read(Path::new("list.json"), text) {
            Ok(entries) => entries,
            Err(error) => return error.to_string(),
        };
        entries
            .iter()
            .map(|entry| format!("{:?} {}", entry.page, entry.source))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn eleventy_pages_that_are_not_written_are_skipped() {
        let pages = [
            r#"{"url": "/a/", "inputPath": "./content/a.md", "outputPath": "./_site/a/index.html", "content": "<p>"}"#,
            r#"{"url": false, "inputPath": "./content/b.md", "outputPath": false}"#,
        ];
        let expected = r#"Below("/a/") ./content/a.md"#;
        assert_eq!(shown(&format!("[{}]", pages.join(","))), expected);
        assert_eq!(shown(&pages.join("\n")), expected);
        assert_eq!(
            shown(&format!("[11ty] Writing\n[{}]", pages.join(","))),
            expected
        );
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let check = |text: &str, expected: &str| {
            let shown = shown(text);
            assert!(shown.starts_with(expected), "{shown}");
        };
        check(
            "[\n{\"inputPath\": \"a\"},\n]",
            "line 3 of the source map `list.json` cannot be read: ",
        );
        check(
            "[{\"a\": 1}]",
            "line 1 of the source map `list.json` cannot be read: missing field `inputPath`",
        );
        check("[]", "the source map `list.json` does not list any page");
    }
}
