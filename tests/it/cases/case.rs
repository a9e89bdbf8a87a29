//! Reads tests/cases/cases.json and creates the site that a case describes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::platform::{HAS_PIPES, allows_name, name_of_bytes};
use crate::site_test::SiteTest;
use crate::txtar::bytes_of_base64;

/// A small site and its expected output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) group: String,
    pub(super) title: String,
    pub(super) input: Value,
    pub(super) expected: Map<String, Value>,
    pub(super) why: String,
    pub(super) source: String,
    pub(super) strength: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    pub(super) base: String,
    #[serde(default)]
    files: Vec<InputFile>,
    #[serde(default)]
    options: Map<String, Value>,
    now: Option<String>,
    commit: Option<Commit>,
    text: Option<String>,
    toml: Option<String>,
    pub(super) count: Option<usize>,
    name_length: Option<usize>,
    pub(super) add_sitemap: Option<String>,
    pub(super) runs: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Commit {
    epoch: i64,
    tz: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InputFile {
    path: Option<String>,
    path_b64: Option<String>,
    text: Option<String>,
    b64: Option<String>,
    r#gen: Option<Generated>,
    symlink: Option<String>,
    #[serde(default)]
    fifo: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Generated {
    #[serde(default)]
    prefix: String,
    unit: Option<String>,
    unit_counted: Option<String>,
    times: usize,
    #[serde(default)]
    suffix: String,
}

impl Case {
    pub(super) fn input(&self) -> Input {
        Input::deserialize(&self.input).unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }
}

impl Input {
    /// Creates the site, its output directory `public` and its settings. In the groups `dates` and
    /// `robots-update`, the single page is implied.
    pub(super) fn site(&self, group: &str) -> SiteTest {
        let mut site = SiteTest::empty();
        std::fs::create_dir(site.root().join("public")).expect("the directory can be created");
        for file in &self.files {
            file.put(&site);
        }
        self.put_many(&site);
        if group == "dates" {
            let modified =
                |text| format!("<meta property=\"article:modified_time\" content=\"{text}\">");
            site.page(
                "public/p.html",
                &self.text.as_ref().map(modified).unwrap_or_default(),
            );
        }
        if group == "robots-update" {
            site.page("public/index.html", "");
        }
        if let Some(commit) = &self.commit {
            commit.make(&site);
        }
        site.write("waypost.toml", self.settings());
        let option = self.options.get("now").and_then(Value::as_str);
        if let Some(now) = self.now.as_deref().or(option) {
            let now: jiff::Timestamp = now.parse().expect("a date with time and zone");
            site.variable("SOURCE_DATE_EPOCH", &now.as_second().to_string());
        }
        site
    }

    /// Whether this system can have the files of the case.
    pub(super) fn can_exist(&self) -> bool {
        self.files.iter().all(InputFile::can_exist)
    }

    fn put_many(&self, site: &SiteTest) {
        for number in 0..self.count.unwrap_or_default() {
            let mut dir = PathBuf::from("public");
            match self.name_length {
                Some(length) => dir.extend((0..length / 201).map(|_| "a".repeat(200))),
                None => dir.push(format!("{:03}", number / 1_000)),
            }
            site.page(dir.join(format!("p{number:06}.html")), "");
        }
    }

    /// The settings that the options of the case mean.
    fn settings(&self) -> String {
        let mut tables: BTreeMap<&str, String> = BTreeMap::new();
        let mut set = |table, key: &str, value: &str| {
            let lines = tables.entry(table).or_default();
            lines.extend([key, " = ", value, "\n"]);
        };
        for (key, value) in &self.options {
            let value = value.to_string();
            match key.as_str() {
                "now" => {}
                "text" => set("[sitemap]", "formats", "[\"xml\", \"txt\"]"),
                "gzip" => set("[sitemap]", key, "\"also\""),
                "max_urls" | "feeds" | "hreflang" => set("[sitemap]", key, &value),
                "obey_robots" => set("[robots_txt]", "obey", &value),
                "priority" | "changefreq" | "lastmod" => {
                    set("[[rule]]\nmatch = \"**\"", key, &value);
                }
                _ => panic!("unknown option `{key}`"),
            }
        }
        if self.text.is_some() {
            set("[lastmod]", "from", "[\"page\"]");
        }
        let tables = tables
            .into_iter()
            .map(|(name, lines)| format!("{name}\n{lines}"));
        tables.chain(self.toml.clone()).collect()
    }
}

impl Commit {
    /// Commits everything at a time that `git commit` itself may reject.
    fn make(&self, site: &SiteTest) {
        site.git(&["init", "--quiet"]);
        site.git(&["add", "--all"]);
        let tree = site.git(&["write-tree"]);
        let who = format!("t <t@example.com> {} {}", self.epoch, self.tz);
        site.write(
            "commit",
            format!("tree {tree}\nauthor {who}\ncommitter {who}\n\nx\n"),
        );
        let commit = site.git(&["hash-object", "-t", "commit", "-w", "--literally", "commit"]);
        site.git(&["update-ref", "HEAD", &commit]);
    }
}

impl InputFile {
    /// Whether this system can have such a file.
    fn can_exist(&self) -> bool {
        let bytes = self.path_b64.as_deref().map(bytes_of_base64);
        self.path.as_deref().is_none_or(allows_name)
            && bytes.is_none_or(|bytes| name_of_bytes(&bytes).is_some())
            && (HAS_PIPES || !self.fifo)
    }

    fn put(&self, site: &SiteTest) {
        let path = match (&self.path, &self.path_b64) {
            (Some(path), None) => PathBuf::from(path),
            (None, Some(bytes)) => name_of_bytes(&bytes_of_base64(bytes))
                .expect("the case is run only where such names exist")
                .into(),
            _ => panic!("a file has exactly one path"),
        };
        let path = Path::new("public").join(path);
        match (&self.symlink, self.fifo) {
            (Some(target), _) => site.link(path, target),
            (None, true) => site.fifo(path),
            (None, false) => site.write(path, self.content()),
        };
    }

    fn content(&self) -> Vec<u8> {
        match (&self.text, &self.b64, &self.r#gen) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(bytes), None) => bytes_of_base64(bytes),
            (None, None, Some(generated)) => generated.text().into_bytes(),
            _ => panic!("a file has exactly one content"),
        }
    }
}

impl Generated {
    fn text(&self) -> String {
        let body = match (&self.unit, &self.unit_counted) {
            (Some(unit), None) => unit.repeat(self.times),
            (None, Some(unit)) => (0..self.times)
                .map(|number| unit.replace("{i}", &number.to_string()))
                .collect(),
            _ => panic!("a generated text has exactly one unit"),
        };
        format!("{}{body}{}", self.prefix, self.suffix)
    }
}
