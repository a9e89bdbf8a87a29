//! The examples and exit codes of each command, for its help and its manual page.
//!
//! A test runs all examples.

use std::fmt::Write;

use clap::builder::Styles;

use super::exit_code::{EXIT_FAILURE, EXIT_FINDINGS, EXIT_SUCCESS};
use crate::manifest;

/// The program without the name of a command.
pub(super) const PROGRAM: &str = "waypost";

/// The part of the help that the options do not have.
pub(super) struct CommandHelp {
    /// The name of the command, or [`PROGRAM`].
    pub(super) name: &'static str,
    exit_codes: ExitCodes,
    pub(super) examples: &'static [Example],
}

/// A command line and its effect.
pub(super) struct Example {
    pub(super) command: &'static str,
    pub(super) about: &'static str,
}

/// The meaning of exit codes.
enum ExitCodes {
    /// Those of a build, which the manifest describes.
    Build,
    /// Success or failure.
    Plain,
    /// Those of one command.
    Own(&'static [(u8, &'static str)]),
}

macro_rules! examples {
    ($($command:literal => $about:literal),+ $(,)?) => {
        &[$(Example { command: $command, about: $about }),+]
    };
}

/// All commands in the order of the help.
static COMMANDS: &[CommandHelp] = &[
    CommandHelp {
        name: PROGRAM,
        exit_codes: ExitCodes::Build,
        examples: examples! {
            "zola build && waypost" => "the last step of a build",
            "waypost --dry-run --verbose" => "show what it would write",
            "waypost explain . /blog/a/" => "why this page is listed or not",
            "waypost check https://example.com/" => "check a site that is online",
        },
    },
    CommandHelp {
        name: "build",
        exit_codes: ExitCodes::Build,
        examples: examples! {
            "waypost build" => "this site",
            "waypost build public" => "HTML of any program",
            "waypost build --since https://example.com/sitemap.xml" => "compare with it",
            "waypost build --record .submitted" => "with the last submit",
        },
    },
    CommandHelp {
        name: "check",
        exit_codes: ExitCodes::Build,
        examples: examples! {
            "waypost check" => "the site in this directory",
            "waypost check public/sitemap.xml" => "one file, without a site",
            "waypost check https://example.com/" => "what a server publishes",
        },
    },
    CommandHelp {
        name: "explain",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost explain" => "all pages, one line per page",
            "waypost explain . /blog/a/" => "one page, in full",
            "waypost explain . content/blog/a.md" => "the pages made from a source",
            "waypost explain --settings" => "all settings and their origins",
        },
    },
    CommandHelp {
        name: "mdbook",
        exit_codes: ExitCodes::Build,
        examples: examples! {
            "mdbook build" => "with the table `[output.waypost]` in book.toml",
        },
    },
    CommandHelp {
        name: "report",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost report --to report.html" => "write the file",
        },
    },
    CommandHelp {
        name: "submit",
        exit_codes: ExitCodes::Own(&[
            (EXIT_SUCCESS, "accepted, or nothing to send"),
            (EXIT_FINDINGS, "rejected"),
            (
                EXIT_FAILURE,
                "not reachable (try again later), or could not run",
            ),
        ]),
        examples: examples! {
            "waypost submit --all --dry-run" => "show what would be sent",
            "waypost submit --record .submitted" => "send what has changed",
            "waypost submit https://example.com/ --all" => "the pages of a live sitemap",
        },
    },
    CommandHelp {
        name: "init",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost init" => "write waypost.toml, show the step",
        },
    },
    CommandHelp {
        name: "index",
        exit_codes: ExitCodes::Own(&[
            (EXIT_SUCCESS, "success"),
            (
                EXIT_FINDINGS,
                "a finding at level deny, or any warning with --strict; nothing is written",
            ),
            (EXIT_FAILURE, "could not run"),
        ]),
        examples: examples! {
            "waypost index public/en/sitemap.xml public/de/sitemap.xml" => "an index",
            "waypost index public/*/sitemap-*.xml --to public/index.xml" => "its parts",
        },
    },
    CommandHelp {
        name: "dates",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost dates" => "all content files, each with its date",
            "waypost dates --json > dates.json" => "for templates",
        },
    },
    CommandHelp {
        name: "completions",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost completions bash > ~/.local/share/bash-completion/completions/waypost" => "",
            "waypost completions zsh > ~/.zfunc/_waypost" => "",
            "waypost completions fish > ~/.config/fish/completions/waypost.fish" => "",
        },
    },
    CommandHelp {
        name: "man",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost man | man -l -" => "read it",
            "waypost man check > waypost-check.1" => "write a file",
        },
    },
    CommandHelp {
        name: "schema",
        exit_codes: ExitCodes::Plain,
        examples: examples! {
            "waypost schema > waypost.schema.json" => "for an editor",
        },
    },
];

impl CommandHelp {
    /// The help of a command.
    pub(super) fn of(name: &str) -> &'static Self {
        let found = COMMANDS.iter().find(|command| command.name == name);
        found.expect("a test compares the names with those of all commands")
    }

    /// The exit codes with their meaning.
    pub(super) fn exit_codes(&self) -> Vec<(u8, String)> {
        let owned = |codes: &[(u8, &str)]| -> Vec<(u8, String)> {
            let codes = codes.iter();
            codes
                .map(|(code, about)| (*code, (*about).to_owned()))
                .collect()
        };
        match self.exit_codes {
            ExitCodes::Build => {
                let codes = manifest::exit_codes().into_iter();
                codes.map(|code| (code.code, code.about)).collect()
            }
            ExitCodes::Plain => {
                owned(&[(EXIT_SUCCESS, "success"), (EXIT_FAILURE, "could not run")])
            }
            ExitCodes::Own(codes) => owned(codes),
        }
    }
}

/// The names of all commands.
pub(super) fn command_names() -> impl Iterator<Item = &'static str> {
    let names = COMMANDS.iter().map(|command| command.name);
    names.filter(|name| *name != PROGRAM)
}

/// The commands that the help names in one line, because few users type them.
const MORE_COMMANDS: [&str; 5] = ["completions", "dates", "man", "mdbook", "schema"];

/// The line of the help with the commands that its list omits.
pub(super) fn more_commands() -> String {
    format!("{} {}", heading("More:"), MORE_COMMANDS.join(", "))
}

/// The end of a command's long help.
pub(super) fn long_help_end(name: &str) -> String {
    let command = CommandHelp::of(name);
    let mut text = format!("{}\n", heading("Examples:"));
    for line in example_lines(command.examples) {
        let _ = writeln!(text, "  {line}");
    }
    let _ = write!(text, "\n{}", heading("Exit codes:"));
    for (code, about) in command.exit_codes() {
        let _ = write!(text, "\n  {code}  {about}");
    }
    text
}

/// The command lines, with their comments in a column.
fn example_lines(examples: &[Example]) -> impl Iterator<Item = String> {
    let fits = |example: &&Example| !example.about.is_empty();
    let commented = examples.iter().filter(fits);
    let width = commented.map(|example| example.command.len()).max();
    let width = width.unwrap_or_default();
    examples.iter().map(move |Example { command, about }| {
        if about.is_empty() {
            (*command).to_owned()
        } else {
            format!("{command:width$}  # {about}")
        }
    })
}

fn heading(text: &str) -> String {
    let style = Styles::styled();
    let style = style.get_header();
    format!("{style}{text}{style:#}")
}
