//! Source maps in columns: the output of `hugo list all`, and waypost's own two-column format.

use std::path::Path;

use csv::{Position, ReaderBuilder, StringRecord};

use super::entry::{BuildCertainty, PageName, SourceMapEntry};
use crate::PageSourcesError;

/// Number of lines in which to look for the header. Launchers and older versions of Hugo print a
/// few lines before it.
const LINES_BEFORE_HEADER: usize = 100;

/// The optional header of the two-column format.
const OWN_HEADER: [&str; 2] = ["page", "source"];

/// The entries of a table and its invalid rows.
struct TableRows<'f> {
    file: &'f Path,
    text: &'f str,
    entries: Vec<SourceMapEntry>,
    first_wrong: Option<(usize, String)>,
    wrong: usize,
}

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
    let mut rows = TableRows {
        file,
        text,
        entries: Vec::new(),
        first_wrong: None,
        wrong: 0,
    };
    match hugo_header(text) {
        Some(at) => rows.read_hugo(at),
        None => rows.read_own(),
    }
    rows.finish()
}

/// The byte offset of the header in the output of `hugo list all`.
fn hugo_header(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(LINES_BEFORE_HEADER) {
        if line.starts_with("path,")
            && line
                .trim_end()
                .split(',')
                .any(|column| column == "permalink")
        {
            return Some(at);
        }
        at += line.len();
    }
    None
}

impl TableRows<'_> {
    /// Reads `path,slug,title,date,…,draft,permalink,…`. Newer versions of Hugo have more columns.
    fn read_hugo(&mut self, start: usize) {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&self.text.as_bytes()[start..]);
        let mut columns = StringRecord::new();
        for record in reader.records() {
            let Some(record) = self.readable(record, start) else {
                continue;
            };
            if columns.is_empty() {
                columns = record;
                continue;
            }
            let value = |name: &str| record.get(columns.iter().position(|column| column == name)?);
            match (value("path"), value("permalink")) {
                (Some(path), Some(permalink))
                    if record.len() == columns.len() && !path.is_empty() =>
                {
                    let is_draft = value("draft") == Some("true");
                    let certainty = if is_draft {
                        BuildCertainty::Draft
                    } else {
                        BuildCertainty::Published
                    };
                    let page = PageName::Address(permalink.to_owned());
                    self.entries.push(SourceMapEntry {
                        page,
                        source: path.to_owned(),
                        certainty,
                    });
                }
                _ => {
                    let what = format!(
                        "has {}, but the header has {}",
                        columns_of(&record),
                        columns.len()
                    );
                    self.wrong(start, record.position(), what);
                }
            }
        }
    }

    /// Reads rows of page and source. The first row determines the separator; `#` begins a comment.
    fn read_own(&mut self) {
        let text = self.text;
        let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let tabs = text
            .lines()
            .find(is_row)
            .is_some_and(|line| line.contains('\t'));
        let mut reader = ReaderBuilder::new();
        reader
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .delimiter(if tabs { b'\t' } else { b',' });
        let mut reader = reader.trim(csv::Trim::All).from_reader(text.as_bytes());
        let mut may_be_header = true;
        for record in reader.records() {
            let Some(record) = self.readable(record, 0) else {
                continue;
            };
            let is_header = may_be_header && record.iter().eq(OWN_HEADER);
            may_be_header = false;
            match (record.get(0), record.get(1)) {
                _ if is_header => {}
                (Some(page), Some(source))
                    if record.len() == 2 && !page.is_empty() && !source.is_empty() =>
                {
                    let page = if page.contains("://") {
                        PageName::Address
                    } else {
                        PageName::Below
                    }(page.to_owned());
                    self.entries.push(SourceMapEntry {
                        page,
                        source: source.to_owned(),
                        certainty: BuildCertainty::Published,
                    });
                }
                (Some(_), Some(_)) if record.len() == 2 => {
                    self.wrong(
                        0,
                        record.position(),
                        "has an empty page or source".to_owned(),
                    );
                }
                _ => self.wrong(
                    0,
                    record.position(),
                    format!("has {} instead of two", columns_of(&record)),
                ),
            }
        }
    }

    fn readable(
        &mut self,
        record: csv::Result<StringRecord>,
        start: usize,
    ) -> Option<StringRecord> {
        match record {
            Ok(record) => Some(record),
            Err(error) => {
                self.wrong(start, error.position(), format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Records an invalid row. `position` is relative to `start` and precedes any lines that the
    /// CSV reader skipped.
    fn wrong(&mut self, start: usize, position: Option<&Position>, what: String) {
        if self.first_wrong.is_some() {
            self.wrong += 1;
            return;
        }
        let mut at =
            start + position.map_or(0, |position| usize::try_from(position.byte()).unwrap_or(0));
        while let Some((line, _)) = self.text[at..].split_once('\n')
            && (line.trim().is_empty() || line.starts_with('#'))
        {
            at += line.len() + 1;
        }
        let line = memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count() + 1;
        self.first_wrong = Some((line, what));
    }

    fn finish(self) -> Result<Vec<SourceMapEntry>, PageSourcesError> {
        let file = self.file.to_owned();
        match self.first_wrong {
            Some((line, what)) => Err(PageSourcesError::InvalidSourceMap {
                file,
                line,
                what,
                more: self.wrong,
            }),
            None if self.entries.is_empty() => Err(PageSourcesError::EmptySourceMap(file)),
            None => Ok(self.entries),
        }
    }
}

fn columns_of(record: &StringRecord) -> String {
    if record.len() == 1 {
        "one column".to_owned()
    } else {
        format!("{} columns", record.len())
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
            let mark = if entry.certainty == BuildCertainty::Draft {
                "~"
            } else {
                ""
            };
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
            "line 1 of the source map `list.csv` has 3 columns instead of two \
             (and 2 more lines are wrong)",
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
