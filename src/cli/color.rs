//! Whether output has colours: `--color`, or the variables that users and CI services set.

use std::collections::BTreeMap;

use anstream::ColorChoice;
use clap::ValueEnum;

/// When to use colours: `auto` is on a terminal, unless a variable says otherwise.
// Without a doc comment on any value, the help shows the values on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorMode {
    Auto,
    Always,
    Never,
}

impl ColorMode {
    /// The choice for both streams. `anstream` itself follows `NO_COLOR`, `CLICOLOR` and
    /// `CLICOLOR_FORCE`, but not `FORCE_COLOR`, which Node.js has made common.
    pub(super) fn choice(self, environment: &BTreeMap<String, String>) -> ColorChoice {
        let value = |name| environment.get(name).map_or("", String::as_str);
        let is_forced = !["", "0", "false"].contains(&value("FORCE_COLOR"));
        match self {
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
            Self::Auto if is_forced && value("NO_COLOR").is_empty() => ColorChoice::Always,
            Self::Auto => ColorChoice::Auto,
        }
    }
}
