//! Objects that `git replace` has replaced, with and without the replacements.

use super::fixture::{git, output, run};
use super::unusual::three_commits;
use super::{date_by_waypost, tracked};
use git_last_modified::{HistoryQuery, Replacements, date_sources};

#[test]
fn replacements_can_be_ignored_as_by_git() {
    let fixture = three_commits();
    let root = fixture.root();
    run(root, &["replace", "--graft", "HEAD", "HEAD~2"]);
    let sources = tracked(root);
    let mut differ = 0;
    for replacements in [Replacements::Applied, Replacements::Ignored] {
        let query = HistoryQuery {
            sources: &sources,
            replacements,
            ..HistoryQuery::default()
        };
        let history = date_sources(&query).expect("the query is valid");
        for (source, answer) in sources.iter().zip(&history.files) {
            let by_git = |replacements| {
                let mut log = git(root);
                if replacements == Replacements::Ignored {
                    log.env("GIT_NO_REPLACE_OBJECTS", "");
                }
                output(log.args(["log", "-1", "--format=%H %ct", "--"]).arg(source))
            };
            assert_eq!(
                date_by_waypost(answer),
                by_git(replacements),
                "{replacements:?}"
            );
            let other = by_git(Replacements::Applied) != by_git(Replacements::Ignored);
            differ += usize::from(other);
        }
    }
    assert!(differ > 0, "the replacement changes a date");
}
