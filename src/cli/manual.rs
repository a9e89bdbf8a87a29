//! `waypost man`: the manual pages, with the text of the help.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::opts::Opts;

/// Renders the manual page of waypost or of the named command.
pub(super) fn manual_page(name: Option<&str>) -> Vec<u8> {
    // The manual pages already contain what `help` prints.
    let mut program = Opts::command().disable_help_subcommand(true);
    program.build();
    let named = |name| program.find_subcommand(name).expect("the names are known");
    let command: &Command = name.map_or(&program, named);
    let mut page = Vec::new();
    // The renderer omits the text of options that only the long help has, unless it is a long one.
    let command = command.clone().mut_args(|option| {
        match (option.get_help().cloned(), option.get_long_help()) {
            (Some(text), None) => option.long_help(text),
            _ => option,
        }
    });
    Man::new(command)
        // An empty date would not be written, and the source would take its place.
        .date(" ")
        .source(concat!("waypost ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .expect("writing to memory cannot fail");
    page
}
