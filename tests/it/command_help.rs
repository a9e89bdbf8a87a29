//! The help of every command.

use crate::site_test::SiteTest;

/// The names of all commands, as the help lists them.
pub(crate) fn command_names() -> Vec<String> {
    let help = help_of(&["-h"]);
    let (_, list) = help.split_once("Commands:\n").expect("there are commands");
    let commands = list.lines().take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 8, "{names:?}");
    names
}

/// The help in a terminal of 80 columns.
fn help_of(arguments: &[&str]) -> String {
    let mut site = SiteTest::empty();
    site.variable("COLUMNS", "80");
    site.waypost(arguments).succeeded().stdout
}

/// Runs the examples of every command in the site of a Zola blog, which a server also publishes.
#[cfg(unix)]
#[cfg(feature = "submit")]
mod examples {
    use super::{SiteTest, command_names, help_of};
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
            let (kind, body) = match path {
                "/" => ("html", "<title>t</title>".to_owned()),
                "/robots.txt" => ("plain", format!("Sitemap: {url}/sitemap.xml\n")),
                "/sitemap.xml" => ("xml", SITEMAP.replace("SERVER", url)),
                "/a1b2c3d4e5.txt" => ("plain", "a1b2c3d4e5".to_owned()),
                "/indexnow" => ("plain", String::new()),
                _ => return None,
            };
            let kind = format!("Content-Type: text/{kind}");
            Some(Reply::of(200, &[&kind], body))
        })
    }

    fn blog(server: &Server) -> SiteTest {
        let mut site = SiteTest::empty();
        let settings = format!("base_url = \"{}\"\n", server.url("/"));
        site.write("config.toml", settings)
            .write("content/blog/a.md", "")
            .page("public/index.html", "")
            .page("public/blog/a/index.html", "");
        for (file, base) in [
            ("en/sitemap.xml", ""),
            ("a/sitemap-1.xml", ""),
            ("sitemap.xml", ""),
            ("de/sitemap.xml", "/de"),
        ] {
            let sitemap = SITEMAP.replace("SERVER", &server.url(base));
            site.write(format!("public/{file}"), sitemap);
        }
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
        for command in [String::new()].into_iter().chain(command_names()) {
            let server = server();
            let site = blog(&server);
            let arguments = [command.as_str(), "--help"];
            let help = help_of(&arguments[usize::from(command.is_empty())..]);
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
