//! Dates in sitemaps: the `git log` date of the page's source, or none.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::site_test::{SiteTest, pair};

/// Asserts that every page has the date that Git gives for it; each page is its own source here.
#[track_caller]
fn every_page_has_gits_date(site: &SiteTest) {
    site.build();
    let dates = site.explained("lastmod");
    assert!(!dates.is_empty());
    for (file, date) in dates {
        assert_eq!(date.unwrap_or_default(), site.date_by_git(&file), "{file}");
    }
}

#[test]
fn the_utc_offset_of_the_commit_is_kept() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T23:30:00-05:00");
    site.page("b.html", "").commit("2024-02-02T05:30:00+05:30");
    site.page("c.html", "").commit("2024-03-03T00:00:00Z");
    every_page_has_gits_date(&site);
    let expected = [
        "2024-01-01T23:30:00-05:00",
        "2024-02-02T05:30:00+05:30",
        "2024-03-03T00:00:00Z",
    ];
    assert_eq!(
        site.dates()
            .into_iter()
            .filter_map(|(_, date)| date)
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_page_has_the_committer_date_or_on_request_the_author_date() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit_of_author("2020-06-01T23:30:00-05:00", "2020-06-03T01:00:00+09:00");
    every_page_has_gits_date(&site);
    site.settings("[lastmod]\ndate = \"author\"\n").build();
    assert_eq!(site.dates(), [pair("/", "2020-06-01T23:30:00-05:00")]);
}

#[test]
fn the_date_format_writes_days_without_times() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[lastmod]\nformat = \"date\"\n")
        .commit("2024-05-06T07:08:09+02:00");
    site.build();
    assert_eq!(site.dates(), [pair("/", "2024-05-06")]);
}

#[test]
fn merges_are_simplified_as_git_does() {
    let site = SiteTest::of_pages(&["trunk.html", "branch.html", "both.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "side"]);
    site.page("branch.html", "<meta name=a>")
        .page("both.html", "<meta name=side>")
        .commit("2024-02-02T00:00:00Z");
    site.git(&["checkout", "--quiet", "main"]);
    site.page("trunk.html", "<meta name=b>")
        .page("both.html", "<meta name=trunk>")
        .commit("2024-03-03T00:00:00Z");
    // The merge itself changes `both.html`; four of six other tools miss such a change.
    site.git(&[
        "merge",
        "--quiet",
        "--no-commit",
        "--no-ff",
        "--strategy",
        "ours",
        "side",
    ]);
    site.git(&["checkout", "side", "--", "branch.html"]);
    site.page("both.html", "<meta name=merged>")
        .commit("2024-04-04T00:00:00Z");
    every_page_has_gits_date(&site);
    let dates = site.dates();
    let expected = [
        "2024-04-04T00:00:00Z",
        "2024-02-02T00:00:00Z",
        "2024-03-03T00:00:00Z",
    ];
    assert_eq!(
        dates
            .iter()
            .filter_map(|(_, date)| date.as_deref())
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn changes_of_every_kind_are_dated_as_git_dates_them() {
    let site = SiteTest::of_pages(&[
        "mode.html",
        "moved.html",
        "reverted.html",
        "deleted.html",
        "skewed.html",
    ]);
    site.page("\u{fc} b.html", "")
        .page("odd[1].html", "")
        .commit("2020-01-01T00:00:00Z");
    site.git(&["mv", "moved.html", "new.html"]);
    site.commit("2020-02-02T00:00:00Z");
    site.git(&["update-index", "--chmod", "+x", "mode.html"]);
    site.git(&["commit", "--quiet", "--message", "mode"]);
    site.git(&["checkout", "--quiet", "--", "mode.html"]);
    site.page("reverted.html", "<meta name=x>")
        .page("skewed.html", "<meta name=x>")
        .commit("2022-06-01T00:00:00Z");
    site.page("reverted.html", "")
        .page("skewed.html", "<meta name=y>")
        .commit("2020-03-01T00:00:00Z");
    fs::remove_file(site.root().join("deleted.html")).expect("it exists");
    site.commit("2020-04-04T00:00:00Z");
    site.page("deleted.html", "").commit("2020-05-05T00:00:00Z");
    every_page_has_gits_date(&site);
}

#[test]
fn a_rename_without_a_change_can_be_ignored() {
    let site = SiteTest::of_pages(&["old.html"]);
    site.settings("[lastmod]\nfollow_renames = true\n")
        .commit("2024-01-01T00:00:00Z");
    site.git(&["mv", "old.html", "new.html"]);
    site.commit("2024-02-02T00:00:00Z");
    site.build();
    assert_eq!(site.dates(), [pair("/new.html", "2024-01-01T00:00:00Z")]);
}

#[test]
fn commits_in_the_ignore_revs_file_are_ignored() {
    let site = SiteTest::of_pages(&["a.html", "b.html"]);
    site.settings("[lastmod]\nignore_revs_file = \".git-blame-ignore-revs\"\n")
        .commit("2024-01-01T00:00:00Z");
    let reformat = site
        .page("a.html", "<meta name=x>")
        .page("c.html", "")
        .commit("2024-02-02T00:00:00Z");
    site.write(
        ".git-blame-ignore-revs",
        format!("# all pages at once\n\n{}  # prettier\n", &reformat[..10]),
    );
    site.build();
    // A page that such a commit adds has no earlier change and keeps its date, as in `git blame`.
    let [old, new] = ["2024-01-01T00:00:00Z", "2024-02-02T00:00:00Z"];
    assert_eq!(
        site.dates(),
        [
            pair("/a.html", old),
            pair("/b.html", old),
            pair("/c.html", new)
        ]
    );
}

#[test]
fn a_page_that_differs_from_the_committed_one_has_no_date() {
    let site = SiteTest::of_pages(&["kept.html", "edited.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.page("edited.html", "<meta name=x>")
        .page("new.html", "")
        .build();
    let dates = [
        pair("/edited.html", None),
        pair("/kept.html", "2024-01-01T00:00:00Z"),
        pair("/new.html", None),
    ];
    assert_eq!(site.dates(), dates);
}

#[test]
fn the_next_date_source_is_used_if_the_history_has_no_date() {
    let modified = "<meta property='article:modified_time' content='2023-03-03T03:03:03Z'>";
    let site = SiteTest::of_pages(&["kept.html"]);
    site.page("kept.html", modified)
        .commit("2024-01-01T00:00:00Z");
    site.page("new.html", modified).build();
    assert_eq!(
        site.dates(),
        [
            pair("/kept.html", "2024-01-01T00:00:00Z"),
            pair("/new.html", "2023-03-03T03:03:03Z")
        ]
    );
    assert_eq!(
        site.explained("lastmod_from"),
        [pair("kept.html", "git"), pair("new.html", "page")]
    );
    site.settings("[lastmod]\nfrom = [\"page\", \"git\"]\n")
        .build();
    assert_eq!(
        site.explained("lastmod_from"),
        [pair("kept.html", "page"), pair("new.html", "page")]
    );
    site.settings("[lastmod]\nfrom = []\n").build();
    assert_eq!(
        site.dates(),
        [pair("/kept.html", None), pair("/new.html", None)]
    );
}

#[test]
fn the_modification_time_of_a_file_counts_only_on_request() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.build();
    assert_eq!(site.dates(), [pair("/a.html", None)]);
    let page = fs::File::options()
        .append(true)
        .open(site.root().join("a.html"))
        .expect("it exists");
    page.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_979_289))
        .expect("the file is ours");
    site.settings("[lastmod]\nfrom = [\"git\", \"mtime\"]\n")
        .build();
    assert_eq!(site.dates(), [pair("/a.html", "2024-05-06T07:08:09Z")]);
}

#[test]
fn a_future_date_is_omitted_and_reported() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.commit("2026-02-01T00:00:00Z");
    site.build()
        .says("warning[lastmod-false]")
        .says("2026-02-01");
    assert_eq!(site.dates(), [pair("/a.html", None)]);
}

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
fn a_publication_date_is_ignored_once_the_page_has_changed() {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n")
        .write(".gitignore", "public\n");
    for name in ["a", "b"] {
        site.page(format!("public/{name}/index.html"), "");
    }
    site.write("content/a.md", "+++\ndate = 2020-01-01\n+++\n");
    site.write(
        "content/b.md",
        "+++\ndate = 2020-01-01\nupdated = 2023-03-03\n+++\n",
    );
    site.build();
    let dated =
        |a: Option<&'static str>| [pair("a/index.html", a), pair("b/index.html", "2023-03-03")];
    assert_eq!(site.explained("lastmod"), dated(Some("2020-01-01")));
    site.commit("2024-01-01T00:00:00Z");
    for name in ["a", "b"] {
        let text = site.read(&format!("content/{name}.md"));
        site.write(format!("content/{name}.md"), text + "more\n");
    }
    site.build().says("warning[source-dirty]");
    assert_eq!(site.explained("lastmod"), dated(None));
}

#[test]
fn pages_are_their_own_sources_however_the_output_directory_is_given() {
    let site = SiteTest::empty();
    site.page("docs/index.html", "")
        .commit("2024-05-06T07:08:09Z");
    let absolute = site.root().join("docs").display().to_string();
    for arguments in [
        ["docs", "-q"].as_slice(),
        &["-o", "docs"],
        &["-o", &absolute],
        &["-o", "./docs/", "."],
    ] {
        let base = ["--base-url", "https://example.com/"];
        site.waypost(&[arguments, &base].concat()).succeeded();
        let written = site.read("docs/sitemap.xml");
        assert!(
            written.contains("<lastmod>2024-05-06T07:08:09Z</lastmod>"),
            "{arguments:?}: {written}"
        );
        std::fs::remove_file(site.root().join("docs/sitemap.xml")).expect("it was written");
    }
}

#[test]
fn a_shallow_clone_has_no_wrong_date_and_one_remedy() {
    let (site, _origin) = shallow_site();
    let outcome = site.build();
    let message = "the clone is shallow: 2 of 3 sources last changed before its boundary";
    let outcome = outcome
        .says("warning[history-shallow]")
        .says(message)
        .says("git fetch --unshallow");
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
        "on Cloudflare Pages, begin the build command with `git fetch --unshallow &&`",
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
fn front_matter_listed_before_history_gives_the_date_even_for_edited_sources() {
    let site = SiteTest::empty();
    site.write(
        "config.toml",
        "base_url = \"https://example.com\"\n\
         [extra.waypost.lastmod]\nfrom = [\"front_matter\", \"git\"]\n",
    );
    site.write(".gitignore", "public\n")
        .write("content/a.md", "+++\ndate = 2020-01-01\n+++\n");
    site.page("public/a/index.html", "")
        .commit("2024-01-01T00:00:00Z");
    site.write("content/a.md", "+++\ndate = 2020-01-01\n+++\nmore\n");
    site.build();
    assert_eq!(
        site.explained("lastmod"),
        [pair("a/index.html", "2020-01-01")]
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

#[test]
fn an_also_that_is_a_directory_is_reported_only_as_such() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.settings("[[rule]]\nmatch = \"a.html\"\nalso = [\"data\"]\n")
        .write("data/x.csv", "");
    site.commit("2024-01-01T00:00:00Z");
    site.build()
        .says("the source `data` named by `also` is not a file")
        .says_nothing_of("source-untracked");
}

#[test]
fn a_damaged_repository_is_reported_and_gives_no_wrong_date() {
    let check = |what: &str, damage: &dyn Fn(&SiteTest)| {
        let site = SiteTest::of_pages(&["index.html", "a/index.html"]);
        site.commit("2023-01-02T00:00:00Z");
        site.page("a/index.html", "<meta name=x>")
            .commit("2024-05-06T00:00:00Z");
        let whole = site.build().says_nothing_of("history-incomplete");
        assert_eq!(whole.code, 0);
        let dates = site.dates();
        assert_eq!(
            dates,
            [
                pair("/", "2023-01-02T00:00:00Z"),
                pair("/a/", "2024-05-06T00:00:00Z")
            ]
        );
        damage(&site);
        site.build().says("warning[history-incomplete]");
        for (now, before) in site.dates().into_iter().zip(dates) {
            assert!(now.1.is_none() || now == before, "{what}: {now:?}");
        }
    };
    let write = |path: &'static str, text: &str| {
        let text = text.to_owned();
        move |site: &SiteTest| {
            site.write(path, &text);
        }
    };
    let remove_object = |revision: &'static str| {
        move |site: &SiteTest| {
            fs::remove_file(site.loose_object(revision)).expect("the object is loose");
        }
    };
    let in_pack = |ending: &'static str, damage: fn(&Path)| {
        move |site: &SiteTest| {
            site.git(&["gc", "--quiet"]);
            let dir = site.root().join(".git/objects/pack");
            let mut files = fs::read_dir(dir)
                .expect("git gc creates packs")
                .map(|file| file.expect("the directory is readable").path());
            damage(
                &files
                    .find(|file| file.extension().is_some_and(|end| end == ending))
                    .expect("it exists"),
            );
        }
    };
    let cut = |file: &Path| {
        let bytes = fs::read(file).expect("the file is readable");
        fs::remove_file(file)
            .and_then(|()| fs::write(file, &bytes[..bytes.len() / 2]))
            .expect("the file is ours");
    };
    let remove = |file: &Path| fs::remove_file(file).expect("the file is ours");
    check("an invalid HEAD", &write(".git/HEAD", "nonsense"));
    check(
        "an invalid branch",
        &write(".git/refs/heads/main", "nonsense"),
    );
    check(
        "a branch whose commit is missing",
        &write(".git/refs/heads/main", &"1".repeat(40)),
    );
    check("invalid packed references", &|site| {
        site.git(&["pack-refs", "--all"]);
        site.write(".git/packed-refs", "nonsense");
    });
    check(
        "an invalid list of shallow commits",
        &write(".git/shallow", "nonsense\n"),
    );
    check("an invalid configuration", &write(".git/config", "[core\n"));
    check("a missing HEAD commit", &remove_object("HEAD"));
    check("a missing older commit", &remove_object("HEAD^"));
    check("a missing tree", &remove_object("HEAD^{tree}"));
    check("a truncated pack", &in_pack("pack", cut));
    check("a missing pack", &in_pack("pack", remove));
    check("a truncated index", &in_pack("idx", cut));
    check("a missing index", &in_pack("idx", remove));
}
