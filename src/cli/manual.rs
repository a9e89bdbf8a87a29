//! `waypost man`: the manual pages. The options are those of the help; exit codes and examples are in
//! `command_help`, variables and files in the manifest.

use clap::{Command, CommandFactory};
use clap_mangen::roff::{Roff, bold, roman};

use super::command_error::CommandError;
use super::command_help::{CommandHelp, PROGRAM, command_names};
use super::opts::Opts;
use crate::manifest;
use page_sources::generator::ManifestInput;
use site_paths::escaped;

/// Commands that print something and read neither settings nor sites.
const WITHOUT_SITE: [&str; 3] = ["completions", "man", "schema"];

/// Renders the manual page of waypost or of the named command.
pub(super) fn manual_page(name: Option<&str>) -> Result<Vec<u8>, CommandError> {
    // The manual pages already contain what `help` prints, and list every command.
    let mut command = Opts::command()
        .disable_help_subcommand(true)
        .after_help(None::<&str>);
    for name in command_names() {
        command = command.mut_subcommand(name, |command| command.hide(false));
    }
    command.build();
    if let Some(name) = name {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| CommandError::UnknownCommand(escaped(name).into_owned()))?;
    }
    let sections = sections(name.unwrap_or(PROGRAM)).render();
    let (_, sections) = sections.split_once(".SH").expect("there is a section");
    let mut page = options_page(command);
    page.extend_from_slice(b".SH");
    page.extend_from_slice(sections.as_bytes());
    Ok(page)
}

/// The part of the page that describes the command and its options.
fn options_page(command: Command) -> Vec<u8> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.after_long_help(None::<&str>))
        // An empty date would not be written, and the source would take its place.
        .date(" ")
        .source(concat!("waypost ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .expect("writing to memory cannot fail");
    page
}

fn sections(name: &str) -> Roff {
    let command = CommandHelp::of(name);
    let mut roff = Roff::new();
    section(&mut roff, "EXIT STATUS");
    for (code, about) in command.exit_codes() {
        item(&mut roff, &code.to_string(), &about);
    }
    if !WITHOUT_SITE.contains(&name) {
        environment(&mut roff);
        files(&mut roff);
    }
    section(&mut roff, "EXAMPLES");
    for example in command.examples {
        item(&mut roff, example.command, example.about);
    }
    roff
}

fn environment(roff: &mut Roff) {
    section(roff, "ENVIRONMENT");
    for variable in manifest::embedded().variable.iter() {
        item(roff, &variable.names.join(", "), &variable.about);
    }
}

fn files(roff: &mut Roff) {
    section(roff, "FILES");
    let is_settings = |input: &&ManifestInput| input.name == "config";
    let settings = manifest::embedded().input.iter().filter(is_settings);
    for input in settings {
        let name = input.default.as_deref().unwrap_or_default();
        item(roff, name, &input.about);
    }
    for output in manifest::embedded().output.iter() {
        item(roff, &output.file, &output.about);
    }
}

fn section(roff: &mut Roff, name: &str) {
    roff.control("SH", [name]);
}

fn item(roff: &mut Roff, name: &str, about: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(about)]);
}
