//! Dates by the order in Hugo's settings, against a table that real Hugo made
//! (`tests/slow/dates.py`).

use std::collections::BTreeMap;

use crate::site_test::SiteTest;

const TABLE: &str = include_str!("hugo_dates.tsv");
const COMMITTED: &str = "2024-05-05T00:00:00Z";
const TABLE_STATES: [&str; 2] = ["committed", "untracked"];

/// The rows of the table with a state: date in name, front matter, and a date per order.
fn rows_of(state: &str) -> Vec<Vec<&'static str>> {
    let rows = TABLE.lines().skip(1).map(|row| row.split('\t').collect());
    let mut rows: Vec<Vec<_>> = rows.collect();
    rows.retain(|row| row[0] == state);
    assert_eq!(rows.len(), 24);
    rows
}

/// A site with a page for each row, and their dates by order.
fn dates_by_order(state: &str) -> Vec<BTreeMap<String, Option<String>>> {
    let (table_state, is_edited) = match state {
        "edited" | "shallow" => ("committed", state == "edited"),
        other => (other, false),
    };
    let site = SiteTest::hugo("");
    site.write(".gitignore", "public\nhugo.toml\n")
        .commit("2023-01-01T00:00:00Z");
    let rows = rows_of(table_state);
    for (index, row) in rows.iter().enumerate() {
        let prefix = if row[1] == "yes" { "2018-08-08-" } else { "" };
        let text = row[2].replace("; ", "\n");
        site.write(
            format!("content/{prefix}p{index}.md"),
            format!("---\n{text}\n---\n"),
        );
    }
    if table_state == "committed" {
        site.commit(COMMITTED);
    }
    if state == "shallow" {
        let head = site.git(&["rev-parse", "HEAD"]);
        site.write(".git/shallow", head);
    }
    for (index, row) in rows.iter().enumerate().filter(|_| is_edited) {
        let prefix = if row[1] == "yes" { "2018-08-08-" } else { "" };
        let file = format!("content/{prefix}p{index}.md");
        site.write(&file, site.read(&file) + "more\n");
    }
    let orders = TABLE.lines().next().expect("a header").split('\t').skip(3);
    orders
        .map(|order| {
            _ = std::fs::remove_dir_all(site.root().join("public"));
            let settings = "baseURL = \"https://example.com/\"\n[frontmatter]\n";
            site.write("hugo.toml", format!("{settings}lastmod = [{order}]\n"));
            for (index, row) in rows.iter().enumerate() {
                // The date in a name that is used for a date is not part of the URL.
                let has_date = row[1] == "yes" && !order.contains(":filename");
                let prefix = if has_date { "2018-08-08-" } else { "" };
                site.page(format!("public/{prefix}p{index}/index.html"), "");
            }
            let dates = site.explained("lastmod").into_iter();
            dates
                .map(|(page, date)| (page.replace("2018-08-08-", ""), date))
                .collect()
        })
        .collect()
}

#[test]
fn every_order_of_hugo_gives_the_date_of_hugo() {
    for state in TABLE_STATES {
        for (column, dates) in dates_by_order(state).into_iter().enumerate() {
            for (index, row) in rows_of(state).into_iter().enumerate() {
                // The time of a checkout is no date: the order counts without it, as in the first column.
                let by_hugo = match row[column + 3] {
                    "checkout" => row[3],
                    date => date,
                };
                let expected = match (by_hugo, state) {
                    // A commit also dates a page for which the order names nothing.
                    ("git", _) | ("none", "committed") => Some(COMMITTED),
                    ("none", _) => None,
                    (date, _) => Some(date),
                };
                let found = &dates[&format!("p{index}/index.html")];
                assert_eq!(
                    found.as_deref(),
                    expected,
                    "{state}, order {column}: {row:?}"
                );
            }
        }
    }
}

#[test]
fn an_order_of_hugo_gives_no_date_that_an_unknown_change_may_have_outdated() {
    for state in ["edited", "shallow"] {
        for (column, dates) in dates_by_order(state).into_iter().enumerate() {
            for (index, row) in rows_of("committed").into_iter().enumerate() {
                let found = dates[&format!("p{index}/index.html")].as_deref();
                let set_by_author = |date: &str| date.starts_with("2021");
                match row[column + 3] {
                    "git" | "none" | "checkout" => assert!(
                        found.is_none_or(set_by_author),
                        "{state}, order {column}: {row:?} has {found:?}"
                    ),
                    date => assert_eq!(found, Some(date), "{state}, order {column}: {row:?}"),
                }
            }
        }
    }
}

#[test]
fn dates_and_explain_follow_the_order_of_hugo() {
    let site =
        SiteTest::hugo("[frontmatter]\nlastmod = [\"Reviewed\", \":fileModTime\", \":default\"]\n");
    site.write("content/a.md", "---\nreviewed: 2021-01-01\n---\n")
        .write("content/b.md", "---\nlastmod: 2021-01-01\n---\n")
        .commit(COMMITTED);
    site.page("public/index.html", "");
    let order = "[\"reviewed\", \"git\", \"lastmod\", \"modified\", \"date\", \"publishdate\"";
    site.waypost(&["explain", "--settings"])
        .shows(&format!("lastmod.from = {order}"));
    let dates = site.waypost(&["dates", "-q"]);
    dates
        .shows("content/a.md\t2021-01-01\n")
        .shows(&format!("content/b.md\t{COMMITTED}\n"));
}
