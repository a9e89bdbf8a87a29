//! Where a site is, by what its build left behind: a table of builds and the base URL of each.
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

/// The files that a generator wrote: `index.html`, `a/index.html` and `b/index.html`.
#[derive(Clone, Copy)]
struct Build<'a> {
    /// The output directory.
    output: &'a str,
    /// The path in links between the pages; empty if they are relative.
    links: &'a str,
    /// The base URL in the generator's sitemap.
    sitemap: &'a str,
    /// The base URL in the canonical links.
    canonical: &'a str,
}

/// The right outcome of a run.
enum Outcome<'a> {
    /// The pages are listed below this base URL.
    Lists(&'a str),
    /// The same in the first run alone, which replaces the only place that names this host.
    Once(&'a str),
    /// Nothing is written, and the message has these texts.
    Refused(&'a [&'a str]),
    /// Nothing is written, but the run succeeds.
    Preview,
}

use Outcome::{Lists, Once, Preview, Refused};

const PAGES: [&str; 3] = ["", "a/", "b/"];

impl Build<'_> {
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

/// Runs waypost on a build in all ways. `remote` is the project of the repository, if not
/// empty: on GitHub, unless it begins with `HOST:`.
fn check(
    name: &str,
    build: Build<'_>,
    files: &[(&str, &str)],
    remote: &str,
    variables: &str,
    arguments: &str,
    expected: &Outcome<'_>,
) {
    let mut site = SiteTest::with(files);
    build.write(&site);
    if !remote.is_empty() {
        site.commit("2025-01-01T00:00:00Z");
        let (host, project) = remote.split_once(':').unwrap_or(("github.com", remote));
        let url = format!("https://{host}/{project}.git");
        site.git(&["remote", "add", "origin", &url]);
    }
    site.variables(variables);
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let root = format!("{}/sitemap.xml", build.output);
    let before = site.files().contains(&root).then(|| site.read(&root));
    for run in ["first", "second"] {
        let outcome = site.waypost(&arguments);
        let printed = &outcome.stderr;
        match expected {
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
                for text in *said {
                    assert!(printed.contains(text), "{name}: no `{text}`:\n{printed}");
                }
            }
            Preview => assert_eq!(outcome.code, 0, "{name}, {run}: {printed}"),
        }
        if !matches!(expected, Lists(_) | Once(_)) {
            let after = site.files().contains(&root).then(|| site.read(&root));
            assert_eq!(after, before, "{name}, {run}");
        }
    }
    let Lists(base) = expected else { return };
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

/// Checks rows `(name, build, files, remote, variables, arguments, outcome)`.
macro_rules! builds {
    ($($name:literal, ($output:literal, $links:literal, $sitemap:literal, $canonical:literal),
       [$($file:literal => $text:expr),* $(,)?], $remote:literal, $variables:literal,
       $arguments:literal, $expected:expr;)+) => {
        let rows = [$(std::panic::catch_unwind(|| check(
            $name,
            Build { output: $output, links: $links, sitemap: $sitemap, canonical: $canonical },
            &[$(($file, $text)),*],
            $remote,
            $variables,
            $arguments,
            &$expected,
        ))),+];
        let failed = rows.iter().filter(|row| row.is_err()).count();
        assert_eq!(failed, 0, "of {} builds", rows.len());
    };
}

const DEPLOY_PAGES: &str =
    "on: push\njobs:\n  deploy:\n    steps:\n      - uses: actions/deploy-pages@v4\n";

#[test]
fn hugo_is_where_its_flag_says() {
    builds! {
        "a path in the settings", ("public", "/repo/", "https://acme.github.io/repo/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/repo/'"], "", "", "", Lists("https://acme.github.io/repo/");
        "a path by a flag", ("public", "/repo/", "https://acme.github.io/repo/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'"], "", "", "", Lists("https://acme.github.io/repo/");
        "a path by a flag, relative links", ("public", "", "https://acme.github.io/repo/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'"], "", "", "", Lists("https://acme.github.io/repo/");
        "a path by a flag, no sitemap", ("public", "/repo/", "", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'"], "", "", "", Lists("https://acme.github.io/repo/");
        "the root by a flag", ("public", "/", "https://acme.dev/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.dev/book/'"], "", "", "", Lists("https://acme.dev/");
        "a theme whose links forget the path", ("public", "/", "https://acme.dev/book/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.dev/book/'"], "", "", "", Lists("https://acme.dev/book/");
        "the same without a sitemap", ("public", "/", "", ""),
            ["hugo.toml" => "baseURL = 'https://acme.dev/book/'"], "", "", "", Lists("https://acme.dev/book/");
        "a host by a flag", ("public", "/repo/", "https://acme.github.io/repo/", ""),
            ["hugo.toml" => "baseURL = 'https://example.org/'"], "", "", "", Lists("https://acme.github.io/repo/");
        "another host by a flag", ("public", "/", "https://acme.dev/", ""),
            ["hugo.toml" => "baseURL = 'https://old.acme.net/'"], "", "", "", Once("https://acme.dev/");
        "a placeholder, and the user's word", ("public", "/", "https://example.org/", ""),
            ["hugo.toml" => "baseURL = 'https://example.org/'"], "", "", "--base-url https://acme.dev/", Lists("https://acme.dev/");
        "the user's word lacks the path", ("public", "/repo/", "https://acme.dev/repo/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.dev/'"], "", "", "--base-url https://acme.dev/", Refused(&["base-url-contradicted", "https://acme.dev/repo/"]);
        "the user's word lacks the path of the links", ("public", "/repo/", "", ""),
            ["hugo.toml" => "baseURL = 'https://example.org/'"], "", "", "--base-url https://acme.dev/", Refused(&["base-url-contradicted", "https://acme.dev/repo/"]);
        "a repository that is pushed to another", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'"], "acme/source", "", "", Lists("https://acme.github.io/");
        "a repository that publishes itself, and nothing proves the path", ("public", "", "", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Refused(&["https://acme.github.io/repo/"]);
        "a repository that publishes itself, and the links prove the path", ("public", "/repo/", "", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Lists("https://acme.github.io/repo/");
        "a repository that publishes itself, built for the root", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.github.io/repo/"]);
        "a repository that publishes itself, built for the root with relative links", ("public", "", "http://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'http://acme.github.io/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "Acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.github.io/repo/"]);
        "a repository that publishes itself, built for another path", ("public", "/theme/", "https://acme.github.io/theme/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/theme/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.github.io/repo/"]);
        "a repository that publishes itself, with canonical links for the root", ("public", "", "", "https://acme.github.io/"),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.github.io/repo/"]);
        "a repository that publishes itself at a domain, built for the host of its pages", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'",
             "package.json" => "{\"scripts\": {\"deploy\": \"ghp-import --cname=acme.dev public\"}}"], "acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.dev/"]);
        "a repository that publishes itself with a CNAME, built for the host of its pages", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'", ".github/workflows/a.yml" => DEPLOY_PAGES, "public/CNAME" => "acme.dev\n"],
            "acme/repo", "", "", Lists("https://acme.dev/");
        "a repository on GitLab that is built for the root", ("public", "/", "https://acme.gitlab.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.gitlab.io/'", ".gitlab-ci.yml" => "pages:\n  script: hugo\n"], "gitlab.com:acme/repo", "", "",
            Refused(&["base-url-contradicted", "https://acme.gitlab.io/repo/"]);
        "a repository that publishes itself, and the user's word", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "",
            "--base-url https://acme.github.io/", Lists("https://acme.github.io/");
        "a repository with the name of the host that publishes itself", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/Acme.github.io", "", "",
            Lists("https://acme.github.io/");
        "a repository that publishes itself below its path", ("public", "/Repo/v2/", "https://acme.github.io/Repo/v2/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/Repo/v2/'", ".github/workflows/a.yml" => DEPLOY_PAGES], "acme/repo", "", "",
            Lists("https://acme.github.io/Repo/v2/");
        "a repository that is published in another one", ("public", "/", "https://acme.github.io/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.github.io/'",
             ".github/workflows/a.yml" => "jobs:\n  a:\n    steps:\n      - uses: peaceiris/actions-gh-pages@v4\n        with: {external_repository: acme/acme.github.io}\n"],
            "acme/source", "", "", Lists("https://acme.github.io/");
        "links to another site at the same host", ("public", "/", "https://acme.dev/", ""),
            ["hugo.toml" => "baseURL = 'https://acme.dev/'",
             "public/c.html" => "<html><body><a href='/other/'>o</a><a href='/other/a/'>o</a></body></html>",
             "waypost.toml" => "exclude = ['c.html']"], "", "", "", Lists("https://acme.dev/");
    }
}

#[test]
fn vitepress_is_below_its_base() {
    let base = "export default { base: '/repo/', sitemap: { hostname: 'https://acme.dev' } }";
    let both = "export default { base: '/repo/', sitemap: { hostname: 'https://acme.dev/repo/' } }";
    let computed = "export default { base: process.env.BASE || '/', sitemap: { hostname: 'https://acme.dev' } }";
    builds! {
        "a base that the sitemap lacks", (".vitepress/dist", "/repo/", "https://acme.dev/", ""),
            [".vitepress/config.mts" => base], "", "", "", Lists("https://acme.dev/repo/");
        "a base that the sitemap has", (".vitepress/dist", "/repo/", "https://acme.dev/repo/", ""),
            [".vitepress/config.mts" => both], "", "", "", Lists("https://acme.dev/repo/");
        "a computed base", (".vitepress/dist", "/repo/", "https://acme.dev/", ""),
            [".vitepress/config.mts" => computed], "", "", "", Lists("https://acme.dev/repo/");
        "a computed base, at the root", (".vitepress/dist", "/", "https://acme.dev/", ""),
            [".vitepress/config.mts" => computed], "", "", "", Lists("https://acme.dev/");
    }
}

#[test]
fn astro_is_where_its_sitemap_and_links_say() {
    let literal = "export default { site: 'https://acme.github.io', base: '/repo' }";
    let computed =
        "export default { site: 'https://acme.github.io', base: process.env.BASE ?? '/repo' }";
    let computed_site = "export default { site: process.env.SITE }";
    builds! {
        "both literal", ("dist", "/repo/", "https://acme.github.io/repo/", ""),
            ["astro.config.mjs" => literal], "", "", "", Lists("https://acme.github.io/repo/");
        "a computed base, with a sitemap", ("dist", "/repo/", "https://acme.github.io/repo/", ""),
            ["astro.config.mjs" => computed], "", "", "", Lists("https://acme.github.io/repo/");
        "a computed base, with links alone", ("dist", "/repo/", "", ""),
            ["astro.config.mjs" => computed], "", "", "", Lists("https://acme.github.io/repo/");
        "a computed base, at the root", ("dist", "/", "", ""),
            ["astro.config.mjs" => computed], "", "", "", Lists("https://acme.github.io/");
        "a computed base that nothing proves", ("dist", "", "", ""),
            ["astro.config.mjs" => computed], "", "", "", Refused(&["`base`", "astro.config.mjs"]);
        "a computed base that nothing proves, in a preview", ("dist", "", "", ""),
            ["astro.config.mjs" => computed], "", "NETLIFY=true CONTEXT=deploy-preview BRANCH=x", "", Preview;
        "a computed base, and the user's word", ("dist", "/repo/", "", ""),
            ["astro.config.mjs" => computed, "waypost.toml" => "base_url = 'https://acme.dev/repo/'"], "", "", "", Lists("https://acme.dev/repo/");
        "a base by a flag", ("dist", "/x/", "https://acme.github.io/x/", ""),
            ["astro.config.mjs" => literal], "", "", "", Lists("https://acme.github.io/x/");
        "a computed host on Netlify", ("dist", "/", "", ""),
            ["astro.config.mjs" => computed_site], "", "NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev", "", Lists("https://acme.dev/");
        "a computed host on Netlify, relative links", ("dist", "", "", ""),
            ["astro.config.mjs" => computed_site], "", "NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev", "", Lists("https://acme.dev/");
        "a computed host and a CNAME", ("dist", "", "", ""),
            ["astro.config.mjs" => computed_site, "dist/CNAME" => "acme.dev\n"], "", "", "", Lists("https://acme.dev/");
        "a sitemap at the host of the deploy", ("dist", "/", "https://5e1f--acme.netlify.app/", ""),
            ["astro.config.mjs" => computed_site], "",
            "NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev DEPLOY_PRIME_URL=https://5e1f--acme.netlify.app", "", Lists("https://acme.dev/");
    }
}

#[test]
fn docusaurus_is_where_its_canonical_links_say() {
    let literal = "module.exports = { url: 'https://acme.github.io', baseUrl: '/repo/' };";
    let computed =
        "module.exports = { url: 'https://acme.github.io', baseUrl: process.env.B || '/' };";
    let domains = "module.exports = { url: 'https://acme.dev', baseUrl: '/', i18n: { defaultLocale: 'en', locales: ['en', 'de'], \
        localeConfigs: { de: { url: 'https://acme.de', baseUrl: '/' } } } };";
    let deploy = "module.exports = { url: process.env.DEPLOY_PRIME_URL, baseUrl: '/' };";
    builds! {
        "literal", ("build", "/repo/", "https://acme.github.io/repo/", "https://acme.github.io/repo/"),
            ["docusaurus.config.js" => literal], "", "", "", Lists("https://acme.github.io/repo/");
        "computed", ("build", "/repo/", "https://acme.github.io/repo/", "https://acme.github.io/repo/"),
            ["docusaurus.config.js" => computed], "", "", "", Lists("https://acme.github.io/repo/");
        "computed, with a sitemap alone", ("build", "/repo/", "https://acme.github.io/repo/", ""),
            ["docusaurus.config.js" => computed], "", "", "", Lists("https://acme.github.io/repo/");
        "a domain per language", ("build", "/", "https://acme.de/", "https://acme.de/"),
            ["docusaurus.config.js" => domains], "", "", "", Lists("https://acme.de/");
        "canonical links at the host of the deploy", ("build", "/", "https://5e1f--acme.netlify.app/", "https://5e1f--acme.netlify.app/"),
            ["docusaurus.config.js" => deploy], "",
            "NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev DEPLOY_PRIME_URL=https://5e1f--acme.netlify.app", "",
            Refused(&["single deploy", "https://acme.dev"]);
        "a preview at the host of the deploy", ("build", "/", "https://deploy-preview-7--acme.netlify.app/", "https://deploy-preview-7--acme.netlify.app/"),
            ["docusaurus.config.js" => deploy], "",
            "NETLIFY=true CONTEXT=deploy-preview BRANCH=x URL=https://acme.dev DEPLOY_PRIME_URL=https://deploy-preview-7--acme.netlify.app", "", Preview;
        "a preview on Vercel", ("build", "/", "", "https://acme-h0s-team.vercel.app/"),
            ["docusaurus.config.js" => deploy], "",
            "VERCEL=1 VERCEL_ENV=preview VERCEL_GIT_COMMIT_REF=x VERCEL_URL=acme-h0s-team.vercel.app", "", Preview;
        "a preview of Cloudflare", ("build", "/", "", "https://1a2b3c4d.acme.pages.dev/"),
            ["docusaurus.config.js" => deploy, "waypost.toml" => "production_branches = ['main']"], "",
            "CF_PAGES=1 CF_PAGES_BRANCH=x CF_PAGES_URL=https://1a2b3c4d.acme.pages.dev", "", Preview;
        "a pull request", ("build", "/x/", "", "https://preview.acme.dev/x/"),
            ["docusaurus.config.js" => literal], "acme/repo",
            "GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request GITHUB_REF=refs/pull/7/merge", "", Preview;
        "a former owner's host in all canonical links", ("build", "/", "https://acme.dev/", "https://old-owner.net/"),
            ["docusaurus.config.js" => "module.exports = { url: 'https://acme.dev', baseUrl: '/' };"], "", "", "--base-url https://acme.dev/",
            Refused(&["base-url-contradicted", "https://old-owner.net/"]);
    }
}

#[test]
fn jekyll_is_where_its_flag_says() {
    builds! {
        "a path by a flag", ("_site", "/repo/", "https://acme.github.io/repo/", ""),
            ["_config.yml" => "url: https://acme.github.io"], "", "", "", Lists("https://acme.github.io/repo/");
        "an empty path by a flag", ("_site", "/", "https://acme.dev/", ""),
            ["_config.yml" => "url: https://acme.dev\nbaseurl: /book"], "", "", "", Lists("https://acme.dev/");
        "a path that the sitemap lacks", ("_site", "", "https://acme.dev/", ""),
            ["_config.yml" => "url: https://acme.dev\nbaseurl: /book"], "", "", "", Lists("https://acme.dev/book/");
        "the sitemap of a local server", ("_site", "/", "http://localhost:4000/", ""),
            ["_config.yml" => "url: https://acme.dev"], "", "", "", Lists("https://acme.dev/");
        "a path alone, and a remote", ("_site", "/book/", "", ""),
            ["_config.yml" => "baseurl: /book"], "acme/book", "", "", Lists("https://acme.github.io/book/");
        "a repository of that name", ("_site", "/", "", ""),
            ["_config.yml" => "title: x"], "acme/acme.github.io", "", "", Lists("https://acme.github.io/");
    }
}

#[test]
fn sphinx_and_mkdocs_are_where_their_canonical_links_say() {
    builds! {
        "a version that the sitemap alone has", ("_build/html", "", "https://docs.acme.dev/en/latest/", "https://docs.acme.dev/"),
            ["conf.py" => "project = 'S'\nhtml_baseurl = 'https://docs.acme.dev/'\n"], "", "", "", Lists("https://docs.acme.dev/");
        "a version that the sitemap and Read the Docs have", ("_build/html", "", "https://docs.acme.dev/en/latest/", "https://docs.acme.dev/"),
            ["conf.py" => "project = 'S'\nhtml_baseurl = 'https://docs.acme.dev/'\n"], "",
            "READTHEDOCS=True READTHEDOCS_VERSION_TYPE=branch READTHEDOCS_CANONICAL_URL=https://docs.acme.dev/en/latest/", "",
            Refused(&["base-url-contradicted", "https://docs.acme.dev/en/latest/"]);
        "the variable of Read the Docs", ("_build/html", "", "", ""),
            ["conf.py" => "import os\nproject = 'S'\nhtml_baseurl = os.environ.get('READTHEDOCS_CANONICAL_URL', '')\n"], "",
            "READTHEDOCS=True READTHEDOCS_VERSION_TYPE=branch READTHEDOCS_CANONICAL_URL=https://docs.acme.dev/en/latest/", "",
            Lists("https://docs.acme.dev/en/latest/");
        "a menu of versions that are built by themselves", ("site", "/v1/", "", ""),
            ["mkdocs.yml" => "site_name: x\nsite_url: https://docs.acme.dev/v2/\n"], "", "", "", Lists("https://docs.acme.dev/v2/");
        "MkDocs", ("site", "", "https://acme.github.io/repo/", "https://acme.github.io/repo/"),
            ["mkdocs.yml" => "site_name: x\nsite_url: https://acme.github.io/repo/\n"], "", "", "", Lists("https://acme.github.io/repo/");
        "mike with an alias that is not there", ("site", "", "", "https://docs.acme.dev/latest/1.0/"),
            ["mkdocs.yml" => "site_name: x\nsite_url: https://docs.acme.dev/latest/\n", "site/CNAME" => "docs.acme.dev\n"], "", "", "",
            Refused(&["https://docs.acme.dev/latest/1.0/"]);
        "a domain of the output, and canonical links below a path", ("site", "/", "https://acme.dev/", "https://acme.dev/docs/"),
            ["mkdocs.yml" => "site_name: x\nsite_url: https://acme.dev/docs/\n"], "", "", "", Refused(&["https://acme.dev/docs/", "https://acme.dev/"]);
    }
}

#[test]
fn pages_that_no_sitemap_names_are_below_the_path_of_their_links() {
    let next = "module.exports = { output: 'export', basePath: '/docs' };";
    builds! {
        "Next and the user's word", ("out", "/docs/", "", ""), ["next.config.js" => next], "", "", "--base-url https://acme.dev/docs/", Lists("https://acme.dev/docs/");
        "Next on Vercel", ("out", "/docs/", "", ""), ["next.config.js" => next], "",
            "VERCEL=1 VERCEL_ENV=production VERCEL_GIT_COMMIT_REF=main VERCEL_PROJECT_PRODUCTION_URL=acme.dev", "", Lists("https://acme.dev/docs/");
        "Next and the user's word without the path", ("out", "/docs/", "", ""), ["next.config.js" => next], "", "", "--base-url https://acme.dev/",
            Refused(&["base-url-contradicted", "https://acme.dev/docs/"]);
        "robots.txt with other sitemaps", ("public", "/", "", ""),
            ["config.toml" => "base_url = 'https://acme.dev/'",
             "public/robots.txt" => "Sitemap: https://acme.dev/docs/sitemap.xml\nSitemap: https://other.acme.net/sitemap.xml\n"], "", "", "", Lists("https://acme.dev/");
        "a domain in the output", ("public", "/", "", ""), ["public/CNAME" => "acme.dev\n"], "", "", "", Lists("https://acme.dev/");
        "a branch with pages at another path", ("public", "/", "", "https://acme.dev/"), ["public/CNAME" => "acme.dev\n"], "acme/repo", "", "", Lists("https://acme.dev/");
    }
}
