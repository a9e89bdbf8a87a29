//! The steps that `waypost init` prints, run as their pipelines run them: in a fresh clone of the
//! pipeline's depth, with only the programs of its machine on PATH. Generators and installers are
//! imitations, so that a step which uses a program that nothing installs ends in an error.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::platform::{set_mode, symlink};
use crate::site_test::{Outcome, SiteTest};

/// A site of a generator: its files, of which the last is the source of the home page, the output
/// directory, and the programs of the container image that has the generator's language.
struct GeneratorSite {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    output: &'static str,
    image: &'static [&'static str],
}

const SITES: &[GeneratorSite] = &[
    GeneratorSite {
        name: "zola",
        files: &[
            ("zola.toml", "base_url = \"https://example.com\"\n"),
            ("content/_index.md", "a"),
        ],
        output: "public",
        image: &["curl", "tar", "npm", "npx"],
    },
    GeneratorSite {
        name: "hugo",
        files: &[
            ("hugo.toml", "baseURL = \"https://example.com\"\n"),
            ("content/_index.md", "a"),
        ],
        output: "public",
        image: &["curl", "tar", "npm", "npx"],
    },
    GeneratorSite {
        name: "mdbook",
        files: &[
            ("book.toml", "[book]\ntitle = \"t\"\n"),
            ("src/SUMMARY.md", "- [A](README.md)\n"),
            ("src/README.md", "a"),
        ],
        output: "book",
        image: &["curl", "tar", "npm", "npx"],
    },
    GeneratorSite {
        name: "mkdocs",
        files: &[
            (
                "mkdocs.yml",
                "site_name: t\nsite_url: https://example.com/\n",
            ),
            ("docs/index.md", "a"),
        ],
        output: "site",
        image: &["python3"],
    },
    GeneratorSite {
        name: "jekyll",
        files: &[
            ("_config.yml", "url: https://example.com\n"),
            ("index.md", "---\n---\na"),
        ],
        output: "_site",
        image: &["bundle", "apt-get"],
    },
    GeneratorSite {
        name: "next",
        files: &[
            ("next.config.mjs", "export default { output: 'export' };\n"),
            ("package.json", "{}"),
            ("app/page.js", "a"),
        ],
        output: "out",
        image: &["npm", "npx"],
    },
    GeneratorSite {
        name: "quarto",
        files: &[
            (
                "_quarto.yml",
                "website:\n  site-url: https://example.com/\n",
            ),
            ("index.qmd", "a"),
        ],
        output: "_site",
        image: &["python3"],
    },
    GeneratorSite {
        name: "eleventy",
        files: &[
            ("eleventy.config.js", "export default {}\n"),
            ("package.json", "{}"),
            ("index.md", "a"),
        ],
        output: "_site",
        image: &["npm", "npx"],
    },
];

/// The programs of hosts, and of machines that run workflows.
const HOST: [&str; 6] = ["curl", "tar", "npm", "npx", "python3", "bundle"];

/// Where a pipeline's commands are in the step.
struct PipelineCase {
    file: &'static str,
    /// The commands in the parsed step, or none if the step is one command.
    commands: fn(&Value) -> Vec<&Value>,
    /// Whether the commands run in the image of the step.
    machine: Machine,
    /// What makes the clone complete; `None` if the host or a command does.
    depth: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Machine {
    Host,
    Image,
}

fn list(value: &Value) -> Vec<&Value> {
    value.as_array().into_iter().flatten().collect()
}

fn runs(steps: &Value) -> Vec<&Value> {
    list(steps)
        .into_iter()
        .filter_map(|step| step.get("run"))
        .collect()
}

const PIPELINES: &[PipelineCase] = &[
    PipelineCase {
        file: ".github/workflows/a.yml",
        commands: runs,
        machine: Machine::Host,
        depth: Some("fetch-depth: 0"),
    },
    PipelineCase {
        file: ".forgejo/workflows/a.yml",
        commands: runs,
        machine: Machine::Host,
        depth: Some("fetch-depth: 0"),
    },
    PipelineCase {
        file: ".gitlab-ci.yml",
        commands: |step| list(&step["pages"]["script"]),
        machine: Machine::Image,
        depth: Some("GIT_DEPTH: \"0\""),
    },
    PipelineCase {
        file: "render.yaml",
        commands: |step| vec![&step["buildCommand"]],
        machine: Machine::Host,
        depth: None,
    },
    PipelineCase {
        file: ".readthedocs.yaml",
        commands: |step| {
            let jobs = &step["build"]["jobs"];
            [list(&jobs["post_checkout"]), list(&jobs["build"]["html"])].concat()
        },
        machine: Machine::Host,
        depth: None,
    },
    PipelineCase {
        file: "wrangler.toml",
        commands: |step| vec![step],
        machine: Machine::Host,
        depth: None,
    },
    PipelineCase {
        file: "bitbucket-pipelines.yml",
        commands: |step| list(&step["pipelines"]["default"][0]["step"]["script"]),
        machine: Machine::Image,
        depth: Some("depth: full"),
    },
    PipelineCase {
        file: ".circleci/config.yml",
        commands: |step| runs(&step["jobs"]["site"]["steps"]),
        machine: Machine::Image,
        depth: None,
    },
    PipelineCase {
        file: "azure-pipelines.yml",
        commands: |step| {
            list(&step["steps"])
                .into_iter()
                .filter_map(|step| step.get("script"))
                .collect()
        },
        machine: Machine::Host,
        depth: Some("fetchDepth: 0"),
    },
    PipelineCase {
        file: "amplify.yml",
        commands: |step| {
            let phases = &step["frontend"]["phases"];
            [
                list(&phases["preBuild"]["commands"]),
                list(&phases["build"]["commands"]),
            ]
            .concat()
        },
        machine: Machine::Host,
        depth: None,
    },
    PipelineCase {
        file: ".woodpecker.yaml",
        commands: |step| list(&step["steps"][0]["commands"]),
        machine: Machine::Image,
        depth: Some("depth: 0 "),
    },
];

/// Imitations of installers: each makes the programs that the real one installs. `T` is the
/// directory of tools, `%G%` the name of the generator.
const INSTALLERS: &[(&str, &str)] = &[
    (
        "curl",
        "case $2 in *github.com/*/releases/download/*.tar.gz) echo archive;; *) exit 22;; esac",
    ),
    (
        "tar",
        "cat >&2; while [ $# -gt 0 ]; do if [ $1 = -C ]; then dir=$2; fi; shift; done; cp T/generator $dir/%G%",
    ),
    (
        "python3",
        "[ \"$1 $2\" = '-m venv' ]; mkdir -p $3/bin; cp T/pip $3/bin/pip",
    ),
    (
        "pip",
        "for name; do case $name in %G%|%G%-cli) cp T/generator ${0%/*}/%G%;; waypost==V) ln -s T/waypost ${0%/*}/waypost;; esac; done",
    ),
    ("npm", "[ $1 = install ] && touch T/installed"),
    (
        "npx",
        "if [ \"$1 $2\" = '--yes waypost@V' ]; then shift 2; exec T/waypost \"$@\"; fi; [ -e T/installed ]; exec T/generator",
    ),
    (
        "bundle",
        "case $1 in install) touch T/installed;; *) [ -e T/installed ]; exec T/generator;; esac",
    ),
    (
        "apt-get",
        "for name; do if [ $name = npm ]; then cp T/npx T/bin/npx; fi; done",
    ),
];

fn write_program(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\nset -e\n{script}\n")).expect("the file can be written");
    set_mode(path, 0o755);
}

/// Writes the programs of a machine, and returns the directory for PATH.
fn machine(tools: &Path, site: &GeneratorSite, programs: &[&str]) -> String {
    let (bin, root) = (tools.join("bin"), tools.to_string_lossy().into_owned());
    fs::create_dir(&bin).expect("the directory can be created");
    let page = format!(
        "mkdir -p {0}; echo '<title>a</title>' > {0}/index.html",
        site.output
    );
    write_program(&tools.join("generator"), &page);
    let waypost = Path::new(env!("CARGO_BIN_EXE_waypost"));
    fs::hard_link(waypost, tools.join("waypost"))
        .or_else(|_| fs::copy(waypost, tools.join("waypost")).map(drop))
        .expect("the program can be copied");
    for (name, script) in INSTALLERS {
        let script = script
            .replace("T/", &format!("{root}/"))
            .replace("%G%", site.name)
            .replace("@V", concat!("@", env!("CARGO_PKG_VERSION")))
            .replace("==V", concat!("==", env!("CARGO_PKG_VERSION")));
        write_program(&tools.join(name), &script);
        if programs.contains(name) {
            fs::copy(tools.join(name), bin.join(name)).expect("the program can be copied");
        }
    }
    for name in ["sh", "git", "mkdir", "cp", "cat", "ln", "touch"] {
        let found = ["/usr/bin", "/bin"].map(|dir| Path::new(dir).join(name));
        let found = found
            .iter()
            .find(|path| path.exists())
            .expect("the system has it");
        symlink(&found.to_string_lossy(), &bin.join(name)).expect("the link can be created");
    }
    bin.to_string_lossy().into_owned()
}

/// Runs the step that is printed for a pipeline, and returns the entries of the sitemap.
fn run_step(case: &PipelineCase, generator: &GeneratorSite) -> String {
    let site = SiteTest::empty();
    for (file, text) in generator.files {
        site.write(file, text);
    }
    site.write(".gitignore", format!("{}\n", generator.output));
    site.write("waypost.toml", "base_url = \"https://example.com/\"\n");
    site.write(case.file, "");
    site.commit("2024-05-06T07:08:09Z");
    site.write("other", "").commit("2025-01-01T00:00:00Z");
    site.page(format!("{}/index.html", generator.output), "");
    let printed = site.waypost(&["init"]).succeeded().stdout;
    let step: Vec<&str> = printed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let step = step.join("\n");
    let parsed: Value =
        serde_saphyr::from_str(&step).unwrap_or_else(|error| panic!("{error}\n{step}"));
    let commands: Vec<&str> = (case.commands)(&parsed)
        .into_iter()
        .map(|command| command.as_str().expect("a command is a string"))
        .collect();
    let programs = match case.machine {
        Machine::Host => HOST.to_vec(),
        Machine::Image => generator.image.to_vec(),
    };
    let tools = tempfile::tempdir().expect("a temporary directory can be created");
    let bin = machine(tools.path(), generator, &programs);
    let tmp = tools.path().to_string_lossy();
    if ["taiki-e/", "peaceiris/"]
        .iter()
        .any(|action| step.contains(action))
    {
        fs::copy(
            tools.path().join("generator"),
            tools.path().join("bin").join(generator.name),
        )
        .expect("the program can be copied");
    }
    if step.contains("ruby/setup-ruby@") {
        fs::write(tools.path().join("installed"), "").expect("the file can be written");
    }
    let depth = match case.depth {
        Some(words) => {
            assert!(step.contains(words), "{step}");
            ""
        }
        None => "--depth=1",
    };
    let mut script = format!(
        "set -e; READTHEDOCS_OUTPUT={tmp}/output; git clone -q {depth} \"file://$PWD\" {tmp}/clone; cd {tmp}/clone; PATH={bin}\n"
    );
    for command in commands {
        script += &command.replace("/tmp", &tmp);
        script.push('\n');
    }
    let done = site
        .shell_command(&script, &[])
        .output()
        .expect("a shell can be run");
    let outcome = Outcome::of(done);
    assert_eq!(
        outcome.code, 0,
        "{script}\n{}\n{}",
        outcome.stdout, outcome.stderr
    );
    let sitemap = tools
        .path()
        .join("clone")
        .join(generator.output)
        .join("sitemap.xml");
    fs::read_to_string(sitemap)
        .unwrap_or_else(|error| panic!("{error}\n{script}\n{}", outcome.stderr))
}

#[test]
fn every_printed_step_ends_in_a_sitemap_with_true_dates() {
    for case in PIPELINES {
        for generator in SITES {
            // The service builds these by itself, which tests/slow/init.py imitates.
            if case.file == ".readthedocs.yaml" && generator.name == "mkdocs" {
                continue;
            }
            let sitemap = run_step(case, generator);
            let entry = "<loc>https://example.com/</loc>\n    <lastmod>2024-05-06T07:08:09";
            let words = |text: &str| text.split_whitespace().collect::<String>();
            let is_true = words(&sitemap).contains(&words(entry));
            assert!(is_true, "{} {}: {sitemap}", case.file, generator.name);
        }
    }
}
