//! Each finding and each reason has a section on the page of its family, and a row in the overview.

use std::collections::BTreeSet;
use std::fs;

use waypost::internals::{ALL, Code, REASONS};

use super::generated_parts::{assert_page, page_file, page_text, with_head, with_part};

/// All codes of findings, then those of reasons.
pub(super) fn codes() -> impl Iterator<Item = &'static Code> {
    let reasons = REASONS.iter().map(|reason| reason.code);
    ALL.iter().copied().chain(reasons)
}

/// The page that describes a code, in `docs/src`.
pub(super) fn page_of(code: &Code) -> String {
    format!("findings/{}.md", code.page)
}

/// The part of a page about a code, below what is generated.
pub(super) fn section_of<'p>(page: &'p str, code: &Code) -> &'p str {
    let section = page.split_once(&format!("\n## {}\n\n", code.name));
    let section = section.and_then(|(_, rest)| rest.split_once("\n\n"));
    let (_, section) = section.unwrap_or_else(|| panic!("no page describes `{}`", code.name));
    section.split("\n## ").next().unwrap_or(section)
}

/// The generated head of a section.
fn head_of(code: &Code) -> String {
    let (name, level, about) = (code.name, code.level.as_str(), code.description());
    format!("## {name}\n\nDefault level: `{level}`. {about}\n")
}

#[test]
fn the_head_of_each_section_of_a_code_is_that_of_the_program() {
    for code in codes() {
        assert_page(&page_of(code), |text| {
            with_head(text, &head_of(code))
                .unwrap_or_else(|| panic!("no page describes `{}`", code.name))
        });
    }
}

#[test]
fn every_page_of_codes_describes_those_of_its_family_in_their_order_and_how_to_fix_each() {
    let families: BTreeSet<&str> = codes().map(|code| code.page).collect();
    let files = fs::read_dir(page_file("findings")).expect("the directory exists");
    let files = files.map(|file| file.expect("the entry can be read").file_name());
    let files: BTreeSet<String> = files.map(|file| file.to_string_lossy().into()).collect();
    let with_index = families.iter().copied().chain(["index"]);
    assert_eq!(files, with_index.map(|name| format!("{name}.md")).collect());
    for family in families {
        let text = page_text(&format!("findings/{family}.md"));
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        let of_family = codes().filter(|code| code.page == family);
        let of_family: Vec<&Code> = of_family.collect();
        assert!(
            headings.eq(of_family.iter().map(|code| code.name)),
            "{family}"
        );
        for code in of_family {
            let prose = section_of(&text, code).split("```").next();
            let has_remedy = prose.is_some_and(|prose| !prose.trim().is_empty());
            assert!(has_remedy, "`{}` has no remedy", code.name);
        }
    }
}

#[test]
fn the_overview_lists_every_finding() {
    let rows = ALL.iter().map(|code| {
        let (name, page, level) = (code.name, code.page, code.level.as_str());
        format!("| [`{name}`]({page}.md#{name}) | {level} |\n")
    });
    let head = "| code | level |\n| --- | --- |\n".to_owned();
    let table = head + &rows.collect::<String>();
    assert_page("findings/index.md", |text| {
        with_part(text, "codes", &table).expect("the page has the part `codes`")
    });
}
