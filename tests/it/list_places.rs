//! Lists whose pages are elsewhere: behind links, in mounts, submodules, nested clones and other directories. Each part is dated by `git log`
//! in its own repository, and a part that is not known leaves the list without a date.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::site_test::{SiteTest, text_at};

/// How the content leads to the posts.
const WAYS: [&str; 5] = ["none", "file links", "directory link", "chain", "mount"];
/// Where the posts are.
const PLACES: [&str; 4] = ["same", "submodule", "nested", "outside"];
/// The state of the part that is not known, of the posts or of the site.
const STATES: [&str; 5] = ["full", "shallow", "shallow site", "edited", "added"];
const FIRST: u64 = 1_700_000_000;

/// A random number below a bound (SplitMix64).
fn below(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) % bound
}

/// A Hugo site, the posts of which are in another directory.
struct Places {
    site: SiteTest,
    content: PathBuf,
    /// The directory of the posts, which may be in another repository or in none.
    posts: PathBuf,
    has_repository: bool,
    is_outside: bool,
}

impl Places {
    fn new(way: &str, place: &str) -> Self {
        let site = SiteTest::hugo(match way {
            "mount" => {
                "[module]\n[[module.mounts]]\nsource = \"content\"\ntarget = \"content\"\n\
                 [[module.mounts]]\nsource = \"other\"\ntarget = \"content/posts\"\n"
            }
            _ => "",
        });
        let root = site.root().to_path_buf();
        let is_outside = place == "outside" && !matches!(way, "none" | "mount");
        let posts = match way {
            "none" => root.join("content/posts"),
            _ if is_outside => root.with_file_name("other"),
            _ => root.join("other"),
        };
        let ignored = if place == "nested" { "/other\n" } else { "" };
        site.write(".gitignore", format!("/public\n{ignored}"))
            .write("content/_index.md", "0");
        let places = Self {
            content: root.join("content"),
            has_repository: matches!(place, "submodule" | "nested"),
            site,
            posts,
            is_outside,
        };
        fs::create_dir_all(&places.posts).expect("a new directory");
        if places.has_repository {
            places.git(&places.posts, "init -q -b main", 0);
        }
        places.git(&root, "init -q -b main", 0);
        let link = |to: &Path, name: &str| symlink(to, root.join(name)).expect("a link");
        match way {
            "directory link" => link(&places.posts, "content/posts"),
            "chain" => {
                link(&places.posts, "middle");
                link(Path::new("../middle"), "content/posts");
            }
            "file links" => fs::create_dir(root.join("content/posts")).expect("a new directory"),
            _ => {}
        }
        places
    }

    fn git(&self, dir: &Path, arguments: &str, seconds: u64) -> String {
        let mut git = self.site.git_command();
        git.args(["-c", "advice.addEmbeddedRepo=false"])
            .args(arguments.split(' '))
            .current_dir(dir)
            .env("GIT_COMMITTER_DATE", format!("{seconds} +0000"));
        let done = git.output().expect("git runs");
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).expect("git prints UTF-8 here")
    }

    fn commit(&self, dir: &Path, seconds: u64) {
        self.git(dir, "add -A", seconds);
        self.git(dir, "commit -q --allow-empty -m x", seconds);
    }

    /// Adds a post, changes one, or removes one, and perhaps changes the home page.
    fn change(&self, way: &str, random: &mut u64, step: u64) {
        let post = self.posts.join(format!("post{}.md", below(random, 3)));
        if below(random, 4) == 0 {
            _ = fs::remove_file(&post);
        } else {
            fs::write(&post, step.to_string()).expect("a file");
        }
        if below(random, 5) == 0 {
            fs::write(self.content.join("_index.md"), step.to_string()).expect("a file");
        }
        if way == "file links" {
            let link = self
                .content
                .join("posts")
                .join(post.file_name().expect("a name"));
            _ = fs::remove_file(&link);
            if post.exists() {
                symlink(&post, &link).expect("a link");
            }
        }
    }

    /// The date that git prints for what options select; `None` if it is that of everything that a clone does not have.
    fn by_git(&self, dir: &Path, options: &str) -> Option<String> {
        let printed = self.git(dir, &format!("log -1 --format=%H\u{a0}%cI {options}"), 0);
        let (commit, date) = printed.trim_end().split_once('\u{a0}')?;
        let boundary = self.git(dir, "rev-parse --git-path shallow", 0);
        let boundary = fs::read_to_string(dir.join(boundary.trim_end())).unwrap_or_default();
        let is_cut = boundary.contains(commit)
            && self
                .git(dir, &format!("cat-file -p {commit}"), 0)
                .contains("\nparent ");
        (!is_cut).then(|| date.replace("+00:00", "Z"))
    }

    /// The date of the last file that was added to a directory or removed from it.
    fn members_by_git(&self, dir: &Path) -> Option<String> {
        self.by_git(dir, "--no-renames --diff-filter=AD -- .")
    }

    fn cut(&self, dir: &Path, random: &mut u64) {
        let commits = self.git(dir, "rev-list HEAD", 0);
        let commits: Vec<&str> = commits.lines().collect();
        let at = usize::try_from(below(random, commits.len() as u64)).expect("a small number");
        fs::write(dir.join(".git/shallow"), format!("{}\n", commits[at])).expect("a file");
    }
}

fn check(seed: u64) {
    let pick = |from: &[&'static str], number: u64| {
        from[usize::try_from(number).expect("small") % from.len()]
    };
    let (way, place) = (pick(&WAYS, seed), pick(&PLACES, seed / 5));
    let state = pick(&STATES, seed / 20);
    let mut random = seed * 7919;
    let places = Places::new(way, place);
    let root = places.site.root().to_path_buf();
    let mut seconds = FIRST;
    for step in 0..3 + below(&mut random, 5) {
        places.change(way, &mut random, step);
        seconds += 1 + below(&mut random, 1000);
        if places.has_repository {
            places.commit(&places.posts, seconds);
            seconds += 1 + below(&mut random, 1000);
        }
        places.commit(&root, seconds);
    }
    let other = if places.has_repository {
        &places.posts
    } else {
        &root
    };
    match state {
        "shallow" => places.cut(other, &mut random),
        "shallow site" => places.cut(&root, &mut random),
        "edited" => fs::write(places.content.join("_index.md"), "edited").expect("a file"),
        "added" => {
            fs::write(places.posts.join("new.md"), "new").expect("a file");
            if way == "file links" {
                symlink(
                    places.posts.join("new.md"),
                    places.content.join("posts/new.md"),
                )
                .expect("a link");
            }
        }
        _ => {}
    }
    let shown = if way == "mount" {
        places.posts.clone()
    } else {
        places.content.join("posts")
    };
    let mut posts: Vec<String> = fs::read_dir(&shown)
        .expect("it exists")
        .map(|entry| entry.expect("it is readable").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".md")?.to_owned()))
        .collect();
    posts.sort();
    if posts.is_empty() {
        return; // Nothing is listed.
    }
    let dirs: Vec<String> = posts.iter().map(|post| format!("posts/{post}/")).collect();
    places
        .site
        .index_pages("public", &format!("/ posts/ {}", dirs.join(" ")));
    // The links to files are in the site, whatever they lead to.
    let are_files = way == "file links";
    let is_known = !places.is_outside && state != "added";
    let members = if are_files {
        places.members_by_git(&places.content.join("posts"))
    } else if is_known {
        places.members_by_git(&shown)
    } else {
        None
    };
    let members = members.filter(|_| is_known);
    let own = places.by_git(&root, "-- content/_index.md");
    let parts = [members.clone(), places.members_by_git(&places.content), own];
    let is_spread = places.has_repository && !are_files;
    let home = if !is_known || state == "edited" || is_spread && parts.contains(&None) {
        None
    } else {
        // In one repository, what is beyond the boundary is older than what is not.
        parts.into_iter().flatten().max()
    };
    let explained = places.site.explain();
    let date = |file: &str| text_at(&explained[file], "lastmod");
    let story = format!("seed {seed}: {way}, {place}, {state}: {posts:?}");
    assert_eq!(date("posts/index.html"), members, "{story}: the section");
    assert_eq!(date("index.html"), home, "{story}: the home page");
}

#[test]
fn each_part_of_a_list_is_dated_in_its_own_repository() {
    for seed in (0..100).step_by(7) {
        check(seed);
    }
}

#[test]
#[ignore = "takes minutes: 200 histories; part of the slow suite"]
fn each_part_of_a_list_is_dated_in_its_own_repository_in_many_histories() {
    for seed in 100..300 {
        check(seed);
    }
}
