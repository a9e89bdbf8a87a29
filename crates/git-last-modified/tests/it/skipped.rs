//! Commits that are not a change: by author, subject, trailer, or because little changed.

use std::path::PathBuf;

use super::date_by_waypost;
use super::fixture::{Fixture, git, output, run};
use git_last_modified::{
    CommitTime, History, HistoryQuery, IgnoredRevisions, MinorChange, RenamePolicy, SkipReason,
    date_sources,
};

const BOT: &str = "renovate[bot] <bot@example.com>";
const ANNA: &str = "Anna <anna@example.com>";

/// Commits everything, later than all commits before.
fn commit(fixture: &Fixture, author: &str, message: &str) -> String {
    let root = fixture.root();
    run(root, &["add", "-A"]);
    let count = run(root, &["rev-list", "--count", "--all"]);
    let seconds = 1_700_000_000 + 100_000 * count.parse::<u64>().expect("a number");
    let mut commit = git(root);
    commit.args(["commit", "-q", "--allow-empty", "--cleanup=verbatim"]);
    commit.args(["--author", author, "-m", message]);
    commit.env("GIT_COMMITTER_DATE", format!("{seconds} +0000"));
    output(&mut commit);
    run(root, &["rev-parse", "HEAD"])
}

fn ask(sources: &[PathBuf], query: HistoryQuery<'_>) -> History {
    date_sources(&HistoryQuery {
        sources: &sources,
        ..query
    })
    .expect("the query is valid")
}

fn ignoring(ignored: IgnoredRevisions<'_>) -> HistoryQuery<'_> {
    HistoryQuery {
        ignored,
        ..HistoryQuery::default()
    }
}

/// Returns the commit that dates the first source.
fn first(history: &History) -> String {
    let answer = date_by_waypost(&history.files[0]);
    answer.split(' ').next().expect("a word").to_owned()
}

fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(ToString::to_string).collect()
}

#[test]
fn commits_of_an_author_are_skipped_and_counted() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    commit(&fixture, ANNA, "add");
    fixture.write("a.md", "2");
    let written = commit(&fixture, ANNA, "change");
    for update in ["3", "4"] {
        fixture.write("a.md", update);
        commit(&fixture, BOT, "update");
    }
    let check = |authors: &[&str], expected: Option<&str>| {
        let authors = texts(authors);
        let history = ask(
            &source,
            ignoring(IgnoredRevisions {
                authors: &authors,
                ..IgnoredRevisions::default()
            }),
        );
        let is_skipped = first(&history) == written;
        let skipped = history.skipped.get(&0).map(ToString::to_string);
        assert_eq!(
            (is_skipped, skipped.as_deref()),
            (expected.is_some(), expected),
            "{authors:?}"
        );
    };
    check(&["renovate[bot] *"], Some("2 by author"));
    check(&["*<BOT@example.com>"], Some("2 by author"));
    check(&["renovate"], None);
    check(&["*other*"], None);
    check(&[], None);
}

#[test]
fn subjects_are_matched_as_git_shows_them() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    let added = commit(&fixture, ANNA, "add");
    for (at, message) in ["style: run\nprettier\n\nbody", "\n\nfix *all* [docs]\n"]
        .iter()
        .enumerate()
    {
        fixture.write("a.md", &format!("changed {at}"));
        commit(&fixture, ANNA, message);
        let subject = run(fixture.root(), &["log", "-1", "--format=%s"]);
        let messages = [subject.clone(), "style: *".to_owned()];
        let history = ask(
            &source,
            ignoring(IgnoredRevisions {
                messages: &messages,
                ..IgnoredRevisions::default()
            }),
        );
        assert_eq!(first(&history), added, "{subject}");
    }
}

#[test]
fn trailers_are_found_where_git_finds_them() {
    let messages = [
        "Fix\n\nLastmod: keep\n",
        "Fix\n\nlastmod:KEEP\nOther: x\n",
        "Fix\n\nLastmod: keep it\n",
        "Fix\n\nLastmod: keep\n\nMore text.\n",
        "Lastmod: keep\n",
        "Fix\n\nSome text.\nLastmod: keep\n",
        "Fix\n\nSome text.\nLastmod: keep\nSigned-off-by: A <a@example.com>\n",
        "Fix\n\nOther: x\n  folded: y\nLastmod: keep\n",
        "Fix\n\n  indented\nLastmod: keep\n",
        "Fix\n\na\nb\nc\nd\nLastmod: keep\n(cherry picked from commit 1234)\n",
        "Fix\n\na\nb\nc\nd\ne\nf\ng\nLastmod: keep\n(cherry picked from commit 1234)\n",
        "Fix\n\nText\n---\nLastmod: keep\n",
        "Fix\n\nText\n\n \t\nLastmod: keep\n\n\n",
        "Fix\n\nLastmod : keep\n",
        "Fix\n\nLast mod: x\nLastmod: keep\n",
    ];
    for message in messages {
        let fixture = Fixture::new();
        let source = [fixture.write("a.md", "1")];
        let added = commit(&fixture, ANNA, "add");
        fixture.write("a.md", "2");
        let changed = commit(&fixture, ANNA, message);
        let format = "--format=%(trailers:key=Lastmod,valueonly,unfold)";
        let by_git = run(fixture.root(), &["log", "-1", format]);
        let is_skipped = by_git.trim().eq_ignore_ascii_case("keep");
        let history = ask(
            &source,
            ignoring(IgnoredRevisions {
                trailer: Some("Lastmod: keep"),
                ..IgnoredRevisions::default()
            }),
        );
        let expected = if is_skipped { added } else { changed };
        assert_eq!(first(&history), expected, "{message:?}, by git: {by_git:?}");
    }
}

#[test]
fn a_pattern_that_matches_most_commits_is_reported() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1")];
    for (content, author) in [("1", ANNA), ("2", BOT), ("3", BOT), ("4", ANNA)] {
        fixture.write("a.md", content);
        commit(&fixture, author, "change");
    }
    let check = |authors: &[&str], expected: &[&str]| {
        let authors = texts(authors);
        let history = ask(
            &source,
            ignoring(IgnoredRevisions {
                authors: &authors,
                ..IgnoredRevisions::default()
            }),
        );
        let broad = &history.repositories[0].broad_patterns;
        let found: Vec<_> = broad.iter().map(|pattern| &*pattern.pattern).collect();
        assert_eq!(found, expected);
        assert!(
            broad
                .iter()
                .all(|pattern| pattern.field == SkipReason::Author)
        );
    };
    check(&["renovate*", "anna *"], &[]); // each matches half
    check(&["renovate*", "*example.com>"], &["*example.com>"]);
}

#[test]
fn a_merge_of_only_skipped_commits_is_no_landing() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "1\n2\n3\n")];
    let added = commit(&fixture, ANNA, "add");
    let merge_branch = |author: &str, content: &str| {
        run(fixture.root(), &["checkout", "-q", "-b", "side"]);
        fixture.write("a.md", content);
        commit(&fixture, author, "change");
        run(fixture.root(), &["checkout", "-q", "main"]);
        commit(&fixture, ANNA, "other");
        run(
            fixture.root(),
            &["merge", "-q", "--no-ff", "-m", "merge", "side"],
        );
        run(fixture.root(), &["branch", "-q", "-D", "side"]);
        run(fixture.root(), &["rev-parse", "HEAD"])
    };
    let authors = texts(&["renovate*"]);
    let landed = || {
        let query = HistoryQuery {
            time: CommitTime::Landed,
            ..ignoring(IgnoredRevisions {
                authors: &authors,
                ..IgnoredRevisions::default()
            })
        };
        first(&ask(&source, query))
    };
    merge_branch(BOT, "1\n2\n3\nby bot\n");
    assert_eq!(landed(), added);
    let merged = merge_branch(ANNA, "1\n2\n3\nby Anna\n");
    assert_eq!(landed(), merged);
    merge_branch(BOT, "by bot\n");
    assert_eq!(landed(), merged);
}

#[test]
fn whitespace_and_front_matter_alone_are_no_change_if_so_set() {
    let fixture = Fixture::new();
    let source = [fixture.write("a.md", "---\nx: 1\n---\nSome text.\n")];
    let added = commit(&fixture, ANNA, "add");
    fixture.write("a.md", "---\nx: 2\n---\nSome text.\n");
    let retitled = commit(&fixture, ANNA, "front matter");
    fixture.write("a.md", "---\nx: 2\n---\n\nSome\ntext. \n");
    let spaced = commit(&fixture, ANNA, "whitespace");
    let check = |changes: &[MinorChange], expected: &str| {
        let history = ask(
            &source,
            ignoring(IgnoredRevisions {
                changes,
                ..IgnoredRevisions::default()
            }),
        );
        assert_eq!(first(&history), expected, "{changes:?}");
        assert_eq!(history.repositories[0].uncompared_commits, 0);
    };
    check(&[], &spaced);
    check(&[MinorChange::FrontMatter], &spaced);
    check(&[MinorChange::Whitespace], &retitled);
    check(&[MinorChange::Whitespace, MinorChange::FrontMatter], &added);
    run(fixture.root(), &["update-index", "--chmod=+x", "a.md"]);
    run(fixture.root(), &["commit", "-q", "-m", "mode"]);
    let mode = run(fixture.root(), &["rev-parse", "HEAD"]);
    check(&[MinorChange::Whitespace], &mode);
}

#[test]
fn a_commit_counts_if_the_contents_to_compare_are_missing() {
    let fixture = Fixture::new();
    fixture.write("a.md", "text\n");
    commit(&fixture, ANNA, "add");
    fixture.write("a.md", " text\n");
    let spaced = commit(&fixture, ANNA, "whitespace");
    run(
        fixture.root(),
        &["config", "uploadpack.allowFilter", "true"],
    );
    let clone = fixture.root().with_file_name("clone");
    let from = format!("file://{}", fixture.root().display());
    let mut partial = git(fixture.root());
    output(
        partial
            .args(["clone", "-q", "--filter=blob:none", &from])
            .arg(&clone),
    );
    let history = ask(
        &[clone.join("a.md")],
        ignoring(IgnoredRevisions {
            changes: &[MinorChange::Whitespace],
            ..IgnoredRevisions::default()
        }),
    );
    assert_eq!(first(&history), spaced);
    assert_eq!(history.repositories[0].uncompared_commits, 1);
}

#[test]
fn a_skipped_move_with_edits_is_followed_to_the_file_it_came_from() {
    let fixture = Fixture::new();
    let root = fixture.root();
    let text = |name: &str| {
        let lines: Vec<String> = (0..20)
            .map(|line| format!("{name} line {line}\n"))
            .collect();
        lines.concat()
    };
    for name in ["one", "two"] {
        fixture.write(&format!("old/{name}/index.md"), &text(name));
    }
    fixture.write("old/unlike/page.md", "nothing in common\n");
    let written = commit(&fixture, ANNA, "add");
    for name in ["one", "two"] {
        run(root, &["rm", "-q", &format!("old/{name}/index.md")]);
        fixture.write(&format!("new/{name}/index.md"), &(text(name) + "edited\n"));
    }
    run(root, &["rm", "-q", "old/unlike/page.md"]);
    fixture.write("new/unlike/page.md", &text("page"));
    let moved = commit(&fixture, BOT, "move and edit all");
    let renames = run(
        root,
        &[
            "show",
            "-M50%",
            "--diff-filter=R",
            "--name-only",
            "--format=",
        ],
    );
    assert_eq!(renames.lines().count(), 2, "{renames}");
    let sources =
        ["one/index.md", "two/index.md", "unlike/page.md"].map(|name| root.join("new").join(name));
    let authors = texts(&["renovate*"]);
    let commits = |renames, authors| {
        let query = HistoryQuery {
            renames,
            ..ignoring(IgnoredRevisions {
                authors,
                ..IgnoredRevisions::default()
            })
        };
        let history = ask(&sources, query);
        let commit = |answer| date_by_waypost(answer)[..40].to_owned();
        history.files.iter().map(commit).collect::<Vec<_>>()
    };
    let all_moved = [moved.clone(), moved.clone(), moved.clone()];
    assert_eq!(commits(RenamePolicy::Change, &authors[..]), all_moved);
    assert_eq!(commits(RenamePolicy::Follow, &[]), all_moved);
    assert_eq!(
        commits(RenamePolicy::Follow, &authors[..]),
        [written.clone(), written, moved]
    );
}

/// An edit of the text of a file that moves.
type Edit = fn(String) -> String;

#[test]
fn a_skipped_move_is_followed_where_git_detects_a_rename() {
    let line = |file: usize, line: usize| format!("line {line} of file {file}, {}\n", line * 7919);
    let text = |file: usize, lines: std::ops::Range<usize>| -> String {
        lines.map(|nth| line(file, nth)).collect()
    };
    // The number of lines kept of 20, and what the move does to them.
    let edits: [(usize, Edit); 8] = [
        (8, |kept| kept),
        (9, |kept| kept),
        (10, |kept| kept),
        (11, |kept| kept),
        (20, |kept| kept.replace('\n', "\r\n")),
        (20, |kept| kept.replace('\n', " ")),
        (12, |kept| kept + "\0binary\n"),
        (20, |kept| kept.repeat(2)),
    ];
    let fixture = Fixture::new();
    let root = fixture.root();
    for file in 0..2 * edits.len() {
        fixture.write(&format!("old/{file}.md"), &text(file, 0..20));
    }
    let written = commit(&fixture, ANNA, "add");
    run(root, &["rm", "-q", "-r", "old"]);
    let mut sources = Vec::new();
    for (nth, (kept, edit)) in edits.iter().enumerate() {
        for (file, name) in [(2 * nth, "new"), (2 * nth + 1, "renamed")] {
            let changed = text(file, 0..*kept) + &text(file + 100, *kept..20);
            let new_name = if name == "new" { file } else { file + 1000 };
            sources.push(fixture.write(&format!("{name}/{new_name}.md"), &edit(changed)));
        }
    }
    let moved = commit(&fixture, BOT, "move and edit all");
    let authors = texts(&["renovate*"]);
    let history = ask(
        &sources,
        HistoryQuery {
            renames: RenamePolicy::Follow,
            ..ignoring(IgnoredRevisions {
                authors: &authors,
                ..IgnoredRevisions::default()
            })
        },
    );
    let mut by_git = Vec::new();
    for (source, answer) in sources.iter().zip(&history.files) {
        let mut log = git(root);
        log.args(["log", "--follow", "-M", "--format=%H", "--"]);
        let commits = output(log.arg(source));
        let oldest = commits
            .lines()
            .last()
            .expect("the file is committed")
            .to_owned();
        assert_eq!(
            date_by_waypost(answer)[..40],
            oldest,
            "{}",
            source.display()
        );
        by_git.push(oldest);
    }
    assert!(by_git.contains(&written) && by_git.contains(&moved));
}
