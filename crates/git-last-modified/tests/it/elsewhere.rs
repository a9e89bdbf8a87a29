//! Sources that are links, or are reached through links, where the file is in another place: each part is
//! dated in its own repository, and a part that is not known leaves the source without a date.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::ask;
use super::fixture::{git, output, run};
use super::generated::Dice;
use git_last_modified::{CommitTime, FileHistory};

/// How the source leads to its file.
const WAYS: [&str; 4] = ["none", "file link", "directory link", "chain"];
/// Where the file is.
const PLACES: [&str; 5] = ["same", "submodule", "nested", "beside", "nowhere"];
/// The parts of the file that are unknown.
const STATES: [&str; 5] = ["full", "shallow", "shallow site", "edited", "untracked"];

/// A site, and another directory with the file `text.md`.
struct TwoPlaces {
    _dir: tempfile::TempDir,
    site: PathBuf,
    other: PathBuf,
}

impl TwoPlaces {
    fn new(place: &str) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let top = dir.path().canonicalize().expect("it exists");
        let site = top.join("site");
        let other = match place {
            "beside" | "nowhere" => top.join("other"),
            _ => site.join("other"),
        };
        fs::create_dir_all(&other).expect("a new directory");
        fs::create_dir_all(site.join("docs")).expect("a new directory");
        run(&site, &["init", "-q", "-b", "main"]);
        if !matches!(place, "same" | "nowhere") {
            run(&other, &["init", "-q", "-b", "main"]);
        }
        if place == "nested" {
            fs::write(site.join(".gitignore"), "other\n").expect("a file");
        }
        Self {
            _dir: dir,
            site,
            other,
        }
    }
}

/// Commits all files at a time.
fn commit_all(dir: &Path, seconds: u64) {
    run(dir, &["add", "-A"]);
    let date = format!("{seconds} +0000");
    let mut commit = git(dir);
    commit.args([
        "-c",
        "advice.addEmbeddedRepo=false",
        "commit",
        "-qm",
        "x",
        "--allow-empty",
    ]);
    output(commit.env("GIT_COMMITTER_DATE", date));
}

/// Git's own date of a path in the repository around it, unless it is that of all older files of a shallow clone.
fn by_git(file: &Path) -> Option<i64> {
    let (dir, name) = (
        file.parent().expect("a directory"),
        file.file_name().expect("a name"),
    );
    let name = name.to_str().expect("UTF-8");
    let printed = run(dir, &["log", "-1", "--format=%H %ct", "--", name]);
    let (commit, seconds) = printed.split_once(' ').expect("a commit has it");
    let boundary = dir.join(run(dir, &["rev-parse", "--git-path", "shallow"]));
    let boundary = fs::read_to_string(boundary).unwrap_or_default();
    // A commit without parents is not cut off.
    let is_cut =
        boundary.contains(commit) && run(dir, &["cat-file", "-p", commit]).contains("\nparent ");
    (!is_cut).then(|| seconds.parse().expect("a number"))
}

/// Makes a repository the shallow clone that one of its commits is the boundary of.
fn cut(repository: &Path, random: &mut Dice) {
    let commits = run(repository, &["rev-list", "HEAD"]);
    let commits: Vec<&str> = commits.lines().collect();
    let boundary = commits[random.below(commits.len())];
    fs::write(repository.join(".git/shallow"), format!("{boundary}\n")).expect("a file");
}

/// Makes the source of a site, and returns it and the links in front of its file.
fn link(places: &TwoPlaces, way: &str) -> (PathBuf, Vec<PathBuf>) {
    let docs = places.site.join("docs");
    let to = |from: &str, target: &Path| {
        let link = docs.join(from);
        _ = fs::remove_file(&link);
        symlink(target, &link).expect("a link");
        link
    };
    let text = places.other.join("text.md");
    match way {
        "none" => (text, Vec::new()),
        "file link" => (to("a.md", &text), vec![docs.join("a.md")]),
        "directory link" => (to("dir", &places.other).join("text.md"), Vec::new()),
        _ => {
            to("b.md", &text);
            to("a.md", Path::new("b.md"));
            (
                docs.join("a.md"),
                vec![docs.join("a.md"), docs.join("b.md")],
            )
        }
    }
}

fn check(seed: usize) {
    let mut random = Dice(seed as u64 * 7919 + 1);
    let way = WAYS[seed % 4];
    let place = PLACES[seed / 4 % 5];
    let state = STATES[seed / 20 % 5];
    let places = TwoPlaces::new(place);
    let (site, other) = (&places.site, &places.other);
    let has_own = !matches!(place, "same" | "nowhere");
    let mut seconds = 1_600_000_000;
    let mut source = link(&places, way);
    fs::write(other.join("text.md"), "0").expect("a file");
    for step in 0..4 + random.below(4) {
        seconds += 1 + random.below(1000) as u64;
        match random.below(4) {
            0 => fs::write(other.join("text.md"), step.to_string()).expect("a file"),
            1 => fs::write(other.join("more.md"), step.to_string()).expect("a file"),
            2 => fs::write(site.join("docs/own.md"), step.to_string()).expect("a file"),
            _ => source = link(&places, way),
        }
        if has_own {
            commit_all(other, seconds);
            seconds += random.below(1000) as u64;
        }
        commit_all(site, seconds);
    }
    let (source, links) = source;
    let text = other.join("text.md");
    match state {
        "shallow" => cut(if has_own { other } else { site }, &mut random),
        "shallow site" => cut(site, &mut random),
        "edited" => fs::write(&text, "an edit").expect("a file"),
        "untracked" => {
            let repository = if place == "same" { site } else { other };
            if place != "nowhere" {
                run(
                    repository,
                    &["rm", "-q", "--cached", text.to_str().expect("UTF-8")],
                );
                commit_staged(repository, seconds + 1);
            }
        }
        _ => {}
    }
    let answer = &ask(std::slice::from_ref(&source), CommitTime::Committer).files[0];
    let story = format!("seed {seed}: {way}, {place}, {state}: {answer:?}");
    let newest = if place == "nowhere" || matches!(state, "edited" | "untracked") {
        None
    } else {
        let parts = links.iter().chain([&text]);
        let dates: Option<Vec<i64>> = parts.map(|part| by_git(part)).collect();
        dates.and_then(|dates| dates.into_iter().max())
    };
    let date = match answer {
        FileHistory::Changed(change) => Some(change.seconds),
        _ => None,
    };
    assert_eq!(date, newest, "{story}");
}

/// Commits what is staged.
fn commit_staged(dir: &Path, seconds: u64) {
    let date = format!("{seconds} +0000");
    output(
        git(dir)
            .args(["commit", "-qm", "x"])
            .env("GIT_COMMITTER_DATE", date),
    );
}

#[test]
fn each_part_of_a_source_is_dated_in_its_own_repository() {
    for seed in 0..100 {
        check(seed);
    }
}

#[test]
#[ignore = "takes a minute: 400 histories; part of the slow suite"]
fn each_part_of_a_source_is_dated_in_its_own_repository_in_many_histories() {
    for seed in 100..500 {
        check(seed);
    }
}
