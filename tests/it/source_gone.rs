//! Pages whose source was deleted while the output remains, and pages without a source that are right.

use crate::site_test::SiteTest;

const PLAIN: &str = "---\ntitle: x\n---\n";

/// A site of a generator with a home page, one more page and its source.
struct Built {
    site: SiteTest,
    output: &'static str,
}

impl Built {
    fn new(site: SiteTest, output: &'static str, kept: (&str, &str)) -> Self {
        site.write(kept.0, PLAIN)
            .page(format!("{output}/{}", kept.1), "")
            .page(format!("{output}/index.html"), "");
        Self { site, output }
    }

    fn hugo() -> Self {
        let kept = ("content/kept.md", "kept/index.html");
        Self::new(SiteTest::hugo(""), "public", kept)
    }

    fn page(&self, page: &str, head: &str) -> &Self {
        self.site.page(format!("{}/{page}", self.output), head);
        self
    }

    /// Commits a source, then deletes it in another commit.
    fn delete(&self, source: &str, text: &str) -> &Self {
        self.site.write(source, text);
        self.site.commit("2024-01-01T00:00:00Z");
        self.site.remove(source);
        self.site.commit("2024-01-02T00:00:00Z");
        self
    }

    fn run(&self) -> String {
        let base = ["--base-url", "https://example.com/"];
        self.site.waypost(&base).succeeded().stderr
    }

    /// Asserts that exactly this page is reported, with a source that git knows to be deleted.
    fn reports(&self, page: &str, source: &str) {
        let printed = self.run();
        let message = format!(
            "warning[source-gone]: `{page}` is listed, but its source `{source}` was deleted\n"
        );
        assert!(printed.contains(&message), "{message}{printed}");
        let log = ["log", "--diff-filter=D", "--name-only", "--format="];
        let deleted = self.site.git(&log);
        assert!(deleted.lines().any(|line| line == source), "{deleted}");
    }

    fn reports_nothing(&self, name: &str) {
        let printed = self.run();
        assert!(!printed.contains("source-gone"), "{name}: {printed}");
    }
}

#[test]
fn a_page_whose_source_was_deleted_is_reported() {
    let built = Built::hugo();
    built.page("secret/index.html", "");
    built.delete("content/secret.md", "+++\ndraft = true\n+++\n");
    built.reports("secret/index.html", "content/secret.md");
    built
        .site
        .write("waypost.toml", "[levels]\nsource-gone = \"allow\"\n");
    built.reports_nothing("allowed");
}

#[test]
fn a_source_that_is_deleted_but_still_committed_is_gone_too() {
    let built = Built::hugo();
    built.page("secret/index.html", "");
    built.site.write("content/secret.md", "");
    built.site.commit("2024-01-01T00:00:00Z");
    built.reports_nothing("before");
    built.site.remove("content/secret.md");
    let printed = built.run();
    assert!(printed.contains("source `content/secret.md` was deleted"));
}

#[test]
fn many_leftovers_are_one_finding() {
    let built = Built::hugo();
    for name in ["a", "b", "c"] {
        built.page(&format!("{name}/index.html"), "");
        built.delete(&format!("content/{name}.md"), "");
    }
    let printed = built.run();
    assert_eq!(printed.matches("source-gone").count(), 1, "{printed}");
    assert!(printed.contains("was deleted, and 2 other pages are listed likewise"));
}

#[test]
fn the_deleted_source_is_found_by_the_conventions_of_each_generator() {
    // Settings, output and a kept page; then a page, its source that is deleted, and the text of that.
    let table = r"
        hugo.toml | baseURL = 'https://example.com/' | public | content/kept.md kept/index.html
            a/index.html     | content/a/index.md         | ---\ntitle: x\n---\n
            b/index.html     | content/a.md               | ---\nslug: b\n---\n
            x/y/index.html   | content/a.md               | ---\nurl: /x/y/\n---\n
        config.toml | base_url = 'https://example.com' | public | content/kept.md kept/index.html
            a/index.html     | content/2024-01-02-a.md    | +++\n+++\n
        book.toml | [book] | book | src/kept.md kept.html
            ch/a.html        | src/ch/a.md                |
        mkdocs.yml | site_name: x | site | docs/kept.md kept/index.html
            a/index.html     | docs/a.md                  |
        _config.yml | url: https://example.com | _site | kept.md kept.html
            a.html           | a.md                       | ---\ntitle: x\n---\n
            2024/01/02/a.html | _posts/2024-01-02-a.md    | ---\ntitle: x\n---\n
        eleventy.config.js | export default {} | _site | kept.md kept/index.html
            a/index.html     | a.njk                      |
        astro.config.mjs | export default {} | dist | src/pages/kept.md kept/index.html
            a/index.html     | src/pages/a.astro          |
        conf.py | project = 'x' | _build/html | kept.rst kept.html
            a.html           | a.rst                      |
        .vitepress/config.ts | export default {} | .vitepress/dist | kept.md kept.html
            a.html           | a.md                       |
        ";
    let mut generator = ["", "", "", ""];
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&'static str> = line.split('|').map(str::trim).collect();
        if let [file, settings, output, kept] = cells[..] {
            generator = [file, settings, output, kept];
            continue;
        }
        let [file, settings, output, kept] = generator;
        let kept = kept.split_once(' ').expect("a source and its page");
        let built = Built::new(SiteTest::with(&[(file, settings)]), output, kept);
        built.page(cells[0], "");
        built.delete(cells[1], &cells[2].replace("\\n", "\n"));
        built.reports(cells[0], cells[1]);
    }
}

#[test]
fn pages_that_a_generator_makes_without_a_source_are_right() {
    let check = |name: &str, source: &str, pages: &[(&str, &str)]| {
        let built = Built::hugo();
        for (page, head) in pages {
            built.page(page, head);
        }
        built.delete(source, "");
        built.reports_nothing(name);
    };
    let list = [("posts/index.html", ""), ("posts/a/index.html", "")];
    check("a list of a section", "content/posts.md", &list);
    check("a taxonomy", "content/tags.md", &[("tags/index.html", "")]);
    check("a term", "content/tags/a.md", &[("tags/a/index.html", "")]);
    let term = [("de/tags/a/index.html", "")];
    check("a term in a language", "content/de/tags/a.md", &term);
    let pager = [("posts/page/2/index.html", "")];
    check("a pagination page", "content/posts/page/2.md", &pager);
    let alias = "<meta http-equiv=refresh content=\"0; url=https://example.com/kept/\">";
    check("an alias", "content/old.md", &[("old/index.html", alias)]);
    check("another page", "content/a.md", &[("secret/index.html", "")]);
    check("the home page", "content/index.md", &[]);
    let noindex = "<meta name=robots content=noindex>";
    check(
        "a page with noindex",
        "content/a.md",
        &[("a/index.html", noindex)],
    );
}

#[test]
fn pages_that_the_last_build_made_in_another_way_are_right() {
    let deleted = || {
        let built = Built::hugo();
        built.page("a/index.html", "");
        built.delete("content/a.md", "");
        built
    };
    for source in ["content/a/index.md", "content/b.md", "static/a/index.html"] {
        let built = deleted();
        built.site.write(source, "---\nurl: /a/\n---\n");
        built.reports_nothing(source);
    }
    let sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                   <url><loc>https://example.com/a/</loc></url></urlset>";
    let built = deleted();
    built.site.write("public/sitemap.xml", sitemap);
    built.reports_nothing("the generator's sitemap");
    let named = "<meta name=\"waypost:source\" content=\"data/a.json\">";
    let built = deleted();
    built.site.write("data/a.json", "{}");
    built.page("a/index.html", named).reports_nothing("a hint");
    let rule = "[[rule]]\nmatch = \"a/**\"\nsource = \"data/a.json\"\n";
    let built = deleted();
    built
        .site
        .write("data/a.json", "{}")
        .write("waypost.toml", rule);
    built.reports_nothing("a rule");
}

#[test]
fn a_checkout_without_all_files_has_no_deleted_sources() {
    let built = Built::hugo();
    built.page("secret/index.html", "");
    built
        .site
        .write("content/posts/a.md", "")
        .write("content/secret.md", "");
    built.site.commit("2024-01-01T00:00:00Z");
    let patterns = ["/*", "!/content/secret.md"];
    let set = ["sparse-checkout", "set", "--no-cone"];
    built.site.git(&[&set[..], &patterns].concat());
    assert!(!built.site.root().join("content/secret.md").exists());
    built.reports_nothing("a sparse checkout");
    // Without a repository, nothing is known.
    let built = Built::hugo();
    built
        .page("secret/index.html", "")
        .reports_nothing("no repository");
}
