//! Pages with the files of a site: all their commands run in that site, one after the other, and the
//! page shows exactly what they print.

use super::examples::root_as_site;
use super::generated_parts::{all_pages, assert_page, page_text};
use crate::platform::PRELUDE;
use crate::site_test::{Outcome, SiteTest};

/// The line that begins the files of the site.
const FILES: &str = "\n```txtar\n";

#[test]
fn the_commands_of_a_page_with_a_site_print_what_the_page_shows() {
    let mut count = 0;
    for page in all_pages() {
        if page.starts_with("findings/") {
            continue; // each section shows one finding or reason
        }
        let text = page_text(&page);
        if text.contains("<!-- site: ") {
            continue; // tests/slow/docs.py runs it with a generator
        }
        if let Some((_, rest)) = text.split_once(FILES) {
            let (files, _) = rest.split_once("```\n").expect("the block ends");
            let new_text = rerun(&text, &SiteTest::of_files(files));
            assert_page(&page, |_| new_text);
            count += 1;
        }
    }
    assert!(count > 12, "{count}");
}

/// The page with the output of each command below it.
fn rerun(page: &str, site: &SiteTest) -> String {
    let mut text = String::new();
    let mut is_console = false;
    for line in page.split_inclusive('\n') {
        match line.strip_prefix("$ ") {
            Some(command) if is_console => {
                text.push_str(line);
                text.push_str(&output_of(command, site));
            }
            _ if line.starts_with("```") => {
                is_console = line == "```console\n";
                text.push_str(line);
            }
            _ if is_console => {}
            _ => text.push_str(line),
        }
    }
    text
}

/// Runs a command and returns what it prints.
fn output_of(command: &str, site: &SiteTest) -> String {
    let script = format!("{PRELUDE}exec 2>&1\n{command}");
    let done = site.shell_command(&script, &[]).output();
    let printed = Outcome::of(done.expect("the shell can be run")).stdout;
    let printed = root_as_site(&printed, site);
    printed.trim_start_matches('\n').to_owned()
}
