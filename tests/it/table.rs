//! Reads the tables in `tests/cases`: the cells of a row, and texts of several lines in one.

/// Returns the cells of a table of cases: a row on each line, and `|` between its cells.
pub(crate) fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let rows = table.lines().filter(|line| !line.trim().is_empty());
    let cells = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        <[&str; N]>::try_from(cells).unwrap_or_else(|_| panic!("`{row}` has not {N} cells"))
    });
    cells.collect()
}

/// A text in which `\n` and `\r` are ends of lines.
pub(crate) fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\r", "\r")
}
