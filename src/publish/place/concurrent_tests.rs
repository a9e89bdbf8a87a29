//! Tests of several runs at once, with locks and without.

use std::fs;
use std::path::Path;

use super::tests::{ALONE, names_in, temp_dir};
use super::*;
use sitemaps::fixture::{at_most, entries, entry, grouped, plan};

#[test]
fn concurrent_runs_end_with_a_complete_set() {
    let dir = temp_dir();
    let plans = [
        plan(entries(90), &at_most(4)),
        plan(vec![grouped("a", "blog"), entry("b")], &at_most(4)),
    ];
    std::thread::scope(|scope| {
        for plan in plans.iter().cycle().take(8) {
            scope.spawn(|| publish(plan, dir.path(), ALONE).expect("the set can be written"));
        }
    });
    let names = names_in(dir.path());
    let whole = plans.iter().any(|plan| {
        let mut planned: Vec<_> = plan.files().iter().map(|file| file.name.clone()).collect();
        planned.sort();
        planned == names
    });
    assert!(whole, "{names:?}");
}

/// Whether the directory has exactly the files of the plan.
fn is_set_of(plan: &Plan, dir: &Path) -> bool {
    let mut planned: Vec<_> = plan.files().iter().map(|file| file.name.clone()).collect();
    planned.sort();
    let holds = |file: &PlannedFile| {
        fs::read(dir.join(&file.name)).is_ok_and(|bytes| bytes == plan.render(file).as_bytes())
    };
    planned == names_in(dir) && plan.files().iter().all(holds)
}

#[test]
fn concurrent_runs_without_locks_leave_one_set_or_fail() {
    let plans = [
        plan(entries(40), &at_most(4)),
        plan(vec![grouped("a", "blog"), entry("b")], &at_most(4)),
        plan(entries(60), &at_most(9)),
    ];
    let mut whole = 0;
    for _ in 0..10 {
        let dir = temp_dir();
        let run = |plan| LockedOutputDir::without_lock(dir.path()).place(plan, ALONE);
        let failed = std::thread::scope(|scope| {
            let runs = plans.iter().cycle().take(6);
            let runs: Vec<_> = runs.map(|plan| scope.spawn(move || run(plan))).collect();
            let results = runs.into_iter().map(|run| run.join().expect("no panic"));
            results.filter(Result::is_err).count()
        });
        let is_whole = plans.iter().any(|plan| is_set_of(plan, dir.path()));
        assert!(is_whole || failed > 0, "{:?}", names_in(dir.path()));
        whole += usize::from(is_whole);
    }
    assert!(whole > 5, "only {whole} of 10 rounds left one set");
}
