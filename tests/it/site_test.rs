//! A site in a temporary folder, and waypost run over it as a user runs it: the binary, in a shell of its own.
//!
//! Whatever could differ between two machines is pinned: the environment, the clock, git's configuration, every name
//! and date. A test writes pages, runs, and looks at what was printed and what lies in the folder.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::sitemap_xml::{self, Entry};

/// `SOURCE_DATE_EPOCH` of every run: 2026-01-15T12:00:00Z.
const NOW: &str = "1768478400";

/// A site in a folder that goes away with it.
pub(crate) struct SiteTest {
    folder: TempDir,
    root: PathBuf,
    environment: BTreeMap<String, String>,
}

/// How a run ended.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl SiteTest {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let root = folder
            .path()
            .canonicalize()
            .expect("it exists")
            .join("site");
        fs::create_dir(&root).expect("the folder is new");
        Self {
            folder,
            root,
            environment: BTreeMap::new(),
        }
    }

    /// A folder of plain pages, served at `https://example.com/`.
    pub(crate) fn of_pages(pages: &[&str]) -> Self {
        let site = Self::empty();
        site.settings("");
        for page in pages {
            site.page(page, "");
        }
        site
    }

    /// The folder in which everything lies and runs.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.new_path(path.as_ref()), content).expect("the file can be written");
        self
    }

    /// Writes a page with something in its head.
    pub(crate) fn page(&self, path: impl AsRef<Path>, head: &str) -> &Self {
        self.write(path, page(head))
    }

    /// Writes `waypost.toml`, with a base URL on top.
    pub(crate) fn settings(&self, toml: &str) -> &Self {
        self.write(
            "waypost.toml",
            format!("base_url = \"https://example.com/\"\n{toml}"),
        )
    }

    /// Makes a symbolic link.
    pub(crate) fn link(&self, path: impl AsRef<Path>, target: &str) -> &Self {
        symlink(target, self.new_path(path.as_ref())).expect("the link is new");
        self
    }

    /// Makes a pipe with a name, which nobody writes to.
    pub(crate) fn fifo(&self, path: impl AsRef<Path>) -> &Self {
        succeed(Command::new("mkfifo").arg(self.new_path(path.as_ref())));
        self
    }

    fn new_path(&self, path: &Path) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("it lies in the site"))
            .expect("folders can be made");
        path
    }

    /// Commits everything at a date (`2024-05-06T07:08:09+02:00`), in a repository that is made where there is none,
    /// and gives the commit's name.
    pub(crate) fn commit(&self, date: &str) -> String {
        self.commit_of_author(date, date)
    }

    /// The same, written by its author at another date.
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

    /// Runs git in the site, and gives what it printed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        succeed(self.git_command().args(arguments))
    }

    /// The file of an object that is not packed.
    pub(crate) fn loose_object(&self, revision: &str) -> PathBuf {
        let id = self.git(&["rev-parse", revision]);
        self.root.join(".git/objects").join(&id[..2]).join(&id[2..])
    }

    /// What `git log` says of a file: the oracle of all dates. Older versions of git write `+00:00` for `Z`.
    pub(crate) fn date_by_git(&self, path: &str) -> String {
        self.git(&["log", "-1", "--format=%cI", "--", path])
            .replace("+00:00", "Z")
    }

    fn git_command(&self) -> Command {
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

    /// Sets an environment variable for the runs to come.
    pub(crate) fn variable(&mut self, name: &str, value: &str) -> &mut Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Runs waypost in the site's folder.
    pub(crate) fn waypost(&self, arguments: &[&str]) -> Outcome {
        let done = self
            .waypost_command(arguments)
            .output()
            .expect("waypost can be run");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("waypost prints UTF-8");
        let outcome = Outcome {
            code: done.status.code().unwrap_or(-1),
            stdout: text(done.stdout),
            stderr: text(done.stderr),
        };
        assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
        outcome
    }

    /// Waypost in the site's folder, not yet run.
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
            .env("SOURCE_DATE_EPOCH", NOW);
        waypost.envs(&self.environment);
        waypost
    }

    /// Runs waypost as most people do, without arguments; it has to succeed.
    pub(crate) fn build(&self) -> Outcome {
        self.waypost(&[]).succeeded()
    }

    /// The one object that `build --json` prints.
    pub(crate) fn build_json(&self) -> Value {
        let outcome = self.waypost(&["--json"]).succeeded();
        serde_json::from_str(&outcome.stdout).expect("stdout is one JSON object")
    }

    /// The objects that `explain --json` prints, by file.
    pub(crate) fn explain(&self) -> BTreeMap<String, Value> {
        let outcome = self.waypost(&["explain", "--json"]).succeeded();
        let lines = outcome.stdout.lines().map(|line| {
            let page: Value = serde_json::from_str(line).expect("each line is a JSON object");
            (text_at(&page, "file").expect("each has a file"), page)
        });
        lines.collect()
    }

    /// What a text of `explain --json` is for every page: `source`, say, by file.
    pub(crate) fn explained(&self, key: &str) -> Vec<(String, Option<String>)> {
        self.explain()
            .into_iter()
            .map(|(file, page)| (file, text_at(&page, key)))
            .collect()
    }

    /// The bytes of a file as text.
    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).expect("the file is UTF-8")
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Every file below the site's folder but those of git, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let files = walkdir::WalkDir::new(&self.root)
            .sort_by_file_name()
            .into_iter();
        let files = files
            .filter_entry(|entry| entry.file_name() != ".git")
            .map(|entry| entry.expect("it is there"));
        let files = files.filter(|entry| !entry.file_type().is_dir());
        files
            .map(|file| {
                file.path()
                    .strip_prefix(&self.root)
                    .expect("below it")
                    .display()
                    .to_string()
            })
            .collect()
    }

    /// Everything that `sitemap.xml` lists, an index followed, sorted by address.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.entries_of("sitemap.xml")
    }

    /// The same of another output folder.
    pub(crate) fn entries_of(&self, path: &str) -> Vec<Entry> {
        let mut entries = sitemap_xml::listed(&self.root.join(path));
        entries.sort_by(|left, right| left.loc.cmp(&right.loc));
        entries
    }

    /// The addresses that `sitemap.xml` lists, sorted.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.entries().into_iter().map(|entry| entry.loc).collect()
    }

    /// The paths of those below `https://example.com`, with the dates.
    pub(crate) fn dates(&self) -> Vec<(String, Option<String>)> {
        let path = |loc: &str| loc.trim_start_matches("https://example.com").to_owned();
        self.entries()
            .into_iter()
            .map(|entry| (path(&entry.loc), entry.lastmod))
            .collect()
    }
}

impl Outcome {
    /// The run was done (exit code 0).
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        self.ended_with(0)
    }

    /// The run ended with an exit code.
    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }

    /// A text stands on stderr.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "`{text}` is not said:\n{}",
            self.stderr
        );
        self
    }

    /// A text does not stand on stderr.
    #[track_caller]
    pub(crate) fn says_nothing_of(self, text: &str) -> Self {
        assert!(
            !self.stderr.contains(text),
            "`{text}` is said:\n{}",
            self.stderr
        );
        self
    }
}

/// A small page with something in its head.
pub(crate) fn page(head: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>t</title>{head}</head><body><p>x</p></body></html>\n"
    )
}

/// The text at a key of a JSON object.
pub(crate) fn text_at(object: &Value, key: &str) -> Option<String> {
    object[key].as_str().map(str::to_owned)
}

/// A pair as [`SiteTest::dates`] and [`SiteTest::explained`] give them.
pub(crate) fn pair(name: &str, value: impl Into<Option<&'static str>>) -> (String, Option<String>) {
    (name.to_owned(), value.into().map(str::to_owned))
}

/// A command that sees nothing of the environment but where programs are, and where coverage is to be written.
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
        .expect("it prints UTF-8 here")
        .trim_end()
        .to_owned()
}
