//! The examples of codes: the files of a site, commands, and what the last one prints.
//!
//! The section of a finding shows that finding alone, the section of a reason the whole of stdout.

use super::code_pages::{codes, page_of, section_of};
use super::generated_parts::{assert_page, page_text};
use crate::platform::PRELUDE;
use crate::site_test::{Outcome, SiteTest};

/// Codes that files and git cannot show: they need a server, that of `tests/slow/live.py`. Their
/// sections describe what triggers them.
const NOT_SHOWN: [&str; 2] = ["live-status", "live-unchecked"];

/// The example of a section: text before the output, the output, and text after it.
struct Example<'a> {
    files: &'a str,
    commands: Vec<&'a str>,
    before_output: &'a str,
    after_output: &'a str,
}

impl<'a> Example<'a> {
    fn parse(section: &'a str) -> Option<Self> {
        let (_, rest) = section.split_once("\n```txtar\n")?;
        let (files, _) = rest.split_once("```\n")?;
        let (_, console) = section.split_once("\n```console\n")?;
        let (console, after_output) = console.split_once("\n```\n")?;
        let lines = console.split_inclusive('\n');
        let commands: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("$ "))
            .map(str::trim_end)
            .collect();
        let last = commands.last()?;
        let end_of_commands = section.find(&format!("\n$ {last}\n"))? + last.len() + "\n$ \n".len();
        Some(Self {
            files,
            commands,
            before_output: &section[..end_of_commands],
            after_output,
        })
    }

    /// Runs the commands on the files; only the last one's output counts.
    fn run(&self) -> Outcome {
        let site = SiteTest::of_files(self.files);
        let (last, first) = self.commands.split_last().expect("there is a command");
        let script = format!(
            "{PRELUDE}{{ :\n{}\n}} >&2 2>/dev/null\n{last}\n",
            first.join("\n")
        );
        let done = site.shell_command(&script, &[]).output();
        let mut outcome = Outcome::of(done.expect("the shell can be run"));
        outcome.stderr = root_as_site(&outcome.stderr, &site);
        outcome
    }

    /// The section with this output.
    fn section_with(&self, output: &str) -> String {
        let (before, after) = (self.before_output, self.after_output);
        format!("{before}{}\n```\n{after}", output.trim_end())
    }
}

/// Names the directory of the site `/site`.
pub(super) fn root_as_site(printed: &str, site: &SiteTest) -> String {
    printed.replace(&*site.root().to_string_lossy(), "/site")
}

/// Returns the findings of one code from all that was printed.
fn findings_of(code: &str, printed: &str) -> String {
    let levels = ["note", "warning", "error"];
    let is_start = |line: &str| levels.iter().any(|level| line.starts_with(level));
    let marks = levels.map(|level| format!("{level}[{code}]: "));
    let mut is_within = false;
    let lines = printed.split_inclusive('\n').filter(|line| {
        if is_start(line) {
            is_within = marks.iter().any(|mark| line.starts_with(mark));
        } else if line.trim().is_empty() {
            is_within = false;
        }
        is_within
    });
    lines.collect()
}

#[test]
fn the_example_of_each_code_prints_what_its_section_shows() {
    let mut faults = Vec::new();
    for code in codes() {
        let page = page_of(code);
        let text = page_text(&page);
        let section = section_of(&text, code);
        let is_shown = !NOT_SHOWN.contains(&code.name);
        let example = Example::parse(section);
        if example.is_some() != is_shown {
            faults.push(format!(
                "{}: an example is missing, or is not expected",
                code.name
            ));
        }
        if let Some(example) = example {
            let outcome = example.run();
            let output = match code.page {
                "reasons" => outcome.stdout,
                _ => findings_of(code.name, &outcome.stderr),
            };
            if output.contains(code.name) {
                let new_section = example.section_with(&output);
                assert_page(&page, |text| text.replacen(section, &new_section, 1));
            } else {
                faults.push(format!("{}: the example does not show the code", code.name));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
