//! Mistakes of the first day, and right sites that look like them: what is written, and what the
//! user reads.
//!
//! Each row of a table is one site. A refused run writes nothing, and says what to do instead.

use crate::site_test::SiteTest;

const NO_LINK: &str = "<title>t</title>";
const BASE: &str = "--base-url https://site.example.com/";

/// A run of waypost on a site: its files, the arguments, the exit code, the directory in which the
/// sitemap is written, and the texts in stderr.
struct Day<'a> {
    name: &'a str,
    files: &'a [(&'a str, &'a str)],
    arguments: &'a str,
    code: i32,
    written: Option<&'a str>,
    said: &'a [&'a str],
}

impl Day<'_> {
    fn site(&self) -> SiteTest {
        let mut site = SiteTest::with(self.files);
        site.variable("WAYPOST_LEVELS_BASE_URL_PLACEHOLDER", "deny");
        site
    }

    fn check(&self) {
        let site = self.site();
        let before = site.files();
        let arguments: Vec<&str> = self.arguments.split_whitespace().collect();
        let outcome = site.waypost(&arguments);
        let printed = &outcome.stderr;
        let name = self.name;
        assert_eq!(outcome.code, self.code, "{name}: {printed}");
        for text in self.said {
            assert!(printed.contains(text), "{name}: no `{text}`:\n{printed}");
        }
        let after = site.files();
        let new = after.iter().filter(|file| !before.contains(file));
        let written: Vec<&str> = new
            .filter_map(|file| file.strip_suffix("sitemap.xml"))
            .collect();
        let expected: Vec<&str> = self.written.into_iter().collect();
        assert_eq!(written, expected, "{name}: {printed}");
        assert!(self.written.is_some() || after == before, "{name}");
    }
}

/// Checks rows `(name, files, arguments, exit code, directory of the sitemap, texts)`.
macro_rules! days {
    ($($name:literal, [$($file:expr => $text:expr),* $(,)?], $arguments:expr,
       $code:literal, $written:expr, [$($said:expr),* $(,)?];)+) => {
        $(Day {
            name: $name,
            files: &[$(($file, $text)),*],
            arguments: $arguments,
            code: $code,
            written: $written,
            said: &[$($said),*],
        }.check();)+
    };
}

#[test]
fn the_site_is_found_from_the_top_of_the_project() {
    days! {
        "a book of a Rust project",
        ["Cargo.toml" => "", "docs/book.toml" => "[book]", "docs/book/index.html" => NO_LINK],
        BASE, 0, Some("docs/book/"), ["docs/book (mdBook)"];
        "Sphinx in a Python project",
        ["setup.py" => "", "docs/conf.py" => "project = \"x\"", "docs/_build/html/index.html" => NO_LINK],
        BASE, 0, Some("docs/_build/html/"), ["docs/_build/html (Sphinx)"];
        "Sphinx with separate directories",
        ["docs/source/conf.py" => "project = \"x\"", "docs/build/html/index.html" => NO_LINK],
        BASE, 0, Some("docs/build/html/"), ["docs/build/html (Sphinx)"];
        "Sphinx with separate directories and -o",
        ["docs/source/conf.py" => "project = \"x\"", "docs/build/html/index.html" => NO_LINK],
        "-o docs/build/html --base-url https://site.example.com/", 0, Some("docs/build/html/"),
        ["docs/build/html (Sphinx)"];
        "the output of Sphinx with separate directories as the site",
        ["docs/source/conf.py" => "project = \"x\"", "docs/build/html/index.html" => NO_LINK],
        "docs/build/html --base-url https://site.example.com/", 0, Some("docs/build/html/"), ["(Sphinx)"];
        "VitePress in the documentation of a package",
        ["package.json" => "{}", "docs/.vitepress/config.ts" => "", "docs/.vitepress/dist/index.html" => NO_LINK],
        BASE, 0, Some("docs/.vitepress/dist/"), ["docs/.vitepress/dist (VitePress)"];
        "a Docusaurus site next to examples",
        ["website/docusaurus.config.js" => "module.exports = { url: 'https://site.example.com', baseUrl: '/' }",
         "website/build/index.html" => NO_LINK, "examples/a/public/index.html" => NO_LINK],
        "", 0, Some("website/build/"), ["website/build (Docusaurus)"];
        "a Hugo theme with its example site",
        ["theme.toml" => "", "exampleSite/hugo.toml" => "baseURL = 'https://site.example.com/'",
         "exampleSite/public/index.html" => NO_LINK],
        "", 0, Some("exampleSite/public/"), ["(Hugo)"];
        "an output directory with -o, its generator in a subdirectory",
        ["docs/book.toml" => "[book]", "docs/book/index.html" => NO_LINK],
        "-o docs/book --base-url https://site.example.com/", 0, Some("docs/book/"), ["docs/book (mdBook)"];
        "an output directory outside of the generator's, with -o",
        ["docs/conf.py" => "project = \"x\"", "public/index.html" => "<title>t</title>Created using Sphinx"],
        "-o public --base-url https://site.example.com/", 0, Some("public/"), ["public (Sphinx)"];
        "an output directory beside one that the generator has written",
        ["docs/book.toml" => "[book]", "docs/book/index.html" => NO_LINK, "public/index.html" => NO_LINK],
        "-o public --base-url https://site.example.com/", 0, Some("public/"), ["(directory of HTML files)"];
        "the output directory as the site",
        ["docs/book.toml" => "[book]", "docs/book/index.html" => NO_LINK],
        "docs/book --base-url https://site.example.com/", 0, Some("docs/book/"), ["(mdBook)"];
    }
}

#[test]
fn built_pages_are_found_by_the_name_of_their_directory() {
    let known = ".output/public .vitepress/dist .vuepress/dist _book _build/html _site book build \
        build/client build/html build/site dist dist/analog/public docs docs/.vitepress/dist \
        docs/_build/html out output packages/web/dist public site target/doc website/out";
    for dir in known.split(' ') {
        let (home, written) = (format!("{dir}/index.html"), format!("{dir}/"));
        days! {
            "a known directory", [&home => NO_LINK], BASE, 0, Some(&written), [dir];
        }
    }
}

#[test]
fn a_directory_that_is_not_the_output_is_refused() {
    let package = r#"{"scripts":{"build":"vite build"}}"#;
    days! {
        "Next.js without an export",
        ["next.config.js" => "module.exports = {}", "package.json" => "{}", ".next/BUILD_ID" => "x"],
        BASE, 2, None, ["`./out`", "set `output: \"export\"` in next.config.js"];
        "a setting twice",
        ["waypost.toml" => "exclude = []\nexclude = []\n", "public/index.html" => NO_LINK],
        BASE, 2, None, ["duplicate key", "waypost.toml:2:1", "remove one of the two"];
        "nothing built", ["src/a.md" => ""], BASE, 2, None, ["no site found in `.`", "build the site first"];
        "a package before its build", ["package.json" => package, "index.html" => NO_LINK], BASE, 2, None,
        ["may be the template of a build", "`-o .`"];
        "a template in a package",
        ["package.json" => "{}", "index.html" => "<script type=module src=\"/src/main.ts\">"], BASE, 2, None,
        ["build the site first"];
        "an app before its build",
        ["package.json" => package, "public/index.html" => "<link href=%PUBLIC_URL%/a.css>"], BASE, 2, None,
        ["no site found"];
        "pages of tests", ["Cargo.toml" => "", "tests/a/index.html" => NO_LINK, "a.html" => NO_LINK], BASE, 2, None,
        ["no site found"];
        "settings and pages without a home page", ["waypost.toml" => "", "templates/base.html" => NO_LINK, "built/a.html" => NO_LINK],
        BASE, 2, None, ["no site found", "`waypost -o built`"];
        "an empty output", ["public/a.txt" => ""], BASE, 2, None, ["no page found in `public`"];
        "a misspelt output", ["public/index.html" => NO_LINK], "-o pubilc --base-url https://site.example.com/", 2, None,
        ["these directories have pages", "/public`"];
        "two sites", ["a/public/index.html" => NO_LINK, "b/dist/index.html" => NO_LINK], BASE, 2, None,
        ["`.` contains several sites", "`waypost -o a/public`, `waypost -o b/dist`"];
        "two outputs", ["dist/index.html" => NO_LINK, "out/index.html" => NO_LINK], BASE, 2, None,
        ["`waypost -o dist`, `waypost -o out`"];
        "two generators", ["a/book.toml" => "", "b/mkdocs.yml" => "site_name: x"], BASE, 2, None,
        ["`waypost a` (mdBook, not built), `waypost b` (MkDocs, not built)"];
        "an unknown directory", ["www/index.html" => NO_LINK], BASE, 2, None,
        ["no site found"];
        "a generator below that is not built",
        ["website/docusaurus.config.js" => "module.exports = {}", "examples/a/public/index.html" => NO_LINK],
        "", 2, None, ["website/build", "build the site first"];
        "without a base URL, the directory is the problem", ["www/index.html" => NO_LINK], "", 2, None,
        ["no site found"];
    }
}

#[test]
fn the_output_that_is_deployed_is_found() {
    let hugo = "baseURL = 'https://site.example.com/'";
    let artifact = "jobs:\n  a:\n    steps:\n      - uses: actions/upload-pages-artifact@v3\n        with: { path: ./www/ }\n";
    let computed = "jobs:\n  a:\n    steps:\n      - uses: actions/upload-pages-artifact@v3\n        with: { path: '${{ env.X }}' }\n";
    days! {
        "Netlify's", ["netlify.toml" => "[build]\npublish = \"www\"", "www/index.html" => NO_LINK], BASE, 0, Some("www/"), [];
        "Netlify's, from its base", ["netlify.toml" => "[build]\nbase = \"web\"\npublish = \"www\"", "web/www/index.html" => NO_LINK],
        BASE, 0, Some("web/www/"), [];
        "Netlify's, before a generator's of an earlier build",
        ["hugo.toml" => hugo, "netlify.toml" => "[build]\npublish = \"dist\"", "dist/index.html" => NO_LINK, "public/old/index.html" => NO_LINK],
        "", 0, Some("dist/"), ["warning[output-dir-rivals]", "`dist`, by `build.publish` in netlify.toml, and `public`, by Hugo"];
        "Netlify's of a context", ["netlify.toml" => "[context.production]\npublish = \"www\"", "www/index.html" => NO_LINK], BASE, 2, None,
        ["`waypost -o www`"];
        "Vercel's", ["vercel.json" => "{\"outputDirectory\": \"www\"}", "www/index.html" => NO_LINK], BASE, 0, Some("www/"), [];
        "Firebase's", ["firebase.json" => "{\"hosting\": [{\"public\": \"www\"}, {\"public\": \"none\"}]}", "www/index.html" => NO_LINK], BASE, 0,
        Some("www/"), [];
        "Cloudflare's", ["wrangler.jsonc" => "{ /* x */ \"pages_build_output_dir\": \"./www\", }", "www/index.html" => NO_LINK], BASE, 0, Some("www/"), [];
        "a package's template beside it", ["package.json" => "{\"scripts\":{\"build\":\"x\"}}", "index.html" => NO_LINK,
         "vercel.json" => "{\"outputDirectory\": \"www\"}", "www/index.html" => NO_LINK], BASE, 0, Some("www/"), [];
        "a workflow's", [".git/HEAD" => "ref: refs/heads/main\n", ".git/config" => "", ".git/objects/x" => "", ".git/refs/x" => "",
         ".github/workflows/a.yml" => artifact, "www/index.html" => NO_LINK], BASE, 0, Some("www/"), [];
        "a workflow's expression", [".git/HEAD" => "ref: refs/heads/main\n", ".git/config" => "", ".git/objects/x" => "", ".git/refs/x" => "",
         ".github/workflows/a.yml" => computed, "www/index.html" => NO_LINK], BASE, 2, None, ["`waypost -o www`"];
        "that of an adapter for Vercel", ["astro.config.mjs" => "export default { site: 'https://site.example.com' }",
         ".vercel/output/static/index.html" => NO_LINK], "", 0, Some(".vercel/output/static/"), [];
        "a stale one of Vercel beside a fresh one", ["hugo.toml" => hugo, "public/index.html" => NO_LINK,
         ".vercel/output/static/index.html" => NO_LINK], "", 0, Some("public/"), [];
        "a part of it is the generator's", [".git/HEAD" => "ref: refs/heads/main\n", ".git/config" => "", ".git/objects/x" => "", ".git/refs/x" => "",
         "netlify.toml" => "[build]\npublish = \"dist\"", "dist/index.html" => NO_LINK,
         "docs/book.toml" => "[book]\n[build]\nbuild-dir = \"../dist/book\"", "dist/book/index.html" => NO_LINK],
        "docs --base-url https://site.example.com/", 0, Some("dist/book/"), [];
        "Sphinx' other builder", ["conf.py" => "project = 'S'", "_build/dirhtml/index.html" => NO_LINK], BASE, 0, Some("_build/dirhtml/"), [];
    }
}

#[test]
fn of_two_outputs_that_of_the_running_pipeline_or_the_newer_one_is_used() {
    let mut site = SiteTest::hugo("");
    site.write("netlify.toml", "[build]\npublish = 'dist'")
        .write("dist/index.html", NO_LINK)
        .write("public/index.html", NO_LINK);
    let stale = std::fs::File::open(site.root().join("dist/index.html")).expect("a file");
    let day = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    stale.set_modified(day).expect("the time can be set");
    let run = site.waypost(&["--dry-run"]).succeeded();
    run.says("warning[output-dir-rivals]")
        .says("output  public (Hugo)");
    site.variables("NETLIFY=true CONTEXT=production BRANCH=main");
    site.waypost(&["--dry-run"])
        .succeeded()
        .says("output  dist (Hugo)");
    site.waypost(&["--dry-run", "-o", "public"])
        .succeeded()
        .says_nothing_of("rivals");
}

#[test]
fn a_site_of_plain_files_is_found_as_before() {
    let package = r#"{"scripts":{"build":"x"}}"#;
    days! {
        "a home page", ["index.html" => NO_LINK, "dist/index.html" => NO_LINK], BASE, 0, Some(""), ["output  ."];
        "a page without a home page", ["a.html" => NO_LINK], BASE, 0, Some(""), ["1 of 1 listed"];
        "settings name the root", ["waypost.toml" => "output_dir = \".\"", "blog/a/index.html" => NO_LINK], BASE, 0, Some(""), [];
        "settings name the output", ["waypost.toml" => "output_dir = \"www\"", "www/index.html" => NO_LINK], BASE, 0,
        Some("www/"), [];
        "a package that is served as it is", ["package.json" => package, "index.html" => NO_LINK],
        "-o . --base-url https://site.example.com/", 0, Some(""), [];
        "a package without a build", ["package.json" => "{}", "index.html" => NO_LINK], BASE, 0, Some(""), [];
        "the home page of a Go module", ["go.mod" => "", "index.html" => NO_LINK], BASE, 0, Some(""), [];
        "static files of a package", ["package.json" => package, "public/index.html" => NO_LINK,
         "dist/index.html" => NO_LINK], BASE, 0, Some("dist/"), [];
        "the output of a package beside its template", ["package.json" => "{}", "index.html" => NO_LINK,
         "dist/index.html" => NO_LINK], BASE, 0, Some("dist/"), [];
        "any directory that the user names", ["www/blog/a.html" => NO_LINK],
        "-o www --base-url https://site.example.com/", 0, Some("www/"), [];
        "a directory with pages as the site", ["www/a.html" => NO_LINK, "www/docs/index.html" => NO_LINK],
        "www --base-url https://site.example.com/", 0, Some("www/"), ["2 of 2 listed"];
    }
}

#[test]
fn the_content_of_a_site_leads_to_its_output() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://site.example.com\"\n")
        .page("public/index.html", "")
        .page("templates/index.html", "")
        .write("content/a.md", "");
    for dir in ["templates", "content"] {
        site.waypost(&[dir]).succeeded().says("public (Zola)");
        assert!(!site.root().join(dir).join("sitemap.xml").exists());
    }
    assert_eq!(site.entries_of("public/sitemap.xml").len(), 1);
}

#[test]
fn the_base_url_is_found_in_the_site() {
    let urlset = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <url><loc>https://site.example.com/docs/</loc></url>\
        <url><loc>https://site.example.com/docs/a/</loc></url></urlset>";
    let page = "<link rel=canonical href=https://site.example.com/docs/a/>";
    let docs = "site  https://site.example.com/docs/ from";
    let root = "site  https://site.example.com/ from";
    let remote = "[remote \"origin\"]\n\turl = git@github.com:ann/docs.git\n";
    days! {
        "canonical links below the home page", ["index.html" => NO_LINK, "a/index.html" => page], "", 0, Some(""),
        [docs, "the canonical link of one page"];
        "the generator's sitemap", ["book.toml" => "", "book/index.html" => NO_LINK, "book/a/index.html" => NO_LINK,
         "book/sitemap.xml" => urlset], "--dry-run", 0, None, [docs, "the generator's sitemap.xml"];
        "robots.txt", ["index.html" => NO_LINK, "robots.txt" => "Sitemap: https://site.example.com/sitemap.xml\n"],
        "", 0, Some(""), [root, "from robots.txt"];
        "CNAME in the repository", ["book.toml" => "", "book/index.html" => NO_LINK, "CNAME" => "site.example.com"],
        "", 0, Some("book/"), [root, "CNAME in the repository"];
        "the remote, with the path in the settings",
        ["book.toml" => "[output.html]\nsite-url = \"/docs/\"", "book/index.html" => NO_LINK, ".git/config" => remote],
        "", 0, Some("book/"), ["https://ann.github.io/docs/ from the repository's remote"];
        "the remote, with a workflow for Pages",
        ["book.toml" => "", "book/index.html" => NO_LINK, ".git/config" => remote,
         ".github/workflows/a.yml" => "jobs: {site: {steps: [uses: actions/deploy-pages@v4]}}"],
        "", 0, Some("book/"), ["https://ann.github.io/docs/ from the repository's remote"];
        "a remote alone is only suggested",
        ["book.toml" => "", "book/index.html" => NO_LINK, ".git/config" => remote], "", 2, None,
        ["no base URL", "`--base-url https://ann.github.io/docs/` (the repository's remote)"];
        "a path alone is completed",
        ["book.toml" => "[output.html]\nsite-url = \"/docs/\"", "book/index.html" => NO_LINK], "", 2, None,
        ["`--base-url https://example.com/docs/`"];
        "a placeholder gives way to the next answer",
        ["hugo.toml" => "baseURL = 'https://example.org/'", "public/index.html" => NO_LINK,
         "public/CNAME" => "site.example.com"], "", 0, Some("public/"), [root, "from CNAME"];
        "two answers",
        ["index.html" => "<link rel=canonical href=https://www.site.example.com/>", "CNAME" => "site.example.com"],
        "", 0, Some(""), ["warning[base-url-disagreement]", "https://www.site.example.com/ from the canonical link"];
    }
}

#[test]
fn a_placeholder_is_refused_unless_the_user_names_it() {
    let hugo = "baseURL = 'https://example.org/'";
    let docusaurus =
        "module.exports = { url: 'https://your-docusaurus-site.example.com', baseUrl: '/' }";
    let local = "<link rel=canonical href=http://localhost:1111/>";
    days! {
        "hugo new site", ["hugo.toml" => hugo, "public/index.html" => NO_LINK], "", 1, None,
        ["error[base-url-placeholder]", "set `baseURL` in hugo.toml", "nothing was written"];
        "npx create-docusaurus", ["docusaurus.config.js" => docusaurus, "build/index.html" => NO_LINK], "", 1, None,
        ["error[base-url-placeholder]"];
        "a development server", ["index.html" => local], "", 1, None, ["`http://localhost:1111/`"];
        "a flag", ["hugo.toml" => hugo, "public/index.html" => NO_LINK], "--base-url https://example.org/", 0,
        Some("public/"), [];
        "a setting", ["waypost.toml" => "base_url = \"https://example.org/\"", "index.html" => NO_LINK], "", 0,
        Some(""), [];
        "--accept", ["hugo.toml" => hugo, "public/index.html" => NO_LINK], "--accept base-url-placeholder", 0,
        Some("public/"), [];
        "a misspelt code", ["index.html" => NO_LINK], "--accept base-url-place-holder", 2, None,
        ["unknown code `base-url-place-holder`", "did you mean `base-url-placeholder`?"];
    }
}

/// Pages `p0` to `pN`, each with a canonical link to its own path below `base`.
pub(crate) fn linked_pages(site: &SiteTest, base: &str, count: usize) {
    for number in 0..count {
        site.page(
            format!("p{number}/index.html"),
            &format!("<link rel=canonical href={base}p{number}/>"),
        );
    }
}

#[test]
fn pages_that_name_another_base_url_stop_the_run() {
    for (base, linked, others, code) in [
        ("https://staging.example.com/", 20, 1, 1),
        ("https://www.example.com/", 3, 2, 1),
        ("http://example.com/", 3, 2, 1),
        ("https://example.com/docs/", 3, 2, 1),
        ("http://localhost:1111/", 3, 1, 1),
        // Right sites: half of the pages, and no page.
        ("https://mirror.example.com/", 2, 2, 0),
        ("https://example.com/", 5, 1, 0),
    ] {
        let site = SiteTest::of_pages(&["index.html"]);
        for number in 1..others {
            site.page(format!("o{number}.html"), "");
        }
        linked_pages(&site, base, linked);
        let outcome = site.waypost(&[]).ended_with(code);
        assert_eq!(site.root().join("sitemap.xml").exists(), code == 0);
        if code == 1 {
            outcome
                .says(&format!("name `{base}` as their base URL"))
                .says_nothing_of("nothing-listed");
        }
    }
}

#[test]
fn copies_of_pages_of_the_same_site_do_not_contradict_its_base_url() {
    let site = SiteTest::of_pages(&["index.html"]);
    for number in 0..5 {
        let link = format!("<link rel=canonical href=https://example.com/en/{number}.html>");
        site.page(format!("{number}.html"), &link)
            .page(format!("en/{number}.html"), &link);
    }
    site.build().says("6 of 11 listed");
}

#[test]
fn a_path_in_the_generators_settings_contradicts_another_path() {
    let book = "[output.html]\nsite-url = \"/book/en/\"";
    days! {
        "CNAME and site-url agree", ["book.toml" => book, "book/index.html" => NO_LINK, "CNAME" => "site.example.com"],
        "", 0, Some("book/"), ["https://site.example.com/book/en/"];
        "a flag overrules site-url", ["book.toml" => book, "book/index.html" => NO_LINK], BASE, 0, Some("book/"),
        ["warning[base-url-disagreement]", "pass `--base-url https://site.example.com/book/en/`"];
        "robots.txt contradicts site-url", ["book.toml" => book, "book/index.html" => NO_LINK,
         "book/robots.txt" => "Sitemap: https://site.example.com/sitemap.xml\n"], "", 1, None,
        ["error[base-url-contradicted]", "the path `/book/en/` of `output.html.site-url`"];
    }
}

#[test]
fn a_site_without_a_listed_page_is_refused() {
    let noindex = "<meta name=robots content=noindex>";
    days! {
        "noindex on every page", ["index.html" => noindex, "sitemap.xml" => "as it was"], BASE, 1, None,
        ["error[nothing-listed]", "1 noindex"];
        "accepted", ["index.html" => noindex], "--accept nothing-listed --base-url https://site.example.com/", 0,
        None, ["0 of 1 listed"];
    }
}
