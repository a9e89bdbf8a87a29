//! The help of every command.

use crate::site_test::SiteTest;

/// Lines of a terminal window that is not maximized.
const SCREEN_LINES: usize = 40;

/// The names of all commands, as the help lists them.
pub(crate) fn command_names() -> Vec<String> {
    let help = help_of(&["-h"]);
    let (_, list) = help.split_once("Commands:\n").expect("there are commands");
    let commands = list.lines().take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next());
    let (_, more) = help.split_once("\nMore: ").expect("there are more");
    let more = more.lines().next().expect("a line").split(", ");
    let names: Vec<String> = names
        .filter(|name| *name != "help")
        .chain(more)
        .map(str::to_owned)
        .collect();
    assert!(names.len() > 8, "{names:?}");
    names
}

/// The help in a terminal of 80 columns.
fn help_of(arguments: &[&str]) -> String {
    let mut site = SiteTest::empty();
    site.variable("COLUMNS", "80");
    site.waypost(arguments).succeeded().stdout
}

/// The arguments that precede an option of the program and of each command.
fn all_commands() -> Vec<Vec<String>> {
    let commands = command_names().into_iter().map(|name| vec![name]);
    [Vec::new()].into_iter().chain(commands).collect()
}

fn with<'a>(command: &'a [String], last: &'a str) -> Vec<&'a str> {
    command.iter().map(String::as_str).chain([last]).collect()
}

#[test]
fn the_short_help_has_one_line_per_option_and_fits_a_screen() {
    for command in all_commands() {
        let help = help_of(&with(&command, "-h"));
        let (_, options) = help.split_once("Options:\n").expect("there are options");
        for line in options.lines() {
            let is_option = ["  -", "      --"]
                .iter()
                .any(|start| line.starts_with(start));
            let is_more = line.is_empty() || line.starts_with("More: ");
            assert!(is_option || is_more, "{line:?} in\n{help}");
        }
        let widest = help.lines().map(str::len).max();
        assert!(widest <= Some(80), "{help}");
        assert!(help.lines().count() <= SCREEN_LINES, "{help}");
    }
}

#[test]
fn the_long_help_ends_with_examples_and_exit_codes() {
    for command in all_commands() {
        let help = help_of(&with(&command, "--help"));
        let (_, end) = help
            .split_once("\nExamples:\n")
            .expect("there are examples");
        let (examples, codes) = end
            .split_once("\nExit codes:\n")
            .expect("there are exit codes");
        let is_examples = (1..=4).contains(&examples.lines().count());
        assert!(is_examples && codes.starts_with("  0  "), "{help}");
        assert!(help.lines().all(|line| line.len() <= 80), "{help}");
    }
}

/// Runs the examples of every command in the site of a Zola blog, which a server also publishes.
#[cfg(unix)]
#[cfg(feature = "submit")]
mod examples {
    use super::{SiteTest, all_commands, help_of, with};
    use crate::loopback::{Reply, Server};
    use crate::site_test::Outcome;

    /// Stand-ins for programs around waypost. `mdbook` does with waypost what mdBook does.
    const PRELUDE: &str = r#"set -eu
program=$1
waypost() { "$program" "$@"; }
zola() { :; }
mdbook() { waypost mdbook <context.json; }
mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions
"#;

    const SITEMAP: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <url><loc>SERVER/</loc></url></urlset>";

    fn server() -> Server {
        Server::start_with_url(|url, path| {
            let html = &["Content-Type: text/html"];
            let text = &["Content-Type: text/plain"];
            match path {
                "/" => Some(Reply::of(200, html, "<title>t</title>")),
                "/robots.txt" => Some(Reply::of(
                    200,
                    text,
                    format!("Sitemap: {url}/sitemap.xml\n"),
                )),
                "/sitemap.xml" => Some(Reply::ok(SITEMAP.replace("SERVER", url))),
                "/a1b2c3d4e5.txt" => Some(Reply::of(200, text, "a1b2c3d4e5")),
                "/indexnow" => Some(Reply::ok("")),
                _ => None,
            }
        })
    }

    fn blog(server: &Server) -> SiteTest {
        let mut site = SiteTest::empty();
        site.write(
            "config.toml",
            format!("base_url = \"{}\"\n", server.url("/")),
        )
        .write("content/blog/a.md", "")
        .page("public/index.html", "")
        .page("public/blog/a/index.html", "");
        let sitemap = SITEMAP.replace("SERVER", &server.url(""));
        for file in [
            "public/en/sitemap.xml",
            "public/a/sitemap-1.xml",
            "public/sitemap.xml",
        ] {
            site.write(file, &sitemap);
        }
        site.write(
            "public/de/sitemap.xml",
            SITEMAP.replace("SERVER/", &server.url("/de/")),
        );
        let context = include_str!("../mdbook/context-0.5.4.json");
        let root = site.root().join("manual").display().to_string();
        site.write("context.json", context.replace("ROOT", &root));
        site.write("manual/book.toml", "[book]\n[output.waypost]\n")
            .page("manual/book/html/index.html", "");
        site.commit("2024-05-06T07:08:09Z");
        site.variable("WAYPOST_SUBMIT_KEY", "a1b2c3d4e5");
        site
    }

    /// The command with all requests sent to the server.
    fn kept_local(line: &str, server: &Server) -> String {
        let line = line.replace("https://example.com", &server.url(""));
        if line.starts_with("waypost submit") {
            format!("{line} --endpoint {}", server.url("/indexnow"))
        } else {
            line
        }
    }

    #[test]
    fn every_example_runs() {
        let mut count = 0;
        for command in all_commands() {
            let server = server();
            let site = blog(&server);
            let help = help_of(&with(&command, "--help"));
            let (_, end) = help
                .split_once("\nExamples:\n")
                .expect("there are examples");
            let examples = end.lines().take_while(|line| !line.is_empty());
            for example in examples.map(|line| line.split("  # ").next().unwrap_or(line).trim()) {
                let script = format!("{PRELUDE}{}", kept_local(example, &server));
                let done = site.shell_command(&script, &[]).output();
                let outcome = Outcome::of(done.expect("the shell can be run"));
                assert_eq!(outcome.code, 0, "{example}\n{}", outcome.stderr);
                count += 1;
            }
        }
        assert!(count > 27, "{count}");
    }
}
