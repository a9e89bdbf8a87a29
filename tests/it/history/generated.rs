//! Random histories, as streams for `git fast-import`, of everything that makes dating files hard.

use std::collections::BTreeMap;

/// A generator of numbers that gives the same sequence on every machine (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).expect("below a usize")
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Mode and content of an entry; few contents, so that reverts and equal files happen.
type Entry = (&'static str, u8);
type Tree = BTreeMap<Vec<u8>, Entry>;

/// The names are such that `x` is now a file and now a folder, and sort differently as one and as the other.
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
/// After so many commits, only the first names change.
const EVENTFUL: usize = 70;

const MODES: [&str; 4] = ["100644", "100644", "100755", "120000"];
const ZONES: [&str; 6] = ["+0000", "+0200", "-0500", "+0530", "+1400", "-0930"];

/// A history for a seed: several roots, merges of up to five parents that keep, mix or change what they merge, files
/// deleted and added again, renamed, changed in kind, clocks that jump.
pub(super) fn stream(seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let count = 5 + dice.below(60);
    history(&mut dice, count)
}

/// A long history, most of whose files change only in its first commits.
pub(super) fn long_stream(seed: u64, commits: usize) -> Vec<u8> {
    history(&mut Dice(seed), commits)
}

fn history(dice: &mut Dice, count: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut commits: Vec<(Tree, i64)> = Vec::new();
    let skew = dice.below(3);
    for mark in 1..=count {
        let parents = parents(dice, &commits);
        let tree = next_tree(dice, &commits, &parents);
        let newest = parents.iter().map(|parent| commits[*parent].1).max().unwrap_or(1_400_000_000);
        let seconds = match skew {
            0 => newest + 1 + i64::try_from(dice.below(5000)).expect("small"),
            1 => newest, // all at once
            _ => 1_000_000_000 + i64::try_from(dice.below(500_000_000)).expect("small"),
        };
        let zone = dice.pick(&ZONES);
        let author = seconds - i64::try_from(dice.below(100_000)).expect("small");
        let branch = if mark == count { "main" } else { "side" };
        line(&mut stream, &format!("reset refs/heads/{branch}\ncommit refs/heads/{branch}\nmark :{mark}"));
        line(&mut stream, &format!("author A <a@example.com> {author} {}", dice.pick(&ZONES)));
        line(&mut stream, &format!("committer C <c@example.com> {seconds} {zone}\ndata 0"));
        for (at, parent) in parents.iter().enumerate() {
            line(&mut stream, &format!("{} :{}", if at == 0 { "from" } else { "merge" }, parent + 1));
        }
        line(&mut stream, "deleteall");
        for (path, entry) in &tree {
            modify(&mut stream, path, *entry);
        }
        commits.push((tree, seconds));
    }
    stream
}

/// Mostly the newest commit; one time in four a merge, now and then a new root or a branch from long ago.
fn parents(dice: &mut Dice, commits: &[(Tree, i64)]) -> Vec<usize> {
    if commits.is_empty() || (commits.len() < EVENTFUL && dice.percent(3)) {
        return Vec::new();
    }
    let newest = commits.len() - 1;
    let mut parents = vec![if dice.percent(60) { newest } else { newest - dice.below(commits.len().min(8)) }];
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

/// The first parent's tree, mixed with the others', then perhaps changed: also in merges.
fn next_tree(dice: &mut Dice, commits: &[(Tree, i64)], parents: &[usize]) -> Tree {
    let mut tree = parents.first().map(|parent| commits[*parent].0.clone()).unwrap_or_default();
    let names = if commits.len() < EVENTFUL { &NAMES[..] } else { &NAMES[..4] };
    for other in parents.iter().skip(1) {
        for name in names {
            if dice.percent(40) {
                match commits[*other].0.get(*name) {
                    Some(entry) => put(&mut tree, name, *entry),
                    None => drop(tree.remove(*name)),
                }
            }
        }
    }
    let changes = if parents.len() > 1 && dice.percent(60) { 0 } else { 1 + dice.below(4) };
    for _ in 0..changes {
        let name = *dice.pick(names);
        match dice.below(10) {
            0 | 1 => drop(tree.remove(name)),
            2 if names.iter().any(|name| tree.contains_key(*name)) => {
                let there: Vec<_> = names.iter().filter(|name| tree.contains_key(**name)).collect();
                let entry = tree.remove(**dice.pick(&there)).expect("it is there");
                put(&mut tree, name, entry);
            }
            _ => {
                let entry = (*dice.pick(&MODES), u8::try_from(dice.below(4)).expect("small"));
                put(&mut tree, name, entry);
            }
        }
    }
    tree
}

/// Adds a file, in place of a file that would be its folder and of all files that it would be the folder of.
fn put(tree: &mut Tree, name: &[u8], entry: Entry) {
    let below = |path: &[u8], folder: &[u8]| path.starts_with(folder) && path.get(folder.len()) == Some(&b'/');
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
    line(stream, &format!("M {mode} inline \"{quoted}\"\ndata 1\n{content}"));
}

fn line(stream: &mut Vec<u8>, text: &str) {
    stream.extend_from_slice(text.as_bytes());
    stream.push(b'\n');
}
