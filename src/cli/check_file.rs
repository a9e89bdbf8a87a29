//! `waypost check FILE`: checks one sitemap, index or feed without a site or settings.

use super::build::use_threads;
use super::check_result::{CheckTarget, CheckedSet, NamedSet, SetFileLine};
use super::command_error::CommandError;
use super::environment::environment;
use super::findings::PlaceResolver;
use super::numbers::grouped;
use super::opts::CheckArgs;
use super::printer::Printer;
use super::stopwatch::Stopwatch;
use crate::check::check_file as check_set;
use crate::clock;
use sitemaps::site_paths::display_path;

/// Checks the file that `SITE` names. Findings have their default levels.
pub(super) fn check_file(args: &CheckArgs, printer: &Printer) -> Result<u8, CommandError> {
    let start = Stopwatch::start();
    let path = &args.common.site;
    if let Some(option) = args.common.option_of_site() {
        let file = display_path(path);
        return Err(CommandError::OptionOfSite { option, file });
    }
    use_threads(args.common.run.threads)?;
    let environment = environment();
    let now = clock::now(&environment)?;
    let set = check_set(path, now, |(): &mut (), _| ());
    let set = set.map_err(|source| CommandError::SitemapFile {
        file: display_path(path),
        source,
    })?;
    let roots = set.files.iter().filter(|file| !file.is_child);
    let children = roots.flat_map(|root| &root.children);
    let absent = children.filter(|child| child.file.is_none());
    let absent: Vec<String> = absent.map(|child| child.loc.clone()).collect();
    let count = grouped(absent.len());
    let result = CheckedSet {
        target: CheckTarget::Set(NamedSet {
            name: &display_path(path),
            origin: None,
            absent: &absent,
            unchecked: format!("{count} more that the index names are not beside it"),
            live: None,
        }),
        files: set.files.iter().map(SetFileLine::of).collect(),
        findings: &set.findings,
    };
    let pointers = &mut PlaceResolver::of_files();
    result.show(args, &environment, printer, pointers, &start)
}
