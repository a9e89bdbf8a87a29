//! The pages of hosts show the steps that `waypost init` prints.

use super::generated_parts::{assert_page, with_part};
use crate::site_test::SiteTest;

/// The page of a host, a variable of its builds, and the language of its step.
const PAGES: [(&str, (&str, &str), &str); 7] = [
    ("amplify", ("AWS_APP_ID", "a"), "yaml"),
    ("cloudflare", ("CF_PAGES", "1"), "sh"),
    ("gitlab-pages", ("GITLAB_CI", "true"), "yaml"),
    ("netlify", ("NETLIFY", "true"), "sh"),
    ("read-the-docs", ("READTHEDOCS", "True"), "yaml"),
    ("render", ("RENDER", "true"), "sh"),
    ("vercel", ("VERCEL", "1"), "sh"),
];

#[test]
fn the_steps_on_the_pages_of_hosts_are_those_of_init() {
    for (page, (variable, value), language) in PAGES {
        let mut site = SiteTest::empty();
        site.write("zola.toml", "base_url = \"https://example.com\"\n");
        site.variable("AWS_BRANCH", "main")
            .variable(variable, value);
        let printed = site.waypost(&["init"]).succeeded().stdout;
        let part = format!("```{language}\n{printed}```\n");
        assert_page(&format!("hosts/{page}.md"), |text| {
            with_part(text, "init", &part).expect("the page has the part")
        });
    }
}
