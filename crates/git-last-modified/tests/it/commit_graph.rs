//! Commit-graph files: they save reading commits, and never change a date.

use std::fs;
use std::path::{Path, PathBuf};

use super::fixture::{Fixture, git, output, run};
use super::{ask, ask_damaged, every_file_has_gits_date, tracked};
use git_last_modified::{CommitTime, FileHistory};

const COMMITS: usize = 240;

/// A commit of the history, for `git fast-import`.
fn commit(at: usize) -> String {
    let (mark, seconds) = (at + 1, 1_700_000_000 + at);
    let branch = if at % 7 == 3 { "side" } else { "main" };
    let from = match at {
        0 => String::new(),
        _ if branch == "side" => format!("from :{}\n", at - 1),
        _ => format!("from :{at}\n"),
    };
    let merge = match at % 7 {
        5 => format!("merge :{}\n", at - 1),
        _ => String::new(),
    };
    let first = match at {
        0 => "M 100644 inline docs/first.md\ndata 1\n1\n",
        _ => "",
    };
    format!(
        "commit refs/heads/{branch}\nmark :{mark}\nauthor A <a@example.com> {} +0200\n\
         committer C <c@example.com> {seconds} +0000\ndata 0\n{from}{merge}{first}\
         M 100644 inline docs/{}.md\ndata {}\n{at}\n\n",
        seconds - 50,
        at * 5 % 12,
        at.to_string().len()
    )
}

/// A history with merges that changes one of 12 files per commit; the first commit adds a file that
/// does not change again.
fn built() -> Fixture {
    let stream: String = (0..COMMITS).map(commit).collect();
    Fixture::imported(stream.as_bytes())
}

fn info(root: &Path) -> PathBuf {
    root.join(".git/objects/info")
}

fn write_graph(root: &Path, newest: &str, options: &[&str]) {
    let list = root.join(".git/newest");
    fs::write(&list, run(root, &["rev-parse", newest])).expect("it is writable");
    let mut write = git(root);
    write.args(["commit-graph", "write", "--stdin-commits"]);
    output(
        write
            .args(options)
            .stdin(fs::File::open(&list).expect("it exists")),
    );
}

fn dates(sources: &[PathBuf]) -> Vec<FileHistory> {
    ask(sources, CommitTime::Committer).files
}

/// Makes every object loose.
fn unpack(root: &Path) {
    let outside = root.with_file_name("packs");
    fs::rename(root.join(".git/objects/pack"), &outside).expect("it is movable");
    for file in fs::read_dir(&outside).expect("it exists") {
        let file = file.expect("it is readable").path();
        if file.extension().is_some_and(|ending| ending == "pack") {
            let pack = fs::File::open(&file).expect("it exists");
            output(git(root).args(["unpack-objects", "-q"]).stdin(pack));
        }
    }
}

#[test]
fn commits_that_no_date_needs_are_not_read() {
    let fixture = built();
    let root = fixture.root();
    unpack(root);
    let sources = tracked(root);
    let whole = dates(&sources);
    write_graph(root, "HEAD", &[]);
    let listed = run(root, &["rev-list", "--topo-order", "HEAD"]);
    let ids: Vec<&str> = listed.lines().collect();
    for id in &ids[100..ids.len() - 1] {
        let loose = root.join(".git/objects").join(&id[..2]).join(&id[2..]);
        fs::remove_file(loose).expect("it is removable");
    }
    assert_eq!(dates(&sources), whole);
    run(root, &["config", "core.commitGraph", "false"]);
    let said = ask_damaged(&sources).expect_err("a commit is missing");
    assert!(said.contains("is missing"), "{said}");
}

#[test]
fn every_kind_of_graph_gives_gits_dates() {
    let write = |options: &[&str]| {
        let fixture = built();
        write_graph(fixture.root(), "HEAD", options);
        fixture
    };
    every_file_has_gits_date(write(&[]).root(), "one file");
    every_file_has_gits_date(write(&["--changed-paths"]).root(), "with Bloom filters");
    let grown = built();
    write_graph(grown.root(), "HEAD~40", &[]);
    every_file_has_gits_date(grown.root(), "older than the newest commits");
}

#[test]
fn a_chain_of_graphs_counts_only_in_its_order() {
    let fixture = built();
    let root = fixture.root();
    write_graph(root, "HEAD~90", &["--split=no-merge"]);
    write_graph(root, "HEAD", &["--split=no-merge"]);
    let sources = tracked(root);
    let whole = dates(&sources);
    every_file_has_gits_date(root, "a chain");
    let chain = info(root).join("commit-graphs/commit-graph-chain");
    let text = fs::read_to_string(&chain).expect("two graphs are a chain");
    let [first, second] = text.lines().collect::<Vec<_>>()[..] else {
        panic!("{text}");
    };
    let check = |text: String| {
        fs::remove_file(&chain).expect("it is removable");
        fs::write(&chain, &text).expect("it is writable");
        assert_eq!(dates(&sources), whole, "{text}");
    };
    check(format!("{second}\n{first}\n"));
    check(format!("{second}\n"));
    check(format!("{first}\n"));
    check(format!("{first}\n../{second}\n"));
}

#[test]
fn a_damaged_graph_gives_no_false_date() {
    let fixture = built();
    let root = fixture.root();
    let sources = tracked(root);
    let whole = dates(&sources);
    write_graph(root, "HEAD", &[]);
    let file = info(root).join("commit-graph");
    let bytes = fs::read(&file).expect("it exists");
    let damage = |bytes: &[u8], what: &str| {
        fs::remove_file(&file).expect("it is removable");
        fs::write(&file, bytes).expect("it is writable");
        assert_eq!(dates(&sources), whole, "{what}");
    };
    for at in (0..bytes.len()).step_by(bytes.len() / 150) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        damage(&flipped, &format!("byte {at} flipped"));
        damage(&bytes[..at], &format!("truncated to {at}"));
    }
}
