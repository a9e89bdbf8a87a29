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
    let program = env!("CARGO_PKG_NAME");
    assert_eq!([name.as_str(), command.as_str()], [program; 2]);
}

#[test]
fn its_inputs_are_the_flags_of_build() {
    let help = help();
    let options = help.lines().map(str::trim_start);
    let options = options.filter(|line| line.starts_with('-'));
    let flags = options.flat_map(|line| line.split([' ', ',']));
    let flags: BTreeSet<&str> = flags.filter(|word| word.starts_with("--")).collect();
    let inputs = manifest().input.into_iter();
    let inputs = inputs.filter_map(|input| input.flag);
    let inputs: BTreeSet<String> = inputs
        .chain(NO_INPUTS.iter().map(|&flag| flag.to_owned()))
        .collect();
    assert!(inputs.iter().eq(flags.iter()), "{help}");
}

#[test]
fn its_inputs_are_described_as_in_the_help() {
    let plain = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ").to_lowercase()
    };
    let help = plain(&help());
    for input in manifest().input {
        assert!(help.contains(&plain(&input.about)), "{}", input.name);
        let default = input.default.map(|default| format!("[default: {default}]"));
        let is_shown = default.is_none_or(|default| help.contains(&default));
        assert!(is_shown, "{}", input.name);
    }
}

#[test]
fn its_environment_variables_are_settings() {
    let variables = manifest().input.into_iter().filter_map(|input| input.env);
    // This one sets a flag.
    for variable in variables.filter(|variable| variable != "WAYPOST_STRICT") {
        let mut site = SiteTest::of_pages(&["public/index.html"]);
        let is_url = variable.ends_with("_URL");
        let value = if is_url {
            "https://example.org/"
        } else {
            "public"
        };
        site.variable(&variable, value);
        let settings = site.waypost(&["explain", "--settings"]).succeeded().stdout;
        assert!(settings.contains(&variable), "{variable}:\n{settings}");
    }
}

#[test]
fn exactly_its_outputs_are_written() {
    let site = SiteTest::of_pages(&["index.html", "blog/a.html"]);
    let before = site.files();
    let group = "[[rule]]\nmatch = \"blog/**\"\ngroup = \"blog\"\n";
    site.settings(&format!(
        "[sitemap]\ngzip = \"also\"\nformats = [\"xml\", \"txt\"]\n\
         [submit]\nkey = \"a1b2c3d4\"\n{group}"
    ))
    .build();
    let mut written = site.files();
    written.retain(|file| !before.contains(file));
    let outputs = manifest().output.into_iter();
    let globs = outputs.map(|output| Glob::new(&output.file).expect("a glob").compile_matcher());
    let globs: Vec<_> = globs.collect();
    for glob in &globs {
        let is_written = written.iter().any(|file| glob.is_match(file));
        assert!(is_written, "`{}` is not written: {written:?}", glob.glob());
    }
    for file in &written {
        let is_output = globs.iter().any(|glob| glob.is_match(file));
        assert!(is_output, "`{file}` is not an output of the manifest");
    }
}

#[test]
fn its_exit_codes_are_those_of_the_help() {
    let help = SiteTest::empty().waypost(&["--help"]).succeeded().stdout;
    let (_, codes) = help.split_once("Exit codes:").expect("exit codes");
    let said = codes.split([' ', ',', '.', '\n']);
    let said: Vec<u8> = said.filter_map(|word| word.parse().ok()).collect();
    let listed = manifest().exit_code.into_iter().map(|code| code.code);
    assert_eq!(said, listed.collect::<Vec<_>>(), "{codes}");
}
