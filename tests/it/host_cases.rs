//! Checks the verdicts on pages against those of the hosts' own code, in `tests/cases/hosts`.

use std::path::Path;

use page_signals::PageFacts;
use serde_json::Value;
use sitemaps::Now;
use sitemaps::site_paths::{BaseUrl, SitePath};
use waypost::internals::{
    Findings, HostFile, HostFileKind, HostServer, PageCase, PatternSet, Settings, SiteView,
    UrlStyle, Verdict, judge, read_host_files,
};

/// A host's pages and configurations.
struct HostCases {
    pages: Vec<SitePath>,
    cases: Vec<Value>,
}

fn read(name: &str) -> HostCases {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/hosts");
    let text = std::fs::read_to_string(Path::new(dir).join(name)).expect("a file of cases");
    let mut root: Value = serde_json::from_str(&text).expect("JSON");
    let pages = root["pages"].as_array().expect("an array").iter();
    let page = |page: &Value| SitePath::from(page.as_str().expect("a string"));
    HostCases {
        pages: pages.map(page).collect(),
        cases: root["cases"].as_array_mut().expect("an array").split_off(0),
    }
}

/// The positions of the pages that a configuration excludes.
fn excluded(pages: &[SitePath], case: &Value, server: HostServer, url_style: UrlStyle) -> Vec<u64> {
    let base = BaseUrl::parse("https://example.org/").expect("a valid base URL");
    let texts = HostFileKind::NAMES
        .into_iter()
        .filter_map(|(name, kind)| Some((name, kind, case.get(name)?.as_str()?)));
    let files: Vec<HostFile> = texts
        .map(|(name, kind, text)| HostFile {
            kind,
            path: name.into(),
            text: text.to_owned(),
            output: None,
        })
        .collect();
    let no_patterns = PatternSet::new(std::iter::empty());
    let settings = Settings {
        url_style,
        server,
        ..Settings::default()
    };
    let findings = Findings::default();
    let site = SiteView {
        page_urls: &std::collections::BTreeMap::new(),
        base: &base,
        settings: &settings,
        pages: &[],
        robots_txt: None,
        error_pages: &no_patterns,
        not_pages: &no_patterns,
        has_generator: false,
        lists_drafts: false,
        host_rules: &read_host_files(&files, server, &base, &findings),
        now: Now(0),
        findings: &findings,
    };
    let facts = PageFacts::default();
    let is_excluded =
        |page: &SitePath| judge(&PageCase::new(&site, page, &facts, None)) != Verdict::Listed;
    let excluded = (0..).zip(pages).filter(|(_, page)| is_excluded(page));
    excluded.map(|(number, _)| number).collect()
}

#[track_caller]
fn check(name: &str, server: HostServer, url_style: impl Fn(&Value) -> UrlStyle) {
    let HostCases { pages, cases } = read(name);
    assert!(cases.len() >= 300, "{name} has lost cases");
    let wrong = cases.iter().filter_map(|case| {
        let found = excluded(&pages, case, server, url_style(case));
        (serde_json::json!(found) != case["excluded"])
            .then(|| format!("{found:?} are excluded: {case}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

/// The URL style that `cleanUrls` and `trailingSlash` set.
fn style_of(config: &Value) -> UrlStyle {
    let is_clean = config["cleanUrls"].as_bool().unwrap_or_default();
    match (is_clean, config["trailingSlash"].as_bool()) {
        (true, None) => UrlStyle::Clean,
        (true, Some(true)) => UrlStyle::CleanSlashed,
        (true, Some(false)) => UrlStyle::CleanSlashless,
        (false, Some(false)) => UrlStyle::KeepSlashless,
        (false, Some(true)) => UrlStyle::KeepSlashed,
        (false, None) => UrlStyle::Keep,
    }
}

fn config_of(case: &Value, file: &str) -> Value {
    let text = case[file].as_str().expect("a string");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn every_page_is_judged_as_its_host_serves_it() {
    check("cloudflare-pages.json", HostServer::CloudflarePages, |_| {
        UrlStyle::Clean
    });
    check("netlify.json", HostServer::Netlify, |_| UrlStyle::Keep);
    check("vercel.json", HostServer::Vercel, |case| {
        style_of(&config_of(case, "vercel.json"))
    });
    check("firebase.json", HostServer::Firebase, |case| {
        style_of(&config_of(case, "firebase.json")["hosting"])
    });
}
