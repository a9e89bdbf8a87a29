//! Suggestions for arguments that name nothing: a command after an option, a misspelled command, or a
//! page for `explain`.

use clap::CommandFactory;

use super::documentation::Section;
use super::opts::{Command, Opts};
use crate::config::nearest;
use sitemaps::site_paths::escaped;

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
    let opts = Opts::command();
    let names = opts.get_subcommands().map(clap::Command::get_name);
    let name = nearest(typed, names)?;
    Some(if name == typed {
        format!("`{name}` is a command; commands go before options: `waypost {name}`")
    } else {
        format!("did you mean the command `waypost {name}`?")
    })
}
