//! Test repositories, created by Git itself, independent of the user's configuration and the clock.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A repository in a temporary directory.
pub(super) struct Fixture {
    _folder: TempDir,
    root: PathBuf,
}

/// Creates a Git command with fixed dates and names, literal paths, and no user or system
/// configuration.
pub(super) fn git(dir: &Path) -> Command {
    let mut git = Command::new("git");
    for variable in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_CEILING_DIRECTORIES",
    ] {
        git.env_remove(variable);
    }
    git.current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env("GIT_AUTHOR_DATE", "1500000000 +0000")
        .env("GIT_COMMITTER_DATE", "1500000000 +0000")
        .env("GIT_AUTHOR_NAME", "A")
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", "C")
        .env("GIT_COMMITTER_EMAIL", "c@example.com");
    git
}

/// Runs Git and returns what it printed, without the final newline.
pub(super) fn run(dir: &Path, arguments: &[&str]) -> String {
    output(git(dir).args(arguments))
}

/// Runs a command, which must succeed, and returns what it printed, without the final newline.
pub(super) fn output(command: &mut Command) -> String {
    let done = command.output().expect("git runs");
    assert!(
        done.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout)
        .expect("git prints UTF-8 here")
        .trim_end_matches('\n')
        .to_owned()
}

impl Fixture {
    /// Creates an empty repository.
    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    /// Creates an empty repository with extra options of `git init`.
    pub(super) fn with(options: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it exists").join("site");
        std::fs::create_dir(&root).expect("the directory is new");
        output(git(&root).args(["init", "-q", "-b", "main"]).args(options));
        Self { _folder: dir, root }
    }

    /// Creates a repository from a stream for `git fast-import`, and checks out its branch `main`.
    pub(super) fn imported(stream: &[u8]) -> Self {
        let fixture = Self::new();
        let arguments = "-c core.protectNTFS=false fast-import --quiet --force";
        let mut import = git(&fixture.root)
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .spawn()
            .expect("git runs");
        import
            .stdin
            .take()
            .expect("stdin is piped")
            .write_all(stream)
            .expect("git reads the stream");
        assert!(import.wait().expect("git exits").success());
        fixture
    }

    /// The root of the work tree.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A path in the work tree.
    pub(super) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Runs Git in the work tree, with arguments separated by spaces.
    pub(super) fn git(&self, arguments: &str) -> String {
        output(git(&self.root).args(arguments.split(' ')))
    }

    /// Clones the repository into a directory next to it.
    pub(super) fn clone_to(&self, name: &str, options: &[&str]) -> PathBuf {
        self.git("config uploadpack.allowFilter true");
        let to = self.root.with_file_name(name);
        let from = format!("file://{}", self.root.display());
        let mut clone = git(&self.root);
        output(clone.args(["clone", "-q"]).args(options).arg(from).arg(&to));
        to
    }

    /// Replaces the only pack by loose objects.
    pub(super) fn unpack(&self) {
        let packs = self.path(".git/objects/pack");
        let is_pack = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "pack");
        let files = std::fs::read_dir(&packs).expect("it exists");
        let mut files = files.map(|entry| entry.expect("it is readable").path());
        let pack = files.find(is_pack).expect("there is a pack");
        std::fs::rename(pack, self.path("moved.pack")).expect("it is movable");
        std::fs::remove_dir_all(packs).expect("it is removable");
        let packed = std::fs::File::open(self.path("moved.pack")).expect("it was moved");
        let mut unpack = git(&self.root);
        output(unpack.args(["unpack-objects", "-q"]).stdin(packed));
    }

    /// Creates a symbolic link.
    pub(super) fn link(&self, path: &str, target: &str) -> PathBuf {
        let path = self.path(path);
        symlink(target, &path).expect("symlinks are supported");
        path
    }

    /// Writes a file and its parent directories.
    pub(super) fn write(&self, path: &str, content: &str) -> PathBuf {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("the path is in the repository"))
            .expect("the directory is writable");
        std::fs::write(&path, content).expect("the file is writable");
        path
    }

    /// Writes a file and commits everything at a date.
    pub(super) fn change(&self, path: &str, content: &str, date: &str) -> String {
        self.write(path, content);
        self.commit(date)
    }

    /// Commits everything at a date (`1700000000 +0100`); the author date is a day earlier.
    pub(super) fn commit(&self, date: &str) -> String {
        let (seconds, zone) = date.split_once(' ').expect("seconds and zone");
        let author = seconds.parse::<i64>().expect("a number") - 86_400;
        run(&self.root, &["add", "-A"]);
        output(
            git(&self.root)
                .args(["commit", "-q", "--allow-empty", "-m", "change"])
                .env("GIT_COMMITTER_DATE", date)
                .env("GIT_AUTHOR_DATE", format!("{author} {zone}")),
        );
        run(&self.root, &["rev-parse", "HEAD"])
    }
}
