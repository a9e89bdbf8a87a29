//! Everything that a run takes from outside: the environment variables and the first argument, which every other file
//! receives as values, and the request for a site.

use std::collections::BTreeMap;
use std::path::Path;

use super::command_error::CommandError;
use super::opts::SiteArgs;
use crate::clock;
use crate::config::Flags;
use crate::site::RunRequest;

/// The environment variables that are valid UTF-8; no other variable can hold a setting.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the environment"
)]
pub(super) fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The first argument as typed, if it is valid UTF-8.
#[expect(
    clippy::disallowed_methods,
    reason = "the parser's error does not contain the argument"
)]
pub(super) fn first_argument() -> Option<String> {
    std::env::args_os().nth(1)?.into_string().ok()
}

/// The URL that an argument names, if it is one and not a file or a directory.
pub(super) fn url_of(argument: &Path) -> Option<&str> {
    let text = argument.to_str()?;
    let is_web = ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    (is_web && !argument.exists()).then_some(text)
}

/// The request for the site that the arguments name.
pub(super) fn prepare(args: &SiteArgs) -> Result<RunRequest, CommandError> {
    request(&args.site, args.flags.clone())
}

/// The request for a site, as every command that reads one makes it.
pub(super) fn request(site: &Path, flags: Flags) -> Result<RunRequest, CommandError> {
    let environment = environment();
    Ok(RunRequest {
        now: clock::now(&environment)?,
        site: site.to_owned(),
        flags,
        environment,
        book: None,
    })
}
