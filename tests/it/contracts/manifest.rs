//! Checks that plugin-manifest.toml lists everything that exists and nothing else.

use std::collections::BTreeSet;

use globset::Glob;
use serde::Deserialize;

use crate::site_test::SiteTest;

/// Flags that do not affect the output.
const NO_INPUTS: &[&str] = &["--color", "--help", "--quiet", "--threads", "--verbose"];

#[derive(Deserialize)]
pub(crate) struct Manifest {
    plugin: Plugin,
    input: Vec<Input>,
    output: Vec<Output>,
    pub(crate) exit_code: Vec<ExitCode>,
    pub(crate) variable: Vec<Variable>,
}

#[derive(Deserialize)]
struct Plugin {
    name: String,
    command: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    name: String,
    flag: Option<String>,
    env: Option<String>,
    about: String,
    default: Option<String>,
}

#[derive(Deserialize)]
struct Output {
    file: String,
}

#[derive(Deserialize)]
pub(crate) struct ExitCode {
    pub(crate) code: u8,
    pub(crate) about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variable {
    pub(crate) names: Vec<String>,
    pub(crate) about: String,
}

/// The manifest, as far as the documents repeat it.
pub(crate) fn manifest() -> Manifest {
    toml::from_str(include_str!("../../../plugin-manifest.toml"))
        .expect("the manifest is well-formed")
}

fn help() -> String {
    SiteTest::empty()
        .waypost(&["build", "--help"])
        .succeeded()
        .stdout
}

#[test]
fn its_name_and_command_are_those_of_the_program() {
    let Plugin { name, command } = manifest().plugin;
    assert_eq!(
        (name.as_str(), command.as_str()),
        (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_NAME"))
    );
}

#[test]
fn its_inputs_are_the_flags_of_build() {
    let help = help();
    let options = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'));
    let flags = options
        .flat_map(|line| line.split([' ', ',']))
        .filter(|word| word.starts_with("--"))
        .collect::<BTreeSet<_>>();
    let manifest = manifest();
    let inputs = manifest
        .input
        .iter()
        .filter_map(|input| input.flag.as_deref())
        .chain(NO_INPUTS.iter().copied());
    assert_eq!(inputs.collect::<BTreeSet<_>>(), flags, "{help}");
}

#[test]
fn its_inputs_are_described_as_in_the_help() {
    let plain = |text: &str| {
        text.to_lowercase()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let help = plain(&help());
    for input in manifest().input {
        assert!(
            help.contains(&plain(&input.about)),
            "`{}`: {}\n{help}",
            input.name,
            input.about
        );
        let default = input.default.map(|default| format!("[default: {default}]"));
        assert!(
            default.is_none_or(|default| help.contains(&default)),
            "`{}`\n{help}",
            input.name
        );
    }
}

#[test]
fn its_environment_variables_are_settings() {
    let variables = manifest().input.into_iter().filter_map(|input| input.env);
    // This one sets a flag.
    for variable in variables.filter(|variable| variable != "WAYPOST_STRICT") {
        let mut site = SiteTest::of_pages(&["public/index.html"]);
        let value = if variable.ends_with("_URL") {
            "https://example.org/"
        } else {
            "public"
        };
        site.variable(&variable, value);
        let settings = site.waypost(&["explain", "--settings"]).succeeded().stdout;
        assert!(
            settings.contains(&variable),
            "no setting comes from `{variable}`:\n{settings}"
        );
    }
}

#[test]
fn exactly_its_outputs_are_written() {
    let site = SiteTest::of_pages(&["index.html", "blog/a.html"]);
    let before: BTreeSet<String> = site.files().into_iter().collect();
    let group = "[[rule]]\nmatch = \"blog/**\"\ngroup = \"blog\"\n";
    site.settings(&format!(
        "[sitemap]\ngzip = \"also\"\nformats = [\"xml\", \"txt\"]\n\
         [submit]\nkey = \"a1b2c3d4\"\n{group}"
    ))
    .build();
    let written: Vec<String> = site
        .files()
        .into_iter()
        .filter(|file| !before.contains(file))
        .collect();
    let globs: Vec<_> = manifest()
        .output
        .iter()
        .map(|output| Glob::new(&output.file).expect("a glob").compile_matcher())
        .collect();
    for glob in &globs {
        assert!(
            written.iter().any(|file| glob.is_match(file)),
            "`{}` is not written: {written:?}",
            glob.glob()
        );
    }
    for file in &written {
        assert!(
            globs.iter().any(|glob| glob.is_match(file)),
            "`{file}` is not an output of the manifest"
        );
    }
}

#[test]
fn its_exit_codes_are_those_of_the_help() {
    let help = SiteTest::empty().waypost(&["--help"]).succeeded().stdout;
    let (_, codes) = help
        .split_once("Exit codes:")
        .expect("the help lists the exit codes");
    let said: Vec<u8> = codes
        .split([' ', ',', '.', '\n'])
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(
        said,
        manifest()
            .exit_code
            .into_iter()
            .map(|code| code.code)
            .collect::<Vec<_>>(),
        "{codes}"
    );
}
