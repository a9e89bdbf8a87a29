//! Suggestions for a site directory that does not exist: a command after an option, a misspelled
//! command, or a page for `explain`.

use super::opts::{Command, Opts};
use crate::config::nearest;
use site_paths::escaped;

/// The hint with the command to type instead, if one is likely.
pub(super) fn hint(opts: &Opts) -> Option<String> {
    match &opts.command {
        None => command_hint(&opts.build.common.site.to_string_lossy()),
        Some(Command::Explain(args)) => {
            let page = args.common.site.to_string_lossy();
            Some(format!(
                "to explain a page, name the site first: `waypost explain . {}`",
                escaped(&page)
            ))
        }
        Some(_) => None,
    }
}

fn command_hint(typed: &str) -> Option<String> {
    let names = Opts::command_names();
    let name = nearest(typed, names.iter().map(String::as_str))?;
    Some(if name == typed {
        format!("`{name}` is a command; commands go before options: `waypost {name}`")
    } else {
        format!("did you mean the command `waypost {name}`?")
    })
}
