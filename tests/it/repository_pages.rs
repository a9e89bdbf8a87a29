//! Tests when a repository counts as published on GitHub Pages or GitLab Pages: by what is in it, never by a
//! name alone. A false host is worse than a refusal.

use crate::site_test::{SiteTest, page};

const GITHUB: &str = "https://github.com/acme/book.git";
const AT_GITHUB: &str = "https://acme.github.io/book/";
const HEAD_DATE: &str = "2025-02-20T00:00:00Z";
const RECENT: &str = "2025-02-02T00:00:00Z";
const HOME: (&str, &str) = ("index.html", "<!DOCTYPE html><title>Book</title><p>Text");

/// A repository whose book is built.
struct Repository {
    site: SiteTest,
}

impl Repository {
    fn of(remote: &str) -> Self {
        let site = SiteTest::with(&[
            ("book.toml", "[book]\ntitle = \"B\"\n"),
            (".gitignore", "book/\n"),
            ("book/index.html", &page("")),
        ]);
        site.git(&["init", "-q"]);
        site.git(&["remote", "add", "origin", remote]);
        Self { site }
    }

    /// Commits files to the branch that GitHub publishes, as a clone knows it.
    fn with_branch(self, files: &[(&str, &str)], date: &str) -> Self {
        for (name, text) in files {
            self.site.write(name, text);
        }
        self.site.commit(date);
        let tip = self.site.git(&["rev-parse", "HEAD"]);
        self.site
            .git(&["update-ref", "refs/remotes/origin/gh-pages", tip.trim()]);
        self.site.git(&["update-ref", "-d", "HEAD"]);
        for (name, _) in files {
            self.site.remove(name);
        }
        self
    }

    /// The base URL that a run finds; empty if it is refused. A refusal writes nothing.
    fn base_url(&self) -> String {
        self.site.commit(HEAD_DATE);
        let outcome = self.site.waypost(&[]);
        let written = self.site.root().join("book/sitemap.xml").exists();
        assert_eq!(written, outcome.code == 0, "{}", outcome.stderr);
        let line = outcome
            .stderr
            .lines()
            .find(|line| line.trim_start().starts_with("site "));
        let url = line.and_then(|line| line.split_whitespace().nth(1));
        url.filter(|_| written).unwrap_or_default().to_owned()
    }
}

fn workflow(steps: &str) -> String {
    format!("on: [push]\njobs:\n  site:\n    steps:\n      - run: mdbook build\n{steps}")
}

#[test]
fn a_step_or_a_script_that_publishes_this_repository_names_its_pages() {
    let check = |step: &str, expected: &str| {
        let repository = Repository::of(GITHUB);
        repository
            .site
            .write(".github/workflows/a.yml", workflow(step));
        assert_eq!(repository.base_url(), expected, "{step}");
    };
    let elsewhere = "        with: {external_repository: acme/other}\n";
    let peaceiris = "      - uses: peaceiris/actions-gh-pages@v4\n";
    check("      - uses: actions/deploy-pages@v4\n", AT_GITHUB);
    check(
        "      - uses: \"actions/deploy-pages@0a1b2c\" # v4\n",
        AT_GITHUB,
    );
    check(peaceiris, AT_GITHUB);
    check(&format!("{peaceiris}{elsewhere}"), "");
    check(
        &format!("{peaceiris}        with: {{external_repository: acme/book}}\n"),
        AT_GITHUB,
    );
    check(
        &format!("{peaceiris}        with: {{cname: book.acme.dev}}\n"),
        "https://book.acme.dev/",
    );
    check(
        &format!("{peaceiris}        with: {{destination_dir: en}}\n"),
        "",
    );
    check(
        "      - uses: JamesIves/github-pages-deploy-action@v4\n",
        AT_GITHUB,
    );
    check("      - run: ghp-import -n -p -f book\n", AT_GITHUB);
    check("      - run: npx --yes gh-pages@6 --dist book\n", AT_GITHUB);
    check(
        "      - run: gh-pages -d book -r https://github.com/acme/other.git\n",
        "",
    );
    check("      - run: mkdocs gh-deploy --remote-name upstream\n", "");
    check(
        "      - uses: helm/chart-releaser-action@v1\n        with: {pages_branch: gh-pages}\n",
        "",
    );
    check(
        "      - run: git clone git@github.com:acme/other.git --branch gh-pages\n",
        "",
    );
    check("      - name: Deploy to gh-pages\n        run: echo\n", "");
    check("      # - uses: actions/deploy-pages@v4\n", "");
    check("      - run: echo then run mkdocs gh-deploy\n", "");
    check("      - run: gh-pages -d coverage\n", "");
}

#[test]
fn a_word_that_publishes_nothing_names_no_pages() {
    let check = |file: &str, text: &str, expected: &str| {
        let repository = Repository::of(GITHUB);
        repository.site.write(file, text);
        assert_eq!(repository.base_url(), expected, "{file}: {text}");
    };
    let ignored =
        "on: {push: {branches-ignore: [gh-pages]}}\njobs: {a: {steps: [run: mdbook test]}}\n";
    check(".github/workflows/a.yml", ignored, "");
    check(
        ".github/workflows/a.yml.sample",
        &workflow("      - uses: actions/deploy-pages@v4\n"),
        "",
    );
    check(
        "package.json",
        r#"{"scripts": {"deploy": "npm run build && gh-pages -d book"}}"#,
        AT_GITHUB,
    );
    check(
        "package.json",
        r#"{"scripts": {"deploy": "docusaurus deploy"}}"#,
        AT_GITHUB,
    );
    check(
        "package.json",
        r#"{"devDependencies": {"gh-pages": "^6.0.0"}, "scripts": {}}"#,
        "",
    );
    check(".gitlab-ci.yml", "pages:\n  script: [mdbook build]\n", "");
    check(
        "book.toml",
        "[output.html]\nsite-url = \"/book/\"\n",
        AT_GITHUB,
    );
}

#[test]
fn a_branch_counts_by_the_page_at_its_tip() {
    let check = |files: &[(&str, &str)], date: &str, beside: &str, expected: &str| {
        let repository = Repository::of(GITHUB).with_branch(files, date);
        if !beside.is_empty() {
            repository.site.write(beside, "");
        }
        assert_eq!(repository.base_url(), expected, "{files:?} {date} {beside}");
    };
    check(&[HOME], RECENT, "", AT_GITHUB);
    check(&[HOME], "2024-02-21T00:00:00Z", "", AT_GITHUB);
    check(
        &[HOME, ("CNAME", "Book.acme.dev\n")],
        RECENT,
        "",
        "https://book.acme.dev/",
    );
    // Charts, coverage and benchmarks.
    check(&[("index.yaml", "apiVersion: v1")], RECENT, "", "");
    check(&[("coverage/index.html", HOME.1)], RECENT, "", "");
    // Retired, also with a domain that the project has dropped.
    check(&[HOME], "2024-02-19T00:00:00Z", "", "");
    check(
        &[HOME, ("CNAME", "old.acme.dev\n")],
        "2021-07-13T00:00:00Z",
        "",
        "",
    );
    // Moved to another host.
    let refresh =
        "<title>Moved</title><meta http-equiv=refresh content='1; URL=https://book.acme.dev/'>";
    let script = "<title>Moved</title><script>location.replace('https://book.acme.dev/')</script>";
    check(&[("index.html", refresh)], RECENT, "", "");
    check(&[("index.html", script)], RECENT, "", "");
    let within = "<title>Book</title><meta http-equiv=refresh content='0; URL=en/'>";
    check(&[("index.html", within)], RECENT, "", AT_GITHUB);
    // Another host builds this repository.
    for file in [
        "netlify.toml",
        "vercel.json",
        "firebase.json",
        ".readthedocs.yaml",
    ] {
        check(&[HOME], RECENT, file, "");
    }
}

#[test]
fn a_remote_has_pages_only_at_its_own_forge() {
    let deploy = workflow("      - uses: actions/deploy-pages@v4\n");
    let check = |remote: &str, file: &str, text: &str, expected: &str| {
        let repository = Repository::of(remote);
        repository.site.write(file, text);
        assert_eq!(repository.base_url(), expected, "{remote} {file}");
    };
    let gitlab = "https://gitlab.com/group/sub/book.git";
    let at_gitlab = "https://group.gitlab.io/sub/book/";
    check(
        gitlab,
        ".gitlab-ci.yml",
        "pages:\n  script: [mdbook build]\n",
        at_gitlab,
    );
    check(
        gitlab,
        ".gitlab-ci.yml",
        "site:\n  script: [mdbook build]\n  pages: true\n",
        at_gitlab,
    );
    check(
        gitlab,
        ".gitlab-ci.yml",
        ".pages:\n  script: [mdbook build]\n",
        "",
    );
    check(
        gitlab,
        ".gitlab-ci.yml",
        "# pages:\ntest:\n  script: [mdbook test]\n",
        "",
    );
    check(gitlab, ".github/workflows/a.yml", &deploy, "");
    check(
        "https://git.acme.dev/acme/book.git",
        ".github/workflows/a.yml",
        &deploy,
        "",
    );
    // The repository of a user's own pages.
    check(
        "git@github.com:Acme/acme.GitHub.io.git",
        "a.txt",
        "",
        "https://acme.github.io/",
    );
    check("https://github.com/beta/acme.github.io", "a.txt", "", "");
}

/// GitHub serves a branch without any step that a clone could show. The report is jekyll-now, issue 1178.
#[test]
fn the_top_of_a_repository_is_served_only_below_its_own_path() {
    let check = |remote: &str, more: (&str, &str), arguments: &[&str], expected: i32| {
        let site = SiteTest::with(&[
            ("_config.yml", "url: https://acme.github.io\nbaseurl: ''\n"),
            ("index.html", &page("<link rel=stylesheet href=/style.css>")),
            ("about.html", &page("")),
            more,
        ]);
        site.git(&["init", "-q"]);
        site.git(&["remote", "add", "origin", remote]);
        site.commit(HEAD_DATE);
        let outcome = site.waypost(arguments);
        assert_eq!(outcome.code, expected, "{remote} {}", outcome.stderr);
        outcome
    };
    let (none, top) = (("a.txt", ""), &["-o", "."][..]);
    check(GITHUB, none, top, 1)
        .says("but this repository is served from its top by GitHub Pages only at `https://acme.github.io/book/`");
    check("https://github.com/acme/acme.github.io", none, top, 0);
    check("https://git.acme.dev/acme/book", none, top, 0);
    // A build may be pushed to another repository, and another host serves the top elsewhere.
    check(GITHUB, ("_site/index.html", "<title>Home</title>"), &[], 0);
    check(GITHUB, ("netlify.toml", "[build]\n"), top, 0);
    let given = ["-o", ".", "--base-url", "https://acme.github.io/"];
    check(GITHUB, none, &given, 0);
    let canonical = "<title>x</title><link rel=canonical href=https://acme.github.io/x.html>";
    check(GITHUB, ("x.html", canonical), top, 0);
}
