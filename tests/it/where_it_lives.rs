//! Where a site is, by what its build left behind: `tests/cases/where-it-lives.txt` has builds and the base URL of
//! each.
//!
//! The outcomes were written before the first run, from the documentation of the generators and hosts:
//! - Hugo writes `--baseURL` into its sitemap and its links, whatever `baseURL` in the settings is
//!   (gohugo.io, "Host on GitHub Pages": `hugo --baseURL "${{ steps.pages.outputs.base_url }}/"`).
//! - VitePress writes `base` into links, but its sitemap has `sitemap.hostname` alone ("Sitemap
//!   Generation": "If you are using `base` in your config, you should append it to the `hostname`").
//! - Astro's sitemap and links have `site` and `base`; Docusaurus' sitemap, links and canonical links
//!   have `url` and `baseUrl`.
//! - Jekyll's `--baseurl` overrides `baseurl`; the links of `relative_url` and jekyll-sitemap have it.
//! - sphinx-sitemap puts language and version before each page unless `sitemap_url_scheme` is set;
//!   Sphinx' canonical links have `html_baseurl` alone.
//! - Next writes `basePath` into links, and no sitemap. MkDocs and Sphinx write relative links.
//! - GitHub serves a repository at the path of its name, and only `OWNER.github.io` at the root of that host
//!   (docs.github.com, "What is GitHub Pages?"); so does GitLab. A build for the root says so in all its parts.
//! - Netlify's `URL`, Vercel's `VERCEL_PROJECT_PRODUCTION_URL` and `READTHEDOCS_CANONICAL_URL` name
//!   production; `DEPLOY_PRIME_URL` and `VERCEL_URL` name one deploy.
//!
//! Each is built, built again, checked and explained, with the same base URL.

use crate::site_test::SiteTest;
use crate::table::unescaped;

/// A site, and the files that a generator wrote: `index.html`, `a/index.html` and `b/index.html`.
#[derive(Default)]
struct Build {
    name: &'static str,
    /// The output directory.
    output: &'static str,
    /// The path in links between the pages; empty if they are relative.
    links: &'static str,
    /// The base URL in the generator's sitemap.
    sitemap: &'static str,
    /// The base URL in the canonical links.
    canonical: &'static str,
    files: Vec<(&'static str, String)>,
    /// The project of the repository, if not empty: on GitHub, unless it begins with `HOST:`.
    remote: &'static str,
    variables: &'static str,
    arguments: &'static str,
    expected: Outcome,
}

/// The right outcome of a run.
#[derive(Default)]
enum Outcome {
    /// The pages are listed below this base URL.
    Lists(&'static str),
    /// The same in the first run alone, which replaces the only place that names this host.
    Once(&'static str),
    /// Nothing is written, and the message has these texts.
    Refused(Vec<&'static str>),
    /// Nothing is written, but the run succeeds.
    #[default]
    Preview,
}

use Outcome::{Lists, Once, Preview, Refused};

const PAGES: [&str; 3] = ["", "a/", "b/"];

/// The builds of a section of the table.
fn builds(section: &str) -> Vec<Build> {
    let mut builds: Vec<Build> = Vec::new();
    let mut is_wanted = false;
    for line in include_str!("../cases/where-it-lives.txt").lines() {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "==" => is_wanted = rest == section,
            "=" if is_wanted => builds.push(Build {
                name: rest,
                ..Build::default()
            }),
            "" => {}
            _ if is_wanted => builds.last_mut().expect("it has a name").add(key, rest),
            _ => {}
        }
    }
    builds
}

impl Build {
    /// Adds a line of the table.
    fn add(&mut self, key: &str, rest: &'static str) {
        match key {
            "build" => {
                let words: Vec<_> = rest.split(' ').map(|word| word.trim_matches('-')).collect();
                [self.output, self.links, self.sitemap, self.canonical] =
                    words.try_into().expect("four words");
            }
            "file" => {
                let (name, text) = rest.split_once(' ').expect("a file and its text");
                self.files.push((name, unescaped(text)));
            }
            "remote" => self.remote = rest,
            "variables" => self.variables = rest,
            "arguments" => self.arguments = rest,
            "lists" => self.expected = Lists(rest),
            "once" => self.expected = Once(rest),
            "preview" => self.expected = Preview,
            "refused" => match &mut self.expected {
                Refused(texts) => texts.push(rest),
                _ => self.expected = Refused(vec![rest]),
            },
            _ => panic!("{key} {rest}"),
        }
    }

    fn write(&self, site: &SiteTest) {
        let up = |page: &str| if page.is_empty() { "" } else { "../" };
        for page in PAGES {
            let links = PAGES.map(|target| match self.links {
                "" => format!("<a href='{}{target}'>x</a>", up(page)),
                path => format!("<a href='{path}{target}'>x</a>"),
            });
            let canonical = match self.canonical {
                "" => String::new(),
                base => format!("<link rel=canonical href='{base}{page}'>"),
            };
            let text = format!(
                "<!DOCTYPE html><html><head><title>Page {page}</title>{canonical}</head>\
                 <body>Text of {page}{}</body></html>",
                links.concat()
            );
            site.write(format!("{}/{page}index.html", self.output), text);
        }
        if !self.sitemap.is_empty() {
            let entries = PAGES.map(|page| format!("<url><loc>{}{page}</loc></url>", self.sitemap));
            let text = format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                 <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
                entries.concat()
            );
            site.write(format!("{}/sitemap.xml", self.output), text);
        }
    }
}

/// Runs waypost on a build in all ways.
fn check(build: &Build) {
    let mut site = SiteTest::empty();
    for (name, text) in &build.files {
        site.write(name, text);
    }
    build.write(&site);
    if !build.remote.is_empty() {
        site.commit("2025-01-01T00:00:00Z");
        let (host, project) = build
            .remote
            .split_once(':')
            .unwrap_or(("github.com", build.remote));
        let url = format!("https://{host}/{project}.git");
        site.git(&["remote", "add", "origin", &url]);
    }
    site.variables(build.variables);
    let arguments: Vec<&str> = build.arguments.split_whitespace().collect();
    let root = format!("{}/sitemap.xml", build.output);
    let before = site.files().contains(&root).then(|| site.read(&root));
    let name = build.name;
    for run in ["first", "second"] {
        let outcome = site.waypost(&arguments);
        let printed = &outcome.stderr;
        match &build.expected {
            Once(_) if run == "second" => {}
            Lists(base) | Once(base) => {
                assert_eq!(outcome.code, 0, "{name}, {run}: {printed}");
                let urls = PAGES.map(|page| format!("{base}{page}"));
                let listed: Vec<String> = site
                    .entries_of(&root)
                    .into_iter()
                    .map(|entry| entry.loc)
                    .collect();
                assert_eq!(listed, urls, "{name}, {run}: {printed}");
            }
            Refused(said) => {
                assert_ne!(outcome.code, 0, "{name}, {run}: {printed}");
                for text in said {
                    assert!(printed.contains(*text), "{name}: no `{text}`:\n{printed}");
                }
            }
            Preview => assert_eq!(outcome.code, 0, "{name}, {run}: {printed}"),
        }
        if !matches!(build.expected, Lists(_) | Once(_)) {
            let after = site.files().contains(&root).then(|| site.read(&root));
            assert_eq!(after, before, "{name}, {run}");
        }
    }
    let Lists(base) = &build.expected else { return };
    let checked = site.waypost(&[&["check"], arguments.as_slice()].concat());
    assert_eq!(checked.code, 0, "{name}: {}", checked.stderr);
    let explained = site.waypost(&[&["explain", "--settings"], arguments.as_slice()].concat());
    let shown = format!("{base} from ");
    assert!(
        explained.stdout.contains(&shown),
        "{name}: {}",
        explained.stdout
    );
}

fn check_all(section: &str) {
    let builds = builds(section);
    assert!(!builds.is_empty(), "{section}");
    let failed = builds
        .iter()
        .filter(|build| std::panic::catch_unwind(|| check(build)).is_err())
        .count();
    assert_eq!(failed, 0, "of {} builds", builds.len());
}

#[test]
fn hugo_is_where_its_flag_says() {
    check_all("hugo is where its flag says");
}

#[test]
fn vitepress_is_below_its_base() {
    check_all("vitepress is below its base");
}

#[test]
fn astro_is_where_its_sitemap_and_links_say() {
    check_all("astro is where its sitemap and links say");
}

#[test]
fn docusaurus_is_where_its_canonical_links_say() {
    check_all("docusaurus is where its canonical links say");
}

#[test]
fn jekyll_is_where_its_flag_says() {
    check_all("jekyll is where its flag says");
}

#[test]
fn sphinx_and_mkdocs_are_where_their_canonical_links_say() {
    check_all("sphinx and mkdocs are where their canonical links say");
}

#[test]
fn pages_that_no_sitemap_names_are_below_the_path_of_their_links() {
    check_all("pages that no sitemap names are below the path of their links");
}
