//! `waypost completions`: scripts that complete commands, options and values in a shell.

use std::fmt::Write;

use clap::builder::PossibleValue;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::command_help::PROGRAM;
use super::opts::Opts;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut command = Opts::command();
    if shell == Shell::Zsh {
        command = without_site(&command);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    if shell == Shell::Fish {
        script.extend_from_slice(fish_positionals(&command).as_bytes());
    }
    script
}

/// The program without its own `SITE`: clap's script for zsh would take the name of a command for it,
/// and complete no option of the command.
fn without_site(command: &Command) -> Command {
    Command::new(PROGRAM)
        .args(command.get_arguments().filter(|arg| !arg.is_positional()))
        .subcommands(command.get_subcommands())
}

/// The values of positional arguments, which clap's script for fish lacks.
fn fish_positionals(command: &Command) -> String {
    let mut script = String::new();
    for subcommand in command.get_subcommands() {
        for positional in subcommand.get_positionals() {
            let values = positional.get_possible_values();
            let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            if !values.is_empty() {
                let (name, values) = (subcommand.get_name(), values.join(" "));
                let _ = writeln!(
                    script,
                    "complete -c {PROGRAM} -n \"__fish_{PROGRAM}_using_subcommand {name}\" -f -a \"{values}\""
                );
            }
        }
    }
    script
}
