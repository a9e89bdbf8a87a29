//! The `waypost` binary: a thin wrapper around [`waypost::cli::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost::cli::run()
}
