//! Checks that action.yml, the Netlify plugin and plugin-manifest.toml agree with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Inputs that are useless where a pipeline parses the output.
const NOT_OF_PIPELINES: [&str; 2] = ["json", "github"];

pub(super) fn text(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(super) fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Names and descriptions of the inputs in the manifest.
fn inputs_of_the_program() -> BTreeMap<String, String> {
    let manifest: toml::Table = text("plugin-manifest.toml")
        .parse()
        .expect("the manifest is TOML");
    let inputs = manifest["input"].as_array().expect("an array");
    let text = |input: &toml::Value, key: &str| input[key].as_str().expect("a string").to_owned();
    inputs
        .iter()
        .map(|input| (text(input, "name"), text(input, "about")))
        .collect()
}

#[test]
fn the_action_has_the_inputs_of_the_program() {
    let action = yaml("action.yml");
    let described = action["inputs"].as_object().expect("a table").iter();
    let described = described.map(|(name, input)| {
        let about = input["description"].as_str().expect("a string");
        (name.clone(), about.to_owned())
    });
    let mut described: BTreeMap<String, String> = described.collect();
    assert!(described.remove("version").is_some());
    let mut expected = inputs_of_the_program();
    expected.retain(|name, _| !NOT_OF_PIPELINES.contains(&name.as_str()));
    assert_eq!(described, expected);
}

#[test]
fn inputs_of_the_action_reach_scripts_only_as_environment_variables() {
    for file in ["action.yml", "submit/action.yml"] {
        check_inputs(file);
    }
}

fn check_inputs(file: &str) {
    let action = yaml(file);
    let mut reached = BTreeSet::new();
    let steps = action["runs"]["steps"].as_array().expect("an array");
    for step in steps.iter().filter(|step| step.get("uses").is_none()) {
        let run = step["run"].as_str().expect("a script");
        assert!(!run.contains("${{"), "`{run}` contains an expression");
        let (_, script) = run.split_once("action/").expect("a file of the action");
        let script = text(&format!(
            "action/{}",
            script.split('"').next().unwrap_or(script)
        ));
        for (variable, value) in step["env"].as_object().expect("a table") {
            let is_read = script.contains(&format!("${{{variable}:-"));
            assert!(is_read, "the script does not read {variable}");
            let input = value.as_str().and_then(|value| {
                let input = value.strip_prefix("${{ inputs.")?;
                input.strip_suffix(" }}")
            });
            reached.extend(input);
        }
    }
    let inputs = action["inputs"].as_object().expect("a table").keys();
    assert!(reached.iter().eq(inputs.collect::<BTreeSet<_>>()), "{file}");
}

#[test]
fn the_examples_use_the_action_of_this_version() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = fs::read_dir(top.join("examples/github-pages")).expect("a directory");
    let examples = examples.map(|file| file.expect("an entry").path());
    let pages = ["hosts/github-pages.md", "how-to/indexnow.md"];
    let pages = pages.map(|page| top.join("docs/src").join(page));
    for file in examples.chain(pages) {
        let workflow = fs::read_to_string(&file).expect("a workflow");
        let uses = workflow.split("/waypost@").skip(1);
        let uses = uses.chain(workflow.split("/waypost/submit@").skip(1));
        for version in uses.filter_map(|rest| rest.split(['\n', '`']).next()) {
            // Before a release, the reader fills in a commit; `.ci/owner` names the release.
            let release = concat!("v", env!("CARGO_PKG_VERSION"));
            let expected = if cfg!(published) { release } else { "<commit>" };
            assert_eq!(version, expected, "{}", file.display());
        }
    }
}

#[test]
fn the_netlify_plugin_has_inputs_of_the_program() {
    let manifest = yaml("netlify/manifest.yml");
    assert_eq!(manifest["name"], "netlify-plugin-waypost");
    let (program, readme) = (inputs_of_the_program(), text("netlify/README.md"));
    for input in manifest["inputs"].as_array().expect("an array") {
        let name = input["name"].as_str().expect("a name");
        let about = input["description"].as_str().expect("a string");
        let has_row =
            readme.contains(&format!("| `{name}` | ")) && readme.contains(&format!(" | {about} |"));
        assert!(has_row, "{name}");
        // `binary` is the path of the program itself, and `submit` runs another command.
        if name != "binary" && name != "submit" {
            assert_eq!(program[&name.replace('_', "-")], about, "{name}");
        }
    }
}

#[test]
fn the_netlify_plugin_has_the_licences_of_the_program() {
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        assert_eq!(text(&format!("netlify/{licence}")), text(licence));
    }
}
