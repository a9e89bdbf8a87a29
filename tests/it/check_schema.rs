//! Tests `waypost check` on sitemaps that the schemas do not allow. xmllint confirms each verdict if
//! it is installed; `tests/slow/schemas.sh` does so for thousands of mutations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cases::schema;
use crate::check::{built, codes};
use crate::site_test::SiteTest;

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
     xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
     xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
     xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
     xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">";

/// The findings about the form of each file, by its name.
fn form_codes(site: &SiteTest) -> BTreeMap<String, BTreeSet<String>> {
    let outcome = site.waypost(&["check", "--json"]);
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
    let mut codes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in result["findings"].as_array().expect("an array") {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        if text("level") == "deny" && text("code") != "loc-without-file" {
            codes.entry(text("file")).or_default().insert(text("code"));
        }
    }
    codes
}

/// The errors that `check` reports about one file, without the site.
fn form_codes_of_file(site: &SiteTest, name: &str) -> BTreeSet<String> {
    let outcome = site.waypost(&["check", name, "--json"]);
    let result: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
    let findings = result["findings"].as_array().expect("an array").iter();
    let errors = findings.filter(|finding| finding["level"] == "deny");
    let code = |finding: &Value| finding["code"].as_str().map(str::to_owned);
    errors.filter_map(code).collect()
}

#[test]
fn what_the_schemas_refuse_is_an_error_and_nothing_else() {
    const IMAGE: &str =
        "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>";
    const LOC: &str = "<loc>https://example.com/a.html</loc>";
    let entry = |inner: &str| format!("{HEAD}<url>{inner}</url></urlset>");
    let with = |inner: &str| entry(&[LOC, inner].concat());
    let cases = [
        (with(""), ""),
        (with(IMAGE), ""),
        (with("<lastmod>2024-05-06</lastmod>"), ""),
        (
            with("<xhtml:link rel=\"alternate\" media=\"print\" href=\"https://example.com/m\"/>"),
            "",
        ),
        (with("<img:image/>"), "sitemap-invalid"),
        (with("<foo/>"), "sitemap-invalid"),
        (with("<image:title>t</image:title>"), "sitemap-invalid"),
        (with("text"), "sitemap-invalid"),
        (with("<lastmod></lastmod>"), "sitemap-invalid"),
        (
            with("<lastmod>2024-05-06</lastmod><lastmod>2024-05-06</lastmod>"),
            "sitemap-invalid",
        ),
        (with("<lastmod>soon</lastmod>"), "sitemap-invalid"),
        (
            with("<priority>0.5</priority><lastmod>2024-05-06</lastmod>"),
            "sitemap-invalid",
        ),
        (with("<priority>5e-1</priority>"), "sitemap-invalid"),
        (with("<image:image/>"), "sitemap-invalid"),
        (
            with(&format!("{IMAGE}<priority>0.5</priority>")),
            "sitemap-invalid",
        ),
        (with("<xhtml:link rel=\"alternate\"/>"), "sitemap-invalid"),
        (
            with("<xhtml:link rel=\"prev\" href=\"https://example.com/a.html\"/>"),
            "sitemap-invalid",
        ),
        (entry(&format!("{LOC}{LOC}")), "sitemap-invalid"),
        (
            entry("<loc>https://example.com/<x/>a.html</loc>"),
            "sitemap-invalid",
        ),
        (entry(LOC).replace("url>", "sitemap>"), "sitemap-invalid"),
        (
            entry(LOC).replace("<url>", "<url id=\"1\">"),
            "sitemap-invalid",
        ),
    ];
    let site = built();
    let name = |at: usize| format!("s{at:02}.xml");
    let lines = (0..cases.len()).map(|at| format!("Sitemap: https://example.com/{}\n", name(at)));
    site.write("robots.txt", lines.collect::<String>());
    for (at, (text, _)) in cases.iter().enumerate() {
        site.write(name(at), text);
    }
    let found = form_codes(&site);
    for (at, (text, expected)) in cases.iter().enumerate() {
        let codes = found.get(&name(at)).cloned().unwrap_or_default();
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(codes, expected, "{text}");
        assert_eq!(form_codes_of_file(&site, &name(at)), expected, "{text}");
        if schema::is_xmllint_installed() {
            let verdict = schema::check(&site.root().join(name(at)));
            assert_eq!(verdict.is_ok(), expected.is_empty(), "{text}: {verdict:?}");
        }
    }
}

#[test]
fn a_file_in_another_encoding_is_not_called_malformed() {
    let text = format!(
        "{HEAD}<url><loc>https://example.com/</loc></url><url>\
         <loc>https://example.com/a.html</loc></url></urlset>"
    );
    let wide: Vec<u8> = format!("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-16\"?>{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin = format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{text}");
    let bytes = [text.as_bytes(), b"<!-- caf\xe9 -->"].concat();
    for content in [wide, latin.into_bytes(), bytes] {
        let site = built();
        site.write("sitemap.xml", &content);
        let found: Vec<String> = codes(&site).into_iter().collect();
        assert!(
            found.iter().any(|code| code == "sitemap-invalid"),
            "{found:?}"
        );
    }
}

#[test]
fn each_line_of_a_text_sitemap_is_a_url() {
    let site = built();
    let text =
        "https://example.com/\nwww.example.com/b\n\n/c.html\n# d\nhttps://example.com/a.html\n";
    site.write("sitemap.txt", text);
    let outcome = site.waypost(&["check", "-v"]).ended_with(1);
    for (line, shown) in [(2, "www.example.com/b"), (4, "/c.html"), (5, "# d")] {
        let message = format!(
            "error[loc-invalid]: `sitemap.txt`: the line `{shown}` is not an absolute http or https \
             URL\n --> sitemap.txt:{line}:1"
        );
        assert!(
            outcome.stderr.contains(&message),
            "{message}: {}",
            outcome.stderr
        );
    }
    assert_eq!(outcome.stderr.matches("error[").count(), 3);
}

#[test]
fn a_sitemap_in_a_directory_lists_only_what_is_below() {
    let site = built();
    site.page("docs/b.html", "<meta name=description content=b>");
    site.build();
    let text =
        |path: &str| format!("{HEAD}<url><loc>https://example.com/{path}</loc></url></urlset>");
    let check = |path: &str, robots: &str, expected: &[&str]| {
        let sitemaps = [("sitemap.xml", "docs/sitemap.xml")].map(|(root, child)| {
            site.write(
                root,
                format!(
                    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
                     <loc>https://example.com/{child}</loc></sitemap></sitemapindex>"
                ),
            );
            child
        });
        site.write(sitemaps[0], text(path))
            .write("robots.txt", robots);
        let found = codes(&site);
        let found: Vec<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|code| *code == "sitemap-elsewhere")
            .collect();
        assert_eq!(found, expected, "{path} with {robots}");
    };
    check("docs/b.html", "", &[]);
    check("a.html", "", &["sitemap-elsewhere"]);
    check("a.html", "Sitemap: https://example.com/sitemap.xml\n", &[]);
}

#[test]
fn elements_of_other_namespaces_are_not_judged() {
    let site = built();
    for element in [
        "<video:video><video:any/></video:video>",
        "<news:news>any</news:news>",
    ] {
        let entry =
            format!("{HEAD}<url><loc>https://example.com/a.html</loc>{element}</url></urlset>");
        site.write("other.xml", entry);
        assert_eq!(
            form_codes_of_file(&site, "other.xml"),
            BTreeSet::new(),
            "{element}"
        );
    }
}
