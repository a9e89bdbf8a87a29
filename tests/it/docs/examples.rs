//! The examples on the pages of codes: the files of a site, commands, and what the last one prints.
//!
//! The page of a finding shows that finding alone, the page of a reason the whole of stdout.

use crate::site_test::{Outcome, SiteTest};
use crate::txtar::SiteArchive;

use super::code_pages::{CodeGroup, groups};
use super::generated_parts::{assert_page, page_text};

/// Codes that files and git cannot show on every machine, with the reason. Their pages describe what
/// triggers them.
const NOT_SHOWN: &[(&str, &str)] = &[
    (
        "unreadable-folder",
        "permissions do not stop the administrator, who runs the tests in containers",
    ),
    ("live-status", A_SERVER),
    ("live-soft-404", A_SERVER),
    ("live-content-type", A_SERVER),
    ("live-too-large", A_SERVER),
    ("live-slow", A_SERVER),
    ("live-not-answered", A_SERVER),
    ("live-stopped", A_SERVER),
    ("live-outdated", A_SERVER),
];

/// The suite `tests/slow/live.py` triggers these.
const A_SERVER: &str = "a server is needed that answers in this way";

/// Makes the shell commands of all pages independent of the machine.
pub(super) const PRELUDE: &str = r#"set -u
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=init.defaultBranch GIT_CONFIG_VALUE_0=main
export GIT_CONFIG_KEY_1=protocol.file.allow GIT_CONFIG_VALUE_1=always
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE=2025-03-01T10:00:00Z
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_COMMITTER_DATE=2025-03-01T10:00:00Z
export GIT_DEFAULT_HASH=sha1
unset WAYPOST_LEVELS_BASE_URL_PLACEHOLDER
program=$1
waypost() { "$program" "$@"; }
"#;

/// The example of a page: text before the output, the output, and text after it.
struct Example<'a> {
    files: &'a str,
    commands: Vec<&'a str>,
    before_output: &'a str,
    after_output: &'a str,
}

impl<'a> Example<'a> {
    fn parse(page: &'a str) -> Option<Self> {
        let (_, rest) = page.split_once("\n```txtar\n")?;
        let (files, _) = rest.split_once("```\n")?;
        let (_, console) = page.split_once("\n```console\n")?;
        let (console, after_output) = console.split_once("\n```\n")?;
        let lines = console.split_inclusive('\n');
        let commands: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("$ "))
            .map(str::trim_end)
            .collect();
        let last = commands.last()?;
        let end_of_commands = page.find(&format!("\n$ {last}\n"))? + last.len() + "\n$ \n".len();
        Some(Self {
            files,
            commands,
            before_output: &page[..end_of_commands],
            after_output,
        })
    }

    /// Runs the commands on the files; only the last one's output counts.
    fn run(&self) -> Outcome {
        let site = SiteTest::empty();
        for file in SiteArchive::parse(self.files).files {
            site.write(&file.name, file.content);
        }
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

    /// The page with this output.
    fn page_with(&self, output: &str) -> String {
        format!(
            "{}{}\n```\n{}",
            self.before_output,
            output.trim_end(),
            self.after_output
        )
    }
}

/// Names the directory of the site `/site`.
pub(super) fn root_as_site(printed: &str, site: &SiteTest) -> String {
    printed.replace(&*site.root().to_string_lossy(), "/site")
}

/// The page with another output of its example.
fn with_output(page: &str, output: &str) -> String {
    let example = Example::parse(page).expect("the page has an example");
    example.page_with(output)
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

fn check_examples(group: &CodeGroup, shown: impl Fn(&str, Outcome) -> String) {
    let mut faults = Vec::new();
    for code in &group.codes {
        let page = format!("{}/{}.md", group.dir, code.name);
        let text = page_text(&page);
        let is_shown = NOT_SHOWN.iter().all(|(name, _)| *name != code.name);
        match Example::parse(&text) {
            Some(example) if is_shown => {
                let output = shown(code.name, example.run());
                if output.contains(code.name) {
                    assert_page(&page, |text| with_output(text, &output));
                } else {
                    faults.push(format!("{page}: the example does not show the code"));
                }
            }
            None if !is_shown => {}
            _ => faults.push(format!("{page}: an example is missing, or is not expected")),
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_example_of_each_finding_prints_what_its_page_shows() {
    let [findings, _] = groups();
    check_examples(&findings, |code, outcome| {
        findings_of(code, &outcome.stderr)
    });
}

#[test]
fn the_example_of_each_reason_prints_what_its_page_shows() {
    let [_, reasons] = groups();
    check_examples(&reasons, |_, outcome| outcome.stdout);
}
