//! Pull requests on a site of 100 listed pages: which pages each of them takes out of the sitemap, why
//! and where. `tests/cases/gate.txt` was written before the program knew `urls-lost`.

use std::fs;

use serde_json::Value;

use crate::site_test::{Outcome, SiteTest, text_or_dash};
use crate::table::unescaped;

/// A pull request of GitHub.
const PULL_REQUEST: &str =
    "GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request GITHUB_REF=refs/pull/7/merge";

/// A pull request and its outcome.
#[derive(Default)]
struct PullRequest {
    name: &'static str,
    changes: Vec<&'static str>,
    /// The findings: `FILE:LINE:COLUMN MESSAGE`.
    lost: Vec<&'static str>,
}

fn pull_requests() -> Vec<PullRequest> {
    let mut requests: Vec<PullRequest> = Vec::new();
    for line in include_str!("../cases/gate.txt").lines() {
        if let Some(name) = line.strip_prefix("= ") {
            requests.push(PullRequest {
                name,
                ..PullRequest::default()
            });
        } else if let Some(request) = requests.last_mut() {
            match line.strip_prefix("> ") {
                Some(loss) => request.lost.push(loss),
                None => request.changes.push(line),
            }
        }
    }
    requests
}

/// Makes a change of a pull request.
fn change(site: &SiteTest, change: &str) {
    match change.splitn(3, ' ').collect::<Vec<_>>()[..] {
        ["page", path, canonical] => write_page(site, path, canonical, ""),
        ["noindex", path] => write_page(site, path, path, NOINDEX),
        ["stub", path, target] => write_stub(site, path, target),
        ["write", file, text] => drop(site.write(file, unescaped(text))),
        ["remove", dir] => fs::remove_dir_all(site.root().join(dir)).expect("it exists"),
        _ => panic!("{change}"),
    }
}

const SETTINGS: &str = "base_url = \"https://acme.dev/\"\nhost = \"netlify\"\n";
const ROBOTS: &str = "User-agent: *\nDisallow: /search/\n\nSitemap: https://acme.dev/sitemap.xml\n";
const NOINDEX: &str = "<meta name=\"robots\" content=\"noindex\">\n";

fn write_page(site: &SiteTest, path: &str, canonical: &str, head: &str) {
    let text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>{path}</title>\n\
         <link rel=\"canonical\" href=\"https://acme.dev/{canonical}\">\n{head}</head>\n\
         <body><main><h1>{path}</h1><p>Text.</p></main></body>\n</html>\n"
    );
    site.write(format!("public/{path}index.html"), text);
}

fn write_stub(site: &SiteTest, path: &str, target: &str) {
    let text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>{target}</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={target}\">\n</head>\n</html>\n"
    );
    site.write(format!("public/{path}index.html"), text);
}

/// A site of 100 listed pages and one that is not, as its main branch is published. `live.xml` is a
/// copy of its sitemap.
fn main_branch() -> SiteTest {
    let site = SiteTest::empty();
    site.write("waypost.toml", SETTINGS)
        .write("public/robots.txt", ROBOTS);
    let parts = [("posts/", 60), ("docs/", 25), ("de/", 10)];
    let numbered = parts
        .into_iter()
        .flat_map(|(part, count)| (1..=count).map(move |number| format!("{part}{number}/")));
    let single = ["", "about/", "contact/", "posts/", "de/"].map(str::to_owned);
    for path in single.into_iter().chain(numbered) {
        write_page(&site, &path, &path, "");
    }
    write_page(&site, "thanks/", "thanks/", NOINDEX);
    site.build();
    assert_eq!(site.entries_of("public/sitemap.xml").len(), 100);
    site.write("live.xml", site.read("public/sitemap.xml"));
    site
}

/// The losses in the text that a run prints: `FILE:LINE:COLUMN MESSAGE`.
fn printed(outcome: &Outcome) -> Vec<String> {
    let mut lines = outcome.stderr.lines();
    let mut losses = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(message) = line.strip_prefix("warning[urls-lost]: ") {
            let place = lines.next().and_then(|line| line.split_once("--> "));
            losses.push(format!("{} {message}", place.expect("a place").1));
        }
    }
    losses
}

/// The same in JSON.
fn in_json(outcome: &Outcome) -> Vec<String> {
    let result = outcome.json();
    let findings = result["findings"].as_array().expect("an array");
    let losses = findings
        .iter()
        .filter(|finding| finding["code"] == "urls-lost");
    let loss = |finding: &Value| {
        assert_eq!(finding["level"], "warn");
        let place = ["file", "line", "column"].map(|key| match &finding[key] {
            Value::String(text) => text.clone(),
            number => number.to_string(),
        });
        format!("{} {}", place.join(":"), text_or_dash(finding, "message"))
    };
    losses.map(loss).collect()
}

#[test]
fn a_pull_request_names_the_pages_that_it_takes_out_of_the_sitemap() {
    // Since the previous set, since the live one in a fresh build, and the same in a pull request.
    for (arguments, environment) in [
        (&["--dry-run"][..], ""),
        (&["--dry-run", "--since", "live.xml"], ""),
        (&["--since", "live.xml"], PULL_REQUEST),
    ] {
        for request in pull_requests() {
            let mut site = main_branch();
            site.variables(environment);
            if arguments.contains(&"--since") {
                site.remove("public/sitemap.xml");
            }
            for line in &request.changes {
                change(&site, line);
            }
            let run = |more: &[&str], code: i32| {
                site.waypost(&[arguments, more].concat()).ended_with(code)
            };
            let strict = i32::from(!request.lost.is_empty());
            let name = format!("{} {arguments:?} {environment}", request.name);
            assert_eq!(printed(&run(&[], 0)), request.lost, "{name}");
            let json = run(&["--json", "--strict"], strict);
            assert_eq!(in_json(&json), request.lost, "{name}");
            let annotations = run(&["--github"], 0).stdout;
            let losses = annotations.matches("title=urls-lost::").count();
            assert_eq!(losses, request.lost.len(), "{name}: {annotations}");
            if environment.is_empty() {
                continue;
            }
            // A page that robots.txt forbids is a problem in any build.
            let accepted = ["urls-lost", "--accept", "disallowed-by-robots"];
            let accepted = run(&[&["--strict", "--accept"], &accepted[..]].concat(), 0);
            accepted.says_nothing_of("urls-lost");
        }
    }
}

#[test]
fn another_base_url_is_no_loss_of_pages_but_stops_the_run() {
    let site = main_branch();
    site.write("waypost.toml", SETTINGS.replace("acme.dev", "acme.net"));
    let files = site.files();
    for file in files.iter().filter(|file| file.ends_with("index.html")) {
        site.write(file, site.read(file).replace("acme.dev", "acme.net"));
    }
    for strict in [&[][..], &["--strict"]] {
        let own = site.waypost(&[&["--dry-run"], strict].concat());
        own.ended_with(1)
            .says("error[set-shrunk]: 100 of the 100 URLs in the previous sitemap")
            .says_nothing_of("urls-lost");
        let since = site.waypost(&[&["--dry-run", "--since", "live.xml"], strict].concat());
        since
            .ended_with(2)
            .says("`live.xml` lists no page of `https://acme.net/`");
    }
}

#[test]
fn another_base_path_takes_all_pages_out_in_a_preview_too() {
    let mut site = main_branch();
    site.variables(PULL_REQUEST);
    let files = site.files();
    for file in files.iter().filter(|file| file.ends_with("index.html")) {
        let text = site.read(file).replace("acme.dev/", "acme.dev/docs/");
        site.write(file, text);
    }
    site.write(
        "waypost.toml",
        SETTINGS.replace("acme.dev/", "acme.dev/docs/"),
    );
    for (strict, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let preview = site.waypost(&[&["--since", "live.xml"], strict].concat());
        preview.ended_with(code).says(
            "warning[urls-lost]: the new sitemap, of `https://acme.dev/docs/`, lists none of the 100 URLs \
             of the previous one",
        );
    }
}

#[test]
fn a_lost_url_is_named_once() {
    let site = main_branch();
    write_page(&site, "about/", "about/", NOINDEX);
    site.remove("public/posts/2/index.html");
    let counts = "changes  0 added, 2 removed, 0 re-dated since the previous sitemap\n";
    let outcome = site.waypost(&["--dry-run"]).succeeded();
    let outcome = outcome.says(&format!(
        "{counts}             - https://acme.dev/posts/2/\n"
    ));
    assert_eq!(outcome.stderr.matches("https://acme.dev/about/").count(), 1);
    // Where no finding names it, the changes do.
    let accepted = site.waypost(&["--dry-run", "--accept", "urls-lost"]);
    accepted
        .succeeded()
        .says(" - https://acme.dev/about/, https://acme.dev/posts/2/\n");
}

#[test]
fn a_preview_in_which_every_page_has_noindex_is_one_note() {
    let mut site = main_branch();
    let files = site.files();
    for file in files.iter().filter(|file| file.ends_with("index.html")) {
        let text = site
            .read(file)
            .replace("</head>", &format!("{NOINDEX}</head>"));
        site.write(file, text);
    }
    let production = site.waypost(&["--dry-run", "--since", "live.xml"]);
    production
        .ended_with(1)
        .says("error[nothing-listed]")
        .says("warning[urls-lost]: 100 URLs are no longer listed: noindex (robots: noindex): ");
    site.variables(PULL_REQUEST);
    for strict in [&[][..], &["--strict"]] {
        let preview = site.waypost(&[&["--since", "live.xml"], strict].concat());
        let preview = preview.succeeded();
        let note = "note[urls-lost]: each of the 100 listed URLs has noindex in this preview\n";
        assert!(preview.stderr.contains(note), "{}", preview.stderr);
        assert_eq!(preview.stderr.matches("[urls-lost]").count(), 1);
        let hint =
            "= hint: build the site of this job as for production, to see what a change takes out";
        assert!(preview.stderr.contains(hint), "{}", preview.stderr);
    }
}

#[test]
fn only_what_was_published_can_be_lost() {
    // The first replacement of another program's set.
    let site = main_branch();
    site.write(
        "public/sitemap.xml",
        site.read("public/sitemap.xml").replace("waypost", "x"),
    );
    write_page(&site, "about/", "about/", NOINDEX);
    site.waypost(&["--dry-run"])
        .succeeded()
        .says_nothing_of("urls-lost");
    // Named by the user, it is.
    let named = site.waypost(&["--dry-run", "--since", "public/sitemap.xml"]);
    named
        .succeeded()
        .says("warning[urls-lost]: `https://acme.dev/about/` is");
}

#[test]
fn ten_kinds_of_losses_are_shown_and_the_others_are_counted() {
    let site = main_branch();
    for number in 1..=13 {
        let head = format!("<meta name=\"robots\" content=\"noindex, max-snippet:{number}\">\n");
        let path = format!("posts/{number}/");
        write_page(&site, &path, &path, &head);
    }
    let outcome = site.waypost(&["--dry-run"]).succeeded();
    let shown = outcome
        .stderr
        .matches("/` is no longer listed: noindex")
        .count();
    assert_eq!(shown, 10, "{}", outcome.stderr);
    let rest = "warning[urls-lost]: 3 further URLs are no longer listed\n";
    assert!(outcome.stderr.contains(rest), "{}", outcome.stderr);
}
