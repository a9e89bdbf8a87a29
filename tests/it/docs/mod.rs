//! The documentation in `docs/` agrees with the program: parts that are generated from the code, and
//! examples that run.

mod code_pages;
#[cfg(target_os = "linux")] // sh
mod commands;
#[cfg(target_os = "linux")] // sh, and names that are not UTF-8
mod examples;
mod generated_parts;
mod host_steps;
mod links;
mod packages;
mod reference;
#[cfg(target_os = "linux")] // sh
mod running_pages;
