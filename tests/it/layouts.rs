//! The layouts of projects by generator: the output is found from the root of the project, by the
//! generator's own files or by the name of the directory.

use crate::site_test::SiteTest;

/// A project with this file, built into this directory, as the tool's documentation says.
const LAYOUTS: &[(&str, &str, &str)] = &[
    ("Analog", "vite.config.ts", "dist/analog/public"),
    ("Angular", "angular.json", "dist/shop/browser"),
    ("Antora", "antora-playbook.yml", "build/site"),
    ("Astro", "astro.config.mjs", "dist"),
    ("Bridgetown", "bridgetown.config.yml", "output"),
    ("Create React App", "src/index.js", "build"),
    ("Docsify", "docs/README.md", "docs"),
    ("Docusaurus", "docusaurus.config.js", "build"),
    ("Eleventy", "eleventy.config.js", "_site"),
    ("Gatsby", "gatsby-config.js", "public"),
    ("Hexo", "source/_posts/a.md", "public"),
    ("Hugo", "hugo.toml", "public"),
    ("JSDoc", "jsdoc.json", "out"),
    ("Jekyll", "_config.yml", "_site"),
    ("Lume", "_config.ts", "_site"),
    ("Middleman", "config.rb", "build"),
    ("MkDocs", "mkdocs.yml", "site"),
    ("Next.js", "next.config.js", "out"),
    ("Nikola", "conf.py.example", "output"),
    ("Nuxt", "nuxt.config.ts", ".output/public"),
    ("Pelican", "pelicanconf.py", "output"),
    ("Quarto book", "_quarto.yml", "_book"),
    ("Quarto website", "_quarto.yml", "_site"),
    ("React Router", "react-router.config.ts", "build/client"),
    ("Sphinx", "conf.py", "_build/html"),
    ("SvelteKit", "svelte.config.js", "build"),
    ("VitePress", ".vitepress/config.mts", ".vitepress/dist"),
    ("VuePress", ".vuepress/config.js", ".vuepress/dist"),
    ("Zensical", "zensical.toml", "site"),
    ("Zola", "config.toml", "public"),
    ("mdBook", "book.toml", "book"),
    ("rustdoc", "src/lib.rs", "target/doc"),
];

#[test]
fn the_output_of_every_layout_is_found_from_the_root() {
    for (tool, file, output) in LAYOUTS {
        let site = SiteTest::empty();
        let base = "base_url = \"https://site.example.com/\"\n";
        site.write(file, if *tool == "Zola" { base } else { "" });
        site.page(format!("{output}/index.html"), "");
        let outcome = site.waypost(&["--base-url", "https://site.example.com/"]);
        assert_eq!(outcome.code, 0, "{tool}: {}", outcome.stderr);
        let written: Vec<String> = site.files();
        let written = written.iter().filter(|file| file.ends_with("sitemap.xml"));
        let expected = format!("{output}/sitemap.xml");
        assert_eq!(written.collect::<Vec<_>>(), [&expected], "{tool}");
    }
}

#[test]
fn the_projects_of_an_angular_workspace_are_several_sites() {
    let site = SiteTest::empty();
    site.write("angular.json", "{}")
        .write("dist/shop/server/main.js", "")
        .page("dist/shop/browser/index.html", "")
        .page("dist/docs/browser/index.html", "");
    site.waypost(&[])
        .ended_with(2)
        .says("`waypost -o dist/docs/browser`, `waypost -o dist/shop/browser`");
}

#[test]
fn a_page_directory_named_browser_is_not_an_output() {
    let site = SiteTest::empty();
    site.page("dist/index.html", "")
        .page("dist/help/browser/index.html", "");
    let outcome = site.waypost(&["--base-url", "https://site.example.com/"]);
    outcome.succeeded().says("output  dist");
    assert_eq!(site.entries_of("dist/sitemap.xml").len(), 2);
}
