//! Reads source maps: the output of `eleventy --to=json` and of `hugo list all`, and waypost's own
//! two-column format; below a directory, those of Docusaurus.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{PageName, SourceMapEntry, SourceMapError, docusaurus, invalid, read_text};

/// Reads a source map, or all Docusaurus page lists below a directory, sorted by name.
///
/// Supported formats are the output of `hugo list all` and `eleventy --to=json`, the files that
/// Docusaurus writes to `.docusaurus`, and two columns, `page,source`, separated by commas or
/// tabs.
pub fn read_list(path: &Path) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let entries = if path.is_dir() {
        docusaurus::read_dir(path)?
    } else {
        parse_list(path, &read_text(path)?)?
    };
    if entries.is_empty() {
        return Err(invalid(path, None, "does not list any page"));
    }
    Ok(entries)
}

/// Parses the text of a source map. The path is used in errors only.
pub fn parse_list(path: &Path, text: &str) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(above) = lines_above_json(text) {
        return read_json(path, text, above);
    }
    // Launchers and older versions of Hugo write lines above the header.
    let header = text.lines().position(|line| {
        line.starts_with("path,") && line.split(',').any(|column| column.trim() == "permalink")
    });
    match header {
        Some(above) => read_hugo(path, text, above),
        None => read_own(path, text),
    }
}

/// The text below a number of lines.
fn below_lines(text: &str, lines: usize) -> &str {
    let above = text.split_inclusive('\n').take(lines).map(str::len);
    &text[above.sum()..]
}

/// A page of Eleventy. Other keys are ignored; some contain the text of whole pages.
#[derive(Debug, Deserialize)]
struct JsonPage {
    #[serde(rename = "inputPath")]
    input_path: String,
    /// `false` if the page is not written.
    #[serde(default)]
    url: Value,
}

/// The number of Eleventy's log lines above the JSON; `None` if the text is not JSON.
fn lines_above_json(text: &str) -> Option<usize> {
    let log = text
        .lines()
        .take_while(|line| line.starts_with("[11ty]") || line.is_empty())
        .count();
    below_lines(text, log).starts_with('[').then_some(log)
}

/// Reads the JSON below these many lines.
fn read_json(file: &Path, text: &str, above: usize) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let read = serde_json::from_str::<Vec<JsonPage>>(below_lines(text, above));
    let pages = read.map_err(|error| {
        let what = format!("cannot be read: {error}");
        invalid(file, Some(error.line() + above), what)
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

/// The optional header of the two-column format.
const OWN_HEADER: [&str; 2] = ["page", "source"];

/// A page of `hugo list all`. Other columns are ignored; newer versions of Hugo have more.
#[derive(Deserialize)]
struct HugoPage {
    path: String,
    permalink: String,
}

/// Reads `path,slug,title,date,…,draft,permalink,…`.
fn read_hugo(file: &Path, text: &str, above: usize) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let mut entries = Vec::new();
    for row in csv::Reader::from_reader(below_lines(text, above).as_bytes()).into_deserialize() {
        let HugoPage { path, permalink } = row.map_err(|error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            invalid(
                file,
                Some(line.saturating_add(above)),
                format!("cannot be read: {error}"),
            )
        })?;
        entries.push(SourceMapEntry {
            page: PageName::Address(permalink),
            source: path,
        });
    }
    Ok(entries)
}

/// Reads rows of page and source. The first row determines the separator; `#` begins a comment.
fn read_own(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    let mut rows = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .peekable();
    let has_tabs = rows.peek().is_some_and(|(_, line)| line.contains('\t'));
    let separator = if has_tabs { '\t' } else { ',' };
    let mut entries = Vec::new();
    for (index, row) in rows {
        let columns: Vec<&str> = row.split(separator).map(str::trim).collect();
        let [page, source] = columns[..] else {
            return Err(invalid(file, Some(index + 1), "does not have two columns"));
        };
        if page.is_empty() || source.is_empty() {
            return Err(invalid(
                file,
                Some(index + 1),
                "has an empty page or source",
            ));
        }
        if entries.is_empty() && columns == OWN_HEADER {
            continue;
        }
        let page = if page.contains("://") {
            PageName::Address
        } else {
            PageName::Below
        }(page.to_owned());
        let source = source.to_owned();
        entries.push(SourceMapEntry { page, source });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages and sources, one pair per line.
    fn shown(text: &str) -> String {
        let entries = match parse_list(Path::new("list"), text) {
            Ok(entries) => entries,
            Err(error) => return error.to_string(),
        };
        let line = |entry: &SourceMapEntry| {
            let (PageName::Address(page) | PageName::Below(page)) = &entry.page;
            format!("{page} {}", entry.source)
        };
        entries.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn hugo_lists_are_read_despite_preceding_lines() {
        let header = "path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section\n";
        let row = "content/a.md,,\"A, \"\"b\"\"\nc\",2024-05-06T00:00:00Z,,,false,\
                   https://example.com/a/,page,\n";
        let draft = "content/b.md,,B,,,,true,https://example.com/b/,page,\n";
        let expected = "https://example.com/a/ content/a.md\nhttps://example.com/b/ content/b.md";
        assert_eq!(shown(&format!("{header}{row}{draft}")), expected);
        assert_eq!(
            shown(&format!("Hugo \"launcher\n\n{header}{row}{draft}")),
            expected
        );
        let cut = shown(&format!("banner\n{header}{row}content/b.md,b\n"));
        let expected = "line 5 of the source map `list` cannot be read: ";
        assert!(cut.starts_with(expected), "{cut}");
    }

    #[test]
    fn lists_of_older_hugo_versions_have_fewer_columns() {
        let text = "path,slug,title,date,expiryDate,publishDate,draft,permalink\r\n\
                    a.md,,,,,,false,/a/\r\n";
        assert_eq!(shown(text), "/a/ a.md");
    }

    #[test]
    fn the_two_column_format_is_read() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check("page,source\n/a/,docs/a.md\n", "/a/ docs/a.md");
        check(
            "# made by build.py\n\na.html,docs/a.md\n\nb.html , docs/b.md",
            "a.html docs/a.md\nb.html docs/b.md",
        );
        check("a,b.html\tdocs/a, b.md\n", "a,b.html docs/a, b.md");
        check("a.html,a.md\npage,source\n", "a.html a.md\npage source");
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check(
            "a.html,a.md\n\nb.html\n",
            "line 3 of the source map `list` does not have two columns",
        );
        check(
            "a.html,a.md,x\n,\nb.html,b.md\nc\n",
            "line 1 of the source map `list` does not have two columns",
        );
        check(
            "a.html,\n",
            "line 1 of the source map `list` has an empty page or source",
        );
    }

    #[test]
    fn eleventy_pages_that_are_not_written_are_skipped() {
        let pages = [
            r#"{"url": "/a/", "inputPath": "./content/a.md", "outputPath": "./_site/a/index.html", "content": "<p>"}"#,
            r#"{"url": false, "inputPath": "./content/b.md", "outputPath": false}"#,
        ];
        let expected = "/a/ ./content/a.md";
        assert_eq!(shown(&format!("[{}]", pages.join(","))), expected);
        assert_eq!(
            shown(&format!("[11ty] Writing\n[{}]", pages.join(","))),
            expected
        );
    }

    #[test]
    fn mistakes_in_json_are_reported_with_their_line() {
        let check = |text: &str, expected: &str| {
            let shown = shown(text);
            assert!(shown.starts_with(expected), "{shown}");
        };
        check(
            "[11ty] Writing\n[\n{\"inputPath\": \"a\"},\n]",
            "line 4 of the source map `list` cannot be read: ",
        );
        check(
            "[{\"a\": 1}]",
            "line 1 of the source map `list` cannot be read: missing field `inputPath`",
        );
    }
}
