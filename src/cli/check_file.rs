//! `waypost check FILE`: checks one sitemap, index or feed without a site or settings.

use super::build::use_threads;
use super::command_error::CommandError;
use super::environment::environment;
use super::findings::PlaceResolver;
use super::live_check::{LiveSettings, ServerCheck};
use super::numbers::grouped;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::set_result::{SetFileLine, SetResult};
use super::stopwatch::Stopwatch;
use crate::check::check_file as check_set;
use crate::clock;
use crate::settings::Settings;
use site_paths::display_path;

/// Checks the file that `SITE` names. Findings have their default levels.
pub(super) fn check_file(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let path = &args.common.site;
    let option = args.common.option_of_site();
    // The base URL names the server of the file.
    let is_server = |option: &&str| *option == "--base-url" && args.live.is_requested();
    if let Some(option) = option.filter(|option| !is_server(option)) {
        let file = display_path(path);
        return Err(CommandError::OptionOfSite { option, file });
    }
    use_threads(args.common.run.threads)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let mut set = check_set(path, now).map_err(|source| CommandError::SitemapFile {
        file: display_path(path),
        source,
    })?;
    let settings = &Settings::default();
    let mut server = ServerCheck::of_file(args, &set, &LiveSettings { settings, now })?;
    set.findings.append(&mut server.take_findings());
    let files = set.files.iter().map(|file| SetFileLine {
        name: display_path(&file.path),
        kind: file.kind,
        entries: file.entries,
    });
    let absent = grouped(set.absent.len());
    let result = SetResult {
        name: &display_path(path),
        files: files.collect(),
        absent: &set.absent,
        unchecked: format!("{absent} more that the index names are not beside it"),
        live: server.live.as_ref(),
        findings: &set.findings,
    };
    let pointers = &mut PlaceResolver::of_files();
    result.show(args, &environment, printer, pointers, &start)
}
