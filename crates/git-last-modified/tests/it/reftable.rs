//! References in the format `reftable`.

use super::fixture::{Fixture, git, output, run};
use super::{ask, every_file_has_gits_date};
use git_last_modified::{CommitTime, FileHistory};

#[test]
fn references_in_a_reftable_are_read() {
    for hash in ["sha1", "sha256"] {
        let format = format!("--object-format={hash}");
        let fixture = Fixture::with(&["--ref-format=reftable", &format]);
        let root = fixture.root();
        let source = fixture.write("a.md", "1");
        assert_eq!(
            ask(&[source], CommitTime::Committer).files,
            [FileHistory::Untracked],
            "a branch without commits"
        );
        fixture.commit("1700000000 +0000");
        every_file_has_gits_date(root, "one table");
        // Several tables, of which one has several blocks.
        let create = |number: u32| format!("create refs/heads/branch-{number} HEAD\n");
        let branches: Vec<String> = (0..500).map(create).collect();
        let list = fixture.write("../branches", &branches.concat());
        let mut update = git(root);
        update.args(["update-ref", "--stdin"]);
        output(update.stdin(std::fs::File::open(list).expect("it was written")));
        fixture.change("b.md", "1", "1700000100 +0000");
        every_file_has_gits_date(root, "several tables");
        run(root, &["checkout", "-q", "--detach", "branch-77"]);
        every_file_has_gits_date(root, "a detached head");
        run(root, &["worktree", "add", "-q", "../linked", "main"]);
        every_file_has_gits_date(&root.with_file_name("linked"), "a worktree");
        run(root, &["tag", "-a", "-m", "tag", "tagged", "main"]);
        run(root, &["pack-refs"]);
        every_file_has_gits_date(root, "one table again");
    }
}
