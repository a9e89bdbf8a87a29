//! The pages of hosts show the steps that `waypost init` prints.

use super::generated_parts::{assert_page, with_part};
use crate::site_test::SiteTest;

/// The file of a Zola site that has its base URL.
const ZOLA: (&str, &str) = ("zola.toml", "base_url = \"https://example.com\"\n");
const MKDOCS: (&str, &str) = ("mkdocs.yml", "site_url: https://example.com/\n");

/// A part of a page.
struct HostStep {
    page: &'static str,
    part: &'static str,
    site: (&'static str, &'static str),
    variable: (&'static str, &'static str),
    language: &'static str,
}

const fn step(
    page: &'static str,
    variable: (&'static str, &'static str),
    language: &'static str,
) -> HostStep {
    HostStep {
        page,
        part: "init",
        site: ZOLA,
        variable,
        language,
    }
}

const STEPS: &[HostStep] = &[
    step("amplify", ("AWS_APP_ID", "a"), "yaml"),
    step("cloudflare", ("CF_PAGES", "1"), "sh"),
    step("gitlab-pages", ("GITLAB_CI", "true"), "yaml"),
    step("netlify", ("NETLIFY", "true"), "toml"),
    step("read-the-docs", ("READTHEDOCS", "True"), "yaml"),
    HostStep {
        part: "init-mkdocs",
        site: MKDOCS,
        ..step("read-the-docs", ("READTHEDOCS", "True"), "yaml")
    },
    step("render", ("RENDER", "true"), "yaml"),
    step("vercel", ("VERCEL", "1"), "json"),
];

#[test]
fn the_steps_on_the_pages_of_hosts_are_those_of_init() {
    for step in STEPS {
        let mut site = SiteTest::empty();
        site.write(step.site.0, step.site.1);
        site.variable("AWS_BRANCH", "main")
            .variable(step.variable.0, step.variable.1);
        let printed = site.waypost(&["init"]).succeeded().stdout;
        let (title, text) = printed.split_once('\n').expect("a title");
        assert!(title.starts_with("# "), "{printed}");
        let text = text.split("\n\n").next().unwrap_or(text).trim_end();
        let part = format!("```{}\n{text}\n```\n", step.language);
        assert_page(&format!("hosts/{}.md", step.page), |text| {
            with_part(text, step.part, &part).expect("the page has the part")
        });
    }
}
