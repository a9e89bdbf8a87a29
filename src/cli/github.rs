//! Findings as workflow commands of GitHub Actions, which shows them beside the lines that they are about.
//!
//! The rules are those of docs.github.com, "Workflow commands for GitHub Actions": one command a line, line breaks, `%`,
//! and in properties `:` and `,` escaped; of each level ten a step are shown, so no more are printed.

use std::fmt::Write;

use super::pointers::Pointers;
use super::source::source_of;
use crate::finding::Level;
use crate::road::{Ledger, Survey};

/// Annotations of one level that GitHub shows of a step.
const SHOWN_OF_A_LEVEL: usize = 10;

/// The commands, a line each. A page whose source is known is annotated there, since only that is in the repository.
pub(super) fn commands(survey: &Survey<'_>, ledger: &Ledger, pointers: &mut Pointers<'_>) -> String {
    let mut out = String::new();
    for (level, command) in [(Level::Deny, "error"), (Level::Warn, "warning")] {
        let levels = &survey.settings().levels;
        let of_level = || ledger.findings.iter().filter(|finding| levels.of(finding.code) == level);
        for finding in of_level().take(SHOWN_OF_A_LEVEL) {
            let (file, line_column) = match source_of(survey, ledger, finding) {
                Some(source) => (Some(source), None),
                None => pointers.of(finding),
            };
            let mut properties = vec![("title", format!("waypost: {}", finding.code.name))];
            properties.extend(file.map(|file| ("file", file)));
            if let Some((line, column)) = line_column {
                properties.extend([("line", line.to_string()), ("col", column.to_string())]);
            }
            let properties: Vec<String> =
                properties.into_iter().map(|(name, value)| format!("{name}={}", property(&value))).collect();
            let hint = finding.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            let text = data(&format!("{}{hint}", finding.message));
            line(&mut out, &format!("::{command} {}::{text}", properties.join(",")));
        }
        let more = of_level().count().saturating_sub(SHOWN_OF_A_LEVEL);
        if more > 0 {
            line(&mut out, &format!("::notice title=waypost::{more} more findings at level {}", level.as_str()));
        }
    }
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("a string takes all that is written");
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_ends_its_command_or_begins_another() {
        assert_eq!(data("100%\r\n::error::x"), "100%25%0D%0A::error::x");
        assert_eq!(property("a,b:c\n%"), "a%2Cb%3Ac%0A%25");
    }
}
