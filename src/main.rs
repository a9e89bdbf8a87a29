//! The `waypost` binary: a thin wrapper around the library's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost::command_line()
}
