//! Random histories with every known difficulty for dating files, as streams for `git fast-import`.

use std::collections::BTreeMap;

/// A random number generator with the same sequence on every machine (SplitMix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).expect("less than a usize")
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Mode and content of an entry; few contents, so that reverts and equal files occur.
pub(super) type Entry = (&'static str, u8);
pub(super) type Tree = BTreeMap<Vec<u8>, Entry>;

/// Some names are a file in one commit and a directory in another, and sort differently as each.
const NAMES: [&[u8]; 18] = [
    b"a",
    b"a/b",
    b"a/b/c",
    b"a.md",
    b"a0",
    b"a-b/x",
    b"d/e",
    b"d/e/f",
    b"d/e.x",
    b"d/e0/g",
    b"sp ace",
    b"t\tab",
    b"q\"uote",
    b"back\\slash",
    b"new\nline",
    b"\xff\xfe",
    b"[glob]*?.md",
    "ü日本".as_bytes(),
];
/// After this many commits, only the first names change.
const EVENTFUL: usize = 70;

const MODES: [&str; 4] = ["100644", "100644", "100755", "120000"];
const ZONES: [&str; 6] = ["+0000", "+0200", "-0500", "+0530", "+1400", "-0930"];

/// A commit in a generated history.
pub(super) struct Commit {
    pub(super) tree: Tree,
    /// Indices of earlier commits.
    pub(super) parents: Vec<usize>,
    pub(super) seconds: i64,
}

/// Generates a history from a seed; the last commit is the branch `main`.
///
/// It has several roots, merges of up to five parents that keep, mix or change their content, files
/// that are deleted, restored, renamed or change their type, and clocks that jump.
pub(super) fn history(seed: u64) -> Vec<Commit> {
    let mut dice = Dice(seed);
    let count = 5 + dice.below(60);
    commits(&mut dice, count)
}

/// Generates a long history in which most files change only in the first commits.
pub(super) fn long_history(seed: u64, count: usize) -> Vec<Commit> {
    commits(&mut Dice(seed), count)
}

fn commits(dice: &mut Dice, count: usize) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    let skew = dice.below(3);
    for _ in 0..count {
        let parents = parents(dice, &commits);
        let tree = next_tree(dice, &commits, &parents);
        let newest = parents
            .iter()
            .map(|parent| commits[*parent].seconds)
            .max()
            .unwrap_or(1_400_000_000);
        let seconds = match skew {
            0 => newest + 1 + i64::try_from(dice.below(5000)).expect("a small number"),
            1 => newest, // all at the same time
            _ => 1_000_000_000 + i64::try_from(dice.below(500_000_000)).expect("a small number"),
        };
        commits.push(Commit {
            tree,
            parents,
            seconds,
        });
    }
    commits
}

/// Writes a history as a stream for `git fast-import`; a commit's message is its index.
pub(super) fn stream(commits: &[Commit]) -> Vec<u8> {
    let mut stream = Vec::new();
    for (at, commit) in commits.iter().enumerate() {
        let branch = if at + 1 == commits.len() {
            "main"
        } else {
            "side"
        };
        let (seconds, author) = (commit.seconds, commit.seconds - 1000);
        let (zone, other_zone) = (ZONES[at % ZONES.len()], ZONES[at * 5 % ZONES.len()]);
        line(
            &mut stream,
            &format!(
                "reset refs/heads/{branch}\ncommit refs/heads/{branch}\nmark :{}",
                at + 1
            ),
        );
        line(
            &mut stream,
            &format!("author A <a@example.com> {author} {other_zone}"),
        );
        line(
            &mut stream,
            &format!(
                "committer C <c@example.com> {seconds} {zone}\ndata {}\n{at}",
                at.to_string().len()
            ),
        );
        for (nth, parent) in commit.parents.iter().enumerate() {
            line(
                &mut stream,
                &format!(
                    "{} :{}",
                    if nth == 0 { "from" } else { "merge" },
                    parent + 1
                ),
            );
        }
        line(&mut stream, "deleteall");
        for (path, entry) in &commit.tree {
            modify(&mut stream, path, *entry);
        }
    }
    stream
}

/// Picks the parents: usually the newest commit, sometimes several (a merge), an older commit or
/// none (a new root).
fn parents(dice: &mut Dice, commits: &[Commit]) -> Vec<usize> {
    if commits.is_empty() || (commits.len() < EVENTFUL && dice.percent(3)) {
        return Vec::new();
    }
    let newest = commits.len() - 1;
    let mut parents = vec![if dice.percent(60) {
        newest
    } else {
        newest - dice.below(commits.len().min(8))
    }];
    if dice.percent(35) {
        for _ in 0..=dice.below(4) {
            let other = newest - dice.below(commits.len().min(12));
            if !parents.contains(&other) {
                parents.push(other);
            }
        }
    }
    parents
}

/// Creates a tree: takes the first parent's, mixes in the others', and may change it.
fn next_tree(dice: &mut Dice, commits: &[Commit], parents: &[usize]) -> Tree {
    let mut tree = parents
        .first()
        .map(|parent| commits[*parent].tree.clone())
        .unwrap_or_default();
    let names = if commits.len() < EVENTFUL {
        &NAMES[..]
    } else {
        &NAMES[..4]
    };
    for other in parents.iter().skip(1) {
        for name in names {
            if dice.percent(40) {
                match commits[*other].tree.get(*name) {
                    Some(entry) => put(&mut tree, name, *entry),
                    None => drop(tree.remove(*name)),
                }
            }
        }
    }
    let changes = if parents.len() > 1 && dice.percent(60) {
        0
    } else {
        1 + dice.below(4)
    };
    for _ in 0..changes {
        let name = *dice.pick(names);
        match dice.below(10) {
            0 | 1 => drop(tree.remove(name)),
            2 if names.iter().any(|name| tree.contains_key(*name)) => {
                let there: Vec<_> = names
                    .iter()
                    .filter(|name| tree.contains_key(**name))
                    .collect();
                let entry = tree.remove(**dice.pick(&there)).expect("it exists");
                put(&mut tree, name, entry);
            }
            _ => {
                let entry = (
                    *dice.pick(&MODES),
                    u8::try_from(dice.below(4)).expect("a small number"),
                );
                put(&mut tree, name, entry);
            }
        }
    }
    tree
}

/// Adds a file, and removes files that would be its parent directories or in a directory of its
/// name.
fn put(tree: &mut Tree, name: &[u8], entry: Entry) {
    let below =
        |path: &[u8], dir: &[u8]| path.starts_with(dir) && path.get(dir.len()) == Some(&b'/');
    tree.retain(|other, _| !below(other, name) && !below(name, other));
    tree.insert(name.to_vec(), entry);
}

fn modify(stream: &mut Vec<u8>, path: &[u8], (mode, content): Entry) {
    let quoted: String = path
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b' ' => char::from(*byte).to_string(),
            other => format!("\\{other:03o}"),
        })
        .collect();
    line(
        stream,
        &format!("M {mode} inline \"{quoted}\"\ndata 1\n{content}"),
    );
}

fn line(stream: &mut Vec<u8>, text: &str) {
    stream.extend_from_slice(text.as_bytes());
    stream.push(b'\n');
}
