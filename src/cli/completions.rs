//! `waypost completions`: scripts that complete commands, options and values in a shell.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::command_help::PROGRAM;
use super::opts::Opts;

pub(super) fn script(shell: Shell) -> Vec<u8> {
    let mut command = Opts::command();
    if shell == Shell::Zsh {
        command = without_site(&command);
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, PROGRAM, &mut script);
    script
}

/// The program without its own `SITE`: clap's script for zsh would take the name of a command for it,
/// and complete no option of the command.
fn without_site(command: &Command) -> Command {
    Command::new(PROGRAM)
        .args(command.get_arguments().filter(|arg| !arg.is_positional()))
        .subcommands(command.get_subcommands())
}
