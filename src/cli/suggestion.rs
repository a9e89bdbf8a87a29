//! What a site that is not there may have been meant for: a command behind an option, a command with a slip in it, a page
//! of `explain`.

use super::opts::{Command, Opts};
use crate::config::nearest;
use crate::site_paths::escaped;

/// What to type instead.
pub(super) fn hint(opts: &Opts) -> Option<String> {
    match &opts.command {
        None => command_hint(&opts.build.common.site.to_string_lossy()),
        Some(Command::Explain(args)) => {
            let page = args.common.site.to_string_lossy();
            Some(format!(
                "if that is a page, name the site before it: `waypost explain . {}`",
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
        format!("`{name}` is a command: write it first, before any option: `waypost {name}`")
    } else {
        format!("did you mean the command `waypost {name}`?")
    })
}
