//! Sites of every generator, as built by the real generators, or as their documentation describes the
//! output where an archive says so: each page has the source it was made from.
//!
//! `tests/generators` contains an archive of each site: tables of every page's source, the site's
//! own files and its output. `tests/slow/sources.sh` rebuilds the sites and checks tables and output
//! against the generators' own data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use crate::site_test::{SiteTest, text_at};
use crate::sitemap_xml::{Entry, parse};
use crate::txtar::{ArchivedFile, SiteArchive};

const SITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generators");

/// A table in the comment of an archive: `# OUTPUT ARGUMENTS...`, then one line per page.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) output: String,
    arguments: Vec<String>,
    /// The text above the tables; empty if the real generator built the site.
    pub(crate) note: String,
    /// Lines of the table: a page, its source or `-`, or `?` and the source that waypost does not know.
    pub(crate) rows: Vec<String>,
    files: Rc<[ArchivedFile]>,
}

impl Table {
    fn all_of(path: &Path) -> Vec<Self> {
        let text = fs::read_to_string(path).expect("the archive is UTF-8");
        let archive = SiteArchive::parse(&text);
        let files = Rc::from(archive.files);
        let name = path.file_stem().expect("the archive has a name").display();
        let comment = format!("\n{}", archive.comment);
        let mut parts = comment.split("\n# ");
        let note = parts.next().unwrap_or_default().trim();
        parts
            .map(|table| Self {
                note: note.to_owned(),
                ..Self::parse(&name.to_string(), table, &files)
            })
            .collect()
    }

    fn parse(name: &str, table: &str, files: &Rc<[ArchivedFile]>) -> Self {
        let (first, pages) = table.split_once('\n').expect("the table has pages");
        let mut words = first.split(' ').map(str::to_owned);
        let output = words.next().expect("the first line names the output");
        let rows = pages.lines().filter(|line| !line.is_empty());
        Self {
            name: format!("{name}, {output}"),
            output,
            arguments: words.collect(),
            note: String::new(),
            rows: rows.map(str::to_owned).collect(),
            files: Rc::clone(files),
        }
    }

    /// Writes the site into a new directory and commits it.
    pub(crate) fn site(&self) -> SiteTest {
        let site = SiteTest::empty();
        for file in &*self.files {
            site.write(&file.name, &file.content);
        }
        site.commit("2024-05-05T00:00:00Z");
        site
    }

    /// The pages with the sources that waypost must find: none if only the generator knows one.
    pub(crate) fn expected(&self) -> Vec<String> {
        let known = |line: &String| {
            let known = line.split("\t?").next().unwrap_or(line);
            known.trim_end_matches("\t-").to_owned()
        };
        let mut expected: Vec<String> = self.rows.iter().map(known).collect();
        expected.sort();
        expected
    }

    /// The pages with the sources that waypost finds.
    pub(crate) fn found(&self) -> Vec<String> {
        let explained = self.run(&self.site(), "explain");
        let pages = explained
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("each line is an object"));
        let pages = pages.filter(|page| page["reason"] != "redirect");
        let mut sources: Vec<String> = pages
            .map(|page| {
                let file = text_at(&page, "file").expect("a page has a file");
                match text_at(&page, "source") {
                    Some(source) => format!("{file}\t{source}"),
                    None => file,
                }
            })
            .collect();
        sources.sort();
        sources
    }

    pub(crate) fn run(&self, site: &SiteTest, command: &str) -> String {
        let arguments = self.arguments.iter().map(String::as_str);
        let arguments = [command].into_iter().chain(arguments).chain(["--json"]);
        let outcome = site.waypost(&arguments.collect::<Vec<_>>());
        outcome.succeeded().stdout
    }
}

pub(crate) fn tables() -> Vec<Table> {
    let files = fs::read_dir(SITES).expect("tests/generators exists");
    let files = files.map(|entry| entry.expect("the entry can be read").path());
    let mut archives: Vec<PathBuf> = files
        .filter(|file| file.extension() == Some("txtar".as_ref()))
        .collect();
    archives.sort();
    let tables = archives.iter().flat_map(|path| Table::all_of(path));
    tables.collect()
}

#[test]
fn every_page_of_every_generator_has_its_source() {
    for table in tables() {
        assert_eq!(table.found(), table.expected(), "{}", table.name);
    }
}

#[test]
fn every_generator_has_a_site_and_its_own_sitemap_is_replaced() {
    let manifest: toml::Table = toml::from_str(include_str!("../../plugin-manifest.toml"))
        .expect("the manifest is valid TOML");
    let known = manifest["generator"].as_table().expect("a table").keys();
    let mut known: BTreeSet<String> = known.cloned().collect();
    for table in tables() {
        let site = table.site();
        let result: Value = serde_json::from_str(&table.run(&site, "build")).expect("one object");
        let generator = text_at(&result, "generator").expect("a generator is recognised");
        let output = format!("{}/", table.output);
        let mut sitemaps = site.files();
        sitemaps.retain(|file| {
            let name = file.rsplit('/').next().unwrap_or_default();
            file.starts_with(&output) && name.starts_with("sitemap")
        });
        if generator == "docusaurus" {
            // It lists the pages of further languages in sitemaps of their own.
            sitemaps.retain(|file| !file.contains("/de/") && !file.contains("/fr/"));
            let findings = result["findings"].to_string();
            assert!(!findings.contains("own-sitemap-omits"), "{}", table.name);
        }
        // The names of the generator stay: the entry point of Astro and Gatsby, the compressed copy of MkDocs.
        let names: &[&str] = match generator.as_str() {
            "astro" | "gatsby" => &["sitemap-index.xml"],
            "mkdocs" => &["sitemap.xml", "sitemap.xml.gz"],
            _ => &["sitemap.xml"],
        };
        let expected: Vec<String> = names.iter().map(|name| format!("{output}{name}")).collect();
        assert_eq!(sitemaps, expected, "{}", table.name);
        known.remove(&generator);
    }
    assert!(
        known.is_empty(),
        "{known:?} have no site in tests/generators"
    );
}

/// The entries of all sitemaps below a directory, by the path and query of their URLs.
fn entries_by_path(site: &SiteTest, output: &str) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    for file in site.files() {
        let name = file.rsplit('/').next().unwrap_or_default();
        if !(file.starts_with(&format!("{output}/"))
            && name.starts_with("sitemap")
            && name
                .split_once('.')
                .is_some_and(|(_, ending)| ending == "xml"))
        {
            continue;
        }
        let root = parse(site.read(&file).as_bytes());
        let entries = root
            .ok()
            .filter(|root| root.name == "urlset")
            .map(|root| root.entries());
        for entry in entries.into_iter().flatten() {
            let path = entry.loc.splitn(4, '/').nth(3).unwrap_or_default();
            found.insert(decoded(path), entry);
        }
    }
    found
}

fn decoded(path: &str) -> String {
    percent_encoding::percent_decode_str(path)
        .decode_utf8_lossy()
        .into_owned()
}

#[test]
fn nothing_of_a_generators_own_sitemap_goes_without_a_line() {
    for table in tables() {
        let site = table.site();
        let before = entries_by_path(&site, &table.output);
        let result: Value =
            serde_json::from_str(&table.run(&site, "build")).expect("a JSON result");
        let after = entries_by_path(&site, &table.output);
        let (mut removed, mut undated, mut links, mut images) = (0, 0, 0, 0);
        for (path, old) in &before {
            let Some(new) = after.get(path) else {
                removed += 1;
                links += old.alternates.len();
                images += old.images.len();
                continue;
            };
            undated += usize::from(old.lastmod.is_some() && new.lastmod.is_none());
            // Other links in the head of the page overrule those of the sitemap.
            if new.alternates.is_empty() {
                links += old.alternates.len();
            }
            images += old.images.len() - new.images.len();
        }
        let changes = &result["changes"];
        let count = |pointer: &str| {
            let count = changes.pointer(pointer).and_then(Value::as_u64);
            usize::try_from(count.unwrap_or(0)).expect("a small number")
        };
        let name = &table.name;
        assert_eq!(removed, count("/removed"), "{name}: {changes}");
        assert_eq!(undated, count("/undated"), "{name}: {changes}");
        let told = count("/language_links/lost") + count("/language_links/dropped");
        assert!(links <= told, "{name}: {links} links: {changes}");
        assert_eq!(images, count("/images/lost"), "{name}: {changes}");
        let contents = || {
            site.files()
                .into_iter()
                .map(|file| (site.bytes(&file), file))
        };
        let written: Vec<_> = contents().collect();
        table.run(&site, "build");
        assert!(contents().eq(written), "{name}: the second run");
    }
}
