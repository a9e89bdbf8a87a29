//! The commands and settings that make a shallow clone complete, as messages, `init` and the book
//! print them.

use std::collections::BTreeSet;

use crate::dates_repositories::{add_submodule, clone_of};
use crate::site_test::{SiteTest, pair};
use crate::table::rows;

/// An origin whose page changed in the first of three commits.
fn origin() -> SiteTest {
    let origin = SiteTest::of_pages(&["a.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    for day in 2..=3 {
        origin.page("b.html", &format!("<meta name=d{day}>"));
        origin.commit(&format!("2024-01-{day:02}T00:00:00Z"));
    }
    origin
}

/// The commands of git in a text, up to a quote, a pipe or an operator of a shell.
fn commands(text: &str) -> BTreeSet<String> {
    let starts = text
        .match_indices("git fetch")
        .chain(text.match_indices("git -C"));
    let command = |(at, _): (usize, &str)| {
        let rest = &text[at..];
        let end = rest.find(['`', '\n', '|', '&', ';']).unwrap_or(rest.len());
        rest[..end].trim().to_owned()
    };
    starts.map(command).collect()
}

#[test]
fn every_printed_command_completes_a_clone_and_succeeds_in_a_complete_one() {
    let origin = origin();
    let shallow = clone_of(&origin, &["--depth", "1"]);
    let plain_hint = shallow.build().says("warning[history-shallow]").stderr;
    let mut printed = commands(&plain_hint);
    printed.extend(commands(include_str!("../../plugin-manifest.toml")));
    let pages = [
        include_str!("../../docs/src/hosts/index.md"),
        include_str!("../../docs/src/how-to/shallow-clones.md"),
    ];
    // A page also names the command that fails, and says so.
    let described = pages.into_iter().flat_map(commands);
    printed.extend(described.filter(|command| command != "git fetch --unshallow"));
    assert!(!printed.is_empty());
    for command in printed {
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        for depth in [&[][..], &["--depth", "1"]] {
            let site = clone_of(&origin, depth);
            site.git(&arguments);
            let state = site.git(&["rev-parse", "--is-shallow-repository"]);
            assert_eq!(state, "false", "{command} {depth:?}");
            site.build().says_nothing_of("history-shallow");
            let first = pair("/a.html", "2024-01-01T00:00:00Z");
            assert!(site.dates().contains(&first), "{command} {depth:?}");
        }
    }
}

#[test]
fn a_shallow_submodule_has_its_own_command() {
    let origin = origin();
    let url = format!("file://{}", origin.root().display());
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T00:00:00Z");
    add_submodule(&site, &["--depth", "1", &url, "the docs"]);
    let outcome = site.build().says("warning[history-shallow]");
    let command = "git -C \"the docs\" fetch --depth=2147483647";
    assert_eq!(
        commands(&outcome.stderr),
        BTreeSet::from([command.to_owned()])
    );
    site.git(&["-C", "the docs", "fetch", "--depth=2147483647"]);
    site.build().says_nothing_of("history-shallow");
}

#[test]
fn the_hint_and_the_printed_step_are_those_of_the_service() {
    let origin = origin();
    // The clones of CircleCI are complete.
    for [variable, hint, step] in rows(
        "GITHUB_ACTIONS=true | `actions/checkout` the input `fetch-depth: 0` | fetch-depth: 0
         GITLAB_CI=true | set `GIT_DEPTH: 0` | GIT_DEPTH: 0
         VERCEL=1       | the environment variable `VERCEL_DEEP_CLONE=true` |
         CF_PAGES=1     | the build command with `git fetch --depth=2147483647 &&` | git fetch
         BITBUCKET_BUILD_NUMBER=1 | set `clone: depth: full` | depth: full
         CIRCLECI=true  | add `git fetch --depth=2147483647` as a step | - run:
         TF_BUILD=True  | the key `fetchDepth: 0` | fetchDepth: 0
         CI=woodpecker  | `partial: false` and `depth: 0` | partial: false
         RENDER=true    | the build command with `git fetch --depth=2147483647 &&` | git fetch",
    ) {
        let mut site = clone_of(&origin, &["--depth", "1"]);
        let (name, value) = variable.split_once('=').expect("NAME=VALUE");
        site.variable(name, value).build().says(hint);
        site.remove("waypost.toml");
        let printed = site.waypost(&["init", "--base-url", "https://example.com/"]);
        let printed = printed.succeeded().stdout;
        assert!(printed.contains(step), "{variable}: {printed}");
    }
}
