//! The part of the page on installation about packages, which depends on whether there is a release.

use super::generated_parts::{assert_page, with_part};

const OF_A_RELEASE: &str = r#"## Packages of a release

| way | command |
| --- | --- |
| npm | `npm install --save-dev waypost`, then `"postbuild": "waypost"` in the scripts of `package.json` |
| npx | `npx waypost` |
| pip | `pip install waypost` |
| uvx | `uvx waypost` |
| installer | `curl -LsSf REPOSITORY/releases/latest/download/install.sh \| sh` for Linux and macOS; verifies the checksum |
| archive | `waypost-TARGET.tar.gz` of the release, with completions and a `.sha256` file |
| cargo binstall | `cargo binstall waypost` |
| cargo install | `cargo install waypost --locked`; needs Rust 1.89 and a C compiler |
| container image | `docker run --rm --volume "$PWD:/site" --user "$(id -u)" IMAGE` |

The programs are for Linux (static, for every C library, x86-64 and arm64), macOS (Intel and Apple) and Windows (x86-64).

These integrations install or run it:

- Netlify: `npm install -D netlify-plugin-waypost`, and `package = "netlify-plugin-waypost"` below `[[plugins]]` in netlify.toml. The plugin runs
  waypost after the build and shows a summary of the deploy; with `submit = true` it notifies search engines of changes.
- Docusaurus: with the npm package, `plugins: ['waypost/docusaurus']` in `docusaurus.config.js` instead of `postbuild`. It writes one sitemap for
  all languages.
- MkDocs: with the Python package, `plugins: [waypost]` in `mkdocs.yml`. It uses `site_url`, `site_dir` and MkDocs' strict mode.
- GitLab: the component `$CI_SERVER_FQDN/GROUP/waypost/waypost@VERSION`, with the input `build-job`. Its job takes the artifacts of that job, and
  its own artifacts are the same with the sitemap. `GROUP` is the group with a mirror of this repository; `templates/waypost.yml` describes the
  other inputs.
- pre-commit: the hooks `waypost-check`, for a built site in the repository, and `waypost-settings`.
"#;

const BEFORE: &str = "## From the first release on

There is no release yet. A package that a registry has under one of the names of this project is not from this project, and no command
in this documentation installs one. Until then, `waypost init` prints a step that builds waypost: by the repository and the commit, if
the program was built from a clean clone of a repository on GitHub that has the commit, and otherwise by the path of a checkout, which
you fill in.

The release will have packages for npm, PyPI and crates.io, an archive for each platform (Linux, macOS, Windows) and an installer, a
container image, a component for GitLab, hooks for pre-commit, and plugins for Netlify, Docusaurus and MkDocs.
";

#[test]
fn the_page_on_installation_names_packages_only_if_there_is_a_release() {
    let part = if cfg!(published) {
        OF_A_RELEASE
            .replace("REPOSITORY", env!("CARGO_PKG_REPOSITORY"))
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
    } else {
        BEFORE.to_owned()
    };
    assert_page("install.md", |text| {
        with_part(text, "packages", &part).expect("the page has the part")
    });
}
