//! How long dating every page takes, beside what others do: `git log --name-only` in one pass, and a `git log` a file.
//!
//! `cargo bench --bench history` makes two repositories (once; they stay in `target/tmp`), then takes all contestants in
//! turn for some rounds and prints medians and ratios. The ratios are what counts: the machine's load moves all alike.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use waypost::history::{Answer, Question, Threads, date_sources};

const ROUNDS: usize = 5;
/// Files of which each is asked for by a `git log` of its own; the time is then taken times all files.
const SAMPLE: u32 = 10;

fn main() {
    println!("{:<28} {:>9} {:>9} {:>9} {:>9} {:>15}", "", "1 thread", "2 threads", "one pass", "log -1", "ratios");
    for (pages, commits) in [(3_000, 20_000), (5_000, 80_000)] {
        let root = repository(pages, commits);
        let sources = sources(&root);
        let all = u32::try_from(sources.len()).expect("some thousands");
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(time(|| date(&sources, Threads::One)));
            times[1].push(time(|| date(&sources, Threads::Two)));
            times[2].push(time(|| one_pass(&root)));
            times[3].push(time(|| a_log_a_file(&root, &sources)) * all / SAMPLE);
        }
        let [one, two, pass, logs] = times.map(median);
        let ratio = |theirs: Duration| theirs.as_secs_f64() / one.min(two).as_secs_f64();
        let name = format!("{pages} pages, {commits} commits");
        println!(
            "{name:<28} {:>6} ms {:>6} ms {:>6} ms {:>6} ms {:>6.1}x {:>6.0}x",
            one.as_millis(),
            two.as_millis(),
            pass.as_millis(),
            logs.as_millis(),
            ratio(pass),
            ratio(logs),
        );
    }
}

fn date(sources: &[PathBuf], threads: Threads) {
    let history = date_sources(&Question { sources, threads, ..Question::default() }).expect("no mistake");
    assert!(history.answers.iter().all(|answer| matches!(answer, Answer::Changed(_))), "every page has a date");
}

/// What Hugo runs for its `enableGitInfo` (bep/gitmap), but for the text of the messages.
fn one_pass(root: &Path) {
    let arguments = ["-c", "diff.renames=0", "-c", "log.showSignature=0", "log", "--name-only", "--no-merges"];
    run(git(root).args(arguments).args(["--format=%H%x1f%h%x1f%s%x1f%an%x1f%ae%x1f%ai%x1f%ci", "HEAD"]));
}

fn a_log_a_file(root: &Path, sources: &[PathBuf]) {
    let sample = SAMPLE as usize;
    for source in sources.iter().step_by(sources.len() / sample).take(sample) {
        run(git(root).args(["log", "-1", "--format=%cI", "--"]).arg(source));
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
    git.env("GIT_LITERAL_PATHSPECS", "1").stdout(Stdio::null());
    git
}

fn run(command: &mut Command) {
    assert!(command.status().expect("git can be run").success(), "{command:?}");
}

fn sources(root: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(root.join("content")).sort_by_file_name();
    let files = files.into_iter().map(|file| file.expect("the folder can be read"));
    files.filter(|file| file.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// Makes a repository, unless it is there from an earlier run.
fn repository(pages: usize, commits: usize) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("history-{pages}-{commits}"));
    if !root.join("content").is_dir() {
        std::fs::create_dir_all(&root).expect("the target folder can be written");
        run(git(&root).args(["init", "-q", "-b", "main"]));
        let mut import = git(&root).args(["fast-import", "--quiet", "--force"]).stdin(Stdio::piped()).spawn();
        let import = import.as_mut().expect("git can be run");
        let mut stream = import.stdin.take().expect("it was piped");
        stream.write_all(history(pages, commits).as_bytes()).expect("git reads the stream");
        drop(stream);
        assert!(import.wait().expect("git ends").success());
        run(git(&root).args(["repack", "-q", "-a", "-d", "-f"])); // as a clone would be packed
        run(git(&root).args(["reset", "-q", "--hard", "main"]));
    }
    root
}

/// Pages come with the first commits; then each commit changes one to three, the low numbers much more often, so that
/// some are as old as the site. Every tenth commit is a merge of a branch of one commit.
fn history(pages: usize, commits: usize) -> String {
    let mut stream = String::new();
    let mut random = 1_u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).expect("31 bits") % bound
    };
    let path = |page: usize| format!("content/s{:02}/d{:02}/page-{page:05}.md", page % 37, page % 11);
    let modify = |stream: &mut String, page: usize, revision: usize| {
        let text = format!("# Page {page}\n\nRevision {revision} of this page.\n");
        writeln!(stream, "M 100644 inline {}\ndata {}\n{text}", path(page), text.len()).expect("memory suffices");
    };
    let start = |stream: &mut String, branch: &str, commit: usize, parents: &[usize]| {
        let seconds = 1_400_000_000 + commit * 4000;
        write!(stream, "commit refs/heads/{branch}\nmark :{commit}\ncommitter C <c@example.com> {seconds} +0200\n")
            .and_then(|()| writeln!(stream, "data 7\nchange"))
            .expect("memory suffices");
        for (at, parent) in parents.iter().enumerate() {
            let word = if at == 0 { "from" } else { "merge" };
            writeln!(stream, "{word} :{parent}").expect("memory suffices");
        }
    };
    start(&mut stream, "main", 1, &[]);
    (0..pages).for_each(|page| modify(&mut stream, page, 1));
    let mut commit = 2;
    while commit <= commits {
        if commit % 10 == 0 && commit + 2 <= commits {
            let (ours, theirs) = (below(pages / 2), pages / 2 + below(pages / 4));
            start(&mut stream, "side", commit, &[commit - 1]);
            modify(&mut stream, theirs, commit);
            start(&mut stream, "main", commit + 1, &[commit - 1]);
            modify(&mut stream, ours, commit + 1);
            start(&mut stream, "main", commit + 2, &[commit + 1, commit]);
            modify(&mut stream, theirs, commit); // the stream starts from the first parent's files
            commit += 3;
        } else {
            start(&mut stream, "main", commit, &[commit - 1]);
            for _ in 0..=below(3) {
                let bound = 1 + below(pages * 3 / 4);
                modify(&mut stream, below(bound), commit);
            }
            commit += 1;
        }
    }
    stream
}
