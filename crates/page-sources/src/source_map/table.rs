//! Source maps in columns: the output of `hugo list all`, and waypost's own two-column format.

use std::path::Path;
use std::sync::LazyLock;

use csv::{Position, ReaderBuilder, StringRecord};
use regex::Regex;

use super::entry::{PageName, SourceMapEntry};
use crate::PageSourcesError;

/// The optional header of the two-column format.
const OWN_HEADER: [&str; 2] = ["page", "source"];

/// An invalid row.
struct WrongRow {
    /// Where it begins, before any lines that the CSV reader skips.
    position: Option<Position>,
    what: String,
}

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let (start, entries) = match hugo_header(text) {
        Some(start) => (start, read_hugo(&text[start..])),
        None => (0, read_own(text)),
    };
    let entries = entries.map_err(|wrong| PageSourcesError::InvalidSourceMap {
        file: file.to_owned(),
        line: line_of(text, start, wrong.position),
        what: wrong.what,
    })?;
    if entries.is_empty() {
        return Err(PageSourcesError::EmptySourceMap(file.to_owned()));
    }
    Ok(entries)
}

/// The byte offset of the header in the output of `hugo list all`, below lines of launchers and of older
/// versions.
fn hugo_header(text: &str) -> Option<usize> {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        let first_columns = "^(?:[^\n]*\n){0,100}?(path,(?:[^\n]*,)?permalink)";
        Regex::new(first_columns).expect("a regular expression")
    });
    Some(HEADER.captures(text)?.get(1)?.start())
}

/// Reads `path,slug,title,date,…,draft,permalink,…`. Newer versions of Hugo have more columns.
fn read_hugo(text: &str) -> Result<Vec<SourceMapEntry>, WrongRow> {
    let mut reader = ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns = reader.headers()?.clone();
    let column = |name: &str| columns.iter().position(|column| column == name);
    let [path, permalink, draft] = ["path", "permalink", "draft"].map(column);
    let mut entries = Vec::new();
    for record in reader.records() {
        let record = record?;
        let value = |column: Option<usize>| record.get(column?);
        // A page that is not rendered has no permalink.
        let path = value(path).filter(|path| !path.is_empty());
        let (Some(path), Some(permalink), true) =
            (path, value(permalink), record.len() == columns.len())
        else {
            let (own, all) = (columns_of(&record), columns.len());
            let what = format!("has {own}, but the header has {all}");
            return Err(WrongRow::new(&record, what));
        };
        entries.push(SourceMapEntry {
            page: PageName::Address(permalink.to_owned()),
            source: path.to_owned(),
            is_draft: value(draft) == Some("true"),
        });
    }
    Ok(entries)
}

/// Reads rows of page and source. The first row determines the separator; `#` begins a comment.
fn read_own(text: &str) -> Result<Vec<SourceMapEntry>, WrongRow> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(is_row);
    let has_tabs = first.is_some_and(|line| line.contains('\t'));
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .delimiter(if has_tabs { b'\t' } else { b',' })
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut entries = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = record?;
        if index == 0 && record.iter().eq(OWN_HEADER) {
            continue;
        }
        let columns: Vec<&str> = record.iter().collect();
        let [page, source] = columns[..] else {
            let what = format!("has {} instead of two", columns_of(&record));
            return Err(WrongRow::new(&record, what));
        };
        if page.is_empty() || source.is_empty() {
            let what = "has an empty page or source".to_owned();
            return Err(WrongRow::new(&record, what));
        }
        let page = if page.contains("://") {
            PageName::Address
        } else {
            PageName::Below
        }(page.to_owned());
        entries.push(SourceMapEntry::new(page, source.to_owned()));
    }
    Ok(entries)
}

impl WrongRow {
    fn new(record: &StringRecord, what: String) -> Self {
        Self {
            position: record.position().cloned(),
            what,
        }
    }
}

impl From<csv::Error> for WrongRow {
    fn from(error: csv::Error) -> Self {
        Self {
            position: error.position().cloned(),
            what: format!("cannot be read: {error}"),
        }
    }
}

/// The line of a row, counted from 1. Its position is relative to `start`.
fn line_of(text: &str, start: usize, position: Option<Position>) -> usize {
    let below = position.map_or(0, |position| usize::try_from(position.byte()).unwrap_or(0));
    let mut at = start + below;
    while let Some((line, _)) = text[at..].split_once('\n')
        && (line.trim().is_empty() || line.starts_with('#'))
    {
        at += line.len() + 1;
    }
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1
}

fn columns_of(record: &StringRecord) -> String {
    match record.len() {
        1 => "one column".to_owned(),
        count => format!("{count} columns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages and sources, one pair per line; `~` marks a draft.
    fn shown(text: &str) -> String {
        let entries = match read(Path::new("list.csv"), text) {
            Ok(entries) => entries,
            Err(error) => return error.to_string(),
        };
        let line = |entry: &SourceMapEntry| {
            let (PageName::Address(page) | PageName::Below(page)) = &entry.page;
            let mark = if entry.is_draft { "~" } else { "" };
            format!("{mark}{page} {}", entry.source)
        };
        entries.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn hugo_lists_are_read_despite_preceding_lines() {
        let header = "path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section\n";
        let row = "content/a.md,,\"A, \"\"b\"\"\nc\",2024-05-06T00:00:00Z,,,false,\
                   https://example.com/a/,page,\n";
        let draft = "content/b.md,,B,,,,true,https://example.com/b/,page,\n";
        let expected = "https://example.com/a/ content/a.md\n~https://example.com/b/ content/b.md";
        assert_eq!(shown(&format!("{header}{row}{draft}")), expected);
        assert_eq!(
            shown(&format!("Hugo \"launcher\n\n{header}{row}{draft}")),
            expected
        );
        let cut = "line 5 of the source map `list.csv` has 2 columns, but the header has 10";
        assert_eq!(
            shown(&format!("banner\n{header}{row}content/b.md,b\n")),
            cut
        );
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
        check("\"a,b.html\",docs/a.md\n", "a,b.html docs/a.md");
        check("a.html,a.md\npage,source\n", "a.html a.md\npage source");
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check(
            "a.html,a.md\n\nb.html\n",
            "line 3 of the source map `list.csv` has one column instead of two",
        );
        check(
            "a.html,a.md,x\n,\nb.html,b.md\nc\n",
            "line 1 of the source map `list.csv` has 3 columns instead of two",
        );
        check(
            "a.html,\n",
            "line 1 of the source map `list.csv` has an empty page or source",
        );
        check("", "the source map `list.csv` does not list any page");
        check(
            "# nothing\npage,source\n",
            "the source map `list.csv` does not list any page",
        );
    }
}
