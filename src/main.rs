//! The binary: it hands the process over to the command line's room, and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost::cli::run()
}
