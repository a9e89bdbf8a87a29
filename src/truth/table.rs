//! Lists in columns: what `hugo list all` prints, and our own two.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord};

use super::error::SourceMapError;
use super::{PageName, Standing, Told};

/// Launchers and older versions of Hugo print a few lines of their own before the list.
const LINES_BEFORE_HEADER: usize = 100;

/// What the columns of our own list are called, where it says so.
const OWN_HEADER: [&str; 2] = ["page", "source"];

/// A list with its rows, and the lines that are none.
struct Rows<'f> {
    file: &'f Path,
    told: Vec<Told>,
    first_wrong: Option<(u64, String)>,
    wrong: usize,
}

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<Told>, SourceMapError> {
    let mut rows = Rows { file, told: Vec::new(), first_wrong: None, wrong: 0 };
    match hugo_header(text) {
        Some((at, lines)) => rows.read_hugo(&text[at..], lines),
        None => rows.read_own(text),
    }
    rows.finish()
}

/// Where the header of Hugo's list begins, and how many lines stand before it.
fn hugo_header(text: &str) -> Option<(usize, u64)> {
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(0..).take(LINES_BEFORE_HEADER) {
        if line.starts_with("path,") && line.trim_end().split(',').any(|column| column == "permalink") {
            return Some((at, number));
        }
        at += line.len();
    }
    None
}

impl Rows<'_> {
    /// `path,slug,title,date,…,draft,permalink,…`; the columns have grown over the versions of Hugo.
    fn read_hugo(&mut self, text: &str, lines_before: u64) {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut columns = StringRecord::new();
        for record in reader.records() {
            let Some(record) = self.readable(record) else { continue };
            if columns.is_empty() {
                columns = record;
                continue;
            }
            let value = |name: &str| record.get(columns.iter().position(|column| column == name)?);
            match (value("path"), value("permalink")) {
                (Some(path), Some(permalink)) if record.len() == columns.len() && !path.is_empty() => {
                    let is_draft = value("draft") == Some("true");
                    let standing = if is_draft { Standing::Draft } else { Standing::Published };
                    let page = PageName::Address(permalink.to_owned());
                    self.told.push(Told { page, source: path.to_owned(), standing });
                }
                _ => {
                    let what = format!("has {}, but the header has {}", columns_of(&record), columns.len());
                    self.wrong(line_of(&record) + lines_before, what);
                }
            }
        }
    }

    /// A page and its source, the separator that of the first line; `#` begins a comment.
    fn read_own(&mut self, text: &str) {
        let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let tabs = text.lines().find(is_row).is_some_and(|line| line.contains('\t'));
        let mut reader = ReaderBuilder::new();
        reader.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(if tabs { b'\t' } else { b',' });
        let mut reader = reader.trim(csv::Trim::All).from_reader(text.as_bytes());
        let mut may_be_header = true;
        for record in reader.records() {
            let Some(record) = self.readable(record) else { continue };
            let is_header = may_be_header && record.iter().eq(OWN_HEADER);
            may_be_header = false;
            match (record.get(0), record.get(1)) {
                _ if is_header => {}
                (Some(page), Some(source)) if record.len() == 2 && !page.is_empty() && !source.is_empty() => {
                    let page = if page.contains("://") { PageName::Address } else { PageName::Below }(page.to_owned());
                    self.told.push(Told { page, source: source.to_owned(), standing: Standing::Published });
                }
                (Some(_), Some(_)) if record.len() == 2 => {
                    self.wrong(line_of(&record), "names no page or no source".to_owned());
                }
                _ => self.wrong(line_of(&record), format!("has {}, not two", columns_of(&record))),
            }
        }
    }

    fn readable(&mut self, record: csv::Result<StringRecord>) -> Option<StringRecord> {
        let error = match record {
            Ok(record) => return Some(record),
            Err(error) => error,
        };
        let line = error.position().map_or(0, csv::Position::line);
        self.wrong(line, format!("cannot be read: {error}"));
        None
    }

    fn wrong(&mut self, line: u64, what: String) {
        match self.first_wrong {
            None => self.first_wrong = Some((line, what)),
            Some(_) => self.wrong += 1,
        }
    }

    fn finish(self) -> Result<Vec<Told>, SourceMapError> {
        let file = self.file.to_owned();
        match self.first_wrong {
            Some((line, what)) => Err(SourceMapError::Line { file, line, what, more: self.wrong }),
            None if self.told.is_empty() => Err(SourceMapError::Empty(file)),
            None => Ok(self.told),
        }
    }
}

fn line_of(record: &StringRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

fn columns_of(record: &StringRecord) -> String {
    if record.len() == 1 { "one column".to_owned() } else { format!("{} columns", record.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages and sources, a pair a line; `~` marks a draft.
    fn shown(text: &str) -> String {
        let told = match read(Path::new("list.csv"), text) {
            Ok(told) => told,
            Err(error) => return error.to_string(),
        };
        let line = |told: &Told| {
            let (PageName::Address(page) | PageName::Below(page)) = &told.page;
            let mark = if told.standing == Standing::Draft { "~" } else { "" };
            format!("{mark}{page} {}", told.source)
        };
        told.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn hugos_list_is_read_whatever_stands_before_it() {
        let header = "path,slug,title,date,expiryDate,publishDate,draft,permalink,kind,section\n";
        let row = "content/a.md,,\"A, \"\"b\"\"\nc\",2024-05-06T00:00:00Z,,,false,https://example.com/a/,page,\n";
        let draft = "content/b.md,,B,,,,true,https://example.com/b/,page,\n";
        let expected = "https://example.com/a/ content/a.md\n~https://example.com/b/ content/b.md";
        assert_eq!(shown(&format!("{header}{row}{draft}")), expected);
        assert_eq!(shown(&format!("Hugo \"launcher\n\n{header}{row}{draft}")), expected);
        let cut = "line 5 of the source map `list.csv` has 2 columns, but the header has 10";
        assert_eq!(shown(&format!("banner\n{header}{row}content/b.md,b\n")), cut);
    }

    #[test]
    fn an_older_list_of_hugos_has_fewer_columns() {
        let text = "path,slug,title,date,expiryDate,publishDate,draft,permalink\r\na.md,,,,,,false,/a/\r\n";
        assert_eq!(shown(text), "/a/ a.md");
    }

    #[test]
    fn our_own_list_has_two_columns() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check("page,source\n/a/,docs/a.md\n", "/a/ docs/a.md");
        check("# made by build.py\n\na.html,docs/a.md\n\nb.html , docs/b.md", "a.html docs/a.md\nb.html docs/b.md");
        check("a,b.html\tdocs/a, b.md\n", "a,b.html docs/a, b.md");
        check("\"a,b.html\",docs/a.md\n", "a,b.html docs/a.md");
        check("a.html,a.md\npage,source\n", "a.html a.md\npage source");
    }

    #[test]
    fn what_is_wrong_is_shown_with_its_line() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check("a.html,a.md\n\nb.html\n", "line 3 of the source map `list.csv` has one column, not two");
        check(
            "a.html,a.md,x\n,\nb.html,b.md\nc\n",
            "line 1 of the source map `list.csv` has 3 columns, not two (and 2 more lines are wrong)",
        );
        check("a.html,\n", "line 1 of the source map `list.csv` names no page or no source");
        check("", "the source map `list.csv` names no page");
        check("# nothing\npage,source\n", "the source map `list.csv` names no page");
    }
}
