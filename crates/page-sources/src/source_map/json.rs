//! Source maps in JSON: Docusaurus' files with one page each, and the output of `eleventy
//! --to=json` or `--to=ndjson`.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::entry::{PageName, SourceMapEntry};
use crate::PageSourcesError;

/// Prefix of Eleventy's log lines.
const ELEVENTY_LOG: &str = "[11ty]";

/// Docusaurus' alias for the site root.
pub(super) const DOCUSAURUS_ROOT: &str = "@site/";

/// A page in either format. Other keys are ignored; some contain the text of whole pages.
#[derive(Debug, Deserialize)]
struct JsonPage {
    source: Option<String>,
    permalink: Option<String>,
    #[serde(rename = "inputPath")]
    input_path: Option<String>,
    /// `false` if the page is not written.
    url: Option<Value>,
}

pub(super) fn is_json(text: &str) -> bool {
    let (_, list) = after_log(text);
    list.starts_with(['[', '{'])
}

/// Parses a file that Docusaurus generates. Returns source and permalink, or `None` if it does not
/// describe a page.
pub(super) fn read_page(
    file: &Path,
    text: &str,
) -> Result<Option<(String, String)>, PageSourcesError> {
    let entry: JsonPage =
        serde_json::from_str(text).map_err(|error| PageSourcesError::InvalidSourceMap {
            file: file.to_owned(),
            line: error.line(),
            what: format!("cannot be read: {error}"),
        })?;
    Ok(entry.source.zip(entry.permalink))
}

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let (lines_before, list) = after_log(text);
    let at_line = |line: usize, what: String| PageSourcesError::InvalidSourceMap {
        file: file.to_owned(),
        line: line + lines_before,
        what,
    };
    let entries: Result<Vec<JsonPage>, _> = if list.starts_with('[') {
        serde_json::from_str(list)
    } else {
        let values = serde_json::Deserializer::from_str(list).into_iter();
        values.collect()
    };
    let entries =
        entries.map_err(|error| at_line(error.line(), format!("cannot be read: {error}")))?;
    let mut pages = Vec::with_capacity(entries.len());
    for (number, entry) in entries.into_iter().enumerate() {
        let whole = |what| format!("starts a list whose entry {} {what}", number + 1);
        let entry = entry.into_entry();
        pages.extend(entry.map_err(|what| at_line(1, whole(what)))?);
    }
    if pages.is_empty() {
        return Err(PageSourcesError::EmptySourceMap(file.to_owned()));
    }
    Ok(pages)
}

impl JsonPage {
    /// The page and its source, or `None` if no page is written. The error describes what is
    /// missing.
    fn into_entry(self) -> Result<Option<SourceMapEntry>, &'static str> {
        if let (Some(source), Some(permalink)) = (self.source, self.permalink) {
            return Ok(Some(of_docusaurus((source, permalink))));
        }
        match (self.input_path, self.url) {
            // Eleventy's URLs do not include the path of the base URL.
            (Some(source), Some(Value::String(url))) => {
                Ok(Some(SourceMapEntry::new(PageName::Below(url), source)))
            }
            (Some(_), None | Some(Value::Bool(false) | Value::Null)) => Ok(None),
            _ => Err("has neither `source` and `permalink` nor `inputPath` and `url`"),
        }
    }
}

/// Converts a Docusaurus page, given as source and permalink.
pub(super) fn of_docusaurus((source, permalink): (String, String)) -> SourceMapEntry {
    let source = source.strip_prefix(DOCUSAURUS_ROOT).unwrap_or(&source);
    SourceMapEntry::new(PageName::Address(permalink), source.to_owned())
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
    fn docusaurus_files_describe_one_page_each() {
        let text = r#"{"id": "intro", "source": "@site/docs/intro.mdx", "permalink": "/base/docs/intro", "tags": []}"#;
        assert_eq!(shown(text), r#"Address("/base/docs/intro") docs/intro.mdx"#);
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
            "[\n{},\n]",
            "line 3 of the source map `list.json` cannot be read: ",
        );
        check(
            "[{\"a\": 1}]",
            "line 1 of the source map `list.json` starts a list whose entry 1 has neither",
        );
        check("[]", "the source map `list.json` does not list any page");
    }
}
