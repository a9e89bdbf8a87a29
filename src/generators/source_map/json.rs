//! Source maps in JSON: the output of `eleventy --to=json`.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::SourceMapError;
use super::{PageName, SourceMapEntry, below_lines, invalid};

/// A page. Other keys are ignored; some contain the text of whole pages.
#[derive(Debug, Deserialize)]
struct JsonPage {
    #[serde(rename = "inputPath")]
    input_path: String,
    /// `false` if the page is not written.
    #[serde(default)]
    url: Value,
}

/// The number of Eleventy's log lines above the JSON; `None` if the text is not JSON.
pub(super) fn lines_before_json(text: &str) -> Option<usize> {
    let log = text
        .lines()
        .take_while(|line| line.starts_with("[11ty]") || line.is_empty())
        .count();
    below_lines(text, log).starts_with('[').then_some(log)
}

/// Reads the JSON below these many lines.
pub(super) fn read(
    file: &Path,
    text: &str,
    lines_before: usize,
) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let read = serde_json::from_str::<Vec<JsonPage>>(below_lines(text, lines_before));
    let pages = read.map_err(|error| {
        let what = format!("cannot be read: {error}");
        invalid(file, Some(error.line() + lines_before), what)
    })?;
    // Eleventy's URLs do not include the path of the base URL.
    let written = pages.into_iter().filter_map(|page| match page.url {
        Value::String(url) => Some(SourceMapEntry {
            page: PageName::Below(url),
            source: page.input_path,
        }),
        _ => None,
    });
    Ok(written.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let log = lines_before_json(text).expect("it is JSON");
        let entries = match read(Path::new("list.json"), text, log) {
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
            "[11ty] Writing\n[\n{\"inputPath\": \"a\"},\n]",
            "line 4 of the source map `list.json` cannot be read: ",
        );
        check(
            "[{\"a\": 1}]",
            "line 1 of the source map `list.json` cannot be read: missing field `inputPath`",
        );
    }
}
