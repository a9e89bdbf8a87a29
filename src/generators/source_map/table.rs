//! Source maps in columns: the output of `hugo list all`, and waypost's own two-column format.

use std::path::Path;

use serde::Deserialize;

use super::SourceMapError;
use super::{PageName, SourceMapEntry, below_lines, invalid};

/// The optional header of the two-column format.
const OWN_HEADER: [&str; 2] = ["page", "source"];

/// The line of a mistake, counted from 1, and the mistake.
type RowMistake = (usize, String);

pub(super) fn read(file: &Path, text: &str) -> Result<Vec<SourceMapEntry>, SourceMapError> {
    // Launchers and older versions of Hugo write lines above the header.
    let header = text.lines().position(|line| {
        line.starts_with("path,") && line.split(',').any(|column| column.trim() == "permalink")
    });
    let read = match header {
        Some(above) => {
            read_hugo(below_lines(text, above)).map_err(|(line, mistake)| (line + above, mistake))
        }
        None => read_own(text),
    };
    read.map_err(|(line, what)| invalid(file, Some(line), what))
}

/// A page of `hugo list all`. Other columns are ignored; newer versions of Hugo have more.
#[derive(Deserialize)]
struct HugoPage {
    path: String,
    permalink: String,
}

/// Reads `path,slug,title,date,…,draft,permalink,…`.
fn read_hugo(text: &str) -> Result<Vec<SourceMapEntry>, RowMistake> {
    let mut entries = Vec::new();
    for row in csv::Reader::from_reader(text.as_bytes()).into_deserialize() {
        let HugoPage { path, permalink } = row.map_err(|error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            (line, format!("cannot be read: {error}"))
        })?;
        entries.push(SourceMapEntry {
            page: PageName::Address(permalink),
            source: path,
        });
    }
    Ok(entries)
}

/// Reads rows of page and source. The first row determines the separator; `#` begins a comment.
fn read_own(text: &str) -> Result<Vec<SourceMapEntry>, RowMistake> {
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
            return Err((index + 1, "does not have two columns".to_owned()));
        };
        if page.is_empty() || source.is_empty() {
            return Err((index + 1, "has an empty page or source".to_owned()));
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
        let entries = match read(Path::new("list.csv"), text) {
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
        let expected = "line 5 of the source map `list.csv` cannot be read: ";
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
            "line 3 of the source map `list.csv` does not have two columns",
        );
        check(
            "a.html,a.md,x\n,\nb.html,b.md\nc\n",
            "line 1 of the source map `list.csv` does not have two columns",
        );
        check(
            "a.html,\n",
            "line 1 of the source map `list.csv` has an empty page or source",
        );
    }
}
