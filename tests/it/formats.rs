//! Output for other programs: GitHub Actions annotations, SARIF, JSON, and the stylesheet for
//! browsers.

use serde_json::{Value, json};

use crate::site_test::SiteTest;

/// A Zola site whose sitemap lists a noindex page, and `missing` URLs for which there is no page.
fn site(missing: usize) -> SiteTest {
    let site = SiteTest::empty();
    site.write("config.toml", "base_url = \"https://example.com\"\n");
    site.write("content/secret.md", "+++\n+++\n")
        .write("robots.txt", "");
    site.page("public/index.html", "").page(
        "public/secret/index.html",
        "<meta name=robots content=noindex>",
    );
    let entry = |loc: String| format!("<url><loc>{loc}</loc></url>\n");
    let missing: String = (0..missing)
        .map(|at| entry(format!("https://example.com/gone-{at}%25,:/")))
        .collect();
    let listed =
        entry("https://example.com/".to_owned()) + &entry("https://example.com/secret/".to_owned());
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    site.write(
        "public/sitemap.xml",
        format!("<urlset xmlns=\"{namespace}\">\n{listed}{missing}</urlset>\n"),
    );
    site.write(
        "public/robots.txt",
        "Sitemap: https://example.com/sitemap.xml\n",
    );
    site
}

#[test]
fn annotations_point_at_the_sources_and_stay_within_the_limit_of_github() {
    let outcome = site(12).waypost(&["check", "--github"]).ended_with(1);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 11, "{}", outcome.stdout);
    assert_eq!(
        lines[1],
        "::error file=public/sitemap.xml,line=4,col=11,title=loc-without-file::\
         no built file matches `https://example.com/gone-0%2525,:/`%0A\
         hint: remove it from the sitemap, or build the page"
    );
    assert_eq!(
        lines[10],
        "::notice title=waypost::3 more findings of level error"
    );
    let outcome = site(0).waypost(&["check", "--github"]).ended_with(1);
    assert!(
        outcome
            .stdout
            .starts_with("::error file=content/secret.md,line=1,title=loc-contradicted::"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn sarif_contains_the_rule_level_and_place_of_each_finding() {
    let site = site(1);
    site.waypost(&["check", "--sarif", "out.sarif", "--quiet"])
        .ended_with(1);
    let log: Value = serde_json::from_str(&site.read("out.sarif")).expect("it is JSON");
    let run = &log["runs"][0];
    let rules: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .expect("an array")
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    assert_eq!(rules, ["loc-contradicted", "loc-without-file"]);
    let locations: Vec<Value> = run["results"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|result| {
            json!([
                result["ruleId"],
                result["ruleIndex"],
                result["level"],
                result["locations"][0],
                result["relatedLocations"][0]
            ])
        })
        .collect();
    let at = |uri: &str, line: usize, column: usize| {
        json!({ "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": { "startLine": line, "startColumn": column },
        } })
    };
    let source =
        json!({ "physicalLocation": { "artifactLocation": { "uri": "content/secret.md" } } });
    let expected = [
        json!([
            "loc-contradicted",
            0,
            "error",
            source,
            at("public/secret/index.html", 1, 44)
        ]),
        json!([
            "loc-without-file",
            1,
            "error",
            at("public/sitemap.xml", 4, 11),
            null
        ]),
    ];
    let mut locations = locations;
    locations.sort_by_key(ToString::to_string);
    assert_eq!(locations, expected);
}

#[test]
fn sarif_and_annotations_have_paths_relative_to_the_repository() {
    let mut site = site(1);
    let repository = site
        .root()
        .parent()
        .expect("a parent directory")
        .display()
        .to_string();
    site.variable("GITHUB_WORKSPACE", &repository);
    let annotations = site
        .waypost(&["check", "--sarif", "out.sarif", "--github"])
        .ended_with(1)
        .stdout;
    let log: Value = serde_json::from_str(&site.read("out.sarif")).expect("it is JSON");
    let results = log["runs"][0]["results"].as_array().expect("an array");
    let uri = |result: &Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone()
    };
    let mut uris: Vec<Value> = results.iter().map(uri).collect();
    uris.sort_by_key(ToString::to_string);
    assert_eq!(uris, ["site/content/secret.md", "site/public/sitemap.xml"]);
    for uri in uris.iter().filter_map(Value::as_str) {
        assert!(
            annotations.contains(&format!("::error file={uri},")),
            "{uri}: {annotations}"
        );
    }
}

/// The fingerprints in a SARIF log or a GitLab report, sorted.
fn fingerprints(site: &SiteTest, file: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(&site.read(file)).expect("it is JSON");
    let (results, pointer) = match log["runs"][0]["results"].as_array() {
        Some(results) => (results, "/partialFingerprints/primaryLocationLineHash"),
        None => (log.as_array().expect("an array"), "/fingerprint"),
    };
    let texts = results.iter().map(|result| result.pointer(pointer));
    let texts = texts.map(|text| text.and_then(Value::as_str).expect("it has one"));
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    texts.sort();
    texts
}

#[test]
fn fingerprints_stay_where_lines_move_and_are_unique() {
    let site = site(3);
    let check = |file: &str| {
        site.waypost(&["check", "--sarif", file, "--quiet"])
            .ended_with(1);
        fingerprints(&site, file)
    };
    let before = check("before.sarif");
    let mut unique = before.clone();
    unique.dedup();
    assert_eq!((before.len(), &unique), (4, &before));
    let moved = site
        .read("public/sitemap.xml")
        .replace("<url>", "\n\n<url>");
    site.write("public/sitemap.xml", moved);
    assert_eq!(check("after.sarif"), before);
    site.waypost(&["check", "--gitlab", "quality.json", "--quiet"])
        .ended_with(1);
    assert_eq!(fingerprints(&site, "quality.json"), before);
}

#[test]
fn gitlab_reports_have_every_field_that_gitlab_requires() {
    let mut site = site(1);
    let repository = site.root().display().to_string();
    site.variable("CI_PROJECT_DIR", &repository);
    let stdout = site
        .waypost(&["check", "--gitlab", "-", "--quiet"])
        .ended_with(1)
        .stdout;
    let mut issues: Value = serde_json::from_str(&stdout).expect("stdout is JSON");
    let issues = issues.as_array_mut().expect("an array");
    for issue in &mut *issues {
        let fields = issue.as_object_mut().expect("an object");
        for text in ["description", "fingerprint"] {
            let value = fields.remove(text);
            assert!(value.is_some_and(|value| value.is_string()), "{text}");
        }
    }
    issues.sort_by_key(ToString::to_string);
    let issue = |code: &str, path: &str, line: usize| {
        json!({
            "check_name": code,
            "severity": "major",
            "location": { "path": path, "lines": { "begin": line } },
        })
    };
    let expected = [
        issue("loc-contradicted", "content/secret.md", 1),
        issue("loc-without-file", "public/sitemap.xml", 4),
    ];
    assert_eq!(issues.as_slice(), expected);
}

#[test]
fn a_finding_about_the_whole_site_is_located_in_its_settings_for_gitlab() {
    let site = SiteTest::of_pages(&["index.html"]);
    let stdout = site.waypost(&["check", "--gitlab", "-", "--quiet"]).stdout;
    let issues: Value = serde_json::from_str(&stdout).expect("stdout is JSON");
    let issues = issues.as_array().expect("an array");
    let missing = issues
        .iter()
        .find(|issue| issue["check_name"] == "sitemap-missing");
    let expected = json!({ "path": "waypost.toml", "lines": { "begin": 1 } });
    assert_eq!(missing.expect("it is reported")["location"], expected);
}

#[test]
fn json_contains_the_sitemaps_the_changes_and_the_findings() {
    let outcome = site(1).waypost(&["check", "--json"]).ended_with(1);
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON object");
    assert_eq!(
        result["sitemaps"],
        json!([{ "path": "sitemap.xml", "kind": "pages", "entries": 3 }])
    );
    let removed = json!([
        "https://example.com/gone-0%25,:/",
        "https://example.com/secret/"
    ]);
    let urls = json!({ "added": [], "removed": removed, "redated": [] });
    assert_eq!(
        result["changes"],
        json!({ "added": 0, "removed": 2, "redated": 0, "since": "another-program", "urls": urls })
    );
    let findings = result["findings"]
        .as_array()
        .expect("an array")
        .iter()
        .filter(|finding| finding["level"] == "deny");
    let codes: Vec<&Value> = findings.map(|finding| &finding["code"]).collect();
    assert_eq!(codes, ["loc-contradicted", "loc-without-file"]);
}

#[test]
fn a_sitemap_with_a_stylesheet_is_as_valid_as_one_without() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("sitemap.stylesheet = true\n")
        .page("a.html", "<base>")
        .build();
    let written = site.read("sitemap.xml");
    assert!(
        written
            .lines()
            .nth(2)
            .is_some_and(|line| line.starts_with("<?xml-stylesheet type=\"text/css\"")),
        "{written}"
    );
    assert_eq!(
        site.urls(),
        ["https://example.com/", "https://example.com/a.html"]
    );
    site.waypost(&["check", "--strict"]).succeeded();
    let result = site.build_json();
    assert_eq!(result["files"][0]["bytes"], written.len());
    assert_eq!(result["files"][0]["changed"], false);
}
