//! Each finding and each reason has a page, a row in the overview and an entry in the table of
//! contents.

use std::collections::BTreeSet;
use std::fs;

use site_paths::finding::{ALL, Code, Level};
use waypost::internals::REASONS;

use super::generated_parts::{assert_page, marked, page_file, page_text, with_part};

/// The codes with pages in one directory.
pub(super) struct CodeGroup {
    /// The directory of the pages, in `docs/src`.
    pub(super) dir: &'static str,
    pub(super) codes: Vec<&'static Code>,
    /// The sentence below the heading, before the level.
    kind: &'static str,
}

/// The findings and the reasons.
pub(super) fn groups() -> [CodeGroup; 2] {
    [
        CodeGroup {
            dir: "findings",
            codes: ALL.to_vec(),
            kind: "A [finding](index.md). Default level:",
        },
        CodeGroup {
            dir: "reasons",
            codes: REASONS.iter().map(|reason| reason.code).collect(),
            kind: "A [reason](index.md) to exclude a page. Default level:",
        },
    ]
}

impl CodeGroup {
    fn page_of(&self, code: &Code) -> String {
        format!("{}/{}.md", self.dir, code.name)
    }

    /// The generated head of a page.
    fn head_of(&self, code: &Code) -> String {
        format!(
            "# {}\n\n{} `{}`.\n\n{}\n",
            code.name,
            self.kind,
            level_of(code),
            code.description()
        )
    }

    /// The generated table of the overview.
    fn table(&self) -> String {
        let rows = self.codes.iter().map(|code| {
            let (name, level) = (code.name, level_of(code));
            format!(
                "| [`{name}`]({name}.md) | {level} | {} |\n",
                code.description()
            )
        });
        format!(
            "| code | level | meaning |\n| --- | --- | --- |\n{}",
            rows.collect::<String>()
        )
    }

    /// The table of contents with the pages of all codes below the overview.
    fn listed_in(&self, summary: &str) -> String {
        let overview = format!("({}/index.md)\n", self.dir);
        let (before, after) = summary
            .split_once(&overview)
            .expect("it lists the overview");
        let line = before.lines().last().expect("a list item");
        let indent = line.len() - line.trim_start().len() + 2;
        let is_below = |line: &&str| line.len() - line.trim_start().len() >= indent;
        let rest: String = after.split_inclusive('\n').skip_while(is_below).collect();
        let items = self
            .codes
            .iter()
            .map(|code| format!("{:indent$}- [{}]({})\n", "", code.name, self.page_of(code)));
        format!("{before}{overview}{}{rest}", items.collect::<String>())
    }
}

fn level_of(code: &Code) -> &'static str {
    let mut words = Level::WORDS.iter();
    let word = words.find(|(_, level)| *level == code.level);
    word.expect("every level has a name").0
}

#[test]
fn the_head_of_each_page_of_a_code_is_that_of_the_program() {
    for group in groups() {
        for code in &group.codes {
            let page = group.page_of(code);
            let head = group.head_of(code);
            assert_page(&page, |text| {
                with_part(text, "code", &head).unwrap_or_else(|| marked("code", &head))
            });
        }
    }
}

#[test]
fn every_page_of_a_code_has_a_code_a_cause_and_a_remedy() {
    for group in groups() {
        let expected: BTreeSet<String> =
            group.codes.iter().map(|code| group.page_of(code)).collect();
        let pages = fs::read_dir(page_file(group.dir)).expect("the directory exists");
        let pages = pages.map(|page| page.expect("the entry can be read").file_name());
        let pages: BTreeSet<String> = pages
            .filter(|name| name != "index.md")
            .map(|name| format!("{}/{}", group.dir, name.to_string_lossy()))
            .collect();
        assert_eq!(pages, expected);
        for page in &pages {
            let text = page_text(page);
            for heading in ["\n## Cause\n\n", "\n## Remedy\n\n", "\n## Example\n\n"] {
                let section = text.split_once(heading).map_or("", |(_, section)| section);
                assert!(
                    section.starts_with(|first: char| !matches!(first, '#' | '\n')),
                    "{page} lacks the section `{}`",
                    heading.trim()
                );
            }
        }
    }
}

#[test]
fn the_overviews_list_every_code() {
    for group in groups() {
        let page = format!("{}/index.md", group.dir);
        assert_page(&page, |text| {
            with_part(text, "codes", &group.table()).expect("the page has the part `codes`")
        });
    }
}

#[test]
fn the_table_of_contents_lists_every_code_below_its_overview() {
    for group in groups() {
        assert_page("SUMMARY.md", |summary| group.listed_in(summary));
    }
}
