//! Whether output has colours: `--color`, or the variables that users and CI services set.

use std::collections::BTreeMap;

use anstream::ColorChoice;

/// The choice for both streams. `anstream` itself follows `NO_COLOR`, `CLICOLOR` and
/// `CLICOLOR_FORCE`, but not `FORCE_COLOR`, which Node.js has made common.
pub(super) fn color_choice(
    of_flag: clap::ColorChoice,
    environment: &BTreeMap<String, String>,
) -> ColorChoice {
    let value = |name| environment.get(name).map_or("", String::as_str);
    let is_forced = !["", "0", "false"].contains(&value("FORCE_COLOR"));
    match of_flag {
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
        clap::ColorChoice::Auto if is_forced && value("NO_COLOR").is_empty() => ColorChoice::Always,
        clap::ColorChoice::Auto => ColorChoice::Auto,
    }
}
