//! Suggestions for arguments that name nothing: a command after an option, a misspelled command, a
//! page for `explain`, or an output directory below the site.

use std::path::Path;

use super::command_help::COMMANDS;
use super::documentation::Section;
use super::opts::{Command, Opts};
use crate::config::nearest;
use sitemaps::site_paths::{display_path, escaped};

/// The hint for a site directory that does not exist, if another argument is likely.
pub(super) fn for_site(opts: &Opts) -> Option<String> {
    match &opts.command {
        None => for_command(&opts.build.common.site.to_string_lossy()),
        Some(Command::Explain(args)) => {
            let typed = args.common.site.to_string_lossy();
            Some(match nearest(&typed, Section::names()) {
                Some(name) => format!("did you mean `waypost explain {name}`?"),
                None => format!(
                    "to explain a page, name the site first: `waypost explain . {}`",
                    escaped(&typed)
                ),
            })
        }
        Some(_) => None,
    }
}

/// The hint for a word that is typed as a command.
pub(super) fn for_command(typed: &str) -> Option<String> {
    let name = nearest(typed, COMMANDS)?;
    Some(if name == typed {
        format!("`{name}` is a command; commands go before options: `waypost {name}`")
    } else {
        format!("did you mean the command `waypost {name}`?")
    })
}

/// The hint for an output directory that does not exist: `-o` is not the file of a report, and it is
/// relative to the working directory, not to the site.
pub(super) fn for_output_dir(opts: &Opts) -> Option<String> {
    let args = opts.site_args()?;
    let typed = args.output_dir.as_deref()?;
    if matches!(&opts.command, Some(Command::Report(_))) && typed.extension().is_some() {
        return Some(format!("did you mean `--to {}`?", display_path(typed)));
    }
    if typed.is_absolute() {
        return None;
    }
    let below_site = args.site.join(typed);
    let is_other = args.site != Path::new(".") && below_site.is_dir();
    is_other.then(|| {
        format!(
            "`-o` is relative to the working directory; did you mean `-o {}`?",
            display_path(&below_site)
        )
    })
}
