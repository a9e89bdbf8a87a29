//! The examples and exit codes of each command, for its help.
//!
//! A test runs all examples.

use clap::builder::Styles;

use crate::generators::Manifest;

/// The program without the name of a command.
pub(super) const PROGRAM: &str = "waypost";

pub(super) const WAYPOST: &str = "
  zola build && waypost               # the last step of a build
  waypost --dry-run --verbose         # show what it would write
  waypost explain . /blog/a/          # why this page is listed or not
  waypost check https://example.com/  # check a site that is online";

pub(super) const BUILD: &str = "
  waypost build                                          # this site
  waypost build public                                   # HTML of any program
  waypost build --since https://example.com/sitemap.xml  # compare with it
  waypost build --record .submitted                      # with the last submit";

pub(super) const CHECK: &str = "
  waypost check                       # the site in this directory
  waypost check public/sitemap.xml    # one file, without a site
  waypost check https://example.com/  # what a server publishes";

pub(super) const EXPLAIN: &str = "
  waypost explain                      # all pages, one line per page
  waypost explain . /blog/a/           # one page, in full
  waypost explain --settings           # all settings and their origins
  waypost explain dates-missing        # a finding, a reason or a setting";

pub(super) const REPORT: &str = "
  waypost report --to report.html  # write the file";

pub(super) const SUBMIT: &str = "
  waypost submit --all --dry-run             # show what would be sent
  waypost submit --record .submitted         # send what has changed
  waypost submit https://example.com/ --all  # the pages of a live sitemap";

pub(super) const INIT: &str = "
  waypost init  # write waypost.toml, show the step";

pub(super) const INDEX: &str = "
  waypost index public/en/sitemap.xml public/de/sitemap.xml   # an index
  waypost index public/*/sitemap-*.xml --to public/index.xml  # its parts";

pub(super) const MDBOOK: &str = "
  mdbook build  # with the table `[output.waypost]` in book.toml";

pub(super) const DATES: &str = "
  waypost dates                      # all content files, each with its date
  waypost dates --json > dates.json  # for templates";

pub(super) const COMPLETIONS: &str = "
  waypost completions bash > ~/.local/share/bash-completion/completions/waypost
  waypost completions zsh > ~/.zfunc/_waypost
  waypost completions fish > ~/.config/fish/completions/waypost.fish";

pub(super) const SCHEMA: &str = "
  waypost schema > waypost.schema.json  # for an editor";

/// The exit codes of most commands.
pub(super) const SUCCESS_OR_FAILURE: &str = "
  0  success
  2  could not run";

pub(super) const OF_SUBMIT: &str = "
  0  accepted, or nothing to send
  1  rejected
  2  not reachable (try again later), or could not run";

pub(super) const OF_INDEX: &str = "
  0  success
  1  a finding at level deny, or any warning with --strict; nothing is written
  2  could not run";

/// The exit codes of a build, which the manifest describes.
pub(super) fn build_exit_codes() -> String {
    Manifest::embedded()
        .exit_code
        .iter()
        .map(|code| format!("\n  {}  {}", code.code, code.about))
        .collect::<Vec<_>>()
        .concat()
}

/// The end of a long help.
pub(super) fn long_help(examples: &str, exit_codes: &str) -> String {
    let (before, after) = (heading("Examples:"), heading("Exit codes:"));
    format!("{before}{examples}\n\n{after}{exit_codes}")
}

fn heading(text: &str) -> String {
    let styles = Styles::styled();
    let style = styles.get_header();
    format!("{style}{text}{style:#}")
}
