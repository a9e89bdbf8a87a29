//! Measures dating all pages against two other ways: one pass of `git log --name-only`, and one
//! `git log` per file.
//!
//! `cargo bench --bench history` creates four sites, each with a repository (once; they stay in
//! `target/tmp`). It then runs all contestants in turn for several rounds, and prints medians and
//! how many times longer the others take than waypost's history step and than a complete
//! `waypost build`. Compare the ratios: the machine's load affects all alike.
//!
//! The main factor is how far back the walk must go. On a *growing* site, pages are added one by
//! one and changed evenly, so that the oldest date is in the last third or half of the history, as
//! on most real sites. On an *old* site, a quarter of the pages is as old as the site, so that
//! every commit must be visited.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use git_last_modified::{FileHistory, HistoryQuery, Source, date_sources};

const ROUNDS: usize = 5;
/// Files measured with a separate `git log`; the time is scaled up to all files.
const SAMPLE: u32 = 10;

/// How pages are added and changed.
#[derive(Clone, Copy)]
enum Shape {
    Growing,
    Old,
}

/// A site to create.
#[derive(Clone, Copy)]
struct Site {
    shape: Shape,
    pages: usize,
    commits: usize,
}

const SITES: [Site; 4] = [
    Site {
        shape: Shape::Growing,
        pages: 3_000,
        commits: 20_000,
    },
    Site {
        shape: Shape::Growing,
        pages: 5_000,
        commits: 80_000,
    },
    Site {
        shape: Shape::Old,
        pages: 3_000,
        commits: 20_000,
    },
    Site {
        shape: Shape::Old,
        pages: 5_000,
        commits: 80_000,
    },
];

fn main() {
    println!("milliseconds, and how many times longer git takes");
    println!("{:28}   history     build  one pass    log -1", "");
    for site in SITES {
        let root = site.make();
        let sources = files(&root.join("content"));
        let all = u32::try_from(sources.len()).expect("a few thousand files");
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(time(|| date(&sources)));
            times[1].push(build(&root));
            times[2].push(time(|| one_pass(&root)));
            times[3].push(time(|| log_per_file(&root, &sources)) * all / SAMPLE);
        }
        let medians = times.map(median);
        let row = medians
            .iter()
            .fold(format!("{:28}", site.name()), |row, time| {
                row + &format!("{:10}", time.as_millis())
            });
        println!("{row}");
        for (name, theirs) in [("one pass", medians[2]), ("log -1", medians[3])] {
            let ratio =
                |ours: &Duration| format!("{:9.1}x", theirs.as_secs_f64() / ours.as_secs_f64());
            println!(
                "{:>28}{}",
                format!("{name} takes"),
                medians[..2].iter().map(ratio).collect::<String>()
            );
        }
    }
}

/// Measures a complete run, starting from an output directory without a sitemap.
fn build(root: &Path) -> Duration {
    for file in ["sitemap.xml", "robots.txt"] {
        std::fs::remove_file(root.join("public").join(file)).ok(); // missing in the first round
    }
    let mut waypost = Command::new(env!("CARGO_BIN_EXE_waypost"));
    waypost
        .args(["build", "--quiet"])
        .arg(root)
        .stdout(Stdio::null());
    time(|| run(&mut waypost))
}

fn date(sources: &[PathBuf]) {
    let sources = sources.iter().cloned().map(Source::File);
    let history = date_sources(sources, &HistoryQuery::default()).expect("the query is valid");
    assert!(
        history
            .files
            .iter()
            .all(|answer| matches!(answer, FileHistory::Changed(_))),
        "every page has a date"
    );
}

/// Runs Hugo's command for `enableGitInfo` (bep/gitmap), except for the message bodies.
fn one_pass(root: &Path) {
    let arguments = [
        "-c",
        "diff.renames=0",
        "-c",
        "log.showSignature=0",
        "log",
        "--name-only",
        "--no-merges",
    ];
    run(git(root).args(arguments).args([
        "--format=%H%x1f%h%x1f%s%x1f%an%x1f%ae%x1f%ai%x1f%ci",
        "HEAD",
    ]));
}

fn log_per_file(root: &Path, sources: &[PathBuf]) {
    let sample = SAMPLE as usize;
    for source in sources.iter().step_by(sources.len() / sample).take(sample) {
        run(git(root)
            .args(["log", "-1", "--format=%cI", "--"])
            .arg(source));
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
    git.current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR");
    git.env("GIT_LITERAL_PATHSPECS", "1").stdout(Stdio::null());
    git
}

fn run(command: &mut Command) {
    assert!(command.status().expect("git runs").success(), "{command:?}");
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(dir).sort_by_file_name();
    let files = files
        .into_iter()
        .map(|file| file.expect("the directory is readable"));
    files
        .filter(|file| file.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

impl Site {
    fn name(self) -> String {
        let shape = match self.shape {
            Shape::Growing => "growing",
            Shape::Old => "old",
        };
        format!("{shape}, {} pages, {} commits", self.pages, self.commits)
    }

    /// Creates a Zola site with a repository, unless it exists from an earlier run.
    fn make(self) -> PathBuf {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(self.name().replace(", ", "-").replace(' ', "-"));
        if !root.join("public").is_dir() {
            std::fs::create_dir_all(&root).expect("the target directory is writable");
            run(git(&root).args(["init", "-q", "-b", "main"]));
            let mut import = git(&root)
                .args(["fast-import", "--quiet", "--force"])
                .stdin(Stdio::piped())
                .spawn();
            let import = import.as_mut().expect("git runs");
            let mut stream = import.stdin.take().expect("stdin is piped");
            stream
                .write_all(self.history().as_bytes())
                .expect("git reads the stream");
            drop(stream);
            assert!(import.wait().expect("git exits").success());
            run(git(&root).args(["repack", "-q", "-a", "-d", "-f"])); // packed like a clone
            run(git(&root).args(["reset", "-q", "--hard", "main"]));
            std::fs::write(
                root.join("config.toml"),
                "base_url = \"https://example.com\"\n",
            )
            .expect("the target directory is writable");
            render(&root);
        }
        root
    }

    /// Returns the history as a stream: each commit changes one to three pages, and every tenth
    /// merges a branch of one commit.
    fn history(self) -> String {
        let Self {
            shape,
            pages,
            commits,
        } = self;
        let mut stream = String::new();
        let mut random = 1_u64;
        let mut below = |bound: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).expect("31 bits") % bound
        };
        // The first commit adds all pages of an old site, or a tenth of a growing one; the others
        // are added over the first nine tenths of the commits.
        let first = match shape {
            Shape::Growing => pages / 10,
            Shape::Old => pages,
        };
        let here = |commit: usize| pages.min(first + (pages - first) * commit / (commits * 9 / 10));
        start(&mut stream, "main", 1, &[]);
        (0..first).for_each(|page| modify(&mut stream, page, 1));
        let (mut commit, mut known) = (2, first);
        while commit <= commits {
            let is_merge = commit % 10 == 0 && commit + 2 <= commits;
            if is_merge {
                let (ours, theirs) = (below(known / 2), known / 2 + below(known / 4));
                start(&mut stream, "side", commit, &[commit - 1]);
                modify(&mut stream, theirs, commit);
                start(&mut stream, "main", commit + 1, &[commit - 1]);
                modify(&mut stream, ours, commit + 1);
                start(&mut stream, "main", commit + 2, &[commit + 1, commit]);
                // The stream starts from the first parent's files.
                modify(&mut stream, theirs, commit);
                commit += 3;
            } else {
                start(&mut stream, "main", commit, &[commit - 1]);
                (known..here(commit)).for_each(|page| modify(&mut stream, page, commit));
                known = here(commit);
                for _ in 0..=below(3) {
                    let page = match shape {
                        Shape::Growing => below(known),
                        // Low numbers much more often, and the last quarter only in merges.
                        Shape::Old => {
                            let bound = 1 + below(pages * 3 / 4);
                            below(bound)
                        }
                    };
                    modify(&mut stream, page, commit);
                }
                commit += 1;
            }
        }
        stream
    }
}

fn modify(stream: &mut String, page: usize, revision: usize) {
    let text = format!("# Page {page}\n\nRevision {revision} of this page.\n");
    let path = format!(
        "content/s{:02}/d{:02}/page-{page:05}.md",
        page % 37,
        page % 11
    );
    writeln!(
        stream,
        "M 100644 inline {path}\ndata {}\n{text}",
        text.len()
    )
    .expect("writing to a string succeeds");
}

fn start(stream: &mut String, branch: &str, commit: usize, parents: &[usize]) {
    let seconds = 1_400_000_000 + commit * 4000;
    write!(
        stream,
        "commit refs/heads/{branch}\nmark :{commit}\ncommitter C <c@example.com> {seconds} +0200\n"
    )
    .and_then(|()| writeln!(stream, "data 7\nchange"))
    .expect("writing to a string succeeds");
    for (at, parent) in parents.iter().enumerate() {
        let word = if at == 0 { "from" } else { "merge" };
        writeln!(stream, "{word} :{parent}").expect("writing to a string succeeds");
    }
}

/// Writes a page of some 8 KiB for each source, as Zola would.
fn render(root: &Path) {
    let body =
        "<p>A paragraph of the page's text, as long as most paragraphs are.</p>\n".repeat(110);
    for source in files(&root.join("content")) {
        let path = source
            .strip_prefix(root.join("content"))
            .expect("the source is in `content`")
            .with_extension("");
        let url = path.to_str().expect("an ASCII name");
        let dir = root.join("public").join(&path);
        let page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{url}</title>\
             <link rel=\"canonical\" href=\"https://example.com/{url}/\">\
             </head><body>\n{body}</body></html>\n"
        );
        std::fs::create_dir_all(&dir).expect("the target directory is writable");
        std::fs::write(dir.join("index.html"), page).expect("the target directory is writable");
    }
}
