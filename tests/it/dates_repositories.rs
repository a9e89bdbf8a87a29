//! Dates from clones, worktrees, submodules and damaged repositories: the date that Git gives, or
//! none and the reason. `tests/cases/shallow.txtar` has more of shallow clones.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dates::every_page_has_gits_date;
use crate::site_test::{SiteTest, pair};

/// Clones an origin into a new site.
pub(crate) fn clone_of(origin: &SiteTest, options: &[&str]) -> SiteTest {
    let site = SiteTest::empty();
    let url = format!("file://{}", origin.root().display());
    site.git(&[&["clone", "--quiet"], options, &[&url, "."]].concat());
    site
}

/// Creates a clone of two commits, and its origin; only `new.html` changed above the boundary.
fn shallow_site() -> (SiteTest, SiteTest) {
    let origin = SiteTest::of_pages(&["old.html", "older.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin
        .page("old.html", "<meta name=x>")
        .commit("2024-02-02T00:00:00Z");
    origin.page("new.html", "").commit("2024-03-03T00:00:00Z");
    (clone_of(&origin, &["--depth", "2"]), origin)
}

#[test]
fn a_shallow_clone_has_no_wrong_date_and_one_remedy() {
    let (site, _origin) = shallow_site();
    let outcome = site.build().says("warning[history-shallow]");
    assert_eq!(outcome.stderr.matches("warning[").count(), 1);
    let dates = [
        pair("/new.html", "2024-03-03T00:00:00Z"),
        pair("/old.html", None),
        pair("/older.html", None),
    ];
    assert_eq!(site.dates(), dates);
    site.git(&["fetch", "--quiet", "--unshallow"]);
    site.build().says_nothing_of("shallow");
    every_page_has_gits_date(&site);
}

#[test]
fn a_clone_without_blobs_is_dated_and_a_treeless_one_is_reported() {
    let origin = SiteTest::of_pages(&["a.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin.page("b.html", "").commit("2024-02-02T00:00:00Z");
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let site = clone_of(&origin, &["--filter", "blob:none"]);
    site.git(&["remote", "set-url", "origin", "file:///nowhere"]);
    every_page_has_gits_date(&site);

    let mut site = clone_of(&origin, &["--filter", "tree:0"]);
    let outcome = site.build().says("warning[history-incomplete]");
    assert_eq!(outcome.stderr.matches("warning[").count(), 1);
    let undated = ["/a.html", "/b.html"].map(|page| pair(page, None));
    assert_eq!(site.dates(), undated);
    let remedy = "on GitHub Actions, give `actions/checkout` the input `filter: blob:none`";
    site.variable("GITHUB_ACTIONS", "true").build().says(remedy);
}

#[test]
fn a_worktree_and_a_submodule_are_dated_from_their_own_history() {
    let library = SiteTest::of_pages(&["part.html"]);
    library.commit("2023-03-03T00:00:00Z");
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T00:00:00Z");
    add_submodule(&site, &[&library.root().display().to_string(), "docs"]);
    site.build();
    let expected = [
        pair("/", "2024-01-01T00:00:00Z"),
        pair("/docs/part.html", "2023-03-03T00:00:00Z"),
    ];
    assert_eq!(site.dates(), expected);

    site.git(&["worktree", "add", "--quiet", "../other"]);
    site.link("link", "../other");
    let arguments = ["build", "link", "--config", "waypost.toml"];
    let outcome = site.waypost(&arguments).succeeded();
    outcome.says_nothing_of("warning");
    let date = site.entries_of("../other/sitemap.xml").remove(0).lastmod;
    assert_eq!(date.as_deref(), Some("2024-01-01T00:00:00Z"));
}

/// Adds a submodule and commits it.
pub(crate) fn add_submodule(site: &SiteTest, arguments: &[&str]) {
    let allow = "protocol.file.allow=always";
    let add = ["-c", allow, "submodule", "--quiet", "add"];
    site.git(&[&add, arguments].concat());
    site.commit("2024-02-02T00:00:00Z");
}

#[test]
fn the_reason_for_a_missing_date_is_reported() {
    let says = |site: &SiteTest, page: &str, why: &'static str| {
        site.build().says(&format!(" none: {why}"));
        let explained = site.waypost(&["explain", ".", page]).succeeded().stdout;
        assert!(explained.contains(&format!("none ({why})")), "{explained}");
        assert_eq!(site.explain()[page]["undated"], why);
    };
    let (shallow, _origin) = shallow_site();
    says(
        &shallow,
        "old.html",
        "the last change is older than the available history",
    );
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    says(&site, "a.html", "not in a Git repository");
    site.commit("2024-01-01T00:00:00Z");
    site.page("a.html", "<meta name=x>").build();
    says(&site, "a.html", "the source has uncommitted changes");
    site.settings("[lastmod]\nfrom = [\"page\"]\n");
    says(&site, "b.html", "no source in `lastmod.from` has a date");
}

/// A site of two pages whose commits have different dates, and these dates.
fn dated_site() -> (SiteTest, Vec<(String, Option<String>)>) {
    let site = SiteTest::of_pages(&["index.html", "a/index.html"]);
    site.commit("2023-01-02T00:00:00Z");
    site.page("a/index.html", "<meta name=x>")
        .commit("2024-05-06T00:00:00Z");
    site.build().says_nothing_of("history-incomplete");
    let dates = site.dates();
    assert_eq!(dates[1], pair("/a/", "2024-05-06T00:00:00Z"));
    (site, dates)
}

fn packed(site: &SiteTest, ending: &str) -> PathBuf {
    site.git(&["gc", "--quiet"]);
    let dir = site.root().join(".git/objects/pack");
    let mut files = fs::read_dir(dir)
        .expect("git gc creates packs")
        .map(|file| file.expect("the directory is readable").path());
    files
        .find(|file| file.extension().is_some_and(|end| end == ending))
        .expect("it exists")
}

#[test]
fn what_is_no_repository_gives_no_date_and_a_warning() {
    let (site, dates) = dated_site();
    site.remove(".git/HEAD");
    site.build().says("warning[history-incomplete]");
    for (now, before) in site.dates().into_iter().zip(dates) {
        assert!(now.1.is_none() || now == before, "{now:?}");
    }
}

#[test]
fn what_is_missing_or_cannot_be_read_ends_the_run_before_anything_is_written() {
    let check = |what: &str, damage: &dyn Fn(&SiteTest)| {
        let (site, dates) = dated_site();
        damage(&site);
        site.page("new.html", "");
        site.waypost(&["build"]).ended_with(2).says("hint: ");
        assert_eq!(site.dates(), dates, "{what}");
    };
    let write = |path: &'static str, text: &'static str| {
        move |site: &SiteTest| {
            site.write(path, text);
        }
    };
    let remove = |file: &Path| fs::remove_file(file).expect("the file is ours");
    let object =
        |revision: &'static str| move |site: &SiteTest| remove(&site.loose_object(revision));
    check("no commit of a branch", &|site| {
        site.write(".git/refs/heads/main", "1".repeat(40));
    });
    check("no commit of HEAD", &object("HEAD"));
    check("no older commit", &object("HEAD^"));
    check("no tree", &object("HEAD^{tree}"));
    check("no pack", &|site| remove(&packed(site, "pack")));
    check("no index", &|site| remove(&packed(site, "idx")));
    let cut = |file: &Path| {
        let bytes = fs::read(file).expect("the file is readable");
        fs::remove_file(file)
            .and_then(|()| fs::write(file, &bytes[..bytes.len() / 2]))
            .expect("the file is ours");
    };
    check("HEAD", &write(".git/HEAD", "nonsense"));
    check("a branch", &write(".git/refs/heads/main", "nonsense"));
    check("packed references", &|site| {
        site.git(&["pack-refs", "--all"]);
        site.write(".git/packed-refs", "nonsense");
    });
    check("the shallow commits", &write(".git/shallow", "nonsense\n"));
    check("the configuration", &write(".git/config", "[core\n"));
    check("a tree", &|site| cut(&site.loose_object("HEAD^{tree}")));
    check("a pack", &|site| cut(&packed(site, "pack")));
    check("an index", &|site| cut(&packed(site, "idx")));
}
