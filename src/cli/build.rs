//! `waypost build`: runs the whole pipeline, or with `--dry-run` everything except writing; and
//! `waypost mdbook`, which builds the sitemaps of a book.

use std::io::{self, IsTerminal};

use super::baseline::Baseline;
use super::build_result::BuildResult;
use super::command_error::{CommandError, EXIT_SUCCESS};
use super::environment::{prepare, request};
use super::findings::RunFindings;
use super::github_step;
use super::opts::{BuildArgs, StrictnessArgs};
use super::printer::Printer;
use crate::check::check_left;
use crate::config::Flags;
use crate::generators::source_map::MdbookBook;
use crate::publish::WriteMode;
use crate::run::{NamedChanges, SiteInventory, build_inventory, plan_of, publish_inventory};
use crate::site::{LoadedSite, RunRequest};
use sitemaps::EntryExtent;

pub(super) fn build(args: &BuildArgs, printer: &Printer) -> Result<u8, CommandError> {
    build_site(prepare(&args.common)?, args, printer)
}

/// Builds the sitemaps of a site.
fn build_site(
    request: RunRequest,
    args: &BuildArgs,
    printer: &Printer,
) -> Result<u8, CommandError> {
    let earlier = Baseline::named(args.since.as_deref(), args.record.as_deref())?;
    let mut loaded = LoadedSite::load(request, EntryExtent::All)?;
    let mode = if args.dry_run {
        WriteMode::DryRun
    } else {
        WriteMode::Write
    };
    let SiteInventory {
        base,
        inventory,
        findings,
    } = build_inventory(&mut loaded)?;
    let plan = plan_of(&loaded, &inventory);
    let named = match &earlier {
        None => None,
        Some(earlier) => Some(NamedChanges {
            name: earlier.display().unwrap_or_default(),
            changes: earlier.changes(&plan, inventory.base())?,
        }),
    };
    let mut published = publish_inventory(&loaded, &inventory, plan, findings, mode, named)?;
    if loaded.skipped_preview().is_none() {
        published
            .findings
            .extend(check_left(&loaded, &inventory, &published));
    }
    let result = BuildResult::new(&loaded, &base, &inventory, &published);
    let mut findings = RunFindings::for_site(&published.findings, &loaded, args.strictness.level());
    if args.github {
        let text = result.text(printer.verbosity);
        printer.say(&text);
        github_step::write_results(&result, &text, &mut findings)?;
    } else {
        findings.show(printer);
        if args.json {
            findings.print_json(&result)?;
        } else {
            printer.say(&result.text(printer.verbosity));
        }
    }
    if result.refused {
        printer.note(
            "nothing was written, and an existing sitemap is unchanged",
            "fix the first error above, or accept it for one run with `--accept CODE`",
        );
    }
    Ok(findings.exit_code())
}

/// Builds the sitemaps of a book as an mdBook renderer: mdBook runs it after its HTML renderer and passes the
/// render context on stdin.
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
