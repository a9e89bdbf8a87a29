//! Tests of the changes: the old and the new text of whole files.

use similar::TextDiff;

use super::*;
use page_sources::generator::Manifest;

/// The site of a generator in a directory of its repository.
fn site_of<'m>(manifest: &'m Manifest, generator: &'m str, root: &str) -> PipelineSite<'m> {
    let recipe = manifest.build.get(generator);
    let install = recipe.and_then(|recipe| recipe.install.last());
    PipelineSite {
        generator: Some(generator),
        recipe,
        root: root.to_owned(),
        output: "public".to_owned(),
        action: None,
        version: "1.2.3",
        script: None,
        images: &manifest.image,
        install: install.map(|way| way.command.clone()),
    }
}

/// The changed lines of a patch for a Zola site: each with its sign.
fn changed(format: PipelineFormat, old: &str) -> Result<String, Unfit> {
    changed_by("zola", "", format, old)
}

fn changed_by(
    generator: &str,
    root: &str,
    format: PipelineFormat,
    old: &str,
) -> Result<String, Unfit> {
    let manifest = crate::manifest::embedded();
    let site = site_of(&manifest, generator, root);
    let Some(new) = patched(format, old, &site, "")? else {
        return Ok(String::new());
    };
    assert_eq!(patched(format, &new, &site, ""), Ok(None), "{new}");
    Ok(changed_lines(old, &new))
}

fn changed_lines(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff()
        .context_radius(0)
        .to_string()
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("@@"))
        .collect()
}

#[test]
fn a_workflow_gets_all_commits_and_a_step_after_the_build() {
    let check = |old: &str, expected: &str| {
        let new = changed(PipelineFormat::GithubWorkflow, old).expect("it is patched");
        assert_eq!(new, expected);
    };
    let old = "on: push\njobs:\n  site: # the site\n    runs-on: ubuntu-latest\n    steps:\n      \
               - uses: actions/checkout@v5\n      # build it\n      - name: Build\n        run: |\n          \
               zola check\n          zola build\n\n      # publish it\n      - uses: actions/upload-pages-artifact@v4\n";
    check(
        old,
        "+        with:\n+          fetch-depth: 0\n+      - run: npx --yes waypost@1.2.3 --github\n",
    );
    check(
        &old.replace('\n', "\r\n"),
        "+        with:\r\n+          fetch-depth: 0\r\n+      - run: npx --yes waypost@1.2.3 --github\r\n",
    );
    // Items may be as far indented as their key, and the last line may have no end.
    check(
        "jobs:\n  a:\n    steps:\n    - uses: actions/checkout@v5\n      with:\n        fetch-depth: 1 # quick\n    \
         - run: zola build",
        "-        fetch-depth: 1 # quick\n-    - run: zola build\n\\ No newline at end of file\n+        fetch-depth: 0 # quick\n\
         +    - run: zola build\n+    - run: npx --yes waypost@1.2.3 --github\n\\ No newline at end of file\n",
    );
    check(
        "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n        with: # all\n          lfs: true\n      \
         - run: zola build\n      - uses: example/waypost@v1\n",
        "+          fetch-depth: 0\n",
    );
}

#[test]
fn a_workflow_of_a_site_below_the_repository_names_the_site() {
    let old = |dir: &str| {
        format!(
            "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n        with:\n          fetch-depth: 0\n      \
             - run: zola build\n{dir}"
        )
    };
    let check = |dir: &str, expected: &str| {
        let new = changed_by("zola", "docs", PipelineFormat::GithubWorkflow, &old(dir));
        assert_eq!(new.expect("it is patched"), expected);
    };
    check("", "+      - run: npx --yes waypost@1.2.3 docs --github\n");
    check(
        "        working-directory: docs\n",
        "+      - run: npx --yes waypost@1.2.3 --github\n+        working-directory: docs\n",
    );
}

#[test]
fn the_action_is_used_when_its_repository_is_known() {
    let manifest = crate::manifest::embedded();
    let mut site = site_of(&manifest, "zola", "docs");
    site.action = Some("example/waypost".to_owned());
    let old = "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n        with: {fetch-depth: 0}\n      \
               - run: zola --root docs build\n      - run: zola build\n";
    let new = patched(PipelineFormat::GithubWorkflow, old, &site, "");
    let new = new.expect("it is patched").expect("it is changed");
    assert_eq!(
        changed_lines(old, &new),
        "+      - uses: example/waypost@v1.2.3\n+        with:\n+          site: docs\n"
    );
}

#[test]
fn a_workflow_that_is_not_understood_is_refused_with_the_reason() {
    let check = |old: &str, expected: &Unfit| {
        let refused = changed(PipelineFormat::GithubWorkflow, old).expect_err(old);
        assert_eq!(&refused, expected, "{old}");
    };
    let checkout = "    - uses: actions/checkout@v5\n";
    check(
        "jobs: [\n",
        &Unfit::Syntax("unclosed bracket '['".to_owned()),
    );
    check(
        "jobs:\n  a:\n    steps:\n      - run: make\n",
        &Unfit::NoBuild("`zola build`".to_owned()),
    );
    check(
        "jobs:\n  a:\n    steps:\n    - run: zola build\n",
        &Unfit::NoCheckout,
    );
    check(
        &format!(
            "jobs:\n  a:\n    container: alpine\n    steps:\n{checkout}    - run: zola build\n"
        ),
        &Unfit::Container,
    );
    check(
        "jobs: {a: {steps: [{uses: actions/checkout@v5}, {run: zola build}]}}\n",
        &Unfit::Flow,
    );
    let aliased = format!(
        "jobs:\n  a: &a\n    steps:\n{checkout}    - run: zola build\n  b:\n    <<: *a\n    name: b\n"
    );
    let refused = changed(PipelineFormat::GithubWorkflow, &aliased);
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn a_gitlab_job_gets_all_commits_and_waypost_in_its_image() {
    let check = |old: &str, expected: &str| {
        let new = changed(PipelineFormat::Gitlab, old).expect("it is patched");
        assert_eq!(new, expected);
    };
    check(
        "image: alpine:3.22\npages:\n  script:\n    - apk add zola\n    - zola build\n  artifacts:\n    paths:\n      - public\n",
        "+    - apk add --no-cache npm && npx --yes waypost@1.2.3\n+  variables:\n+    GIT_DEPTH: \"0\"\n",
    );
    check(
        "pages:\n  image: python:3.13\n  script:\n  - cd . \n  - zola build # all\n  variables:\n    A: 1\n",
        "+  - pip install waypost==1.2.3 && waypost\n+  artifacts:\n+    paths:\n+      - public\n+    GIT_DEPTH: \"0\"\n",
    );
    check(
        "variables: {GIT_DEPTH: 20}\nsite:\n  image: {name: node:22}\n  script: [zola build, waypost]\n",
        "-variables: {GIT_DEPTH: 20}\n+variables: {GIT_DEPTH: \"0\"}\n",
    );
    let image = changed(
        PipelineFormat::Gitlab,
        "a:\n  image: x:1\n  script:\n    - zola build\n",
    );
    assert_eq!(image, Err(Unfit::Image("x:1".to_owned())));
    let image = changed(PipelineFormat::Gitlab, "a:\n  script:\n    - zola build\n");
    assert_eq!(image, Err(Unfit::NoImage));
}

#[test]
fn the_commands_of_netlify_run_waypost_last() {
    let check = |old: &str, expected: &str| {
        let new = changed(PipelineFormat::Netlify, old).expect("it is patched");
        assert_eq!(new, expected);
    };
    check(
        "[build]\n  command = \"zola build\" # quick\n[context.deploy-preview]\ncommand = 'zola build --drafts'\n",
        "-  command = \"zola build\" # quick\n+  command = \"zola build && npx --yes waypost@1.2.3\" # quick\n\
         -command = 'zola build --drafts'\n+command = 'zola build --drafts && npx --yes waypost@1.2.3'\n",
    );
    check("[[plugins]]\npackage = \"netlify-plugin-waypost\"\n", "");
    let all = "curl -fsSL https://github.com/getzola/zola/releases/download/v0.21.0/zola-v0.21.0-x86_64-unknown-linux-gnu.tar.gz \
               | tar -xz -C /tmp && /tmp/zola build && npx --yes waypost@1.2.3";
    check(
        "[build]\n  publish = \"public\"\n",
        &format!("+  command = \"{all}\"\n"),
    );
    check("", &format!("+[build]\n+command = \"{all}\"\n"));
    let lines = changed(
        PipelineFormat::Netlify,
        "[build]\ncommand = \"\"\"\na\nb\"\"\"\n",
    );
    assert_eq!(lines, Err(Unfit::SeveralLines));
}

#[test]
fn the_command_of_a_base_directory_runs_in_it() {
    let check = |old: &str, expected: Result<&str, Unfit>| {
        let new = changed_by("mdbook", "docs", PipelineFormat::Netlify, old);
        let new = new.map(|new| new.lines().last().unwrap_or_default().to_owned());
        assert_eq!(new, expected.map(str::to_owned));
    };
    let with = |run: &str| format!("+command = \"mdbook build && npx --yes waypost@1.2.3{run}\"");
    check(
        "[build]\nbase = \"docs\"\ncommand = \"mdbook build\"\n",
        Ok(&with("")),
    );
    check("[build]\ncommand = \"mdbook build\"\n", Ok(&with(" docs")));
    check(
        "[build]\ncommand = \"cd docs && mdbook build\"\n",
        Ok("+command = \"cd docs && mdbook build && npx --yes waypost@1.2.3\""),
    );
    check(
        "[build]\nbase = \"other\"\ncommand = \"x\"\n",
        Err(Unfit::WorkingDir),
    );
}

#[test]
fn the_command_of_vercel_runs_waypost_last() {
    let check = |old: &str, expected: &str| {
        let new = changed_by("docusaurus", "", PipelineFormat::Vercel, old);
        assert_eq!(new.expect("it is patched"), expected);
    };
    check(
        "{\n\t\"buildCommand\": \"npm run x\"\n}\n",
        "-\t\"buildCommand\": \"npm run x\"\n+\t\"buildCommand\": \"npm run x && npx --yes waypost@1.2.3\"\n",
    );
    check(
        "{\n    \"cleanUrls\": true\n}\n",
        "+    \"buildCommand\": \"npm install && npm run build && npx --yes waypost@1.2.3\",\n\
         +    \"outputDirectory\": \"public\",\n",
    );
}

#[test]
fn a_script_of_a_package_is_followed_by_waypost() {
    let manifest = crate::manifest::embedded();
    let site = site_of(&manifest, "docusaurus", "");
    let check = |hooks: ScriptHooks, old: &str, expected: &str| {
        let script = patched_package(old, &site, hooks).expect("it is patched");
        let script = script.expect("a script builds the site");
        assert_eq!(script.name, "build");
        let new = script.text.unwrap_or_else(|| old.to_owned());
        assert_eq!(changed_lines(old, &new), expected);
        let again = patched_package(&new, &site, hooks).expect("it is valid");
        assert_eq!(again.and_then(|script| script.text), None);
    };
    let old = "{\n  \"scripts\": {\n    \"start\": \"docusaurus start\",\n    \"build\": \"docusaurus build\"\n  }\n}\n";
    check(
        ScriptHooks::Post,
        old,
        "-    \"build\": \"docusaurus build\"\n+    \"build\": \"docusaurus build\",\n\
         +    \"postbuild\": \"npx --yes waypost@1.2.3\"\n",
    );
    check(
        ScriptHooks::Own,
        old,
        "-    \"build\": \"docusaurus build\"\n+    \"build\": \"docusaurus build && npx --yes waypost@1.2.3\"\n",
    );
    let compact = "{\"scripts\": {\"build\": \"docusaurus build\", \"postbuild\": \"echo\"}}";
    check(
        ScriptHooks::Post,
        compact,
        "-{\"scripts\": {\"build\": \"docusaurus build\", \"postbuild\": \"echo\"}}\n\\ No newline at end of file\n\
         +{\"scripts\": {\"build\": \"docusaurus build\", \"postbuild\": \"echo && npx --yes waypost@1.2.3\"}}\n\
         \\ No newline at end of file\n",
    );
}

#[test]
fn a_workflow_that_runs_such_a_script_only_needs_all_commits() {
    let manifest = crate::manifest::embedded();
    let mut site = site_of(&manifest, "docusaurus", "");
    site.script = Some("build".to_owned());
    let old = "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n      - run: npm ci && npm run build\n";
    let new = patched(PipelineFormat::GithubWorkflow, old, &site, "");
    let new = new.expect("it is patched").expect("it is changed");
    assert_eq!(
        changed_lines(old, &new),
        "+        with:\n+          fetch-depth: 0\n"
    );
}

#[test]
fn read_the_docs_runs_all_commands_unless_it_builds_the_site_itself() {
    let manifest = crate::manifest::embedded();
    let snippet = |generator| {
        let mut site = site_of(&manifest, generator, "docs");
        "docs/OUTPUT".clone_into(&mut site.output);
        site.snippet(&manifest.setup["readthedocs"])
    };
    let head = |tool: &str| {
        format!(
            "version: 2\nbuild:\n  os: ubuntu-24.04\n  tools:\n    {tool}\n  jobs:\n    post_checkout:\n      \
             - git fetch --depth=2147483647\n"
        )
    };
    assert_eq!(
        snippet("eleventy"),
        head("nodejs: \"22\"")
            + "    build:\n      html:\n        - cd docs && npm install && npx @11ty/eleventy && npx --yes waypost@1.2.3\n        \
               - mkdir -p \"$READTHEDOCS_OUTPUT/html\" && cp -r docs/OUTPUT/. \"$READTHEDOCS_OUTPUT/html\"\n"
    );
    assert_eq!(
        snippet("mkdocs"),
        head("python: \"3.13\"")
            + "    post_build:\n      - pip install waypost==1.2.3\n      \
               - waypost docs --output-dir \"$READTHEDOCS_OUTPUT/html\"\n"
    );
    assert!(snippet("jekyll").contains("    ruby: \"3.4\"\n    nodejs: \"22\"\n"));
}
