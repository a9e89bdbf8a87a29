//! A site in a temporary directory, and waypost run on it as a user runs it: the binary in its own
//! process.
//!
//! Everything that could differ between two machines is fixed: the environment, the clock, Git's
//! configuration, all names and dates. A test writes pages, runs waypost, and checks the output and
//! the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::platform::{make_pipe, slashed, symlink, temp_dir_path};
use crate::results_schema::assert_result;
use crate::sitemap_xml::{self, Entry};

/// `SOURCE_DATE_EPOCH` of every run: 2100-01-01T00:00:00Z. It is later than the clock of any machine,
/// which would count otherwise.
const NOW: &str = "4102444800";

/// A site in a temporary directory, deleted on drop.
pub(crate) struct SiteTest {
    folder: TempDir,
    root: PathBuf,
    environment: BTreeMap<String, String>,
}

/// Result of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl SiteTest {
    /// Creates an empty site.
    pub(crate) fn empty() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory can be created");
        let root = temp_dir_path(dir.path()).join("site");
        fs::create_dir(&root).expect("the directory can be created");
        Self {
            folder: dir,
            root,
            environment: BTreeMap::new(),
        }
    }

    /// Creates a site of plain pages, served at `https://example.com/`.
    pub(crate) fn of_pages(pages: &[&str]) -> Self {
        let site = Self::empty();
        site.settings("");
        for page in pages {
            site.page(page, "");
        }
        site
    }

    /// Creates a site with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let site = Self::empty();
        site.write_all(files);
        site
    }

    /// Creates a site of Hugo, served at `https://example.com/`, with further settings.
    pub(crate) fn hugo(settings: &str) -> Self {
        let settings = format!("baseURL = \"https://example.com/\"\n{settings}");
        Self::with(&[("hugo.toml", &settings)])
    }

    /// Creates a site of Zola, served at `https://example.com/`, with further settings.
    pub(crate) fn zola(settings: &str) -> Self {
        let settings = format!("base_url = \"https://example.com\"\n{settings}");
        Self::with(&[("config.toml", &settings)])
    }

    /// Creates a site with the files of an archive, as `tests/generators/README.md` describes them.
    #[cfg(target_os = "linux")] // the examples of the documentation
    pub(crate) fn of_files(archive: &str) -> Self {
        let site = Self::empty();
        for file in crate::txtar::SiteArchive::parse(archive).files {
            site.write(&file.name, &file.content);
        }
        site
    }

    /// Returns the site's directory, in which waypost runs.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes the file in which a build of Docusaurus states the source of a page.
    pub(crate) fn docusaurus_page(&self, url: &str, source: &str) -> &Self {
        let dir = ".docusaurus/docusaurus-plugin-content-docs/default";
        let name = source.replace(['/', '.'], "-");
        self.write(
            format!("{dir}/site-{name}-1a2.json"),
            format!(r#"{{"source": "@site/{source}", "permalink": "{url}"}}"#),
        )
    }

    /// Writes a file and creates its parent directories.
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.new_path(path.as_ref()), content).expect("the file can be written");
        self
    }

    /// Writes these files.
    pub(crate) fn write_all(&self, files: &[(&str, &str)]) -> &Self {
        for (path, content) in files {
            self.write(path, content);
        }
        self
    }

    /// Writes a page with the given content in its head.
    pub(crate) fn page(&self, path: impl AsRef<Path>, head: &str) -> &Self {
        self.write(path, page(head))
    }

    /// Writes an `index.html` in each of these directories of the output, which are separated by
    /// spaces; `/` is the output itself. Each links to those below it.
    pub(crate) fn index_pages(&self, output: &str, dirs: &str) -> &Self {
        for dir in dirs.split(' ') {
            let dir = dir.trim_start_matches('/');
            let below = dirs.split(' ').filter_map(|other| other.strip_prefix(dir));
            let links = below.collect::<Vec<_>>().join("\">x</a><a href=\"");
            let head = format!("</head><body><a href=\"{links}\">x</a>");
            self.page(format!("{output}/{dir}index.html"), &head);
        }
        self
    }

    /// Writes `waypost.toml`, starting with a base URL.
    pub(crate) fn settings(&self, toml: &str) -> &Self {
        self.write(
            "waypost.toml",
            format!("base_url = \"https://example.com/\"\n{toml}"),
        )
    }

    /// Deletes a file.
    pub(crate) fn remove(&self, path: impl AsRef<Path>) {
        fs::remove_file(self.root.join(path)).expect("the file exists");
    }

    /// Creates a symbolic link.
    pub(crate) fn link(&self, path: impl AsRef<Path>, target: &str) -> &Self {
        symlink(target, &self.new_path(path.as_ref())).expect("the link can be created");
        self
    }

    /// Creates a named pipe without a writer.
    pub(crate) fn fifo(&self, path: impl AsRef<Path>) -> &Self {
        make_pipe(&self.new_path(path.as_ref()));
        self
    }

    fn new_path(&self, path: &Path) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("the path is in the site"))
            .expect("directories can be created");
        path
    }

    /// Commits everything at a date (`2024-05-06T07:08:09+02:00`), creating the repository if
    /// needed, and returns the commit name.
    pub(crate) fn commit(&self, date: &str) -> String {
        self.commit_of_author(date, date)
    }

    /// Like [`SiteTest::commit`], with a separate author date.
    pub(crate) fn commit_of_author(&self, author_date: &str, date: &str) -> String {
        if !self.root.join(".git").exists() {
            self.git(&["init", "--quiet", "--initial-branch", "main"]);
        }
        self.git(&["add", "--all"]);
        let mut commit = self.git_command();
        commit.args(["commit", "--quiet", "--allow-empty", "--message", "change"]);
        succeed(
            commit
                .env("GIT_AUTHOR_DATE", author_date)
                .env("GIT_COMMITTER_DATE", date),
        );
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git in the site and returns its output.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        succeed(self.git_command().args(arguments))
    }

    /// Returns the file of a loose object.
    pub(crate) fn loose_object(&self, revision: &str) -> PathBuf {
        let id = self.git(&["rev-parse", revision]);
        self.root.join(".git/objects").join(&id[..2]).join(&id[2..])
    }

    /// Returns the date from `git log` for a file, the oracle for all dates. Older versions of git
    /// write `+00:00` for `Z`.
    pub(crate) fn date_by_git(&self, path: &str) -> String {
        self.git(&["log", "-1", "--format=%cI", "--", path])
            .replace("+00:00", "Z")
    }

    /// A command of git in the site, without the configuration of the user.
    pub(crate) fn git_command(&self) -> Command {
        let mut git = clean_command("git");
        git.current_dir(&self.root).env("HOME", self.folder.path());
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_LITERAL_PATHSPECS", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "A")
                .env(format!("GIT_{role}_EMAIL"), "a@example.com");
            git.env(format!("GIT_{role}_DATE"), "2020-01-01T00:00:00Z");
        }
        git
    }

    /// Sets an environment variable for later runs.
    pub(crate) fn variable(&mut self, name: &str, value: &str) -> &mut Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets environment variables for later runs: `NAME=VALUE`, separated by spaces.
    pub(crate) fn variables(&mut self, assignments: &str) -> &mut Self {
        for assignment in assignments.split_whitespace() {
            let (name, value) = assignment.split_once('=').expect("NAME=VALUE");
            self.variable(name, value);
        }
        self
    }

    /// Runs waypost in the site's directory.
    pub(crate) fn waypost(&self, arguments: &[&str]) -> Outcome {
        let done = self
            .waypost_command(arguments)
            .output()
            .expect("waypost can be run");
        let outcome = Outcome::of(done);
        assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
        assert_result(arguments, &outcome.stdout);
        outcome
    }

    /// Returns the command that runs waypost in the site's directory.
    pub(crate) fn waypost_command(&self, arguments: &[&str]) -> Command {
        let mut waypost = clean_command(env!("CARGO_BIN_EXE_waypost"));
        waypost
            .current_dir(&self.root)
            .args(arguments)
            .stdin(Stdio::null());
        waypost
            .env("HOME", self.folder.path())
            .env("LC_ALL", "C")
            .env("NO_COLOR", "1")
            .env("SOURCE_DATE_EPOCH", NOW)
            // The sites of the tests use the reserved names of example.com.
            .env("WAYPOST_LEVELS_BASE_URL_PLACEHOLDER", "allow");
        waypost.envs(&self.environment);
        waypost
    }

    /// A shell that runs a script with the program and its arguments as `"$@"`, and nothing of the
    /// caller's environment.
    #[cfg(unix)] // sh
    pub(crate) fn shell_command(&self, script: &str, arguments: &[&str]) -> Command {
        let plain = self.waypost_command(arguments);
        let mut shell = clean_command("sh");
        shell
            .args(["-c", script, "sh"])
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(&self.root)
            .stdin(Stdio::null());
        let set = plain.get_envs();
        shell.envs(set.filter_map(|(name, value)| Some((name, value?))));
        shell
    }

    /// Runs waypost without arguments, as most users do; it must succeed.
    pub(crate) fn build(&self) -> Outcome {
        self.waypost(&[]).succeeded()
    }

    /// Returns the JSON object that `build --json` prints.
    pub(crate) fn build_json(&self) -> Value {
        self.waypost(&["--json"]).succeeded().json()
    }

    /// Returns the objects that `explain --json` prints, by file.
    pub(crate) fn explain(&self) -> BTreeMap<String, Value> {
        let outcome = self.waypost(&["explain", "--json"]).succeeded();
        let lines = outcome.stdout.lines().map(|line| {
            let page: Value = serde_json::from_str(line).expect("each line is a JSON object");
            (text_at(&page, "file").expect("each page has a file"), page)
        });
        lines.collect()
    }

    /// Returns a string field of `explain --json`, such as `source`, for every page.
    pub(crate) fn explained(&self, key: &str) -> Vec<(String, Option<String>)> {
        self.explain()
            .into_iter()
            .map(|(file, page)| (file, text_at(&page, key)))
            .collect()
    }

    /// Reads a file as text.
    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).expect("the file is UTF-8")
    }

    /// Reads the bytes of a file.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Returns all files in the site's directory except Git's, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let files = walkdir::WalkDir::new(&self.root)
            .sort_by_file_name()
            .into_iter();
        let files = files
            .filter_entry(|entry| entry.file_name() != ".git")
            .map(|entry| entry.expect("the entry can be read"));
        let files = files.filter(|entry| !entry.file_type().is_dir());
        files
            .map(|file| {
                let path = file.path().strip_prefix(&self.root);
                slashed(&path.expect("the file is in the site").to_string_lossy())
            })
            .collect()
    }

    /// Returns all entries of `sitemap.xml`, including those in the parts of an index, sorted by
    /// URL.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.entries_of("sitemap.xml")
    }

    /// Returns all entries of another sitemap.
    pub(crate) fn entries_of(&self, path: &str) -> Vec<Entry> {
        let mut entries = sitemap_xml::listed(&self.root.join(path));
        entries.sort_by(|left, right| left.loc.cmp(&right.loc));
        entries
    }

    /// Returns the URLs in `sitemap.xml`, sorted.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.entries().into_iter().map(|entry| entry.loc).collect()
    }

    /// Returns the paths of those URLs below `https://example.com`, with their dates.
    pub(crate) fn dates(&self) -> Vec<(String, Option<String>)> {
        let path = |loc: &str| loc.trim_start_matches("https://example.com").to_owned();
        self.entries()
            .into_iter()
            .map(|entry| (path(&entry.loc), entry.lastmod))
            .collect()
    }
}

impl Outcome {
    /// The outcome of a run that has ended; the code is -1 if a signal ended it.
    pub(crate) fn of(done: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("waypost prints UTF-8");
        Self {
            code: done.status.code().unwrap_or(-1),
            stdout: text(done.stdout),
            stderr: slashed(&text(done.stderr)),
        }
    }

    /// Returns the JSON object on stdout.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("stdout is one JSON object")
    }

    /// Returns the codes of the findings in the JSON object on stdout.
    #[track_caller]
    pub(crate) fn codes(&self) -> Vec<String> {
        let result = self.json();
        let findings = result["findings"].as_array().expect("an array").iter();
        findings
            .map(|finding| text_at(finding, "code").expect("a finding has a code"))
            .collect()
    }

    /// Asserts that the run succeeded (exit code 0).
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// Asserts the exit code of the run.
    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }

    /// Asserts that stderr contains a text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        let stderr = &self.stderr;
        assert!(stderr.contains(text), "`{text}` is not in:\n{stderr}");
        self
    }

    /// Asserts that stdout contains a text.
    #[track_caller]
    pub(crate) fn shows(self, text: &str) -> Self {
        let stdout = &self.stdout;
        assert!(stdout.contains(text), "`{text}` is not in:\n{stdout}");
        self
    }

    /// Asserts that stderr does not contain a text.
    #[track_caller]
    pub(crate) fn says_nothing_of(self, text: &str) -> Self {
        let stderr = &self.stderr;
        assert!(!stderr.contains(text), "`{text}` is in:\n{stderr}");
        self
    }
}

/// Returns a small page with the given content in its head.
pub(crate) fn page(head: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>t</title>{head}</head><body><p>x</p></body></html>\n"
    )
}

/// Returns the string at a key of a JSON object.
pub(crate) fn text_at(object: &Value, key: &str) -> Option<String> {
    object[key].as_str().map(str::to_owned)
}

/// Returns the string at a key of a JSON object, or a dash.
pub(crate) fn text_or_dash(object: &Value, key: &str) -> String {
    text_at(object, key).unwrap_or_else(|| "-".to_owned())
}

/// Returns a pair as in the results of [`SiteTest::dates`] and [`SiteTest::explained`].
pub(crate) fn pair(name: &str, value: impl Into<Option<&'static str>>) -> (String, Option<String>) {
    (name.to_owned(), value.into().map(str::to_owned))
}

/// Returns a command with a clean environment, except for the search path and the destination of
/// coverage data.
fn clean_command(program: &str) -> Command {
    let mut command = Command::new(program);
    let kept =
        ["PATH", "SystemRoot", "LLVM_PROFILE_FILE"].map(|name| (name, std::env::var_os(name)));
    command.env_clear().envs(
        kept.into_iter()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command
}

fn succeed(command: &mut Command) -> String {
    let done = command.output().expect("the program can be run");
    assert!(
        done.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout)
        .expect("the program prints UTF-8")
        .trim_end()
        .to_owned()
}
