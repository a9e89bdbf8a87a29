//! Sites that try to exhaust the memory or the time of the machine that builds them.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::Value;

use crate::platform::with_limits;
use crate::site_test::{Outcome, SiteTest};

/// CPU time for pages, settings or a repository of a few megabytes, in an unoptimized build.
const MOST_CPU_SECONDS: u32 = 30;

/// Limit of the address space in KiB, which stops a run that allocates too much.
const MOST_MEMORY: u32 = 2_000_000;

const WITH_BASE: [&str; 2] = ["--base-url", "https://example.com/"];

/// Runs waypost with bounded memory and CPU time, and checks that it ends by itself.
#[track_caller]
pub(crate) fn bounded(site: &SiteTest, arguments: &[&str]) -> Outcome {
    let plain = site.waypost_command(arguments);
    let mut command = with_limits(&plain, MOST_MEMORY, MOST_CPU_SECONDS);
    let set = plain.get_envs();
    command
        .args(plain.get_args())
        .current_dir(site.root())
        .env_clear()
        .envs(set.filter_map(|(name, value)| Some((name, value?))));
    let done = command.output().expect("the program can be run");
    let (status, outcome) = (done.status, Outcome::of(done));
    let ended_itself = (0..=2).contains(&outcome.code);
    assert!(ended_itself, "ended by {status:?}: {}", outcome.stderr);
    outcome
}

/// Checks that the run fails, or that a finding reports what was not read.
#[track_caller]
fn refused(outcome: &Outcome, text: &str) {
    let is_reported = outcome.code == 2 || outcome.stderr.contains("warning[");
    assert!(is_reported, "{text:.40}: {}", outcome.stderr);
}

#[test]
fn deeply_nested_input_is_refused() {
    let many = |part: &str| part.repeat(100_000);
    let toml = [
        "a = ".to_owned() + &many("["),
        format!("a{} = 1", many(".a")),
        format!("[a{}]", many(".a")),
    ];
    let table = format!("a = {}", many("{a="));
    for text in toml.iter().chain([&table]) {
        for file in ["waypost.toml", "hugo.toml", "netlify.toml"] {
            let site = SiteTest::of_pages(&["index.html"]);
            site.write(file, text);
            refused(&bounded(&site, &WITH_BASE), text);
        }
        let site = content(&format!("+++\n{text}\n+++\n"));
        refused(&bounded(&site, &[]).succeeded(), text);
    }
    for text in [many("["), many("{\"a\":"), many("[1,")] {
        let site = content(&text);
        bounded(&site, &[]).succeeded();
        for file in ["vercel.json", "list.json"] {
            site.write(file, &text);
        }
        bounded(&site, &["--source-map", "list.json"]).ended_with(2);
    }
    let yaml = ["- ", "[", "{a: ", "? "].map(many);
    for text in yaml.into_iter().chain([format!("a: {}", many("!!x "))]) {
        let site = content(&format!("---\n{text}\n---\n"));
        refused(&bounded(&site, &[]).succeeded(), &text);
        let site = SiteTest::of_pages(&["index.html"]);
        site.write("mkdocs.yml", &text);
        refused(&bounded(&site, &WITH_BASE), &text);
    }
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("deep.html", many("<div><template><svg><math><select>"))
        .write("sitemap.xml", many("<urlset><url>"));
    refused(&bounded(&site, &["check"]), "elements");
}

#[test]
fn what_is_compared_with_all_others_is_limited_in_number() {
    let many = |part: &str, count: usize| -> String {
        (0..count)
            .map(|number| part.replace('#', &number.to_string()))
            .collect()
    };
    let attributes = many("a#=\"1\" ", 200_000);
    let entry = "<url><loc>https://example.com/</loc>";
    let site = SiteTest::of_pages(&["index.html"]);
    for text in [
        format!("<rss version=\"2.0\" {attributes}></rss>"),
        format!("<urlset {attributes}>{entry}</url></urlset>"),
        format!("<urlset>{entry}<link {attributes}/></url></urlset>"),
        format!(
            "<!DOCTYPE a [<!ENTITY e \"> &#60;a {}/>\">]><a>&e;</a>",
            attributes.replace('"', "'")
        ),
    ] {
        site.write("a.xml", &text);
        bounded(&site, &["check", "a.xml", "--strict"])
            .ended_with(1)
            .says("an element has more than 1000 attributes");
        site.write("sitemap.xml", text);
        bounded(&site, &["--dry-run"]).succeeded();
    }
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("_headers", many("/#/*\n  Link: x\n", 20_000));
    bounded(&site, &WITH_BASE)
        .succeeded()
        .says("10000 rules are not read, from `_headers:20001` on: 1 listed page");
    site.write(
        "waypost.toml",
        format!("exclude = [{}]", many("'#',\n", 100_001)),
    );
    bounded(&site, &WITH_BASE)
        .ended_with(2)
        .says("`exclude` and `rule` have more than 100000 entries");
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-05-06T07:08:09Z");
    site.write(".git/objects/info/alternates", many("/no/#\n", 40_000));
    bounded(&site, &WITH_BASE)
        .ended_with(2)
        .says("`objects/info/alternates` has 40000 lines, more than the 1,000 that are read");
}

/// A Zola site with one page, which is made from this content file.
fn content(text: &str) -> SiteTest {
    let site = SiteTest::zola("");
    site.write("content/a.md", text);
    site.page("public/a/index.html", "");
    site
}

#[test]
fn input_that_expands_when_it_is_read_is_cut_off() {
    let nine = (1..=30).map(|at| {
        format!(
            "a{at}: &a{at} [{}]\n",
            vec![format!("*a{}", at - 1); 9].join(", ")
        )
    });
    let bomb = format!("a0: &a0 [x]\n{}", nine.collect::<String>());
    refused(
        &bounded(&content(&format!("---\n{bomb}---\n")), &[]).succeeded(),
        "bomb",
    );
    let long = content(&format!("+++\nx = \"{}\"\n+++\n", "y".repeat(1 << 20)));
    refused(&bounded(&long, &[]).succeeded(), "more than 1 MiB");
    let packed = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let block = vec![b' '; 1 << 20];
        for _ in 0..300 {
            encoder.write_all(&block).expect("memory");
        }
        encoder.finish().expect("memory")
    };
    let site = SiteTest::of_pages(&["index.html"]);
    site.write("sitemap.xml", &packed)
        .write("sitemap.xml.gz", &packed);
    site.write("robots.txt", &packed);
    bounded(&site, &["check"]).says("it is too large for a sitemap");
}

#[test]
fn a_tree_that_inflates_beyond_the_limit_is_not_read() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-05-06T00:00:00Z");
    let object = site.loose_object("HEAD^{tree}");
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    write!(encoder, "tree {}\0", 129 << 20).expect("memory");
    let block = vec![0; 1 << 20];
    for _ in 0..129 {
        encoder.write_all(&block).expect("memory");
    }
    std::fs::remove_file(&object).expect("a loose object");
    site.write(object, encoder.finish().expect("memory"));
    bounded(&site, &[])
        .ended_with(2)
        .says("exceeds the configured allocation limit");
}

#[test]
fn messages_shorten_the_long_values_of_a_page() {
    let site = SiteTest::of_pages(&["index.html", "headed.html", "moved.html"]);
    site.settings("[sitemap]\nhreflang = true\n");
    let long = "Long".repeat(100_000);
    let tags = [
        "<meta name=robots content='noindex LONG'>",
        "<meta name=robots content='noindxe LONG'>",
        "<meta name=robots content=LONG>",
        "<meta name=' robots' content='LONG'>",
        "<meta property=robots content='LONG'>",
        "<meta http-equiv=X-Robots-Tag content='LONG'>",
        "<link rel=canonical href='/LONG'>",
        "<link rel=canonical href='https://example.org/LONG'>",
        "<link rel=canonical href='http://[LONG'>",
        "<link rel=canonical href='mailto:LONG'>",
        "<link rel=canonical href='#LONG'>",
        "<base href='/LONG/'><link rel=canonical href=x>",
        "<body><p><link rel=canonical href='/LONG'>",
        "<link rel=alternate hreflang=LONG href=/>",
        "<link rel=alternate hreflang=de href=/LONG>",
        "<meta http-equiv=refresh content='0; url=/LONG'>",
        "<meta property=article:modified_time content='LONG'>",
        "<link rel=alternate type=application/rss+xml href='/LONG'>",
    ];
    for (at, tag) in tags.iter().enumerate() {
        site.page(format!("{at}.html"), &tag.replace("LONG", &long));
    }
    let entry = "<loc>https://example.com/</loc><lastmod>LONG</lastmod>&LONG;";
    let sitemap = format!("<urlset><url>{entry}</url></urlset>");
    for (file, text) in [
        (
            "robots.txt",
            "User-agent: *\nDisallow: /*xLONG\nDisallow: /LONG\nSitemap: LONG\n",
        ),
        ("_headers", "/headed.html\n  X-Robots-Tag: noindex, LONG\n"),
        (
            "_redirects",
            "/moved.html /LONG 301!\n/a /b LONG\n/a /b 301 LONG\n",
        ),
        ("sitemap.xml", sitemap.as_str()),
    ] {
        site.write(file, text.replace("LONG", &long));
    }
    // At most three quotes of 160 characters each. A URL may have 8 KiB.
    let is_long = |text: &&str| text.matches("Long").count() > 3 * 160 / 4;
    let longest = |texts: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        let long = texts.filter(is_long);
        long.map(|text| text[..160].to_owned()).collect()
    };
    for command in [&["--dry-run", "--json"][..], &["check", "--json"]] {
        let json = bounded(&site, command).json();
        let findings = json["findings"].as_array().expect("an array");
        let messages = findings
            .iter()
            .flat_map(|finding| [&finding["message"], &finding["hint"]]);
        let longest = longest(&mut messages.filter_map(Value::as_str));
        let count = findings.len();
        assert!(count > 10 && longest.is_empty(), "{count}: {longest:#?}");
    }
    for command in ["--dry-run --verbose", "check --verbose", "explain"] {
        let outcome = bounded(&site, &command.split(' ').collect::<Vec<_>>());
        let lines = outcome.stdout.lines().chain(outcome.stderr.lines());
        let longest = longest(&mut { lines });
        assert!(longest.is_empty(), "{command:?}: {longest:#?}");
    }
}

#[test]
fn runs_end_with_patterns_and_settings_of_any_size() {
    let rule = |glob: &str| format!("[[rule]]\nmatch = \"{glob}\"\npriority = 0.5\n");
    let run = |site: &SiteTest, settings: &str| {
        site.settings(settings);
        bounded(site, &["--quiet"])
    };
    let globs = [
        "{a,b}".repeat(2_000),
        "**/".repeat(10_000),
        "*".repeat(100_000),
        "[a-z]".repeat(50_000),
        "{".repeat(10_000),
        "{a,".repeat(5_000) + &"}".repeat(5_000),
        "?".repeat(100_000),
    ];
    let site = SiteTest::of_pages(&["index.html", &format!("{}/index.html", "a".repeat(200))]);
    for glob in globs {
        run(&site, &rule(&glob));
    }
    let rules = (0..15_000).map(|at| rule(&format!("s{at}/**/*.html")));
    run(&site, &rules.collect::<String>());
    let exclude = format!("exclude = [{}]", "\"a\u{1b}\", ".repeat(100_000));
    run(&site, &exclude);
    run(&site, &"unknown_key = 1\n".repeat(60_000)).ended_with(2);
    std::fs::File::create(site.root().join("waypost.toml"))
        .and_then(|file| file.set_len(10 << 30))
        .expect("a sparse file");
    bounded(&site, &["--quiet"])
        .ended_with(2)
        .says("larger than 16 MiB");
}

#[test]
fn links_between_directories_do_not_multiply_the_pages() {
    let site = SiteTest::zola("");
    for step in 0..30 {
        for (dir, file) in [("public", "index.html"), ("content", "index.md")] {
            site.write(
                format!("{dir}/{step}/{file}"),
                "+++\n+++\n<!DOCTYPE html><p>x",
            );
            for link in ["left", "right"] {
                site.link(format!("{dir}/{step}/{link}"), &format!("../{}", step + 1));
            }
        }
    }
    let outcome = bounded(&site, &["explain", "--json"]).ended_with(0);
    // Each directory, and each through one link.
    assert_eq!(outcome.stdout.lines().count(), 30 + 2 * 29);
    let link = |dir: &str| format!("{dir}/0/left/left");
    let outcome = bounded(&site, &["--verbose"])
        .says("warning[file-skipped]")
        .says("so it is not followed");
    outcome.says(&link("content"));
}

#[test]
fn many_language_links_are_handled_in_time() {
    let site = SiteTest::of_pages(&[]);
    let links = |to: &str, code: &dyn Fn(u32) -> String| -> String {
        let link = |at| format!("<link rel=alternate hreflang={} href=/{to}>", code(at));
        (0..40_000).map(link).collect()
    };
    let letter = |at: u32| char::from_digit(10 + at % 26, 36).expect("below 36");
    let script = |at: u32| {
        let letters = [1, 26, 676, 17_576].map(|power| letter(at / power));
        format!("de-{}", String::from_iter(letters))
    };
    for (page, to, code) in [
        (
            "a.html",
            "b.html",
            &(|_| "x-default".to_owned()) as &dyn Fn(u32) -> String,
        ),
        ("b.html", "a.html", &|_| "x-default".to_owned()),
        ("c.html", "d.html", &script),
        ("d.html", "c.html", &script),
    ] {
        site.page(page, &links(to, code));
    }
    bounded(&site, &["-q"]);
}

#[test]
fn a_flood_of_findings_is_only_counted() {
    let site = SiteTest::of_pages(&["index.html"]);
    let rule = |number| format!("[[rule]]\nmatch = \"x{number}\"\n");
    site.settings(&(0..3_000).map(rule).collect::<String>());
    for command in ["build", "check"] {
        let outcome = site.waypost(&[command, "--json"]).succeeded();
        let (codes, printed) = (outcome.codes(), outcome.stdout);
        assert!(printed.len() < 2_000_000, "{command}");
        let unused = codes.iter().filter(|code| *code == "setting-unused");
        assert_eq!(unused.count(), 1_001, "{command}");
        let more = "2000 more findings of this kind are not shown";
        assert!(printed.contains(more), "{command}");
        let shown = site.waypost(&[command]).succeeded();
        shown.says("(and 2,999 more; `-v` shows the first 1,000)");
        let verbose = site.waypost(&[command, "--verbose"]).succeeded().says(more);
        assert!(verbose.stderr.len() < 500_000, "{command}");
    }
}

#[test]
fn an_old_index_of_missing_sitemaps_gets_few_messages() {
    let site = SiteTest::of_pages(&["index.html"]);
    let child =
        |number| format!("<sitemap><loc>https://example.com/sitemap-{number}.xml</loc></sitemap>");
    let open = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let children = (0..5_000).map(child).collect::<String>();
    site.settings("")
        .write("sitemap.xml", format!("{open}{children}</sitemapindex>"));
    let outcome = site.waypost(&["--verbose"]).succeeded();
    let printed = outcome.stderr.lines().count();
    assert!(printed < 60, "{printed} lines: {:.2000}", outcome.stderr);
    outcome.says("more sitemaps could not be read completely");
}
