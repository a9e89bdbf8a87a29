//! A case after its run: its messages and files, read back.

use std::fs;
use std::path::PathBuf;

use super::case::{Case, Input};
use super::checks::need;
use super::schema;
use crate::site_test::{Outcome, SiteTest};
use crate::sitemap_xml::{self, Element, Entry};

/// The site of a case and the result of its run.
pub(super) struct Ran {
    pub(super) site: SiteTest,
    pub(super) input: Input,
    pub(super) outcome: Outcome,
    pub(super) robots_before: Option<Vec<u8>>,
    pub(super) urlsets: Vec<Document>,
    pub(super) indexes: Vec<Document>,
}

/// A sitemap or an index.
pub(super) struct Document {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) root: Element,
}

impl Ran {
    pub(super) fn new(case: &Case) -> Result<Self, String> {
        let input = case.input();
        let site = input.site(&case.group);
        let robots_before = fs::read(site.root().join("public/robots.txt")).ok();
        let outcome = run(&site, &input.base)?;
        let mut ran = Self {
            site,
            input,
            outcome,
            robots_before,
            urlsets: Vec::new(),
            indexes: Vec::new(),
        };
        for name in ran.names("sitemap", ".xml") {
            let bytes = ran.bytes(&name);
            let root = sitemap_xml::parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
            let documents = if root.name == "urlset" {
                &mut ran.urlsets
            } else {
                &mut ran.indexes
            };
            documents.push(Document { name, bytes, root });
        }
        Ok(ran)
    }

    /// Runs again with additional settings in the same site and returns the entries.
    pub(super) fn again_with(&self, toml: &str) -> Result<Vec<Entry>, String> {
        let settings = self.site.read("waypost.toml");
        self.site
            .write("waypost.toml", format!("{settings}\n{toml}"));
        run(&self.site, &self.input.base)?;
        Ok(self.site.entries_of("public/sitemap.xml"))
    }

    /// Runs again and fails if a file of the output directory changes.
    pub(super) fn runs_again_the_same(&self) -> Result<(), String> {
        let snapshot = || {
            let files = self.names("", "").into_iter();
            let files = files.map(|name| (self.bytes(&name), name));
            files.collect::<Vec<_>>()
        };
        let before = snapshot();
        run(&self.site, &self.input.base)?;
        need(snapshot() == before, "the second run changed something")
    }

    /// Returns the sorted names of files at the top level of the output directory.
    pub(super) fn names(&self, prefix: &str, suffix: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).expect("the output directory exists");
        let entries = entries.map(|entry| entry.expect("the entry can be read"));
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter(|name| name.starts_with(prefix) && name.ends_with(suffix))
            .collect();
        names.sort();
        names
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.site.root().join("public")
    }

    pub(super) fn bytes(&self, name: &str) -> Vec<u8> {
        self.site.bytes(&format!("public/{name}"))
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        let documents = self.urlsets.iter();
        documents
            .flat_map(|document| document.root.entries())
            .collect()
    }

    /// Returns the only entry; fails unless exactly one page is listed.
    pub(super) fn entry(&self) -> Result<Entry, String> {
        let [entry] = <[Entry; 1]>::try_from(self.entries())
            .map_err(|all| format!("{} pages are listed", all.len()))?;
        Ok(entry)
    }

    pub(super) fn locs(&self) -> Vec<String> {
        self.entries().into_iter().map(|entry| entry.loc).collect()
    }

    /// Returns the URLs in the indexes.
    pub(super) fn children(&self) -> Vec<String> {
        let documents = self.indexes.iter();
        documents
            .flat_map(|document| document.root.locs())
            .collect()
    }

    pub(super) fn robots(&self) -> Option<Vec<u8>> {
        fs::read(self.folder().join("robots.txt")).ok()
    }

    /// Checks every sitemap and index against the schema.
    pub(super) fn is_valid(&self) -> Result<(), String> {
        let mut documents = self.urlsets.iter().chain(&self.indexes);
        documents.try_for_each(|document| {
            let with_name = |error| format!("{}: {error}", document.name);
            schema::check(&self.folder().join(&document.name)).map_err(with_name)
        })
    }
}

fn run(site: &SiteTest, base: &str) -> Result<Outcome, String> {
    let arguments = ["build", "public", "--config", "waypost.toml", "--base-url"];
    let outcome = site.waypost(&[&arguments[..], &[base]].concat());
    match outcome.code {
        0..=2 => Ok(outcome),
        code => Err(format!("exit code {code}: {}", outcome.stderr)),
    }
}
