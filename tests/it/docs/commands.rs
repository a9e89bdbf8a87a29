//! Every command in the README and the documentation runs in a test: in a block `sh` here, in a block
//! `console` in the tests of its page.

use std::collections::BTreeSet;
use std::path::Path;

use super::generated_parts::{all_pages, page_text, with_part};
use crate::contracts::readme;
use crate::platform::PRELUDE;
use crate::site_test::{Outcome, SiteTest};
use crate::table::rows;

/// Commands that run in a test of another file.
const IN_OTHER_TESTS: &str = "
    waypost check https://example.com/              | tests/it/check_url.rs
    waypost check https://example.com/sitemap.xml   | tests/it/check_url.rs
    waypost --since https://example.com/sitemap.xml | tests/it/submit_baseline.rs
    waypost --since https://example.com/sitemap.xml --dry-run --verbose | tests/it/submit_baseline.rs
    waypost --dry-run --since https://example.com/sitemap.xml --strict  | tests/it/submit_baseline.rs
    waypost submit https://example.com/ --record .submitted             | tests/it/submit_published.rs
    waypost submit --since https://example.com/sitemap.xml --dry-run    | tests/it/submit_baseline.rs
    cargo install --path . --no-default-features    | .github/workflows/ci.yml
    cargo install --path . --locked                 | packaging/rehearsal/ways.py
    zensical build && waypost                       | tests/slow/sources.sh
    pelican content -s publishconf.py && waypost    | tests/slow/sources.sh
    nuxt generate && waypost                        | tests/slow/sources.sh
";

/// Beginnings of commands that no test runs, with the reason.
const NOT_RUN: &str = "
    cargo test --no-fail-fast          | it is this run
    export WAYPOST_SUBMIT_KEY=…        | the key is left to the reader
    curl                               | the answer depends on an account
    zola build && waypost && firebase deploy | it deploys to an account; the first two run in the guide of Zola
    quarto render && waypost           | Quarto takes 400 MB; the site in tests/generators is made by it
    cargo doc --no-deps && waypost -o target/doc | rustdoc has no sources; it is a directory of HTML
";

/// Puts the programs of the commands on the path of the shell, and the files that they name into
/// the site.
const PREPARATION: &str = r#"
export WAYPOST_LEVELS_BASE_URL_PLACEHOLDER=allow WAYPOST_SUBMIT_KEY=a1b2c3d4e5f6 HOME="$PWD/home"
cargo() { [ "$1 $2" = "run --" ] && shift 2 && waypost "$@"; }
set -e
mkdir -p home/.local/share/bash-completion/completions home/.zfunc home/.config/fish/completions public/docs
git init --quiet
git add .
git commit --quiet -m site
waypost --quiet
cp public/sitemap.xml sitemap.xml
for dir in docs blog; do sed "s|https://example.com/|&$dir/|" public/sitemap.xml >public/$dir/sitemap.xml; done
waypost report --quiet --to a.html
"#;

/// The mark of a guide whose commands `tests/slow/docs.py` runs.
const SITE_OF_GENERATOR: &str = "<!-- site: ";

/// The blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let mut parts = text.split("\n```");
    let mut found = Vec::new();
    parts.next();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        let (name, lines) = block.split_once('\n').expect("a block has lines");
        if name == language {
            found.push(lines);
        }
    }
    found
}

/// The commands in a shell block, without comments.
fn shell_commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n ", "");
    let lines = joined.lines();
    let commands = lines.map(|line| line.split(" #").next().unwrap_or(line).trim());
    let commands = commands.filter(|line| !line.is_empty() && !line.starts_with('#'));
    commands.map(str::to_owned).collect()
}

/// The pages of the book and the README, by their names. The tests of findings and reasons run the
/// commands of their own pages.
fn documents() -> Vec<(String, String)> {
    let pages = all_pages().into_iter();
    let pages = pages.filter(|page| !page.starts_with("findings/"));
    let with_text = pages.map(|page| {
        // The steps of `init` install waypost from a registry.
        let text = page_text(&page);
        let text = with_part(&text, "init", "").unwrap_or(text);
        (page, text)
    });
    with_text.chain([("README".to_owned(), readme())]).collect()
}

/// The commands in the blocks `console`, which the tests of their pages run.
fn commands_of_pages() -> BTreeSet<String> {
    let mut commands = BTreeSet::new();
    for (name, text) in documents() {
        for block in blocks(&text, "console") {
            let is_run = text.contains(SITE_OF_GENERATOR) || text.contains("\n```txtar\n");
            assert!(is_run, "{name}: no test runs its block `console`");
            let lines = block.lines().filter_map(|line| line.strip_prefix("$ "));
            commands.extend(lines.map(str::to_owned));
        }
    }
    commands
}

/// Whether another test runs a command, or the reason that none does is given.
fn is_run_elsewhere(command: &str) -> bool {
    let mut in_others = rows(IN_OTHER_TESTS).into_iter();
    let mut not_run = rows(NOT_RUN).into_iter();
    in_others.any(|[known, _]| known == command)
        || not_run.any(|[start, _]| command.starts_with(start))
}

#[test]
fn every_command_in_a_shell_block_succeeds_or_runs_in_another_test() {
    let known = commands_of_pages();
    let site = SiteTest::zola("");
    site.write("content/a.md", "+++\n+++\n")
        .write("content/blog/a.md", "+++\n+++\n")
        .page("public/index.html", "<a href=\"/blog/a/\">a</a>")
        .page("public/a/index.html", "")
        .page("public/blog/a/index.html", "");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-site");
    site.link("sample-site", sample);
    let run = |command: &str| {
        let done = site.shell_command(&format!("{PRELUDE}{command}\n"), &[]);
        Outcome::of({ done }.output().expect("the shell can be run"))
    };
    run(PREPARATION).succeeded();
    let (environment, _) = PREPARATION.split_once("set -e").expect("it has settings");
    let mut documents = documents();
    documents.retain(|(_, text)| !text.contains(SITE_OF_GENERATOR));
    let (mut failed, mut count) = (Vec::new(), 0);
    for (name, text) in documents {
        let language = if name == "README" { "" } else { "sh" };
        let commands = blocks(&text, language).into_iter().flat_map(shell_commands);
        for command in commands.filter(|it| !known.contains(it) && !is_run_elsewhere(it)) {
            let outcome = run(&format!("{environment}{command}"));
            if outcome.code != 0 {
                failed.push(format!("{name}: {command}\n{}", outcome.stderr));
            }
            count += 1;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 7, "{count}");
}

#[test]
fn every_command_in_the_tables_of_generators_runs_on_a_page() {
    let known = commands_of_pages();
    let mut documents = documents();
    documents.retain(|(name, _)| name == "README" || name == "guides/index.md");
    for (name, text) in documents {
        let (_, table) = text.split_once("\n| site | command |").expect("a table");
        let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
        let rows: Vec<&str> = rows.collect();
        assert!(rows.len() > 7, "{name}: {rows:?}");
        let cells = rows.iter().filter_map(|row| row.split(" | ").nth(1));
        let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        for command in codes.filter(|code| code.contains("waypost") && !code.starts_with('"')) {
            let is_run = known.contains(command) || is_run_elsewhere(command);
            assert!(is_run, "{name}: `{command}`");
        }
    }
}

#[test]
fn the_lists_of_commands_name_commands_and_tests_that_exist() {
    let texts: Vec<String> = documents().into_iter().map(|(_, text)| text).collect();
    for [command, reason] in [rows(IN_OTHER_TESTS), rows(NOT_RUN)].concat() {
        let is_shown = texts.iter().any(|text| text.contains(command));
        assert!(is_shown && !reason.is_empty(), "no page has `{command}`");
    }
    for [_, file] in rows(IN_OTHER_TESTS) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        assert!(file.exists(), "{}", file.display());
    }
}
