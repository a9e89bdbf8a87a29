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
    // The manual pages already contain what `help` prints.
    let mut command = Opts::command().disable_help_subcommand(true);
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
    section(&mut roff, "SEE ALSO");
    see_also(&mut roff, name);
    roff
}

fn environment(roff: &mut Roff) {
    section(roff, "ENVIRONMENT");
    for variable in manifest::shared().variable.iter() {
        item(roff, &variable.names.join(", "), &variable.about);
    }
}

fn files(roff: &mut Roff) {
    section(roff, "FILES");
    let is_settings = |input: &&ManifestInput| input.name == "config";
    let settings = manifest::shared().input.iter().filter(is_settings);
    for input in settings {
        let name = input.default.as_deref().unwrap_or_default();
        item(roff, name, &input.about);
    }
    for output in manifest::shared().output.iter() {
        item(roff, &output.file, &output.about);
    }
}

/// Names the other pages and the documentation.
fn see_also(roff: &mut Roff, name: &str) {
    let others = if name == PROGRAM {
        command_names()
            .map(|name| format!("{PROGRAM}-{name}"))
            .collect()
    } else {
        vec![PROGRAM.to_owned()]
    };
    let mut text = Vec::new();
    for (number, page) in others.into_iter().enumerate() {
        text.extend((number > 0).then(|| roman(", ")));
        text.extend([bold(page), roman("(1)")]);
    }
    roff.text(text);
    if let Some(homepage) = homepage() {
        roff.control("PP", []);
        roff.text([roman(homepage)]);
    }
}

/// The documentation, from `homepage` in Cargo.toml; `None` as long as that names no owner.
fn homepage() -> Option<&'static str> {
    let url = env!("CARGO_PKG_HOMEPAGE");
    (!url.contains("//OWNER.")).then_some(url)
}

fn section(roff: &mut Roff, name: &str) {
    roff.control("SH", [name]);
}

fn item(roff: &mut Roff, name: &str, about: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(about)]);
}
