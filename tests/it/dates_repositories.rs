//! Dates from clones, worktrees, submodules and damaged repositories: the date that Git gives, or
//! none and the reason.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dates::every_page_has_gits_date;
use crate::site_test::{SiteTest, pair};

/// Creates a clone of two commits, and its origin; only `new.html` changed above the boundary.
fn shallow_site() -> (SiteTest, SiteTest) {
    let origin = SiteTest::of_pages(&["old.html", "older.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin
        .page("old.html", "<meta name=x>")
        .commit("2024-02-02T00:00:00Z");
    origin.page("new.html", "").commit("2024-03-03T00:00:00Z");
    let site = SiteTest::empty();
    let url = format!("file://{}", origin.root().display());
    site.git(&["clone", "--quiet", "--depth", "2", &url, "."]);
    (site, origin)
}

#[test]
fn sources_declared_by_pages_are_counted_in_a_shallow_clone_too() {
    let origin = SiteTest::empty();
    origin
        .settings("output_dir = \"public\"\n")
        .write(".gitignore", "public\n")
        .write("a.txt", "a")
        .write("b.txt", "b");
    origin.commit("2024-01-01T00:00:00Z");
    origin.write("other", "").commit("2024-02-02T00:00:00Z");
    let site = SiteTest::empty();
    site.git(&[
        "clone",
        "--quiet",
        "--depth",
        "1",
        &format!("file://{}", origin.root().display()),
        ".",
    ]);
    for name in ["a", "b"] {
        site.page(
            format!("public/{name}.html"),
            &format!("<meta name=waypost:source content={name}.txt>"),
        );
    }
    let outcome = site
        .build()
        .says("warning[history-shallow]: the clone is shallow: 2 of 4 sources last changed");
    assert_eq!(
        outcome.stderr.matches("history-shallow").count(),
        1,
        "{}",
        outcome.stderr
    );
    site.settings("output_dir = \"public\"\n[lastmod]\nfrom = [\"page\"]\n");
    assert!(!site.build().stderr.contains("history-shallow"));
}

#[test]
fn a_shallow_clone_has_no_wrong_date_and_one_remedy() {
    let (site, _origin) = shallow_site();
    let outcome = site.build();
    let message = "the clone is shallow: 2 of 3 sources last changed before its boundary";
    let outcome = outcome
        .says("warning[history-shallow]")
        .says(message)
        .says("git fetch --depth=2147483647");
    assert_eq!(
        outcome.stderr.matches("warning[").count(),
        1,
        "{}",
        outcome.stderr
    );
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
fn the_remedy_for_a_shallow_clone_depends_on_the_host() {
    let check = |variable: &str, value: &str, remedy: &str| {
        let (mut site, _origin) = shallow_site();
        site.variable(variable, value).build().says(remedy);
    };
    check(
        "GITHUB_ACTIONS",
        "true",
        "on GitHub Actions, give `actions/checkout` the input `fetch-depth: 0`",
    );
    check("GITLAB_CI", "true", "on GitLab CI, set `GIT_DEPTH: 0`");
    check(
        "VERCEL",
        "1",
        "on Vercel, set the environment variable `VERCEL_DEEP_CLONE=true`",
    );
    check(
        "CF_PAGES",
        "1",
        "on Cloudflare Pages, begin the build command with `git fetch --depth=2147483647 &&`",
    );
}

#[test]
fn a_clone_without_blobs_is_dated_without_fetching_them() {
    let origin = SiteTest::of_pages(&["a.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin
        .page("b.html", "")
        .page("a.html", "<meta name=x>")
        .commit("2024-02-02T00:00:00Z");
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let site = SiteTest::empty();
    let url = format!("file://{}", origin.root().display());
    site.git(&["clone", "--quiet", "--filter", "blob:none", &url, "."]);
    site.git(&["remote", "set-url", "origin", "file:///nowhere"]);
    every_page_has_gits_date(&site);
}

#[test]
fn a_treeless_clone_is_reported_and_has_no_wrong_date() {
    let origin = SiteTest::of_pages(&["old.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin.page("new.html", "").commit("2024-02-02T00:00:00Z");
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let site = SiteTest::empty();
    let url = format!("file://{}", origin.root().display());
    site.git(&["clone", "--quiet", "--filter", "tree:0", &url, "."]);
    let outcome = site
        .build()
        .says("warning[history-incomplete]")
        .says("git fetch --refetch --filter=blob:none");
    assert_eq!(
        outcome.stderr.matches("warning[").count(),
        1,
        "{}",
        outcome.stderr
    );
    assert_eq!(
        site.dates(),
        [pair("/new.html", None), pair("/old.html", None)]
    );
    let mut site = site;
    let remedy = "on GitHub Actions, give `actions/checkout` the input `filter: blob:none`";
    site.variable("GITHUB_ACTIONS", "true").build().says(remedy);
}

#[test]
fn a_worktree_and_a_submodule_are_dated_from_their_own_history() {
    let library = SiteTest::of_pages(&["part.html"]);
    library.commit("2023-03-03T00:00:00Z");
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T00:00:00Z");
    let url = library.root().display().to_string();
    site.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
        "docs",
    ]);
    site.commit("2024-02-02T00:00:00Z");
    site.build();
    let expected = [
        pair("/", "2024-01-01T00:00:00Z"),
        pair("/docs/part.html", "2023-03-03T00:00:00Z"),
    ];
    assert_eq!(site.dates(), expected);

    site.git(&["worktree", "add", "--quiet", "../other"]);
    let outcome = site
        .waypost(&["build", "../other", "--config", "waypost.toml"])
        .succeeded();
    outcome.says_nothing_of("warning");
    let entry = site.entries_of("../other/sitemap.xml").remove(0);
    assert_eq!(
        (entry.loc.as_str(), entry.lastmod.as_deref()),
        ("https://example.com/", Some("2024-01-01T00:00:00Z"))
    );
}

#[test]
fn a_site_reached_through_a_symlink_has_the_repository_of_its_real_path() {
    let site = SiteTest::empty();
    site.write(
        "repository/site/waypost.toml",
        "base_url = \"https://example.com/\"\n",
    );
    site.page("repository/site/index.html", "")
        .link("link", "repository/site");
    site.git(&["init", "--quiet", "repository"]);
    site.git(&["-C", "repository", "add", "--all"]);
    site.git(&[
        "-C",
        "repository",
        "commit",
        "--quiet",
        "--message",
        "change",
    ]);
    let settings = site
        .waypost(&["explain", "link", "--settings"])
        .succeeded()
        .stdout;
    let expected = format!(
        "{}: complete history",
        site.root().join("repository").display()
    );
    assert!(settings.contains(&expected), "{settings}");
    site.waypost(&["link"]).succeeded();
    assert_eq!(
        site.entries_of("link/sitemap.xml")
            .remove(0)
            .lastmod
            .as_deref(),
        Some("2020-01-01T00:00:00Z")
    );
}

#[test]
fn the_reason_for_a_missing_date_is_reported() {
    let says = |site: &SiteTest, page: &str, why: &'static str| {
        site.build().says(&format!(" none: {why}"));
        let explained = site.waypost(&["explain", ".", page]).succeeded().stdout;
        assert!(explained.contains(&format!("none ({why})")), "{explained}");
        assert!(
            site.explained("undated").contains(&pair(page, Some(why))),
            "{:?}",
            site.explained("undated")
        );
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
    site.page("a.html", "<meta name=x>");
    site.build();
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
    let dates = vec![
        pair("/", "2023-01-02T00:00:00Z"),
        pair("/a/", "2024-05-06T00:00:00Z"),
    ];
    assert_eq!(site.dates(), dates);
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
    fs::remove_file(site.root().join(".git/HEAD")).expect("the file is ours");
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
        let outcome = site.waypost(&["build"]).ended_with(2);
        assert!(
            outcome.stderr.contains("hint: "),
            "{what}: {}",
            outcome.stderr
        );
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
