//! Tests of several runs at once.

use super::fixture::{at_most, entries, entry, grouped, plan};
use super::tests::{ALONE, names_in, temp_dir};
use super::*;

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
