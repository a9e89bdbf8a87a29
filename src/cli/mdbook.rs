//! `waypost mdbook`: an mdBook renderer, which mdBook runs after its HTML renderer and passes the
//! render context on stdin.

use std::io::{self, IsTerminal};

use super::build::{build_site, request};
use super::command_error::CommandError;
use super::exit_code::EXIT_SUCCESS;
use super::opts::{BuildArgs, StrictnessArgs};
use super::printer::Printer;
use crate::config::Flags;
use page_sources::source_map::MdbookBook;

pub(super) fn mdbook(strictness: StrictnessArgs, printer: &Printer) -> Result<u8, CommandError> {
    let book = if io::stdin().is_terminal() {
        MdbookBook::read(io::empty())
    } else {
        MdbookBook::read(io::stdin().lock())
    }?;
    let html = book.html()?;
    if book.is_served() {
        // The pages are served by `mdbook serve` only, so a sitemap of them would be wrong.
        printer.say("waypost: `mdbook serve` builds a local preview, so no sitemap is written");
        return Ok(EXIT_SUCCESS);
    }
    let flags = Flags {
        output_dir: Some(html),
        ..Flags::default()
    };
    let mut request = request(&book.root, flags)?;
    request.book = Some(book);
    let args = BuildArgs {
        strictness,
        ..BuildArgs::default()
    };
    build_site(request, &args, printer)
}
