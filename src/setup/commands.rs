//! Finds the commands that build a site in the scripts of pipelines and packages.
//!
//! Only words are compared. A command that is missed leads to a printed step instead of an inserted
//! one, so a script is never run or expanded.

/// Words after which a generator does not build: they serve, list or describe.
const OTHER_USES: [&str; 16] = [
    "server",
    "serve",
    "dev",
    "start",
    "new",
    "mod",
    "env",
    "config",
    "version",
    "list",
    "help",
    "--serve",
    "--watch",
    "--version",
    "--help",
    "-h",
];

/// The words of a shell script, with its operators as words of their own.
fn words(script: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in script.lines() {
        let line = line.trim();
        if !line.starts_with('#') {
            words.extend(
                line.split_inclusive([';', '&', '|', '(', ')'])
                    .flat_map(parts),
            );
            words.push("\n");
        }
    }
    words
}

/// The words of a piece of a line that may end in an operator.
fn parts(piece: &str) -> impl Iterator<Item = &str> {
    let operator = piece.len() - usize::from(piece.ends_with([';', '&', '|', '(', ')']));
    let (text, operator) = piece.split_at(operator);
    let operator = (!operator.is_empty()).then_some(operator);
    text.split_whitespace()
        .map(|word| word.trim_matches(['"', '\'']))
        .chain(operator)
}

fn is_operator(word: &str) -> bool {
    matches!(word, "\n" | ";" | "&" | "|" | "(" | ")")
}

/// Whether a script has a command that contains these words in this order, one after the other, and
/// is not one of the generator's other uses.
pub(super) fn runs(script: &str, command: &str) -> bool {
    let wanted: Vec<&str> = command.split(' ').collect();
    words(script).split(|word| is_operator(word)).any(|words| {
        let at = words.windows(wanted.len()).position(|window| {
            let program = window[0].rsplit('/').next();
            (window[0] == wanted[0] || program == Some(wanted[0])) && window[1..] == wanted[1..]
        });
        at.is_some_and(|at| {
            let rest = &words[at + wanted.len()..];
            !rest.iter().any(|word| OTHER_USES.contains(word))
        })
    })
}

/// Whether a script runs a script of package.json by a package manager.
pub(super) fn runs_package_script(script: &str, name: &str) -> bool {
    ["npm run", "pnpm run", "pnpm", "yarn run", "yarn", "bun run"]
        .iter()
        .any(|manager| runs(script, &format!("{manager} {name}")))
}

/// Whether a script runs waypost, installed in whatever way.
pub(super) fn runs_waypost(script: &str) -> bool {
    words(script).iter().any(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        name == "waypost" || name.starts_with("waypost@")
    })
}

/// The directory in which a script goes on after its first command, if that is `cd`. `None` if it
/// changes directories elsewhere.
pub(super) fn directory_of(script: &str) -> Option<&str> {
    let words = words(script);
    let changes = words.iter().filter(|word| ["cd", "pushd"].contains(*word));
    match (changes.count(), words.as_slice()) {
        (0, _) => Some(""),
        (1, ["cd", dir, ..]) => Some(dir.trim_start_matches("./").trim_end_matches('/')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_builds_is_recognized_by_its_words() {
        let check = |script: &str, command: &str, expected: bool| {
            assert_eq!(runs(script, command), expected, "{script}");
        };
        check("zola build", "zola build", true);
        check("./bin/zola build --drafts && ls", "zola build", true);
        check("zola check", "zola build", false);
        check("npm ci\nhugo --minify", "hugo", true);
        check("hugo server -D", "hugo", false);
        check("hugo version; hugo", "hugo", true);
        check("# hugo", "hugo", false);
        check("cd docs&&mdbook build", "mdbook build", true);
        check("npx @11ty/eleventy", "eleventy", true);
        check("eleventy --serve", "eleventy", false);
        check("install-hugo", "hugo", false);
    }

    #[test]
    fn waypost_is_recognized_however_it_is_installed() {
        for script in [
            "waypost",
            "npx --yes waypost@0.1.0",
            "a && /tmp/venv/bin/waypost docs",
        ] {
            assert!(runs_waypost(script), "{script}");
        }
        for script in ["zola build", "echo waypost-plugin", "cat waypost.toml"] {
            assert!(!runs_waypost(script), "{script}");
        }
    }

    #[test]
    fn the_directory_is_that_of_the_first_command() {
        assert_eq!(directory_of("hugo"), Some(""));
        assert_eq!(directory_of("cd ./docs/ && hugo"), Some("docs"));
        assert_eq!(directory_of("hugo && cd public"), None);
    }
}
