//! Which builds are previews: pull requests and branches in the environments of build services, as
//! the services document their variables.

use crate::site_test::SiteTest;

/// A site of one page, in the environment of a service.
pub(crate) fn site_on(settings: &str, variables: &str) -> SiteTest {
    let mut site = SiteTest::of_pages(&["index.html"]);
    site.settings(settings);
    for variable in variables.split_whitespace() {
        let (name, value) = variable.split_once('=').expect("NAME=VALUE");
        site.variable(name, value);
    }
    site
}

/// Whether a build in this environment writes the sitemap.
pub(crate) fn writes(settings: &str, variables: &str) -> bool {
    let site = site_on(settings, variables);
    let outcome = site.build();
    let has_sitemap = site.root().join("sitemap.xml").exists();
    assert_eq!(
        outcome.stderr.contains("this is a preview build"),
        !has_sitemap,
        "{variables:?}: {}",
        outcome.stderr
    );
    has_sitemap
}

/// A service: the variables of every build, then those of production builds and of previews.
struct Service<'a> {
    always: &'a str,
    production: &'a [&'a str],
    previews: &'a [&'a str],
}

impl Service<'_> {
    #[track_caller]
    fn check(&self) {
        let expected = [(self.production, true), (self.previews, false)];
        for (environments, is_production) in expected {
            for environment in environments {
                let variables = format!("{} {environment}", self.always);
                assert_eq!(writes("", &variables), is_production, "{variables:?}");
            }
        }
    }
}

#[test]
fn hosts_that_name_production_are_believed() {
    Service {
        always: "NETLIFY=true",
        production: &[
            "CONTEXT=production BRANCH=any",
            "CONTEXT=production PULL_REQUEST=false",
            "",
        ],
        previews: &[
            "CONTEXT=deploy-preview BRANCH=main",
            "CONTEXT=branch-deploy BRANCH=main",
            "CONTEXT=staging BRANCH=staging",
        ],
    }
    .check();
    Service {
        always: "VERCEL=1",
        production: &["VERCEL_ENV=production VERCEL_GIT_COMMIT_REF=live"],
        previews: &["VERCEL_ENV=preview VERCEL_GIT_COMMIT_REF=main"],
    }
    .check();
    Service {
        always: "RENDER=true",
        production: &["IS_PULL_REQUEST=false RENDER_GIT_BRANCH=live"],
        previews: &["IS_PULL_REQUEST=true RENDER_GIT_BRANCH=live"],
    }
    .check();
    Service {
        always: "READTHEDOCS=True",
        production: &[
            "READTHEDOCS_VERSION_TYPE=branch",
            "READTHEDOCS_VERSION_TYPE=tag",
        ],
        previews: &["READTHEDOCS_VERSION_TYPE=external"],
    }
    .check();
}

#[test]
fn hosts_that_name_only_the_branch_deploy_production_from_the_usual_one() {
    Service {
        always: "CF_PAGES=1",
        production: &["CF_PAGES_BRANCH=main", "CF_PAGES_BRANCH=master", ""],
        previews: &["CF_PAGES_BRANCH=feature"],
    }
    .check();
    Service {
        always: "WORKERS_CI=1",
        production: &["WORKERS_CI_BRANCH=main"],
        previews: &["WORKERS_CI_BRANCH=feature"],
    }
    .check();
    Service {
        always: "AWS_APP_ID=d1a2b3",
        production: &["AWS_BRANCH=main"],
        previews: &[
            "AWS_BRANCH=feature",
            "AWS_BRANCH=pr-7 AWS_PULL_REQUEST_ID=7",
        ],
    }
    .check();
}

#[test]
fn gitlab_builds_production_from_its_branches_tags_and_environments() {
    Service {
        always: "GITLAB_CI=true CI_DEFAULT_BRANCH=trunk",
        production: &[
            "CI_COMMIT_BRANCH=trunk",
            "CI_COMMIT_BRANCH=production",
            "CI_COMMIT_TAG=v1.0",
            "CI_COMMIT_BRANCH=release CI_ENVIRONMENT_TIER=production",
            "CI_COMMIT_BRANCH=trunk CI_ENVIRONMENT_TIER=other",
            "CI_COMMIT_BRANCH=trunk CI_PROJECT_PATH=group/sub/docs CI_PAGES_URL=https://group.gitlab.io/sub/docs",
            "CI_COMMIT_BRANCH=trunk CI_PROJECT_PATH=group/docs CI_PAGES_URL=https://docs-1a2b3c.gitlab.io",
        ],
        previews: &[
            "CI_COMMIT_BRANCH=feature",
            "CI_MERGE_REQUEST_IID=7 CI_COMMIT_REF_NAME=trunk",
            "CI_COMMIT_BRANCH=trunk CI_ENVIRONMENT_TIER=staging",
            "CI_COMMIT_BRANCH=trunk CI_PROJECT_PATH=group/docs CI_PAGES_URL=https://group.gitlab.io/docs/v2",
            "CI_COMMIT_BRANCH=trunk PAGES_PREFIX=v2",
        ],
    }
    .check();
}

#[test]
fn ci_services_with_the_branch_of_a_pull_request_build_production_from_the_usual_branch() {
    Service {
        always: "BITBUCKET_BUILD_NUMBER=12",
        production: &["BITBUCKET_BRANCH=main", "BITBUCKET_TAG=v1"],
        previews: &[
            "BITBUCKET_BRANCH=feature",
            "BITBUCKET_BRANCH=main BITBUCKET_PR_ID=7",
        ],
    }
    .check();
    Service {
        always: "CIRCLECI=true",
        production: &[
            "CIRCLE_BRANCH=main CIRCLE_PULL_REQUEST=https://example.com/pull/7",
            "CIRCLE_TAG=v1",
        ],
        previews: &[
            "CIRCLE_BRANCH=feature",
            "CIRCLE_BRANCH=pull/7 CIRCLE_PR_NUMBER=7",
        ],
    }
    .check();
    Service {
        always: "TF_BUILD=True",
        production: &[
            "BUILD_SOURCEBRANCH=refs/heads/main BUILD_REASON=IndividualCI",
            "BUILD_SOURCEBRANCH=refs/tags/v1",
        ],
        previews: &[
            "BUILD_SOURCEBRANCH=refs/heads/feature/main",
            "BUILD_SOURCEBRANCH=refs/pull/7/merge BUILD_REASON=PullRequest",
            "BUILD_SOURCEBRANCH=refs/pull/7/merge",
        ],
    }
    .check();
    Service {
        always: "BUILDKITE=true BUILDKITE_PIPELINE_DEFAULT_BRANCH=trunk",
        production: &[
            "BUILDKITE_BRANCH=trunk BUILDKITE_PULL_REQUEST=false",
            "BUILDKITE_BRANCH=v1 BUILDKITE_TAG=v1",
        ],
        previews: &[
            "BUILDKITE_BRANCH=feature BUILDKITE_PULL_REQUEST=false",
            "BUILDKITE_BRANCH=trunk BUILDKITE_PULL_REQUEST=7",
        ],
    }
    .check();
    Service {
        always: "JENKINS_URL=https://ci.example.com/",
        production: &[
            "BRANCH_NAME=main",
            "GIT_BRANCH=origin/main",
            "BRANCH_NAME=live BRANCH_IS_PRIMARY=true",
            "BRANCH_NAME=v1 TAG_NAME=v1",
        ],
        previews: &[
            "BRANCH_NAME=feature",
            "GIT_BRANCH=origin/feature",
            "BRANCH_NAME=PR-7 CHANGE_ID=7",
        ],
    }
    .check();
    Service {
        always: "CIRRUS_CI=true CIRRUS_DEFAULT_BRANCH=trunk",
        production: &["CIRRUS_BRANCH=trunk", "CIRRUS_TAG=v1"],
        previews: &["CIRRUS_BRANCH=feature", "CIRRUS_BRANCH=pull/7 CIRRUS_PR=7"],
    }
    .check();
}

#[test]
fn ci_services_with_the_target_of_a_pull_request_do_not_take_it_for_the_branch() {
    Service {
        always: "CI=woodpecker CI_REPO_DEFAULT_BRANCH=trunk",
        production: &[
            "CI_PIPELINE_EVENT=push CI_COMMIT_BRANCH=trunk",
            "CI_PIPELINE_EVENT=tag CI_COMMIT_TAG=v1",
        ],
        previews: &[
            "CI_PIPELINE_EVENT=push CI_COMMIT_BRANCH=feature",
            "CI_PIPELINE_EVENT=pull_request CI_COMMIT_BRANCH=trunk",
        ],
    }
    .check();
    Service {
        always: "DRONE=true DRONE_REPO_BRANCH=trunk",
        production: &[
            "DRONE_BUILD_EVENT=push DRONE_BRANCH=trunk",
            "DRONE_BUILD_EVENT=tag DRONE_TAG=v1",
        ],
        previews: &[
            "DRONE_BUILD_EVENT=push DRONE_BRANCH=feature",
            "DRONE_BUILD_EVENT=pull_request DRONE_BRANCH=trunk",
        ],
    }
    .check();
    Service {
        always: "TRAVIS=true",
        production: &[
            "TRAVIS_EVENT_TYPE=push TRAVIS_BRANCH=main TRAVIS_PULL_REQUEST=false",
            "TRAVIS_EVENT_TYPE=push TRAVIS_BRANCH=v1 TRAVIS_TAG=v1",
        ],
        previews: &[
            "TRAVIS_EVENT_TYPE=push TRAVIS_BRANCH=feature",
            "TRAVIS_BRANCH=main TRAVIS_PULL_REQUEST=7",
        ],
    }
    .check();
    for appveyor in ["True", "true"] {
        Service {
            always: &format!("APPVEYOR={appveyor}"),
            production: &[
                "APPVEYOR_REPO_BRANCH=main",
                "APPVEYOR_REPO_BRANCH=v1 APPVEYOR_REPO_TAG_NAME=v1",
            ],
            previews: &[
                "APPVEYOR_REPO_BRANCH=feature",
                "APPVEYOR_REPO_BRANCH=main APPVEYOR_PULL_REQUEST_NUMBER=7",
            ],
        }
        .check();
    }
}

#[test]
fn github_forgejo_and_gitea_build_production_from_the_branch_of_the_event() {
    for own in ["", "FORGEJO_ACTIONS=true", "GITEA_ACTIONS=true"] {
        Service {
            always: &format!("GITHUB_ACTIONS=true {own}"),
            production: &[
                "GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads/main",
                "GITHUB_EVENT_NAME=schedule GITHUB_REF=refs/heads/master",
                "GITHUB_EVENT_NAME=push GITHUB_REF=refs/tags/v1",
                "",
            ],
            previews: &[
                "GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads/feature",
                "GITHUB_EVENT_NAME=pull_request GITHUB_REF=refs/pull/7/merge",
                "GITHUB_EVENT_NAME=pull_request_target GITHUB_REF=refs/heads/main",
                "GITHUB_EVENT_NAME=merge_group GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7-1a2b",
            ],
        }
        .check();
    }
}

#[test]
fn a_machine_without_a_service_builds_production_from_any_branch() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.commit("2024-01-01T00:00:00Z");
    site.git(&["checkout", "--quiet", "-b", "feature"]);
    site.settings("production_branches = [\"live\"]\n").build();
    assert!(site.root().join("sitemap.xml").exists());
}

#[test]
fn the_default_branch_of_the_remote_is_production() {
    let origin = SiteTest::of_pages(&["index.html"]);
    origin.commit("2024-01-01T00:00:00Z");
    origin.git(&["branch", "-m", "trunk"]);
    let clone = |branch: &str| {
        let mut site = SiteTest::empty();
        let url = format!("file://{}", origin.root().display());
        site.git(&["clone", "--quiet", &url, "."]);
        site.variable("CF_PAGES", "1")
            .variable("CF_PAGES_BRANCH", branch);
        site.build();
        site.root().join("sitemap.xml").exists()
    };
    assert!(clone("trunk"));
    assert!(!clone("next"));
}

#[test]
fn the_setting_decides_about_branches_but_not_about_pull_requests() {
    let check = |variables: &str, is_production: bool| {
        let setting = "production_branches = [\"live\"]\n";
        assert_eq!(writes(setting, variables), is_production, "{variables:?}");
    };
    check("CF_PAGES=1 CF_PAGES_BRANCH=live", true);
    check("CF_PAGES=1 CF_PAGES_BRANCH=main", false);
    check("NETLIFY=true CONTEXT=branch-deploy BRANCH=live", true);
    check("NETLIFY=true CONTEXT=production BRANCH=main", false);
    check("NETLIFY=true CONTEXT=deploy-preview BRANCH=live", false);
    check(
        "GITLAB_CI=true CI_COMMIT_BRANCH=live CI_DEFAULT_BRANCH=main",
        true,
    );
    check("GITLAB_CI=true CI_COMMIT_TAG=v1", true);
    let site = site_on("production_branches = [\"release/*\"]\n", "");
    site.waypost(&[]).ended_with(2).says("without wildcards");
}

const FEATURE: &str = "CF_PAGES=1 CF_PAGES_BRANCH=feature";

#[test]
fn a_preview_says_why_and_how_to_make_it_production() {
    site_on("", FEATURE)
        .build()
        .says("this is a preview build on Cloudflare Pages (`feature` is not a production branch)")
        .says("if this is production, set `production_branches = [\"feature\"]`");
    let shown = site_on("", FEATURE).waypost(&["explain", "--settings"]);
    let line = "Cloudflare Pages, a preview (`feature` is not a production branch)";
    assert!(shown.stdout.contains(line), "{}", shown.stdout);
}

#[test]
fn check_judges_only_the_plan_of_a_preview() {
    let site = site_on("", FEATURE);
    site.page(
        "a.html",
        "<link rel=canonical href=https://preview.example.net/a.html>",
    )
    .write("sitemap.xml", "not a sitemap");
    for arguments in [
        &["check"][..],
        &["check", "--strict"],
        &["check", "--github"],
    ] {
        let outcome = site.waypost(arguments).succeeded();
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert!(!outcome.stderr.contains("warning["), "{}", outcome.stderr);
    }
    let outcome = site.waypost(&["check", "--json"]).succeeded();
    let result: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let codes: Vec<&str> = result["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|finding| finding["code"].as_str())
        .collect();
    assert_eq!(codes, ["preview-skipped"]);
    assert_eq!(result["pages"]["found"], 2);
}

#[test]
fn a_skipped_preview_can_be_denied() {
    let mut site = site_on("[levels]\npreview-skipped = \"deny\"\n", FEATURE);
    for arguments in [&[][..], &["-q"], &["check"]] {
        site.waypost(arguments)
            .ended_with(1)
            .says("error[preview-skipped]: this is a preview build on Cloudflare Pages");
    }
    site.variable("CF_PAGES_BRANCH", "main").build();
}

#[test]
fn the_json_of_a_preview_has_no_changed_file() {
    let site = site_on("", FEATURE);
    site.write("robots.txt", "User-agent: *\n");
    let result = site.build_json();
    assert_eq!(result["preview"], "Cloudflare Pages");
    let files = result["files"].as_array().expect("an array");
    assert!(!files.is_empty());
    for file in files {
        assert_eq!(file["changed"], false, "{file}");
    }
    assert_eq!(result["removed"], serde_json::json!([]));
}

#[test]
fn a_preview_names_the_sitemap_of_the_generator_that_remains() {
    let site = site_on("", FEATURE);
    site.build().says_nothing_of("remains");
    site.write(
        "sitemap.xml",
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <url><loc>https://feature.example.net/</loc></url></urlset>",
    );
    let before = site.bytes("sitemap.xml");
    site.build()
        .says("`sitemap.xml` of another program remains");
    site.waypost(&["check"])
        .succeeded()
        .says("`sitemap.xml` of another program remains");
    assert_eq!(site.bytes("sitemap.xml"), before);
}

#[test]
fn a_preview_names_each_sitemap_and_who_wrote_it() {
    let mut site = site_on("[sitemap]\nfile = \"map.xml\"\n", FEATURE);
    site.write("mkdocs.yml", "site_name: x\n")
        .write("docs/index.md", "# x\n")
        .write("site/index.html", "<!doctype html><title>x</title><p>x");
    site.variable("WAYPOST_BASE_URL", "https://example.com/");
    for name in ["sitemap.xml", "sitemap.xml.gz", "map.xml"] {
        site.write(format!("site/{name}"), "<urlset/>");
    }
    site.build().says(
        "; `sitemap.xml`, `sitemap.xml.gz` of the generator remain; \
         `map.xml` of another program remains",
    );
}
